//! Reads an answer as a conversation would, and writes answers to be read.

use glade_agent::{CallEvent, StopReason};
use serde_json::{Value, json};

use super::super::answer_reader::AnswerReader;
use super::super::wire::Reader;
use super::super::{anthropic, gemini, openai_chat, openai_responses};
use crate::model::{ModelError, ModelEvent};

/// What a conversation would have of an answer.
#[derive(Debug, Default, PartialEq)]
pub struct Heard {
    pub text: String,
    pub thinking: String,
    /// Whole calls: id, tool, input.
    pub calls: Vec<(String, String, String)>,
    /// The tools of calls that never came whole.
    pub cut: Vec<String>,
    pub stop: Option<StopReason>,
    pub tokens: (u64, u64),
    pub error: Option<ModelError>,
}

pub fn chat() -> Box<dyn Reader> {
    Box::new(openai_chat::Chat::new(true))
}

pub fn responses() -> Box<dyn Reader> {
    Box::new(openai_responses::Responses::new(true))
}

pub fn messages() -> Box<dyn Reader> {
    Box::new(anthropic::Messages::new(false, true))
}

pub fn gemini() -> Box<dyn Reader> {
    Box::new(gemini::Gemini::new(true))
}

pub fn sse(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect()
}

pub fn hear(reader: Box<dyn Reader>, text: &str) -> Heard {
    let mut reader = AnswerReader::new("m", reader);
    let mut events = reader.push(text.as_bytes());
    events.extend(reader.end());
    let mut heard = Heard::default();
    let mut open: Vec<(String, String, String)> = Vec::new();
    for event in events {
        match event {
            Ok(ModelEvent::Text(text)) => heard.text += &text,
            Ok(ModelEvent::Thinking(text)) => heard.thinking += &text,
            Ok(ModelEvent::Call(call)) => call_event(call, &mut open, &mut heard),
            Ok(ModelEvent::Done { usage, stop }) => {
                heard.stop = Some(stop);
                heard.tokens = (usage.input_tokens, usage.output_tokens);
            }
            Ok(_) => {}
            Err(error) => heard.error = Some(error),
        }
    }
    heard.cut.extend(open.into_iter().map(|(_, tool, _)| tool));
    heard
}

fn call_event(event: CallEvent, open: &mut Vec<(String, String, String)>, heard: &mut Heard) {
    let (CallEvent::Begun { id, .. }
    | CallEvent::Input { id, .. }
    | CallEvent::Over { id }
    | CallEvent::Cut { id }) = &event;
    let at = open.iter().position(|call| call.0 == *id);
    match event {
        CallEvent::Begun { id, tool } => {
            assert_eq!(at, None, "each call has an id of its own");
            open.push((id, tool, String::new()));
        }
        CallEvent::Input { piece, .. } => open[at.unwrap()].2 += &piece,
        CallEvent::Over { .. } => heard.calls.push(open.remove(at.unwrap())),
        CallEvent::Cut { .. } => heard.cut.push(open.remove(at.unwrap()).1),
    }
}

pub fn called(id: &str, tool: &str, input: &str) -> (String, String, String) {
    (id.to_owned(), tool.to_owned(), input.to_owned())
}

pub fn said(text: &str, thinking: &str) -> Heard {
    Heard {
        text: text.to_owned(),
        thinking: thinking.to_owned(),
        stop: Some(StopReason::Stop),
        ..Heard::default()
    }
}

pub fn calls(calls: &[(&str, &str, &str)]) -> Heard {
    Heard {
        calls: calls
            .iter()
            .map(|(id, tool, input)| called(id, tool, input))
            .collect(),
        ..said("", "")
    }
}

pub fn cut(stop: StopReason, tools: &[&str]) -> Heard {
    Heard {
        cut: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        stop: Some(stop),
        ..Heard::default()
    }
}

/// Chat: these deltas, and a reason to finish.
pub fn deltas(deltas: &[Value], finish: &str) -> String {
    let chunk = |delta: &Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let mut events: Vec<Value> = deltas.iter().map(chunk).collect();
    events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}));
    sse(&events)
}

/// Chat: a piece of a call.
pub fn piece(call: Value) -> Value {
    json!({"tool_calls": [call]})
}
