//! The answer on its way: parts of an AI SDK message, and the chunks that tell of them.

use glade_agent::{CallError, CallNote, CallState, Failure, Outcome, Piece, Say};
use serde_json::{Value, json};

use crate::tool;

const TOOL: &str = "tool-";

/// A stored message, its tools and what names a file in their inputs called what they are called now.
pub fn with_names_of_today(mut message: Value) -> Value {
    let parts = message.get_mut("parts").and_then(Value::as_array_mut);
    for part in parts.into_iter().flatten() {
        let kind = part["type"].as_str().and_then(|it| it.strip_prefix(TOOL));
        if let Some(tool) = kind.and_then(tool::find) {
            part["type"] = format!("{TOOL}{}", tool.name()).into();
            if let Some(input) = part.get_mut("input").and_then(Value::as_object_mut) {
                let old = OLD_PATHS.iter().find_map(|name| input.shift_remove(*name));
                if let Some(path) = old {
                    input.insert("path".to_owned(), path);
                }
            }
        }
    }
    message
}

/// What the parameter `path` was called in some tools.
const OLD_PATHS: [&str; 2] = ["target_file", "file_path"];

/// One assistant message that grows. Every method answers with the chunks to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    id: String,
    metadata: Value,
    parts: Vec<Value>,
    /// The kind of the words that are open, and how many were opened before.
    open: Option<&'static str>,
    words: usize,
}

impl Message {
    pub fn new(id: &str, metadata: Value) -> Self {
        Self {
            id: id.to_owned(),
            metadata,
            parts: Vec::new(),
            open: None,
            words: 0,
        }
    }

    /// As it is stored and shown after a reload.
    pub fn to_value(&self) -> Value {
        json!({"id": self.id, "role": "assistant", "metadata": self.metadata, "parts": self.parts})
    }

    /// What the fairy says.
    pub fn say(&mut self, say: &Say) -> Vec<Value> {
        match say {
            Say::Text { piece, .. } => self.words("text", piece),
            Say::Thought { piece, .. } => self.words("reasoning", piece),
            Say::StepBegun => vec![self.start_step()],
            Say::StepOver => self
                .close()
                .into_iter()
                .chain([json!({"type": "finish-step"})])
                .collect(),
            Say::Call(note) => self.call(note),
            // Of pages.
            Say::Action(_) | Say::Tool(_) => Vec::new(),
        }
    }

    /// The last words of a run.
    pub fn end(&mut self, outcome: &Outcome) -> Vec<Value> {
        let mut chunks: Vec<Value> = self.close().into_iter().collect();
        match outcome {
            Outcome::Done => chunks.push(json!({"type": "finish"})),
            Outcome::Stopped | Outcome::Interrupted => chunks.push(json!({"type": "abort"})),
            Outcome::Failed(failure) => chunks.extend(self.fail(failure)),
        }
        chunks
    }

    fn fail(&mut self, failure: &Failure) -> [Value; 2] {
        let told = self.set_metadata("error", json!(failure));
        [told, json!({"type": "error", "errorText": failure.message})]
    }

    fn words(&mut self, kind: &'static str, piece: &Piece) -> Vec<Value> {
        match piece {
            Piece::Delta(delta) => self.delta(kind, delta),
            Piece::End => self.close().into_iter().collect(),
            Piece::Sealed(signature) => {
                self.seal(signature);
                self.close().into_iter().collect()
            }
        }
    }

    fn call(&mut self, note: &CallNote) -> Vec<Value> {
        let (id, tool) = (note.id.as_str(), note.tool.as_str());
        match &note.state {
            CallState::Begun => self.call_begun(id, tool),
            CallState::Input(piece) => {
                vec![json!({"type": "tool-input-delta", "toolCallId": id, "inputTextDelta": piece})]
            }
            CallState::Asked(input) => vec![self.call_ready(id, tool, input)],
            CallState::Unreadable { raw, why } => vec![self.call_unreadable(id, tool, raw, why)],
            CallState::Done { found, took_ms } => self.call_over(id, found, *took_ms),
            CallState::GivenUp(why) => vec![self.call_failed(id, why)],
        }
    }

    pub fn start(&self) -> Value {
        json!({"type": "start", "messageId": self.id, "messageMetadata": self.metadata})
    }

    fn set_metadata(&mut self, key: &str, value: Value) -> Value {
        self.metadata[key] = value;
        json!({"type": "message-metadata", "messageMetadata": {key: self.metadata[key]}})
    }

