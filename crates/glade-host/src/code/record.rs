//! What is kept of a run while it lasts and at its end: its steps, its message, its row.

use std::collections::BTreeSet;

use glade_agent::{CallEvent, Dialogue, Outcome, Usage};
use glade_code::CallOutcome;
use glade_model::ModelEvent;
use glade_store::{Change, FileWriteRow, MessageRow, RunStatus};
use serde_json::json;

use super::run::Drive;
use crate::clock::now_ms;
use crate::run_log::ToolEnd;

impl Drive {
    pub(super) async fn count(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::Text(text) => self.note(text),
            ModelEvent::Call(CallEvent::Begun { tool, .. }) => self.note(&format!("\n{tool} ")),
            ModelEvent::Call(CallEvent::Input { piece, .. }) => self.note(piece),
            ModelEvent::Spent(spent) => self.log.spent(spent),
            ModelEvent::Done { usage, .. } => {
                self.end_step(*usage, None).await;
            }
            ModelEvent::Call(CallEvent::Over { .. } | CallEvent::Cut { .. })
            | ModelEvent::Thinking(_)
            | ModelEvent::Signed(_) => {}
        }
    }

    fn note(&mut self, said: &str) {
        self.log.stir();
        self.log.add_answer(said);
    }

    /// Its row is stored when it is over.
    pub(super) fn begin_step(&mut self, dialogue: &Dialogue) {
        let index = i64::try_from(self.log.run.steps.len()).unwrap_or(i64::MAX);
        let prompt = serde_json::to_string(dialogue).unwrap_or_default();
        self.log
            .begin_step(index, self.mind.name(), prompt, now_ms());
    }

    pub(super) async fn end_step(&mut self, usage: Usage, error: Option<String>) {
        if let Some(row) = self.log.end_step(usage, error, now_ms()) {
            self.write(vec![row]).await;
        }
    }

    /// Calls are over.
    pub(super) async fn end_calls(&mut self, results: &[CallOutcome]) {
        for result in results {
            let end = match result.outcome {
                Ok(_) => ToolEnd::Done,
                Err(_) => ToolEnd::NotCarriedOut,
            };
            self.log.end_tool(&result.id, end);
        }
        self.forget_unmade(results).await;
    }

    /// Writes that were kept and then not made.
    async fn forget_unmade(&self, results: &[CallOutcome]) {
        let mut changes = Vec::new();
        let failed = results.iter().filter(|one| one.outcome.is_err());
        for (path, index) in failed.flat_map(|one| self.door.forget(&one.id)) {
            let Ok(rows) = self.host.store.file_writes_of_run(&self.log.run.id) else {
                continue;
            };
            let rest = |row: &FileWriteRow| row.path == path.as_str() && row.index != index;
            changes.push(Change::SetFileWrites {
                run: self.log.run.id.clone(),
                path: path.as_str().to_owned(),
                rows: rows.into_iter().filter(rest).collect(),
            });
        }
        if !changes.is_empty() {
            self.write(changes).await;
        }
    }

    /// What was said so far survives a crash.
    pub(super) async fn keep_message(&self) {
        let value = self.message.to_value();
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
    pub(super) async fn settle(&mut self, outcome: &Outcome) {
        self.end_step(Usage::default(), None).await;
        let writes = self.host.store.file_writes_of_run(&self.log.run.id);
        let writes = writes.inspect_err(|error| {
            tracing::error!(run = self.log.run.id, %error, "what a run did to files cannot be read");
        });
        // What cannot be read may be something: the run is not settled by that.
        let nothing = writes.as_ref().is_ok_and(Vec::is_empty);
        let written = writes.into_iter().flatten();
        let files: BTreeSet<String> = written.map(|write| write.path).collect();
        self.log.run.ended_at = Some(now_ms());
        self.log.run.elements = files.into_iter().collect();
        self.log.run.settled = nothing;
        let mut error = None;
        self.log.run.status = match outcome {
            Outcome::Done if nothing => RunStatus::Kept,
            Outcome::Done => RunStatus::Pending,
            Outcome::Stopped | Outcome::Interrupted => RunStatus::Cancelled,
            Outcome::Failed(failure) => {
                self.log.run.error = Some(failure.message.clone());
                error = Some(json!(failure));
                RunStatus::Failed
            }
        };
        // Before the run is told to be over: whoever hears of that looks at the chat.
        let mut reached = self.door.reached().clone();
        reached.extend(self.log.run.elements.iter().cloned());
        let reached = Some(reached).filter(|_| self.only_words);
        let changed = self.host.change(&self.chat, |ctx| {
            ctx.error = error;
            ctx.extent.end(&self.log.run.id, reached);
        });
        if let Err(error) = changed.await {
            tracing::error!(%error, chat = self.chat, "a chat could not be kept");
        }
        if let Err(error) = self.host.workspace.put_run(self.log.run.clone()).await {
            tracing::error!(%error, run = self.log.run.id, "the end of a run could not be kept");
        }
    }
}
