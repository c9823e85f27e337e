//! One run of a conversation: the model is asked, its calls are carried out, it is asked again.

use glade_model::{
    CallEvent, Dialogue, DialogueTurn, ModelError, ModelEvent, Thought, ToolCall, ToolResult,
    ToolSpec,
};
use serde_json::{Value, json};

use super::ending::{Ending, Failure};
use super::message::Message;
use super::turns;
use crate::calls::{Call, CallOutcome};
use crate::tool::TOOLS;

/// How often a refused key is tried again: it may just have been changed.
const AUTH_RETRIES: u32 = 2;

/// What a run begins with.
#[derive(Debug, Clone)]
pub struct Setup {
    pub system: String,
    /// What was said before, the person's newest words last.
    pub turns: Vec<DialogueTurn>,
    /// The tools that may be called, by name.
    pub tools: Vec<&'static str>,
    /// Rounds of tools at the most.
    pub depth: usize,
    pub max_output_tokens: u32,
    pub temperature: f32,
    pub thinking: Option<u32>,
}

/// What a conversation about code may cost, unless somebody says otherwise.
const DEPTH: usize = 20;
const OUTPUT_TOKENS: u32 = 10_000;
const TEMPERATURE: f32 = 0.7;
const THINKING: u32 = 10_000;

impl Setup {
    /// With all tools and the usual limits.
    pub fn new(system: String, turns: Vec<DialogueTurn>) -> Self {
        Self {
            system,
            turns,
            tools: TOOLS.iter().map(|tool| tool.name()).collect(),
            depth: DEPTH,
            max_output_tokens: OUTPUT_TOKENS,
            temperature: TEMPERATURE,
            thinking: Some(THINKING),
        }
    }
}

/// What happened.
#[derive(Debug)]
pub enum ChatInput {
    Model(ModelEvent),
    Failed(ModelError),
    /// What became of the calls of [`Effect::RunCalls`], in their order.
    CallsDone(Vec<CallOutcome>),
    Aborted,
    TimedOut {
        seconds: u64,
    },
}

/// What is to be done about it.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// A chunk for whoever listens.
    Tell(Value),
    /// Ask the model; its stream comes back as [`ChatInput::Model`] or [`ChatInput::Failed`].
    Ask(Dialogue),
    RunCalls(Vec<Call>),
    /// The last effect.
    End(Ending),
}

/// The state of one run.
#[derive(Debug)]
pub struct Conversation {
    setup: Setup,
    pub message: Message,
    answer: Answer,
    rounds: usize,
    refused_keys: u32,
    over: bool,
}

/// What the model has said since it was last asked.
#[derive(Debug, Default)]
struct Answer {
    thoughts: Vec<Thought>,
    text: String,
    calls: Vec<StreamingCall>,
}

#[derive(Debug)]
struct StreamingCall {
    id: String,
    tool: String,
    raw: String,
    input: Option<Value>,
    /// Why it cannot be carried out.
    unreadable: Option<String>,
}

impl Conversation {
    pub fn new(setup: Setup, message: Message) -> Self {
        Self {
            setup,
            message,
            answer: Answer::default(),
            rounds: 0,
            refused_keys: 0,
            over: false,
        }
    }

    pub fn begin(&mut self) -> Vec<Effect> {
        let mut effects = vec![Effect::Tell(self.message.start())];
        effects.extend(self.ask());
        effects
    }

    fn ask(&mut self) -> Vec<Effect> {
        self.answer = Answer::default();
        let step = self.message.start_step();
        vec![Effect::Tell(step), Effect::Ask(self.dialogue())]
    }

    /// The next request, whole.
    pub fn dialogue(&self) -> Dialogue {
        let setup = &self.setup;
        let offered = TOOLS
            .iter()
            .filter(|tool| setup.tools.contains(&tool.name()));
        let offers = offered.map(|tool| ToolSpec {
            name: tool.name().to_owned(),
            about: tool.action().facts().about.to_owned(),
            input: tool.action().input(),
        });
        Dialogue {
            system: setup.system.clone(),
            turns: setup.turns.clone(),
            tools: offers.collect(),
            max_output_tokens: setup.max_output_tokens,
            temperature: setup.temperature,
            thinking: setup.thinking,
        }
    }

    pub fn hear(&mut self, heard: ChatInput) -> Vec<Effect> {
        if self.over {
            return Vec::new();
        }
        match heard {
            ChatInput::Model(event) => self.event(event),
            ChatInput::Failed(error) => self.failed(&error),
            ChatInput::CallsDone(carried) => self.carried(&carried),
            ChatInput::Aborted => {
                let mut effects = self.stop_calls("Stopped before it was done.");
                effects.push(Effect::Tell(json!({"type": "abort"})));
                effects.extend(self.end(Ending::Aborted));
                effects
            }
            ChatInput::TimedOut { seconds } => {
                let mut effects = self.stop_calls("Ended by the time limit.");
                effects.extend(self.fail(Failure::timeout(seconds)));
                effects
            }
        }
    }

    fn event(&mut self, event: ModelEvent) -> Vec<Effect> {
        let chunks = match event {
            ModelEvent::Text(text) => {
                self.answer.text.push_str(&text);
                self.message.text(&text)
            }
            ModelEvent::Thinking(text) => self.message.reasoning(&text),
            ModelEvent::Signed(seal) => {
                let thought = self.message.seal(&seal);
                self.answer.thoughts.push(thought);
                self.message.close().into_iter().collect()
            }
            ModelEvent::Call(call) => self.call(call),
            ModelEvent::Spent(_) => Vec::new(),
            ModelEvent::Done { .. } => return self.answered(),
        };
        chunks.into_iter().map(Effect::Tell).collect()
    }

