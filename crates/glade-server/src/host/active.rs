//! The run that a fairy works on: its row, its transcript, the step under way.

use glade_access::Capability;
use glade_agent::{Outcome, Prompt, Say, Usage};
use glade_model::Spent;
use glade_store::{Change, MessageRow, RunStatus, StepRow};
use serde_json::Value;

use super::transcript::Transcript;
use crate::workspace::{Run, Step};

pub struct ActiveRun {
    pub run: Run,
    /// Who asked for it; `None` is the server itself.
    pub asker: Option<Capability>,
    transcript: Transcript,
    step: Option<StepRow>,
}

impl ActiveRun {
    pub fn new(run: Run, transcript: Transcript, asker: Option<Capability>) -> Self {
        Self {
            run,
            asker,
            transcript,
            step: None,
        }
    }

    pub fn id(&self) -> &str {
        &self.run.id
    }

    pub fn say(&mut self, say: &Say) {
        self.transcript.say(&self.run.id, say);
    }

    pub fn begin_step(&mut self, index: u32, model: &str, prompt: &Prompt, now_ms: i64) {
        self.step = Some(StepRow {
            run: self.run.id.clone(),
            index: i64::from(index),
            model: model.to_owned(),
            prompt_json: serde_json::to_string(prompt).unwrap_or_default(),
            answer: String::new(),
            started_ms: now_ms,
            ended_ms: None,
            input_tokens: 0,
            output_tokens: 0,
            error: None,
        });
    }

    /// The step under way, as far as it is.
    pub fn step_now(&self) -> Option<StepRow> {
        self.step.clone()
    }

    pub fn heard(&mut self, text: &str) {
        if let Some(step) = &mut self.step {
            step.answer.push_str(text);
        }
    }

    /// What the request cost, where that is known.
    pub fn spent(&mut self, spent: &Spent) {
        self.run.cost.usd += spent.usd.unwrap_or(0.0);
    }

    /// A guess at what the step has cost so far, four letters a token: a stream that breaks off is
    /// paid for, but nobody says how much.
    pub fn guess(&self) -> Usage {
        let tokens = |text: &str| text.len().div_ceil(4) as u64;
        self.step
            .as_ref()
            .map_or_else(Usage::default, |step| Usage {
                input_tokens: tokens(&step.prompt_json),
                output_tokens: tokens(&step.answer),
            })
    }

    /// Closes the step; answers its row for the store.
    pub fn end_step(&mut self, usage: Usage, error: Option<String>, now_ms: i64) -> Option<Change> {
        let mut step = self.step.take()?;
        step.ended_ms = Some(now_ms);
        step.input_tokens = i64::try_from(usage.input_tokens).unwrap_or(i64::MAX);
        step.output_tokens = i64::try_from(usage.output_tokens).unwrap_or(i64::MAX);
        step.error = error;
        self.run.cost.input_tokens += usage.input_tokens;
        self.run.cost.output_tokens += usage.output_tokens;
        self.run.steps.push(Step::from(&step));
        Some(Change::PutStep(step))
    }

    /// Closes the run: the row to show, and the message for the chat's history.
    pub fn end(mut self, outcome: &Outcome, elements: Vec<String>, now_ms: i64) -> (Run, Change) {
        self.run.settled = elements.is_empty();
        self.run.status = match outcome {
            Outcome::Done if elements.is_empty() => RunStatus::Kept,
            Outcome::Done => RunStatus::Pending,
            Outcome::Stopped | Outcome::Interrupted => RunStatus::Cancelled,
            Outcome::Failed(reason) => {
                self.run.error = Some(reason.clone());
                RunStatus::Failed
            }
        };
        self.run.elements = elements;
        self.run.ended_at = Some(now_ms);
        let id = self.transcript.message_id().to_owned();
        let body = self.transcript.end(outcome);
        let message = message_row(&id, &self.run.fairy, "assistant", &body, now_ms);
        (self.run, message)
    }
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
