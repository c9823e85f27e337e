//! Answers in rounds of tool calls: what a model looks for is part of its next request.
//!
//! On a page an answer is a list of actions, carried out while they are written. On code a model
//! calls tools, hears what became of them and is asked again. The run, its limits, its retries and
//! its end are the same; here is what differs. A round that a crash cuts is not asked again: what it
//! wrote is in files, and the person says how to go on.

mod answer;

use glade_doc::RunId;
use serde_json::Value;

use self::answer::{Answer, StreamingCall, UNREADABLE};
use crate::action;
use crate::agent::Agent;
use crate::dialogue::{
    CallEvent, CallResult, Dialogue, DialogueTurn, Thought, ToolCall, ToolResult,
};
use crate::effect::{
    Activity, CallState, Effect, Expression, Outcome, Piece, Pose, PresenceChange, Say,
};
use crate::ending::Spent;
use crate::event::{Input, Source, StopReason, Usage};
use crate::facts::Impact;
use crate::failure::{Failure, FailureKind};
use crate::fold::fold;
use crate::history::{Remembered, tokens};
use crate::mode::Mode;
use crate::run::{Run, Step, thinking_id};
use crate::state::Checkpoint;

/// How often a refused key is tried again: it may just have been changed.
const AUTH_RETRIES: u32 = 2;
/// What only people look at, of what a call found.
const FOR_PEOPLE: [&str; 2] = ["diff", "undo"];
const CUT: &str = "Your answer was too long and was cut: go on from there.";
pub const NOT_CARRIED_OUT: &str = "NOT_CARRIED_OUT: This call was not carried out.";

/// What a run in rounds holds: the conversation so far, and the answer that is being heard.
#[derive(Debug, Clone)]
pub(crate) struct Rounds {
    dialogue: Dialogue,
    answer: Answer,
    refused_keys: u32,
}

/// Whether a round is the next, or the same asked once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    Next,
    Again,
}

impl Rounds {
    pub fn new(dialogue: Dialogue) -> Self {
        Self {
            dialogue,
            answer: Answer::default(),
            refused_keys: 0,
        }
    }
}

/// What a tool found, as a model hears of it: without what only people look at.
pub fn for_model(found: &Value) -> String {
    let mut found = found.clone();
    if let Some(fields) = found.as_object_mut() {
        for name in FOR_PEOPLE {
            fields.shift_remove(name);
        }
    }
    found.to_string()
}

impl Agent {
    /// A new input that is answered in rounds. Like a prompt it interrupts whatever runs.
    pub(crate) fn conversed(
        &mut self,
        id: RunId,
        input: Input,
        dialogue: Dialogue,
        seed: u64,
        out: &mut Vec<Effect>,
    ) {
        self.abandon(Outcome::Interrupted, out);
        self.switch(Mode::OneShotting, out);
        out.push(Effect::Presence(PresenceChange {
            pose: Some(Pose::Thinking),
            expression: Some(Expression::Curious),
            activity: Some(Activity::Generating),
            doing: Some("thinking".to_owned()),
            mode: Some(self.state.mode),
            ..PresenceChange::default()
        }));
        let message = input.message.clone();
        let mut run = Run::new(id, input, seed);
        run.rounds = Some(Box::new(Rounds::new(dialogue)));
        let source = Source::User;
        self.remember(&run, Remembered::Prompt { source, message });
        self.next_round(run, Round::Next, out);
    }

    fn remember(&mut self, run: &Run, what: Remembered) {
        let level = self.state.mode.row().memory;
        let history = &mut self.state_mut().history;
        history.push_of(Some(run.id.clone()), level, what);
    }

