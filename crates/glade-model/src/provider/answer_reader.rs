//! Bytes of an answer in, events out: the part of a request that needs no network.

use glade_agent::Usage;
use serde_json::Value;

use super::fault::Fault;
use super::sse::{SseEvent, SseReader};
use super::wire::{Heard, Reader, Tally};
use crate::key;
use crate::model::{ModelError, ModelEvent, Spent};
use crate::prices;

pub struct Ear {
    model: String,
    sse: SseReader,
    reader: Box<dyn Reader>,
    tally: Tally,
    over: bool,
}

impl Ear {
    pub fn new(model: &str, reader: Box<dyn Reader>) -> Self {
        Self {
            model: model.to_owned(),
            sse: SseReader::default(),
            reader,
            tally: Tally::default(),
            over: false,
        }
    }

    /// Whether the answer has ended, well or not: nothing more will be heard.
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
        let heard = match serde_json::from_str::<Value>(&event.data) {
            Ok(value) => match self.reader.read(&value, &mut self.tally) {
                Ok(heard) => heard,
                Err(fault) => return self.fault(fault, out),
            },
            Err(_) => self.reader.read_word(event),
        };
        self.tell(heard, out);
    }

    fn tell(&mut self, heard: Vec<Heard>, out: &mut Vec<Result<ModelEvent, ModelError>>) {
        for heard in heard {
            if self.over {
                return;
            }
            match heard {
                Heard::Text(text) => out.push(Ok(ModelEvent::Text(text))),
                Heard::Thinking(text) => out.push(Ok(ModelEvent::Thinking(text))),
                Heard::Signed(seal) => out.push(Ok(ModelEvent::Signed(seal))),
                Heard::Call(call) => out.push(Ok(ModelEvent::Call(call))),
                Heard::TooMuch(most) => {
                    let (model, most) = (self.model.clone(), most.to_owned());
                    self.fail(ModelError::TooMuch { model, most }, out);
                }
                Heard::Ended(stop) => {
                    self.over = true;
                    let tally = self.tally;
                    if tally != Tally::default() {
                        out.push(Ok(ModelEvent::Spent(Spent {
                            cache_read_tokens: tally.cache_read,
                            cache_write_tokens: tally.cache_write,
                            usd: prices::usd(&self.model, &tally),
                        })));
                    }
                    let usage = Usage {
                        input_tokens: tally.input,
                        output_tokens: tally.output,
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
