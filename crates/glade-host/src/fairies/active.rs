//! The run that a fairy works on: its log and its transcript.

use std::sync::Arc;

use glade_access::Capability;
use glade_agent::{ActionNote, ActionState, Input, Outcome, Prompt, Say};
use glade_store::{Change, MessageRow, RunStatus};
use serde_json::Value;

use super::saved::SavedRun;
use super::stream::RunStream;
use super::transcript::{SavedTranscript, Transcript};
use crate::run_log::{RunLog, ToolEnd};
use crate::workspace::Run;

pub struct ActiveRun {
    pub log: RunLog,
    /// Who asked for it; `None` is the server itself.
    pub asker: Option<Capability>,
    input: Input,
    transcript: Transcript,
    /// The transcript as of the beginning of the step at work.
    stored: SavedTranscript,
}

impl ActiveRun {
    pub fn new(run: Run, transcript: Transcript, asker: Option<Capability>, input: Input) -> Self {
        Self {
            log: RunLog::new(run),
            asker,
            input,
            stored: transcript.save(),
            transcript,
        }
    }

    pub fn id(&self) -> &str {
        &self.log.run.id
    }

    pub fn say(&mut self, say: &Say) {
        self.log.stir();
        if let Say::Action(note) = say
            && note.state != ActionState::Partial
        {
            self.acted(note);
        }
        self.transcript.say(&self.log.run.id, say);
    }

    /// What the chat hears of it.
    pub fn stream(&self) -> &Arc<RunStream> {
        self.transcript.stream()
    }

    /// The pages that it was shown besides the one that it began on, for the store.
    pub fn read(&self) -> Option<Change> {
        let mut pages = self.stream().pages_told_of();
        if let Some(first) = self.log.run.target.first_page() {
            pages.remove(first);
        }
        let run = self.log.run.id.clone();
        (!pages.is_empty()).then_some(Change::NoteRead { run, pages })
    }

    /// A step begins here: a crash goes back to what was said by now.
    pub fn mark(&mut self) {
        self.stored = self.transcript.save();
    }

    /// What is stored of it: nothing that the step at work has said.
    pub fn save(&self) -> SavedRun {
        SavedRun {
            id: self.log.run.id.clone(),
            asker: self.asker.clone(),
            input: self.input.clone(),
            transcript: self.stored.clone(),
        }
    }

    /// Opens a step; answers its row for the store.
    pub fn begin_step(&mut self, index: u32, model: &str, prompt: &Prompt, now_ms: i64) -> Change {
        self.transcript.begin_step();
        let prompt = serde_json::to_string(prompt).unwrap_or_default();
        self.log.begin_step(i64::from(index), model, prompt, now_ms)
    }

    /// An action came to its end, one way or another.
    fn acted(&mut self, note: &ActionNote) {
        let call = format!("{}:{}", self.log.run.id, note.action);
        let end = match note.state {
            ActionState::Done => ToolEnd::Done,
            _ => ToolEnd::NotCarriedOut,
        };
        self.log.begin_tool(&note.name, &call);
        self.log.end_tool(&call, end);
    }

    /// Closes the run: the row to show, the message for the chat's history, and what tells the run,
    /// to be ended once both are stored: who reads the end and then the history finds the answer.
    pub fn end(
        self,
        outcome: &Outcome,
        elements: Vec<String>,
        keep: Keep,
        now_ms: i64,
    ) -> (Run, Change, Arc<RunStream>) {
        let mut run = self.log.run;
        let kept = keep == Keep::AtOnce && *outcome == Outcome::Done;
        run.settled = kept || elements.is_empty();
        run.status = match outcome {
            Outcome::Done if run.settled => RunStatus::Kept,
            Outcome::Done => RunStatus::Pending,
            Outcome::Stopped | Outcome::Interrupted => RunStatus::Cancelled,
            Outcome::Failed(failure) => {
                run.error = Some(failure.message.clone());
                RunStatus::Failed
            }
        };
        run.elements = elements;
        run.ended_at = Some(now_ms);
        let id = self.transcript.message_id().to_owned();
        let (body, told) = self.transcript.end(outcome);
        let message = message_row(
            &id,
            run.owner.fairy().unwrap_or_default(),
            "assistant",
            &body,
            now_ms,
        );
        (run, message, told)
    }
}

/// When what a fairy does counts as kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// As soon as it is done.
    AtOnce,
    /// When a person says so.
    WhenAsked,
}

pub fn message_row(id: &str, chat: &str, role: &str, body: &Value, now_ms: i64) -> Change {
    Change::PutMessage(MessageRow {
        id: id.to_owned(),
        chat: chat.to_owned(),
        role: role.to_owned(),
        body_json: body.to_string(),
        created_ms: now_ms,
    })
}