    /// Asks, unless the run has used what it may.
    fn next_round(&mut self, mut run: Run, round: Round, out: &mut Vec<Effect>) {
        if let Some(spent) = self.spent_limit(&run) {
            let what = match spent {
                Spent::Steps(steps) => format!(
                    "After {steps} rounds of tools this was ended so that it does not go on for ever."
                ),
                Spent::Tokens { used, most } => {
                    format!("This took {used} tokens, and {most} are allowed at once.")
                }
                Spent::Usd { used, most } => {
                    format!("This cost ${used:.2}, and ${most:.2} are allowed at once.")
                }
            };
            return self.fail_rounds(run, Failure::spent(&what), out);
        }
        let Some(mut rounds) = run.rounds.take() else {
            return;
        };
        rounds.answer = Answer::default();
        self.number_round(&mut run);
        let dialogue = Dialogue {
            turns: fold(&rounds.dialogue.turns),
            ..rounds.dialogue.clone()
        };
        run.step.guess = rough_tokens(&dialogue);
        run.steps += 1;
        if round == Round::Next {
            out.push(Effect::Say(Say::StepBegun));
        }
        out.push(Effect::Converse {
            step: run.step.number,
            dialogue: Box::new(dialogue),
        });
        run.rounds = Some(rounds);
        self.run = Some(run);
    }

    /// A step of its own number. Nothing of the run is kept for a crash.
    fn number_round(&mut self, run: &mut Run) {
        self.state_mut().last_step += 1;
        run.step = Step::new(self.state.last_step);
        run.step.start = Some(Box::new(Checkpoint {
            state: self.state.clone(),
            run: None,
        }));
    }

    pub(crate) fn heard_words(&mut self, text: &str, out: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        run.step.end_thinking(out);
        run.step.guess += tokens(text) as u64;
        let step = run.step.number;
        let Some(rounds) = &mut run.rounds else {
            return;
        };
        let answer = &mut rounds.answer;
        if !std::mem::replace(&mut answer.open, true) {
            answer.opened += 1;
        }
        answer.text.push_str(text);
        out.push(Effect::Say(Say::Text {
            id: format!("text-{step}-{}", answer.opened),
            piece: Piece::Delta(text.to_owned()),
        }));
    }

    /// What a run in rounds hears besides is said by [`Agent::thinking`].
    pub(crate) fn heard_thought(&mut self, text: &str, out: &mut Vec<Effect>) {
        if let Some(run) = &mut self.run
            && let Some(rounds) = &mut run.rounds
        {
            rounds.answer.thought.push_str(text);
            rounds.answer.end_words(run.step.number, out);
        }
    }

    pub(crate) fn sealed(&mut self, signature: String, out: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        let Some(rounds) = &mut run.rounds else {
            return;
        };
        let answer = &mut rounds.answer;
        answer.end_words(run.step.number, out);
        let text = std::mem::take(&mut answer.thought);
        out.push(Effect::Say(Say::Thought {
            id: thinking_id(run.step.number),
            piece: Piece::Sealed(signature.clone()),
        }));
        run.step.thinking = false;
        answer.thoughts.push(Thought { text, signature });
    }

    pub(crate) fn heard_call(&mut self, event: CallEvent, out: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        run.step.end_thinking(out);
        let step = run.step.number;
        let Some(rounds) = &mut run.rounds else {
            return;
        };
        let answer = &mut rounds.answer;
        answer.end_words(step, out);
        let (CallEvent::Begun { id, .. }
        | CallEvent::Input { id, .. }
        | CallEvent::Over { id }
        | CallEvent::Cut { id }) = &event;
        let id = id.clone();
        if let CallEvent::Begun { tool, .. } = event {
            answer.calls.push(StreamingCall::new(&id, tool));
            return answer.tell(&id, CallState::Begun, out);
        }
        let Some(call) = answer.calls.iter_mut().find(|call| call.id == id) else {
            return;
        };
        let state = match event {
            CallEvent::Input { piece, .. } => {
                call.raw.push_str(&piece);
                run.step.guess += tokens(&piece) as u64;
                CallState::Input(piece)
            }
            CallEvent::Over { .. } => call.read(),
            CallEvent::Begun { .. } | CallEvent::Cut { .. } => call.unreadable(),
        };
        if let CallState::Asked(input) = &state {
            out.push(Effect::Presence(PresenceChange {
                pose: Some(Pose::Working),
                expression: Some(Expression::Focused),
                doing: Some(doing(&call.tool, input)),
                ..PresenceChange::default()
            }));
        }
        answer.tell(&id, state, out);
    }

