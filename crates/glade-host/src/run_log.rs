//! A run while it lasts, on pages or on files: its row, the step under way, and what is counted and traced of both.

use std::collections::BTreeMap;
use std::time::Instant;

use glade_agent::Usage;
use glade_model::Spent;
use glade_store::{Change, StepRow};

use crate::metrics;
use crate::traces::{self, Span};
use crate::workspace::{Run, Step};

pub struct RunLog {
    pub run: Run,
    step: Option<StepRow>,
    /// When it was asked, until it has done or said something.
    quiet_since: Option<Instant>,
    /// Spans of the run, of the step at work and of the tools in use by their calls, where somebody collects them.
    span: Option<Span>,
    chat: Option<Span>,
    tools: BTreeMap<String, Option<Span>>,
}

impl RunLog {
    pub fn new(run: Run) -> Self {
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
            step: None,
            quiet_since: Some(Instant::now()),
            span,
            chat: None,
            tools: BTreeMap::new(),
        }
    }

    /// It does or says something.
    pub fn stir(&mut self) {
        if let Some(since) = self.quiet_since.take() {
            metrics::FIRST_ACTIONS.observe(since.elapsed());
        }
    }

    /// Opens a step; answers its row for the store.
    pub fn begin_step(
        &mut self,
        index: i64,
        model: &str,
        prompt_json: String,
        now_ms: i64,
    ) -> Change {
        let step = StepRow {
            run: self.run.id.clone(),
            index,
            model: model.to_owned(),
            prompt_json,
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
            let fairy = self.run.owner.fairy().unwrap_or_default();
            span.text("gen_ai.conversation.id", fairy);
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

    pub fn begin_tool(&mut self, name: &str, call: &str) {
        let mut span = self.span(&format!("execute_tool {name}"));
        if let Some(span) = &mut span {
            span.text("gen_ai.operation.name", "execute_tool");
            span.text("gen_ai.tool.name", name);
            span.text("gen_ai.tool.call.id", call);
        }
        self.tools.insert(call.to_owned(), span);
    }

    pub fn end_tool(&mut self, call: &str, end: ToolEnd) {
        let span = self.tools.remove(call).flatten();
        if end == ToolEnd::Done {
            metrics::ACTIONS.add();
        } else if let Some(mut span) = span {
            span.fail("not carried out");
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
}

/// How the use of a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEnd {
    Done,
    NotCarriedOut,
}
