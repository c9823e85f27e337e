//! An answer of a round on its way: words, thoughts, calls.

use serde_json::{Value, json};

use crate::dialogue::{Thought, ToolCall};
use crate::effect::{CallNote, CallState, Effect, Piece, Say};

pub(super) const UNREADABLE: &str =
    "INVALID_INPUT: The input of this call is not a whole JSON object. Call the tool again.";

/// What the model has said since it was last asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    /// What it thought since the last seal.
    pub(super) thought: String,
    pub(super) thoughts: Vec<Thought>,
    pub(super) text: String,
    /// Words that are open in the chat.
    pub(super) open: bool,
    /// How many words were opened before.
    pub(super) opened: u32,
    pub(super) calls: Vec<StreamingCall>,
}

#[derive(Debug, Clone)]
pub(super) struct StreamingCall {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) raw: String,
    pub(super) input: Option<Value>,
    /// Nothing more comes of it.
    pub(super) over: bool,
}

impl Answer {
    pub(super) fn is_silent(&self) -> bool {
        self.text.is_empty() && self.calls.is_empty()
    }

    pub(super) fn end_words(&mut self, step: u32, out: &mut Vec<Effect>) {
        if std::mem::take(&mut self.open) {
            out.push(Effect::Say(Say::Text {
                id: format!("text-{step}-{}", self.opened),
                piece: Piece::End,
            }));
        }
    }

    pub(super) fn tell(&self, id: &str, state: CallState, out: &mut Vec<Effect>) {
        let call = self.calls.iter().find(|call| call.id == id);
        out.extend(call.map(|call| call.note(state)));
    }
}

impl StreamingCall {
    pub(super) fn new(id: &str, tool: String) -> Self {
        Self {
            id: id.to_owned(),
            tool,
            raw: String::new(),
            input: None,
            over: false,
        }
    }

    pub(super) fn note(&self, state: CallState) -> Effect {
        Effect::Say(Say::Call(CallNote {
            id: self.id.clone(),
            tool: self.tool.clone(),
            state,
        }))
    }

    /// Its input is whole, or says so.
    pub(super) fn read(&mut self) -> CallState {
        match serde_json::from_str::<Value>(&self.raw) {
            Ok(input @ Value::Object(_)) => {
                self.input = Some(input.clone());
                CallState::Asked(input)
            }
            _ => self.unreadable(),
        }
    }

    pub(super) fn unreadable(&mut self) -> CallState {
        self.over = true;
        self.input = None;
        CallState::Unreadable {
            raw: self.raw.clone(),
            why: UNREADABLE.to_owned(),
        }
    }

    pub(super) fn ready(&self) -> Option<ToolCall> {
        Some(ToolCall {
            id: self.id.clone(),
            tool: self.tool.clone(),
            input: self.input.clone()?,
        })
    }

    pub(super) fn called(self) -> ToolCall {
        ToolCall {
            id: self.id,
            tool: self.tool,
            // What could not be read is not sent back: no provider takes it.
            input: self.input.unwrap_or_else(|| json!({})),
        }
    }
}
