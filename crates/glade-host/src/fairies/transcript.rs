//! A run in the words of the AI SDK: chunks of its message stream while it lasts, one message in
//! the chat's history when it is over.

use std::sync::Arc;
use std::time::Instant;

use glade_agent::{ActionNote, ActionState, Outcome, Piece, Say, ToolNote, ToolState};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::stream::RunStream;

pub struct Transcript {
    message_id: String,
    metadata: Value,
    parts: Vec<MessagePart>,
    stream: Arc<RunStream>,
    /// When the action that is being written began: with the step, or as the one before it was over.
    since: Instant,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum MessagePart {
    Words {
        kind: Words,
        id: String,
        text: String,
        open: bool,
    },
    Action {
        id: String,
        data: Value,
    },
    Tool {
        id: String,
        name: String,
        state: ToolState,
        input: Value,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Words {
    Text,
    Reasoning,
}

impl Words {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Reasoning => "reasoning",
        }
    }
}

/// The words of a message of the AI SDK.
pub fn text_of(message: &Value) -> String {
    let parts = message["parts"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let texts: Vec<&str> = parts
        .iter()
        .filter(|part| part["type"] == "text")
        .filter_map(|part| part["text"].as_str())
        .collect();
    texts.join("\n")
}

/// What was said so far, as it is stored with the fairy.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedTranscript {
    message_id: String,
    parts: Vec<MessagePart>,
}

impl Transcript {
    pub fn save(&self) -> SavedTranscript {
        SavedTranscript {
            message_id: self.message_id.clone(),
            parts: self.parts.clone(),
        }
    }

    /// Goes on with what was said before a crash: whoever listens hears all of it again.
    pub fn resume(
        saved: SavedTranscript,
        run: &str,
        created_at: i64,
        stream: Arc<RunStream>,
    ) -> Self {
        let mut resumed = Self::begin(saved.message_id, run, created_at, stream);
        for part in saved.parts {
            match part {
                MessagePart::Words { kind, id, text, .. } => {
                    resumed.words(kind, &id, &Piece::Delta(text));
                    resumed.words(kind, &id, &Piece::End);
                }
                MessagePart::Action { id, data } => {
                    resumed
                        .stream
                        .push(&json!({ "type": "data-action", "id": id, "data": data }));
                    resumed.parts.push(MessagePart::Action { id, data });
                }
                MessagePart::Tool {
                    id,
                    name,
                    state,
                    input,
                } => {
                    let note = |state| ToolNote {
                        action: 0,
                        name: name.clone(),
                        state,
                    };
                    resumed.tool(&id, &note(ToolState::Asked(input)));
                    resumed.tool(&id, &note(state));
                }
            }
        }
        resumed
    }

    pub fn begin(message_id: String, run: &str, created_at: i64, stream: Arc<RunStream>) -> Self {
        let metadata = json!({ "run": run, "createdAt": created_at });
        stream.push(
            &json!({ "type": "start", "messageId": message_id, "messageMetadata": metadata }),
        );
        stream.push(&json!({ "type": "start-step" }));
        Self {
            message_id,
            metadata,
            parts: Vec::new(),
            stream,
            since: Instant::now(),
        }
    }

    /// A model is asked: what it does next begins here.
    pub fn begin_step(&mut self) {
        self.since = Instant::now();
    }

    pub fn stream(&self) -> &Arc<RunStream> {
        &self.stream
    }

    pub fn message_id(&self) -> &str {
        &self.message_id
    }

    pub fn say(&mut self, run: &str, say: &Say) {
        match say {
            Say::Text { id, piece } => self.words(Words::Text, id, piece),
            Say::Thought { id, piece } => self.words(Words::Reasoning, id, piece),
            Say::Action(note) => self.action(run, note),
            Say::Tool(note) => self.tool(&format!("{run}:{}", note.action), note),
            // Of conversations about code.
            Say::StepBegun | Say::StepOver | Say::Call(_) => {}
        }
    }

    fn words(&mut self, kind: Words, id: &str, piece: &Piece) {
        let known = self.parts.iter_mut().rev().find_map(|part| match part {
            MessagePart::Words {
                kind: k,
                id: i,
                text,
                open: open @ true,
            } if *k == kind && i == id => Some((text, open)),
            _ => None,
        });
        let name = kind.name();
        match (known, piece) {
            (Some((text, _)), Piece::Delta(delta)) => text.push_str(delta),
            (Some((_, open)), Piece::End | Piece::Sealed(_)) => {
                *open = false;
                self.stream
                    .push(&json!({ "type": format!("{name}-end"), "id": id }));
                return;
            }
            (None, Piece::End | Piece::Sealed(_)) => return,
            (None, Piece::Delta(delta)) => {
                self.parts.push(MessagePart::Words {
                    kind,
                    id: id.to_owned(),
                    text: delta.clone(),
                    open: true,
                });
                self.stream
                    .push(&json!({ "type": format!("{name}-start"), "id": id }));
            }
        }
        if let Piece::Delta(delta) = piece {
            self.stream
                .push(&json!({ "type": format!("{name}-delta"), "id": id, "delta": delta }));
        }
    }

