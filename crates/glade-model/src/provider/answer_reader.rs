//! Bytes of an answer in, events out: the part of a request that needs no network.

use glade_agent::Usage;
use serde_json::Value;

use super::fault::Fault;
use super::sse::{SseEvent, SseReader};
use super::wire::{Reader, TokenCounts, WireEvent};
use crate::key;
use crate::model::{ModelError, ModelEvent, Spent};
use crate::prices;

pub struct AnswerReader {
    model: String,
    sse: SseReader,
    reader: Box<dyn Reader>,
    counts: TokenCounts,
    over: bool,
}

impl AnswerReader {
    pub fn new(model: &str, reader: Box<dyn Reader>) -> Self {
        Self {
            model: model.to_owned(),
            sse: SseReader::default(),
            reader,
            counts: TokenCounts::default(),
            over: false,
        }
    }

    /// Whether the answer has ended, well or not: nothing more will be events.
    pub fn over(&self) -> bool {
        self.over
    }

    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<ModelEvent, ModelError>> {
        let mut out = Vec::new();
        match self.sse.push(bytes) {
            Ok(events) => {
                for event in events {
                    self.event(&event, &mut out);
                }
            }
            Err(long) => self.fail(
                ModelError::TooMuch {
                    model: self.model.clone(),
                    most: long.most.to_owned(),
                },
                &mut out,
            ),
        }
        out
    }

    /// No more bytes will come. An answer whose end was not told was cut.
    pub fn end(&mut self) -> Vec<Result<ModelEvent, ModelError>> {
        let mut out = Vec::new();
        // The last event may be cut in the middle, which only matters if the end was not told before.
        if let Some(event) = self.sse.end().filter(|last| !is_damaged(&last.data)) {
            self.event(&event, &mut out);
        }
        let last = self.reader.at_end();
        self.tell(last, &mut out);
        let cut = ModelError::Cut {
            model: self.model.clone(),
        };
        self.fail(cut, &mut out);
        out
    }

    fn event(&mut self, event: &SseEvent, out: &mut Vec<Result<ModelEvent, ModelError>>) {
        if self.over {
            return;
        }
        let Ok(values) = values(&event.data) else {
            return self.unreadable(event, out);
        };
        for value in values {
            if self.over {
                return;
            }
            if is_error(&event.name, &value) {
                return self.fault(Fault::of_value(&value), out);
            }
            match self.reader.read(&value, &mut self.counts) {
                Ok(events) => self.tell(events, out),
                Err(fault) => return self.fault(fault, out),
            }
        }
    }

    /// What is no JSON: a word, an error in words, or an event that was damaged on its way, of which
    /// nobody knows what it said.
    fn unreadable(&mut self, event: &SseEvent, out: &mut Vec<Result<ModelEvent, ModelError>>) {
        if event.name == ERROR {
            return self.fault(Fault::in_words(&event.data), out);
        }
        if is_damaged(&event.data) {
            let model = self.model.clone();
            return self.fail(ModelError::Cut { model }, out);
        }
        let events = self.reader.read_word(event);
        self.tell(events, out);
    }

    fn tell(&mut self, events: Vec<WireEvent>, out: &mut Vec<Result<ModelEvent, ModelError>>) {
        for event in events {
            if self.over {
                return;
            }
            match event {
                WireEvent::Text(text) => out.push(Ok(ModelEvent::Text(text))),
                WireEvent::Thinking(text) => out.push(Ok(ModelEvent::Thinking(text))),
                WireEvent::Signed(seal) => out.push(Ok(ModelEvent::Signed(seal))),
                WireEvent::Call(call) => out.push(Ok(ModelEvent::Call(call))),
                WireEvent::TooMuch(most) => {
                    let (model, most) = (self.model.clone(), most.to_owned());
                    self.fail(ModelError::TooMuch { model, most }, out);
                }
                WireEvent::Ended(stop) => {
                    self.over = true;
                    let counts = self.counts;
                    if counts != TokenCounts::default() {
                        out.push(Ok(ModelEvent::Spent(Spent {
                            cache_read_tokens: counts.cache_read,
                            cache_write_tokens: counts.cache_write,
                            usd: prices::usd(&self.model, &counts),
                        })));
                    }
                    let usage = Usage {
                        input_tokens: counts.input,
                        output_tokens: counts.output,
                    };
                    out.push(Ok(ModelEvent::Done { usage, stop }));
                }
            }
        }
    }

    fn fault(&mut self, mut fault: Fault, out: &mut Vec<Result<ModelEvent, ModelError>>) {
        fault.message = key::scrub(&fault.message);
        let error = fault.judge(&self.model);
        self.fail(error, out);
    }

    /// Says the error, unless the answer is over already.
    pub fn fail(&mut self, error: ModelError, out: &mut Vec<Result<ModelEvent, ModelError>>) {
        if !std::mem::replace(&mut self.over, true) {
            out.push(Err(error));
        }
    }
}

const ERROR: &str = "error";

/// Relays put several events into one, with a line end between them or none.
fn values(data: &str) -> serde_json::Result<Vec<Value>> {
    let mut values = Vec::new();
    let mut rest = data.trim();
    while !rest.is_empty() {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(value) = stream.next() else { break };
        values.push(value?);
        let after = rest[stream.byte_offset()..].trim_start();
        rest = after.strip_prefix("data:").unwrap_or(after).trim_start();
    }
    Ok(values)
}

/// Was to be JSON, and is none.
fn is_damaged(data: &str) -> bool {
    data.trim_start().starts_with('{') && values(data).is_err()
}

/// An error comes in many clothes, on any wire.
fn is_error(event: &str, value: &Value) -> bool {
    let told = match &value["error"] {
        Value::Object(fields) => !fields.is_empty(),
        Value::String(words) => !words.is_empty(),
        _ => false,
    };
    told || event == ERROR || value["type"] == ERROR || value["object"] == ERROR
}