    fn call(&mut self, event: CallEvent) -> Vec<Value> {
        match event {
            CallEvent::Begun { id, tool } => {
                let chunks = self.message.call_begun(&id, &tool);
                self.answer.calls.push(StreamingCall {
                    id,
                    tool,
                    raw: String::new(),
                    input: None,
                    unreadable: None,
                });
                chunks
            }
            CallEvent::Input { id, piece } => {
                let Some(call) = self.answer.find(&id) else {
                    return Vec::new();
                };
                call.raw.push_str(&piece);
                vec![self.message.call_input(&id, &piece)]
            }
            CallEvent::Over { id } => {
                let Some(call) = self.answer.find(&id) else {
                    return Vec::new();
                };
                match serde_json::from_str::<Value>(&call.raw) {
                    Ok(input @ Value::Object(_)) => {
                        let chunk = self.message.call_ready(&id, &call.tool, &input);
                        call.input = Some(input);
                        vec![chunk]
                    }
                    _ => self.unreadable(&id),
                }
            }
            CallEvent::Cut { id } => self.unreadable(&id),
        }
    }

    fn unreadable(&mut self, id: &str) -> Vec<Value> {
        let Some(call) = self.answer.find(id) else {
            return Vec::new();
        };
        let why = "INVALID_INPUT: The input of this call is not a whole JSON object. Call the tool again.";
        call.unreadable = Some(why.to_owned());
        let told = self.message.call_unreadable(id, &call.tool, &call.raw, why);
        vec![told]
    }

    /// The model's turn is over: carry its calls out, or end.
    fn answered(&mut self) -> Vec<Effect> {
        let mut effects: Vec<Effect> = self.message.close().map(Effect::Tell).into_iter().collect();
        effects.push(Effect::Tell(json!({"type": "finish-step"})));
        if self.answer.calls.is_empty() {
            effects.extend(self.end(Ending::Done));
            return effects;
        }
        let ready: Vec<Call> = self
            .answer
            .calls
            .iter()
            .filter_map(StreamingCall::ready)
            .collect();
        if ready.is_empty() {
            effects.extend(self.carried(&[]));
        } else {
            effects.push(Effect::RunCalls(ready));
        }
        effects
    }

    fn carried(&mut self, carried: &[CallOutcome]) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut results = Vec::new();
        for call in &self.answer.calls {
            let outcome = carried.iter().find(|one| one.id == call.id);
            if let Some(one) = outcome {
                let took = u64::try_from(one.took.as_millis()).unwrap_or(u64::MAX);
                let chunks = self.message.call_over(&call.id, &one.outcome, took);
                effects.extend(chunks.into_iter().map(Effect::Tell));
            }
            let (output, failed) = match outcome.map(|one| &one.outcome) {
                Some(Ok(output)) => (turns::for_model(output), false),
                Some(Err(error)) => (error.to_string(), true),
                None => (
                    call.unreadable
                        .clone()
                        .unwrap_or_else(|| turns::NOT_CARRIED_OUT.to_owned()),
                    true,
                ),
            };
            results.push(ToolResult {
                id: call.id.clone(),
                tool: call.tool.clone(),
                output,
                failed,
            });
        }
        let answer = std::mem::take(&mut self.answer);
        self.setup.turns.push(DialogueTurn::Model {
            thoughts: answer.thoughts,
            text: answer.text,
            calls: answer
                .calls
                .into_iter()
                .map(StreamingCall::called)
                .collect(),
        });
        self.setup.turns.push(DialogueTurn::Results(results));
        self.rounds += 1;
        if self.rounds >= self.setup.depth {
            effects.extend(self.fail(Failure::too_deep(self.rounds)));
        } else {
            effects.extend(self.ask());
        }
        effects
    }

    fn failed(&mut self, error: &ModelError) -> Vec<Effect> {
        if matches!(error, ModelError::Auth { .. }) && self.refused_keys < AUTH_RETRIES {
            self.refused_keys += 1;
            return vec![Effect::Ask(self.dialogue())];
        }
        let mut effects = self.stop_calls("The model failed before this was done.");
        effects.extend(self.fail(Failure::of(error)));
        effects
    }

    fn stop_calls(&mut self, why: &str) -> Vec<Effect> {
        let closed = self.message.close();
        let stopped = self.message.give_up_calls(why);
        closed
            .into_iter()
            .chain(stopped)
            .map(Effect::Tell)
            .collect()
    }

    fn fail(&mut self, failure: Failure) -> Vec<Effect> {
        let told = self.message.set_metadata("error", json!(failure));
        let error = json!({"type": "error", "errorText": failure.message});
        let mut effects = vec![Effect::Tell(told), Effect::Tell(error)];
        effects.extend(self.end(Ending::Failed(failure)));
        effects
    }

    fn end(&mut self, ending: Ending) -> Vec<Effect> {
        self.over = true;
        let mut effects = Vec::new();
        if ending == Ending::Done {
            effects.push(Effect::Tell(json!({"type": "finish"})));
        }
        effects.push(Effect::End(ending));
        effects
    }
}

impl Answer {
    fn find(&mut self, id: &str) -> Option<&mut StreamingCall> {
        self.calls.iter_mut().find(|call| call.id == id)
    }
}

impl StreamingCall {
    fn ready(&self) -> Option<Call> {
        Some(Call {
            id: self.id.clone(),
            tool: self.tool.clone(),
            input: self.input.clone()?,
        })
    }

    fn called(self) -> ToolCall {
        ToolCall {
            id: self.id,
            tool: self.tool,
            // What could not be read is not sent back: no provider takes it.
            input: self.input.unwrap_or_else(|| json!({})),
        }
    }
}
