//! What is kept of a run while it lasts and at its end: its steps, its message, its row.

use std::collections::BTreeSet;

use glade_code::CallOutcome;
use glade_code::chat::{Ending, Message};
use glade_model::{CallEvent, Dialogue, ModelEvent};
use glade_store::{Change, FileWriteRow, MessageRow, RunStatus, StepRow};
use serde_json::json;

use super::run::Drive;
use crate::clock::now_ms;
use crate::workspace::Step;

impl Drive {
    pub(super) async fn count(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::Text(text) => self.note(text),
            ModelEvent::Call(CallEvent::Begun { tool, .. }) => self.note(&format!("\n{tool} ")),
            ModelEvent::Call(CallEvent::Input { piece, .. }) => self.note(piece),
            ModelEvent::Spent(spent) => self.run.cost.usd += spent.usd.unwrap_or(0.0),
            ModelEvent::Done { usage, .. } => {
                self.run.cost.input_tokens += usage.input_tokens;
                self.run.cost.output_tokens += usage.output_tokens;
                self.end_step(usage.input_tokens, usage.output_tokens, None)
                    .await;
            }
            ModelEvent::Call(CallEvent::Over { .. } | CallEvent::Cut { .. })
            | ModelEvent::Thinking(_)
            | ModelEvent::Signed(_) => {}
        }
    }

    fn note(&mut self, said: &str) {
        if let Some(step) = &mut self.step {
            step.answer.push_str(said);
        }
    }

    pub(super) fn begin_step(&mut self, dialogue: &Dialogue) {
        self.step = Some(StepRow {
            run: self.run.id.clone(),
            index: i64::try_from(self.run.steps.len()).unwrap_or(i64::MAX),
            model: self.mind.name().to_owned(),
            prompt_json: serde_json::to_string(dialogue).unwrap_or_default(),
            answer: String::new(),
            started_ms: now_ms(),
            ended_ms: None,
            input_tokens: 0,
            output_tokens: 0,
            error: None,
        });
    }

    pub(super) async fn end_step(&mut self, input: u64, output: u64, error: Option<String>) {
        let Some(mut row) = self.step.take() else {
            return;
        };
        row.ended_ms = Some(now_ms());
        row.input_tokens = i64::try_from(input).unwrap_or(i64::MAX);
        row.output_tokens = i64::try_from(output).unwrap_or(i64::MAX);
        row.error = error;
        self.run.steps.push(Step::from(&row));
        self.write(vec![Change::PutStep(row)]).await;
    }

    /// Writes that were kept and then not made.
    pub(super) async fn forget_unmade(&self, results: &[CallOutcome]) {
        let mut changes = Vec::new();
        for failed in results.iter().filter(|one| one.outcome.is_err()) {
            let Some((path, index)) = self.door.forget(&failed.id) else {
                continue;
            };
            let Ok(rows) = self.host.store.file_writes_of_run(&self.run.id) else {
                continue;
            };
            let rest = |row: &FileWriteRow| row.path == path.as_str() && row.index != index;
            changes.push(Change::SetFileWrites {
                run: self.run.id.clone(),
                path: path.as_str().to_owned(),
                rows: rows.into_iter().filter(rest).collect(),
            });
        }
        if !changes.is_empty() {
            self.write(changes).await;
        }
    }

    /// What was said so far survives a crash.
    pub(super) async fn keep_message(&self, message: &Message) {
        let value = message.to_value();
        if value["parts"].as_array().is_none_or(Vec::is_empty) {
            return;
        }
        self.write(vec![Change::PutMessage(MessageRow {
            id: value["id"].as_str().unwrap_or_default().to_owned(),
            chat: self.chat.clone(),
            role: "assistant".to_owned(),
            body_json: value.to_string(),
            created_ms: now_ms(),
        })])
        .await;
    }

    async fn write(&self, changes: Vec<Change>) {
        if let Err(error) = self.host.store.write(changes).await {
            tracing::error!(%error, chat = self.chat, "a conversation could not be kept");
        }
    }

    /// The run's row as it ended.
    pub(super) async fn settle(&mut self, ending: Ending) {
        self.end_step(0, 0, None).await;
        let writes = self.host.store.file_writes_of_run(&self.run.id);
        let writes = writes.inspect_err(|error| {
            tracing::error!(run = self.run.id, %error, "what a run did to files cannot be read");
        });
        // What cannot be read may be something: the run is not settled by that.
        let nothing = writes.as_ref().is_ok_and(Vec::is_empty);
        let written = writes.into_iter().flatten();
        let files: BTreeSet<String> = written.map(|write| write.path).collect();
        self.run.ended_at = Some(now_ms());
        self.run.elements = files.into_iter().collect();
        self.run.settled = nothing;
        let mut error = None;
        self.run.status = match ending {
            Ending::Done if nothing => RunStatus::Kept,
            Ending::Done => RunStatus::Pending,
            Ending::Aborted => RunStatus::Cancelled,
            Ending::Failed(failure) => {
                self.run.error = Some(failure.message.clone());
                error = Some(json!(failure));
                RunStatus::Failed
            }
        };
        // Before the run is told to be over: whoever hears of that looks at the chat.
        let mut reached = self.door.reached().clone();
        reached.extend(self.run.elements.iter().cloned());
        let reached = Some(reached).filter(|_| self.only_words);
        let changed = self.host.change(&self.chat, |ctx| {
            ctx.error = error;
            ctx.extent.end(&self.run.id, reached);
        });
        if let Err(error) = changed.await {
            tracing::error!(%error, chat = self.chat, "a chat could not be kept");
        }
        if let Err(error) = self.host.workspace.put_run(self.run.clone()).await {
            tracing::error!(%error, run = self.run.id, "the end of a run could not be kept");
        }
    }
}
