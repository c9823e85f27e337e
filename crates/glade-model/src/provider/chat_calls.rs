//! Which call a piece of OpenAI Chat belongs to.
//!
//! The maker numbers calls and names each once. Those who speak alike leave the number out, or number
//! every call 0, or give each piece an id of its own, or name the call again with each piece.

use glade_agent::StopReason;
use serde_json::Value;

use super::calls::Calls;
use super::wire::{WireEvent, text_of};

pub struct ChatCalls {
    calls: Calls,
    known: Vec<Known>,
}

/// A call that was begun.
struct Known {
    index: Option<u64>,
    id: Option<String>,
    tool: String,
    /// By which [`Calls`] knows it.
    key: String,
}

/// One entry of `tool_calls`.
struct Piece<'a> {
    index: Option<u64>,
    id: Option<String>,
    tool: Option<String>,
    arguments: &'a Value,
}

impl<'a> Piece<'a> {
    fn of(value: &'a Value) -> Self {
        let function = &value["function"];
        Self {
            index: value["index"].as_u64(),
            id: text_of(&value["id"]),
            tool: text_of(&function["name"]),
            arguments: &function["arguments"],
        }
    }
}

impl ChatCalls {
    pub fn new(native: bool) -> Self {
        Self {
            calls: Calls::native(native),
            known: Vec::new(),
        }
    }

    /// What the calls of one delta, or of one whole message, say.
    pub fn read(&mut self, delta: &Value) -> Vec<WireEvent> {
        let mut events = Vec::new();
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            events.extend(self.piece(&Piece::of(call)));
        }
        // From before there were several.
        let old = &delta["function_call"];
        if old.is_object() {
            events.extend(self.piece(&Piece {
                index: None,
                id: None,
                tool: text_of(&old["name"]),
                arguments: &old["arguments"],
            }));
        }
        events
    }

    pub fn end_all(&mut self, stop: StopReason) -> Vec<WireEvent> {
        self.calls.end_all(stop)
    }

    fn piece(&mut self, piece: &Piece<'_>) -> Vec<WireEvent> {
        let mut events = Vec::new();
        let known = self
            .known_call(piece)
            .filter(|call| !self.is_other(call, piece));
        let key = match (known, &piece.tool) {
            (Some(call), _) => call.key.clone(),
            (None, Some(tool)) => {
                let key = self.known.len().to_string();
                events.extend(self.calls.begin(&key, piece.id.as_deref(), tool));
                self.known.push(Known {
                    index: piece.index,
                    id: piece.id.clone(),
                    tool: tool.clone(),
                    key: key.clone(),
                });
                key
            }
            (None, None) => return events,
        };
        events.extend(match piece.arguments {
            Value::String(text) => self.calls.arguments(&key, text),
            Value::Object(_) => {
                let whole = piece.arguments.to_string();
                self.calls.whole_arguments(&key, &whole)
            }
            _ => Vec::new(),
        });
        events
    }

    /// The call that a piece goes on with, if it goes on with one.
    fn known_call(&self, piece: &Piece<'_>) -> Option<&Known> {
        let mut newest_first = self.known.iter().rev();
        if piece.index.is_some() {
            return newest_first.find(|call| call.index == piece.index);
        }
        let same_id = newest_first.find(|call| piece.id.is_some() && call.id == piece.id);
        same_id.or_else(|| self.known.last())
    }

    /// Whether a piece begins another call in the place of this one: only what names its tool can.
    fn is_other(&self, call: &Known, piece: &Piece<'_>) -> bool {
        let Some(tool) = &piece.tool else {
            return false;
        };
        match (&call.id, &piece.id) {
            (Some(before), Some(id)) => before != id,
            _ if *tool != call.tool => true,
            // The same again, or the same tool with other arguments?
            _ => self.calls.open_arguments(&call.key).is_none_or(|before| {
                before.closed()
                    && piece
                        .arguments
                        .as_str()
                        .is_some_and(|text| text.trim_start().starts_with('{') && !before.are(text))
            }),
        }
    }
}