    /// The model's turn is over: its calls are carried out, or the run ends.
    pub(crate) fn round_answered(
        &mut self,
        mut run: Run,
        stop: StopReason,
        usage: Usage,
        out: &mut Vec<Effect>,
    ) {
        run.step.end_thinking(out);
        run.failures = 0;
        run.tokens += match usage.input_tokens + usage.output_tokens {
            0 => run.step.guess,
            counted => counted,
        };
        let step = run.step.number;
        let Some(rounds) = &mut run.rounds else {
            return;
        };
        rounds.answer.end_words(step, out);
        out.push(Effect::Say(Say::StepOver));
        if rounds.answer.calls.is_empty() {
            return self.said_all(run, stop, out);
        }
        let ready = rounds.answer.calls.iter().filter_map(StreamingCall::ready);
        let calls: Vec<ToolCall> = ready.collect();
        if calls.is_empty() {
            return self.round_over(run, &[], out);
        }
        out.push(Effect::Presence(PresenceChange {
            activity: Some(Activity::AwaitingToolResult),
            ..PresenceChange::default()
        }));
        out.push(Effect::RunCalls { step, calls });
        self.run = Some(run);
    }

    /// An answer without calls is the last, unless it was cut.
    fn said_all(&mut self, mut run: Run, stop: StopReason, out: &mut Vec<Effect>) {
        let Some(rounds) = &mut run.rounds else {
            return;
        };
        let text = rounds.answer.text.clone();
        if stop == StopReason::Length && run.sent_back.insert(CUT.to_owned()) {
            rounds.take_answer();
            rounds.dialogue.turns.push(DialogueTurn::Person {
                text: CUT.to_owned(),
                images: Vec::new(),
            });
            return self.next_round(run, Round::Next, out);
        }
        if stop == StopReason::ContentFilter {
            self.words(
                out,
                "The model's provider held back the rest of the answer. Try other words.",
            );
        }
        if !text.trim().is_empty() {
            self.remember(&run, Remembered::Message { text });
        }
        self.switch(self.state.mode.row().hooks.on_end, out);
        self.rest(Pose::Celebrating, Expression::Happy, out);
        out.push(Effect::EndRun {
            run: run.id,
            outcome: Outcome::Done,
        });
    }

    /// What became of the calls of a round.
    pub(crate) fn calls_done(&mut self, results: &[CallResult], out: &mut Vec<Effect>) {
        let Some(run) = self.run.take() else {
            return;
        };
        if run.rounds.is_none() {
            self.run = Some(run);
            return;
        }
        self.round_over(run, results, out);
    }

    fn round_over(&mut self, mut run: Run, results: &[CallResult], out: &mut Vec<Effect>) {
        let Some(rounds) = &mut run.rounds else {
            return;
        };
        let mut told = Vec::new();
        let mut done = Vec::new();
        for call in &mut rounds.answer.calls {
            let result = results.iter().find(|one| one.id == call.id);
            let (output, failed) = match result.map(|one| &one.found) {
                Some(Ok(found)) => {
                    let told = result.and_then(|one| one.told.clone());
                    (told.unwrap_or_else(|| for_model(found)), false)
                }
                Some(Err(error)) => (error.to_string(), true),
                None if call.input.is_none() => (UNREADABLE.to_owned(), true),
                None => (NOT_CARRIED_OUT.to_owned(), true),
            };
            if let Some(result) = result {
                call.over = true;
                out.push(call.note(CallState::Done {
                    found: result.found.clone(),
                    took_ms: result.took_ms,
                }));
            }
            if !failed {
                done.extend(changed(call, &output));
            }
            told.push(ToolResult {
                id: call.id.clone(),
                tool: call.tool.clone(),
                output,
                failed,
            });
        }
        rounds.take_answer();
        rounds.dialogue.turns.push(DialogueTurn::Results(told));
        for what in done {
            self.remember(&run, what);
        }
        out.push(Effect::Presence(PresenceChange {
            pose: Some(Pose::Thinking),
            activity: Some(Activity::Generating),
            ..PresenceChange::default()
        }));
        self.next_round(run, Round::Next, out);
    }

