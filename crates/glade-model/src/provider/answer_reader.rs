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
        if let Some(event) = self.sse.end() {
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
        let events = match serde_json::from_str::<Value>(&event.data) {
            Ok(value) => match self.reader.read(&value, &mut self.counts) {
                Ok(events) => events,
                Err(fault) => return self.fault(fault, out),
            },
            Err(_) => self.reader.read_word(event),
        };
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
