//! Answers that others recorded, read by ours and compared with what was said of them by hand or by
//! another program. They are not part of this repository: `GLADE_RECORDINGS` names a folder with a
//! folder for each wire (`anthropic`, `chat`, `responses`, `gemini`), in which `NAME.sse` is the
//! answer as it came and `NAME.json` what it says ([`Said`]).

use std::fs;
use std::path::{Path, PathBuf};

use glade_agent::{CallEvent, StopReason};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::answer_reader::AnswerReader;
use super::super::wire::Reader;
use super::super::{anthropic, gemini, openai_chat, openai_responses};
use crate::model::{ModelError, ModelEvent};

/// What an answer says.
#[derive(Debug, Default, PartialEq, Deserialize)]
struct Said {
    text: String,
    thinking: String,
    /// Those that may be carried out.
    calls: Vec<Called>,
    /// `done`, `error` or `cut`.
    end: String,
    /// `stop`, `length`, `content-filter`, `other`; only where it is done.
    stop: Option<String>,
    /// Tokens.
    input: u64,
    output: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Called {
    tool: String,
    input: Map<String, Value>,
}

fn reader(wire: &str) -> Box<dyn Reader> {
    match wire {
        "anthropic" => Box::new(anthropic::Messages::new(false, true)),
        "chat" => Box::new(openai_chat::Chat::new(true)),
        "responses" => Box::new(openai_responses::Responses::new(true)),
        _ => Box::new(gemini::Gemini::new(true)),
    }
}

fn read(wire: &str, bytes: &[u8]) -> Said {
    let mut reader = AnswerReader::new("p/m", reader(wire));
    let mut events = reader.push(bytes);
    events.extend(reader.end());
    let mut said = Said::default();
    let mut open: Vec<(String, String, String)> = Vec::new();
    let mut over: Vec<String> = Vec::new();
    for event in events {
        match event {
            Ok(ModelEvent::Text(text)) => said.text += &text,
            Ok(ModelEvent::Thinking(text)) => said.thinking += &text,
            Ok(ModelEvent::Call(CallEvent::Begun { id, tool })) => {
                open.push((id, tool, String::new()));
            }
            Ok(ModelEvent::Call(CallEvent::Input { id, piece })) => {
                let call = open.iter_mut().find(|call| call.0 == id).unwrap();
                call.2 += &piece;
            }
            Ok(ModelEvent::Call(CallEvent::Over { id })) => over.push(id),
            Ok(ModelEvent::Done { usage, stop }) => {
                said.end = "done".to_owned();
                said.stop = Some(stop_word(stop).to_owned());
                (said.input, said.output) = (usage.input_tokens, usage.output_tokens);
            }
            Err(ModelError::Cut { .. }) => said.end = "cut".to_owned(),
            Err(_) => said.end = "error".to_owned(),
            Ok(_) => {}
        }
    }
    if said.end == "done" {
        said.calls = carried_out(open, &over);
    }
    said
}

/// What a conversation would carry out.
fn carried_out(calls: Vec<(String, String, String)>, over: &[String]) -> Vec<Called> {
    let whole = calls.into_iter().filter(|call| over.contains(&call.0));
    whole
        .filter_map(|(_, tool, input)| {
            let input = if input.is_empty() { "{}" } else { &input };
            let input = serde_json::from_str(input).ok()?;
            Some(Called { tool, input })
        })
        .collect()
}

fn stop_word(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Stop => "stop",
        StopReason::Length => "length",
        StopReason::ContentFilter => "content-filter",
        StopReason::Other => "other",
    }
}

fn answers(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "sse"))
        .collect();
    paths.sort();
    paths
}

#[test]
#[ignore = "needs recordings from elsewhere: GLADE_RECORDINGS names their folder"]
fn recorded_answers_are_read_as_they_were_said() {
    let folder = PathBuf::from(std::env::var("GLADE_RECORDINGS").unwrap());
    let mut misread = Vec::new();
    let mut count = 0;
    for wire in ["anthropic", "chat", "responses", "gemini"] {
        for path in answers(&folder.join(wire)) {
            let told = fs::read(path.with_extension("json")).unwrap();
            let told: Said = serde_json::from_slice(&told).unwrap();
            let mut heard = read(wire, &fs::read(&path).unwrap());
            if heard.end != "done" {
                // Only an answer that is done tells its tokens.
                (heard.input, heard.output) = (told.input, told.output);
            }
            count += 1;
            if heard != told {
                misread.push(format!(
                    "{}\n  said  {told:?}\n  heard {heard:?}",
                    path.display()
                ));
            }
        }
    }
    assert!(
        misread.is_empty(),
        "{} of {count} are misread:\n{}",
        misread.len(),
        misread.join("\n")
    );
}