    /// The request of a round failed.
    pub(crate) fn round_failed(
        &mut self,
        mut run: Run,
        failure: Failure,
        retryable: bool,
        out: &mut Vec<Effect>,
    ) {
        run.step.end_thinking(out);
        run.tokens += run.step.guess;
        let step = run.step.number;
        let Some(rounds) = &mut run.rounds else {
            return;
        };
        rounds.answer.end_words(step, out);
        let silent = rounds.answer.is_silent();
        if failure.kind == FailureKind::Auth && silent && rounds.refused_keys < AUTH_RETRIES {
            rounds.refused_keys += 1;
            return self.next_round(run, Round::Again, out);
        }
        // What was said already would be said twice.
        if silent
            && retryable
            && let Some(wait) = Self::retry_wait(&mut run, failure.retry_after_ms)
        {
            Self::show_waiting(out);
            self.number_round(&mut run);
            out.push(Effect::Wake {
                step: run.step.number,
                after_ms: wait,
            });
            self.run = Some(run);
            return;
        }
        let why = if failure.kind == FailureKind::Timeout {
            "Ended by the time limit."
        } else {
            "The model failed before this was done."
        };
        run.give_up_calls(why, out);
        self.fail_rounds(run, failure, out);
    }

    pub(crate) fn woken_round(&mut self, run: Run, out: &mut Vec<Effect>) {
        self.next_round(run, Round::Again, out);
    }

    fn fail_rounds(&mut self, run: Run, failure: Failure, out: &mut Vec<Effect>) {
        // The model hears of it when it is asked next.
        let text = format!("I could not finish: {}", failure.message);
        self.remember(&run, Remembered::Message { text });
        self.switch(self.state.mode.row().hooks.on_end, out);
        self.rest(Pose::Idle, Expression::Sorry, out);
        out.push(Effect::EndRun {
            run: run.id,
            outcome: Outcome::Failed(failure),
        });
    }
}

impl Run {
    /// Calls that will get no result any more.
    pub(crate) fn give_up_calls(&mut self, why: &str, out: &mut Vec<Effect>) {
        let step = self.step.number;
        let Some(rounds) = &mut self.rounds else {
            return;
        };
        rounds.answer.end_words(step, out);
        for call in &mut rounds.answer.calls {
            if !std::mem::replace(&mut call.over, true) {
                out.push(call.note(CallState::GivenUp(why.to_owned())));
            }
        }
    }
}

impl Rounds {
    /// The answer becomes a turn of the conversation.
    fn take_answer(&mut self) {
        let answer = std::mem::take(&mut self.answer);
        let calls = answer.calls.into_iter().map(StreamingCall::called);
        self.dialogue.turns.push(DialogueTurn::Model {
            thoughts: answer.thoughts,
            text: answer.text,
            calls: calls.collect(),
        });
    }
}

/// What is remembered of a call that changed something.
fn changed(call: &StreamingCall, output: &str) -> Option<Remembered> {
    let known = action::described().find(|action| action.facts().is_called(&call.tool))?;
    (known.facts().impact == Impact::Edits)
        .then(|| Remembered::action(format!("{} {output}", call.tool)))
}

/// What it does, in words for a sprite.
fn doing(tool: &str, input: &Value) -> String {
    let about = ["path", "query", "pattern"]
        .iter()
        .find_map(|name| input.get(*name)?.as_str())
        .unwrap_or_default();
    format!("{} {about}", tool.replace('-', " "))
        .trim_end()
        .to_owned()
}

/// Roughly the tokens of a request.
fn rough_tokens(dialogue: &Dialogue) -> u64 {
    let turn = |turn: &DialogueTurn| match turn {
        DialogueTurn::Person { text, .. } | DialogueTurn::Model { text, .. } => tokens(text),
        DialogueTurn::Results(results) => results.iter().map(|one| tokens(&one.output)).sum(),
    };
    let said: usize = dialogue.turns.iter().map(turn).sum();
    (tokens(&dialogue.system) + said) as u64
}
