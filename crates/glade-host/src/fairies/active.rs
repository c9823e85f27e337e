//! The run that a fairy works on: its row, its transcript, the step under way.

use std::sync::Arc;
use std::time::Instant;

use glade_access::Capability;
use glade_agent::{ActionNote, ActionState, Input, Outcome, Prompt, Say, Usage};
use glade_model::Spent;
use glade_store::{Change, MessageRow, RunStatus, StepRow};
use serde_json::Value;

use super::saved::SavedRun;
use super::stream::RunStream;
use super::transcript::{SavedTranscript, Transcript};
use crate::metrics;
use crate::traces::{self, Span};
use crate::workspace::{Run, Step};

pub struct ActiveRun {
    pub run: Run,
    /// Who asked for it; `None` is the server itself.
    pub asker: Option<Capability>,
    input: Input,
    transcript: Transcript,
    /// The transcript as of the beginning of the step at work.
    stored: SavedTranscript,
    step: Option<StepRow>,
    /// When it was asked, until it has done or said something.
    quiet_since: Option<Instant>,
    /// Spans of the run and of the step at work, where somebody collects them.
    span: Option<Span>,
    chat: Option<Span>,
}

impl ActiveRun {
    pub fn new(run: Run, transcript: Transcript, asker: Option<Capability>, input: Input) -> Self {
        let fairy = run.owner.fairy().unwrap_or_default();
        let mut span = Span::root(|| format!("invoke_agent {fairy}"));
        if let Some(span) = &mut span {
            span.text("gen_ai.operation.name", "invoke_agent");
            span.text("gen_ai.agent.id", fairy);
            span.text("gen_ai.conversation.id", fairy);
            span.text("glade.run", &run.id);
            span.text("glade.page", run.target.name());
        }
        Self {
            run,
            asker,
            input,
            stored: transcript.save(),
            transcript,
            step: None,
            quiet_since: Some(Instant::now()),
            span,
            chat: None,
        }
    }

    pub fn id(&self) -> &str {
        &self.run.id
    }

    fn fairy(&self) -> &str {
        self.run.owner.fairy().unwrap_or_default()
    }

    pub fn say(&mut self, say: &Say) {
        if let Some(since) = self.quiet_since.take() {
            metrics::FIRST_ACTIONS.observe(since.elapsed());
        }
        if let Say::Action(note) = say
            && note.state != ActionState::Partial
        {
            self.acted(note);
        }
        self.transcript.say(&self.run.id, say);
    }

    /// What the chat hears of it.
    pub fn stream(&self) -> &Arc<RunStream> {
        self.transcript.stream()
    }

    /// The pages that it was shown besides the one that it began on, for the store.
    pub fn read(&self) -> Option<Change> {
        let mut pages = self.stream().pages_told_of();
        if let Some(first) = self.run.target.first_page() {
            pages.remove(first);
        }
        let run = self.run.id.clone();
        (!pages.is_empty()).then_some(Change::NoteRead { run, pages })
    }

    /// A step begins here: a crash goes back to what was said by now.
    pub fn mark(&mut self) {
        self.stored = self.transcript.save();
    }

    /// What is stored of it: nothing that the step at work has said.
    pub fn save(&self) -> SavedRun {
        SavedRun {
            id: self.run.id.clone(),
            asker: self.asker.clone(),
            input: self.input.clone(),
            transcript: self.stored.clone(),
        }
    }

    /// Opens a step; answers its row for the store.
    pub fn begin_step(&mut self, index: u32, model: &str, prompt: &Prompt, now_ms: i64) -> Change {
        let step = StepRow {
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
        };
        metrics::STEPS.add();
        self.chat = self.span.as_ref().map(|run| {
            let mut span = run.child(format!("chat {model}"));
            span.text("gen_ai.operation.name", "chat");
            let provider = model.split('/').next().unwrap_or(model);
            span.text("gen_ai.provider.name", provider);
            span.text("gen_ai.request.model", model);
            span.text("gen_ai.conversation.id", self.fairy());
            if traces::with_content() {
                span.text("gen_ai.input.messages", &step.prompt_json);
            }
            span
        });
        self.step = Some(step.clone());
        Change::PutStep(step)
    }

    /// The step under way, as far as it is.
    pub fn step_now(&self) -> Option<StepRow> {
        self.step.clone()
    }

    /// A span inside the step at work, where somebody collects them.
    pub fn span(&self, name: &str) -> Option<Span> {
        let inside = self.chat.as_ref().or(self.span.as_ref())?;
        Some(inside.child(name.to_owned()))
    }

    /// An action came to its end, one way or another.
    fn acted(&mut self, note: &ActionNote) {
        if note.state == ActionState::Done {
            metrics::ACTIONS.add();
        }
        if let Some(mut span) = self.span(&format!("execute_tool {}", note.name)) {
            span.text("gen_ai.operation.name", "execute_tool");
            span.text("gen_ai.tool.name", &note.name);
            span.text(
                "gen_ai.tool.call.id",
                &format!("{}:{}", self.run.id, note.action),
            );
            if note.state != ActionState::Done {
                span.fail("not carried out");
            }
        }
    }

    pub fn add_answer(&mut self, text: &str) {
        if let Some(mut span) = self.span("token_batch") {
            span.number("glade.characters", text.len() as u64);
        }
        if let Some(step) = &mut self.step {
            step.answer.push_str(text);
        }
    }

    /// What the request cost, where that is known.
    pub fn spent(&mut self, spent: &Spent) {
        let usd = spent.usd.unwrap_or(0.0);
        self.run.cost.usd += usd;
        // The cast saturates; a negative price is no price.
        metrics::COST.add_many((usd * 1e6).round() as u64);
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
        metrics::INPUT_TOKENS.add_many(usage.input_tokens);
        metrics::OUTPUT_TOKENS.add_many(usage.output_tokens);
        if let Some(mut span) = self.chat.take() {
            span.number("gen_ai.usage.input_tokens", usage.input_tokens);
            span.number("gen_ai.usage.output_tokens", usage.output_tokens);
            if traces::with_content() {
                span.text("gen_ai.output.messages", &step.answer);
            }
            if let Some(error) = &step.error {
                span.fail(error);
            }
        }
        self.run.cost.input_tokens += usage.input_tokens;
        self.run.cost.output_tokens += usage.output_tokens;
        self.run.steps.push(Step::from(&step));
        Some(Change::PutStep(step))
    }

    /// Closes the run: the row to show, the message for the chat's history, and what tells the run,
    /// to be ended once both are stored: who reads the end and then the history finds the answer.
    pub fn end(
        mut self,
        outcome: &Outcome,
        elements: Vec<String>,
        keep: Keep,
        now_ms: i64,
    ) -> (Run, Change, Arc<RunStream>) {
        let kept = keep == Keep::AtOnce && *outcome == Outcome::Done;
        self.run.settled = kept || elements.is_empty();
        self.run.status = match outcome {
            Outcome::Done if self.run.settled => RunStatus::Kept,
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
        let (body, told) = self.transcript.end(outcome);
        let message = message_row(
            &id,
            self.run.owner.fairy().unwrap_or_default(),
            "assistant",
            &body,
            now_ms,
        );
        (self.run, message, told)
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
