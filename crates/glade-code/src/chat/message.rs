//! The answer on its way: parts of an AI SDK message, and the chunks that tell of them.

use glade_model::Thought;
use serde_json::{Value, json};

use crate::error::ToolError;
use crate::tool;

const TOOL: &str = "tool-";

/// A stored message, its tools called what they are called now.
pub fn with_names_of_today(mut message: Value) -> Value {
    let parts = message.get_mut("parts").and_then(Value::as_array_mut);
    for part in parts.into_iter().flatten() {
        let kind = part["type"].as_str().and_then(|it| it.strip_prefix(TOOL));
        if let Some(tool) = kind.and_then(tool::find) {
            part["type"] = format!("{TOOL}{}", tool.name()).into();
        }
    }
    message
}

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

    pub fn start(&self) -> Value {
        json!({"type": "start", "messageId": self.id, "messageMetadata": self.metadata})
    }

    pub fn set_metadata(&mut self, key: &str, value: Value) -> Value {
        self.metadata[key] = value;
        json!({"type": "message-metadata", "messageMetadata": {key: self.metadata[key]}})
    }

    pub fn start_step(&mut self) -> Value {
        self.parts.push(json!({"type": "step-start"}));
        json!({"type": "start-step"})
    }

    pub fn text(&mut self, delta: &str) -> Vec<Value> {
        self.say("text", delta)
    }

    pub fn reasoning(&mut self, delta: &str) -> Vec<Value> {
        self.say("reasoning", delta)
    }

    fn say(&mut self, kind: &'static str, delta: &str) -> Vec<Value> {
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

    /// The provider's seal on the thoughts that are open; the thought as it goes back to the model.
    pub fn seal(&mut self, signature: &str) -> Thought {
        let newest = self
            .parts
            .last_mut()
            .filter(|part| part["type"] == "reasoning");
        let text = newest.map(|part| {
            part["providerMetadata"] = json!({"glade": {"signature": signature}});
            part["text"].as_str().unwrap_or_default().to_owned()
        });
        Thought {
            text: text.unwrap_or_default(),
            signature: signature.to_owned(),
        }
    }

    /// Ends the words that are open.
    pub fn close(&mut self) -> Option<Value> {
        let kind = self.open.take()?;
        if let Some(part) = self.parts.last_mut() {
            part["state"] = json!("done");
        }
        Some(json!({"type": format!("{kind}-end"), "id": self.words.to_string()}))
    }

    pub fn call_begun(&mut self, id: &str, tool: &str) -> Vec<Value> {
        let closed = self.close();
        self.parts.push(json!({
            "type": format!("{TOOL}{tool}"), "toolCallId": id, "state": "input-streaming",
        }));
        let begun = json!({"type": "tool-input-start", "toolCallId": id, "toolName": tool});
        closed.into_iter().chain([begun]).collect()
    }

    pub fn call_input(&self, id: &str, piece: &str) -> Value {
        json!({"type": "tool-input-delta", "toolCallId": id, "inputTextDelta": piece})
    }

    pub fn call_ready(&mut self, id: &str, tool: &str, input: &Value) -> Value {
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
    pub fn call_unreadable(&mut self, id: &str, tool: &str, raw: &str, why: &str) -> Value {
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

    pub fn call_over(
        &mut self,
        id: &str,
        outcome: &Result<Value, ToolError>,
        took_ms: u64,
    ) -> Vec<Value> {
        let (chunk, mut told) = match outcome {
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
            Err(error) => {
                let words = error.to_string();
                self.change(
                    id,
                    &[
                        ("state", json!("output-error")),
                        ("errorText", json!(words)),
                    ],
                );
                (
                    json!({"type": "tool-output-error", "toolCallId": id, "errorText": words}),
                    json!({"code": error.code.to_string()}),
                )
            }
        };
        told["durationMs"] = json!(took_ms);
        let data = json!({"type": "data-call", "id": id, "data": told});
        self.parts.push(data.clone());
        vec![chunk, data]
    }

    /// Calls that will get no result any more.
    pub fn give_up_calls(&mut self, why: &str) -> Vec<Value> {
        let mut chunks = Vec::new();
        for part in &mut self.parts {
            let waiting = matches!(
                part["state"].as_str(),
                Some("input-streaming" | "input-available" | "approval-requested")
            );
            if waiting && part["toolCallId"].is_string() {
                part["state"] = json!("output-error");
                part["errorText"] = json!(why);
                chunks.push(json!({"type": "tool-output-error", "toolCallId": part["toolCallId"], "errorText": why}));
            }
        }
        chunks
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