    fn action(&mut self, run: &str, note: &ActionNote) {
        let id = format!("{run}:{}", note.action);
        let mut data = serde_json::to_value(note).unwrap_or(Value::Null);
        if note.state != ActionState::Partial {
            let took = std::mem::replace(&mut self.since, Instant::now()).elapsed();
            data["tookMs"] = json!(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        }
        let known = self.parts.iter_mut().rev().find_map(|part| match part {
            MessagePart::Action { id: i, data } if *i == id => Some(data),
            _ => None,
        });
        match known {
            Some(before) if *before == data => return,
            Some(before) => before.clone_from(&data),
            None => self.parts.push(MessagePart::Action {
                id: id.clone(),
                data: data.clone(),
            }),
        }
        self.stream
            .push(&json!({ "type": "data-action", "id": id, "data": data }));
    }

    /// An action that finds something out is a tool of the model's, in the SDK's words.
    fn tool(&mut self, id: &str, note: &ToolNote) {
        let known = self.parts.iter_mut().rev().find_map(|part| match part {
            MessagePart::Tool {
                id: i,
                state,
                input,
                ..
            } if i == id => Some((state, input)),
            _ => None,
        });
        let asked = match &note.state {
            ToolState::Asked(input) => Some(input.clone()),
            _ => None,
        };
        match known {
            Some((state, input)) => {
                state.clone_from(&note.state);
                *input = asked.unwrap_or_else(|| input.take());
            }
            None => self.parts.push(MessagePart::Tool {
                id: id.to_owned(),
                name: note.name.clone(),
                state: note.state.clone(),
                input: asked.unwrap_or(Value::Null),
            }),
        }
        let mut chunk = match &note.state {
            ToolState::Begun => json!({ "type": "tool-input-start", "toolName": note.name }),
            ToolState::Asked(input) => {
                json!({ "type": "tool-input-available", "toolName": note.name, "input": input })
            }
            ToolState::Found(output) => {
                json!({ "type": "tool-output-available", "output": output })
            }
            ToolState::Failed(reason) => {
                json!({ "type": "tool-output-error", "errorText": reason })
            }
        };
        chunk["toolCallId"] = json!(id);
        chunk["dynamic"] = json!(true);
        self.stream.push(&chunk);
    }

    /// Says the last words and answers the message for the history, with the stream: its end is told
    /// once the message is stored.
    pub fn end(mut self, outcome: &Outcome) -> (Value, Arc<RunStream>) {
        let open: Vec<(Words, String)> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                MessagePart::Words {
                    kind,
                    id,
                    open: true,
                    ..
                } => Some((*kind, id.clone())),
                _ => None,
            })
            .collect();
        for (kind, id) in open {
            self.words(kind, &id, &Piece::End);
        }
        let unanswered: Vec<(String, String)> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                MessagePart::Tool {
                    id,
                    name,
                    state: ToolState::Begun | ToolState::Asked(_),
                    ..
                } => Some((id.clone(), name.clone())),
                _ => None,
            })
            .collect();
        for (id, name) in unanswered {
            let state = ToolState::Failed("the run ended before".to_owned());
            self.tool(
                &id,
                &ToolNote {
                    action: 0,
                    name,
                    state,
                },
            );
        }
        self.stream.push(&json!({ "type": "finish-step" }));
        match outcome {
            Outcome::Done => self.finish("stop"),
            Outcome::Stopped | Outcome::Interrupted => self.finish("interrupted"),
            Outcome::Failed(failure) => {
                self.metadata["error"] = json!(failure);
                let told = json!({ "error": failure });
                self.stream
                    .push(&json!({ "type": "message-metadata", "messageMetadata": told }));
                self.stream
                    .push(&json!({ "type": "error", "errorText": failure.message }));
            }
        }
        let message = self.message();
        (message, self.stream)
    }

    fn finish(&self, reason: &str) {
        self.stream
            .push(&json!({ "type": "finish", "finishReason": reason }));
    }

    fn message(&self) -> Value {
        let parts: Vec<Value> = self
            .parts
            .iter()
            .map(|part| match part {
                MessagePart::Words { kind, text, .. } => {
                    json!({ "type": kind.name(), "text": text, "state": "done" })
                }
                MessagePart::Action { id, data } => {
                    json!({ "type": "data-action", "id": id, "data": data })
                }
                MessagePart::Tool {
                    id,
                    name,
                    state,
                    input,
                } => {
                    let mut part = json!({
                        "type": "dynamic-tool", "toolName": name, "toolCallId": id, "input": input,
                    });
                    match state {
                        ToolState::Found(output) => {
                            part["state"] = json!("output-available");
                            part["output"] = output.clone();
                        }
                        ToolState::Failed(reason) => {
                            part["state"] = json!("output-error");
                            part["errorText"] = json!(reason);
                        }
                        ToolState::Begun | ToolState::Asked(_) => {
                            part["state"] = json!("input-available");
                        }
                    }
                    part
                }
            })
            .collect();
        json!({
            "id": self.message_id,
            "role": "assistant",
            "metadata": self.metadata,
            "parts": parts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;
    use glade_agent::Failure;

    async fn chunks(stream: &Arc<RunStream>) -> Vec<String> {
        stream
            .read(|_| true)
            .map(|frame| String::from_utf8(frame.to_vec()).unwrap().trim().to_owned())
            .collect()
            .await
    }

    #[tokio::test]
    async fn words_are_opened_once_and_closed_even_when_the_run_is_cut() {
        let stream = RunStream::new(None);
        let mut transcript = Transcript::begin("msg_1".into(), "run_1", 5, Arc::clone(&stream));
        for delta in ["Hel", "lo"] {
            transcript.say(
                "run_1",
                &Say::Text {
                    id: "t".into(),
                    piece: Piece::Delta(delta.into()),
                },
            );
        }
        let (message, told) = transcript.end(&Outcome::Stopped);
        told.end();
        assert_eq!(
            chunks(&stream).await,
            [
                r#"data: {"type":"start","messageId":"msg_1","messageMetadata":{"run":"run_1","createdAt":5}}"#,
                r#"data: {"type":"start-step"}"#,
                r#"data: {"type":"text-start","id":"t"}"#,
                r#"data: {"type":"text-delta","id":"t","delta":"Hel"}"#,
                r#"data: {"type":"text-delta","id":"t","delta":"lo"}"#,
                r#"data: {"type":"text-end","id":"t"}"#,
                r#"data: {"type":"finish-step"}"#,
                r#"data: {"type":"finish","finishReason":"interrupted"}"#,
                "data: [DONE]",
            ]
        );
        assert_eq!(message["parts"][0]["text"], "Hello");
    }

    #[tokio::test]
    async fn a_tool_is_asked_answered_and_never_left_open() {
        let stream = RunStream::new(None);
        let mut transcript = Transcript::begin("msg_1".into(), "run_1", 5, Arc::clone(&stream));
        let say = |transcript: &mut Transcript, action: u32, state: ToolState| {
            let name = "count".to_owned();
            let note = ToolNote {
                action,
                name,
                state,
            };
            transcript.say("run_1", &Say::Tool(note));
        };
        say(&mut transcript, 1, ToolState::Begun);
        say(
            &mut transcript,
            1,
            ToolState::Asked(json!({"expression": "*"})),
        );
        say(&mut transcript, 1, ToolState::Found(json!({"shapes": 2})));
        say(
            &mut transcript,
            2,
            ToolState::Asked(json!({"expression": "x"})),
        );
        // A crash in between changes nothing of what is told.
        let again = RunStream::new(None);
        let resumed = Transcript::resume(transcript.save(), "run_1", 5, Arc::clone(&again));
        let (message, told) = transcript.end(&Outcome::Stopped);
        told.end();
        assert_eq!(resumed.end(&Outcome::Stopped).0, message);
        assert_eq!(
            message["parts"],
            json!([
                {"type": "dynamic-tool", "toolName": "count", "toolCallId": "run_1:1", "input": {"expression": "*"},
                    "state": "output-available", "output": {"shapes": 2}},
                {"type": "dynamic-tool", "toolName": "count", "toolCallId": "run_1:2", "input": {"expression": "x"},
                    "state": "output-error", "errorText": "the run ended before"},
            ])
        );
        assert_eq!(
            chunks(&stream).await[2..6],
            [
                r#"data: {"type":"tool-input-start","toolName":"count","toolCallId":"run_1:1","dynamic":true}"#,
                r#"data: {"type":"tool-input-available","toolName":"count","input":{"expression":"*"},"toolCallId":"run_1:1","dynamic":true}"#,
                r#"data: {"type":"tool-output-available","output":{"shapes":2},"toolCallId":"run_1:1","dynamic":true}"#,
                r#"data: {"type":"tool-input-available","toolName":"count","input":{"expression":"x"},"toolCallId":"run_1:2","dynamic":true}"#,
            ]
        );
    }

    #[tokio::test]
    async fn a_failed_run_ends_with_the_error() {
        let stream = RunStream::new(None);
        let transcript = Transcript::begin("msg_1".into(), "run_1", 5, Arc::clone(&stream));
        let failure = Failure::generic("no key");
        let (message, told) = transcript.end(&Outcome::Failed(failure.clone()));
        told.end();
        assert_eq!(message["metadata"]["error"], json!(failure));
        let chunks = chunks(&stream).await;
        assert_eq!(
            chunks[chunks.len() - 2],
            r#"data: {"type":"error","errorText":"no key"}"#
        );
    }
}