    fn start_step(&mut self) -> Value {
        self.parts.push(json!({"type": "step-start"}));
        json!({"type": "start-step"})
    }

    fn delta(&mut self, kind: &'static str, delta: &str) -> Vec<Value> {
        let mut chunks = Vec::new();
        if self.open != Some(kind) {
            chunks.extend(self.close());
            self.open = Some(kind);
            self.words += 1;
            self.parts
                .push(json!({"type": kind, "text": "", "state": "streaming"}));
            chunks.push(json!({"type": format!("{kind}-start"), "id": self.words.to_string()}));
        }
        if let Some(Value::String(text)) = self.parts.last_mut().and_then(|it| it.get_mut("text")) {
            text.push_str(delta);
        }
        chunks.push(
            json!({"type": format!("{kind}-delta"), "id": self.words.to_string(), "delta": delta}),
        );
        chunks
    }

    /// The provider's seal on the newest thoughts: with it they go back to the model later.
    fn seal(&mut self, signature: &str) {
        let newest = self
            .parts
            .last_mut()
            .filter(|part| part["type"] == "reasoning");
        if let Some(part) = newest {
            part["providerMetadata"] = json!({"glade": {"signature": signature}});
        }
    }

    /// Ends the words that are open.
    fn close(&mut self) -> Option<Value> {
        let kind = self.open.take()?;
        if let Some(part) = self.parts.last_mut() {
            part["state"] = json!("done");
        }
        Some(json!({"type": format!("{kind}-end"), "id": self.words.to_string()}))
    }

    fn call_begun(&mut self, id: &str, tool: &str) -> Vec<Value> {
        let closed = self.close();
        self.parts.push(json!({
            "type": format!("{TOOL}{tool}"), "toolCallId": id, "state": "input-streaming",
        }));
        let begun = json!({"type": "tool-input-start", "toolCallId": id, "toolName": tool});
        closed.into_iter().chain([begun]).collect()
    }

    fn call_ready(&mut self, id: &str, tool: &str, input: &Value) -> Value {
        self.change(
            id,
            &[
                ("state", json!("input-available")),
                ("input", input.clone()),
            ],
        );
        json!({"type": "tool-input-available", "toolCallId": id, "toolName": tool, "input": input})
    }

    /// The input is not what a tool can take.
    fn call_unreadable(&mut self, id: &str, tool: &str, raw: &str, why: &str) -> Value {
        self.change(
            id,
            &[
                ("state", json!("output-error")),
                ("rawInput", json!(raw)),
                ("errorText", json!(why)),
            ],
        );
        json!({"type": "tool-input-error", "toolCallId": id, "toolName": tool, "input": raw, "errorText": why})
    }

    /// A person is asked before a file is written.
    pub fn approval(&mut self, id: &str, approval: &str) -> Value {
        self.change(
            id,
            &[
                ("state", json!("approval-requested")),
                ("approval", json!({"id": approval})),
            ],
        );
        json!({"type": "tool-approval-request", "approvalId": approval, "toolCallId": id})
    }

    fn call_over(
        &mut self,
        id: &str,
        found: &Result<Value, CallError>,
        took_ms: u64,
    ) -> Vec<Value> {
        let (chunk, mut told) = match found {
            Ok(output) => {
                self.change(
                    id,
                    &[
                        ("state", json!("output-available")),
                        ("output", output.clone()),
                    ],
                );
                (
                    json!({"type": "tool-output-available", "toolCallId": id, "output": output}),
                    json!({}),
                )
            }
            Err(error) => (
                self.call_failed(id, &error.to_string()),
                json!({"code": error.code}),
            ),
        };
        told["durationMs"] = json!(took_ms);
        let data = json!({"type": "data-call", "id": id, "data": told});
        self.parts.push(data.clone());
        vec![chunk, data]
    }

    fn call_failed(&mut self, id: &str, why: &str) -> Value {
        self.change(
            id,
            &[("state", json!("output-error")), ("errorText", json!(why))],
        );
        json!({"type": "tool-output-error", "toolCallId": id, "errorText": why})
    }

    fn change(&mut self, id: &str, fields: &[(&str, Value)]) {
        let call = self
            .parts
            .iter_mut()
            .rev()
            .find(|part| part["toolCallId"] == id && part["type"] != "data-call");
        if let Some(call) = call {
            for (name, value) in fields {
                call[*name] = value.clone();
            }
        }
    }
}
