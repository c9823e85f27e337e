//! The items of an OpenAI Responses answer: what each says in pieces, and again as a whole.
//!
//! Every piece of text is told up to three times: as deltas, at its own end, and at the end of its item.
//! Imitators leave some of that out, so each whole adds what the pieces before it did not say.

use glade_agent::StopReason;
use serde_json::Value;

use super::calls::Calls;
use super::wire::{WireEvent, rest_of};

pub struct OutputItems {
    calls: Calls,
    items: Vec<Item>,
    refused: bool,
}

#[derive(Default)]
struct Item {
    index: Option<u64>,
    id: Option<String>,
    /// It is a call that was begun.
    called: bool,
    texts: Vec<(Place, String)>,
}

/// Where in an item a text stands.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    kind: Kind,
    at: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Words,
    Thought,
    Summary,
}

impl OutputItems {
    pub fn new(native: bool) -> Self {
        Self {
            calls: Calls::native(native),
            items: Vec::new(),
            refused: false,
        }
    }

    pub fn refused(&self) -> bool {
        self.refused
    }

    pub fn end_all(&mut self, stop: StopReason) -> Vec<WireEvent> {
        self.calls.end_all(stop)
    }

    /// What an event about an item says.
    pub fn read(&mut self, kind: &str, value: &Value) -> Vec<WireEvent> {
        let Some((subject, event)) = kind
            .strip_prefix("response.")
            .and_then(|it| it.rsplit_once('.'))
        else {
            return Vec::new();
        };
        let (place, whole) = match subject {
            "output_item" => {
                let item = self.item(value);
                return self.whole_item(item, &value["item"], event == "done");
            }
            "function_call_arguments" => {
                let item = self.item(value);
                return self.arguments(item, value);
            }
            "output_text" => (Kind::Words.at(&value["content_index"]), &value["text"]),
            "refusal" => {
                self.refused = true;
                (Kind::Words.at(&value["content_index"]), &value["refusal"])
            }
            "reasoning_text" => (Kind::Thought.at(&value["content_index"]), &value["text"]),
            "reasoning_summary_text" => (Kind::Summary.at(&value["summary_index"]), &value["text"]),
            _ => return Vec::new(),
        };
        let item = self.item(value);
        match event {
            "delta" => self.text(item, place, value["delta"].as_str().unwrap_or_default()),
            "done" => self.whole_text(item, place, whole),
            _ => Vec::new(),
        }
    }

    /// The whole answer: only what nothing was heard of before.
    pub fn all(&mut self, output: &Value) -> Vec<WireEvent> {
        let output = output.as_array().map(Vec::as_slice).unwrap_or_default();
        let said = |kinds: &[Kind]| {
            let mut texts = self.items.iter().flat_map(|item| &item.texts);
            texts.any(|(place, text)| kinds.contains(&place.kind) && !text.is_empty())
        };
        let (spoke, thought) = (said(&[Kind::Words]), said(&[Kind::Thought, Kind::Summary]));
        let called = self.items.iter().any(|item| item.called);
        let unheard = |item: &&Value| match item["type"].as_str() {
            Some("message") => !spoke,
            Some("reasoning") => !thought,
            Some("function_call") => !called,
            _ => false,
        };
        let mut events = Vec::new();
        for item in output.iter().filter(unheard) {
            let at = self.add(Item::default());
            events.extend(self.whole_item(at, item, true));
        }
        events
    }

    /// The item that an event is about. Ids alone do not tell: there are servers that write a new one
    /// into each event.
    fn item(&mut self, value: &Value) -> usize {
        let index = value["output_index"].as_u64();
        let id = value["item_id"]
            .as_str()
            .or_else(|| value["item"]["id"].as_str());
        let found = match (index, id) {
            (Some(_), _) => self.items.iter().position(|item| item.index == index),
            (None, Some(_)) => self.items.iter().position(|item| item.id.as_deref() == id),
            (None, None) => self.items.len().checked_sub(1),
        };
        found.unwrap_or_else(|| {
            self.add(Item {
                index,
                id: id.map(str::to_owned),
                ..Item::default()
            })
        })
    }

    fn add(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.items.len() - 1
    }

    fn text(&mut self, item: usize, place: Place, text: &str) -> Vec<WireEvent> {
        if text.is_empty() {
            return Vec::new();
        }
        self.said(item, place).push_str(text);
        vec![match place.kind {
            Kind::Words => WireEvent::Text(text.to_owned()),
            Kind::Thought | Kind::Summary => WireEvent::Thinking(text.to_owned()),
        }]
    }

    fn whole_text(&mut self, item: usize, place: Place, whole: &Value) -> Vec<WireEvent> {
        let whole = whole.as_str().unwrap_or_default();
        let rest = rest_of(self.said(item, place), whole).to_owned();
        self.text(item, place, &rest)
    }

    fn said(&mut self, item: usize, place: Place) -> &mut String {
        let texts = &mut self.items[item].texts;
        let at = texts.iter().position(|(there, _)| *there == place);
        let at = at.unwrap_or_else(|| {
            texts.push((place, String::new()));
            texts.len() - 1
        });
        &mut texts[at].1
    }

    fn whole_item(&mut self, at: usize, item: &Value, done: bool) -> Vec<WireEvent> {
        match item["type"].as_str() {
            Some("function_call") => self.call(at, item, done),
            Some("message" | "reasoning") => {
                let mut events = Vec::new();
                for (list, summary) in [("summary", true), ("content", false)] {
                    let parts = item[list].as_array().into_iter().flatten();
                    for (place, part) in (0..).zip(parts) {
                        events.extend(self.part(at, place, part, summary));
                    }
                }
                events
            }
            _ => Vec::new(),
        }
    }

    fn part(&mut self, item: usize, at: u64, part: &Value, summary: bool) -> Vec<WireEvent> {
        let (kind, text) = match part["type"].as_str() {
            _ if summary => (Kind::Summary, &part["text"]),
            Some("reasoning_text") => (Kind::Thought, &part["text"]),
            Some("refusal") => {
                self.refused = true;
                (Kind::Words, &part["refusal"])
            }
            _ => (Kind::Words, &part["text"]),
        };
        self.whole_text(item, Place { kind, at }, text)
    }

    fn call(&mut self, at: usize, item: &Value, done: bool) -> Vec<WireEvent> {
        let key = at.to_string();
        let mut events = Vec::new();
        if !std::mem::replace(&mut self.items[at].called, true) {
            let name = item["name"].as_str().unwrap_or_default();
            let id = item["call_id"].as_str();
            events.extend(self.calls.begin(&key, id, name));
        }
        events.extend(self.whole_arguments(&key, &item["arguments"]));
        if done && item["status"] != "incomplete" {
            events.extend(self.calls.end(&key));
        }
        events
    }

    fn arguments(&mut self, item: usize, value: &Value) -> Vec<WireEvent> {
        let key = item.to_string();
        match value["delta"].as_str() {
            Some(piece) => self.calls.arguments(&key, piece),
            None => self.whole_arguments(&key, &value["arguments"]),
        }
    }

    fn whole_arguments(&mut self, key: &str, whole: &Value) -> Vec<WireEvent> {
        match whole {
            Value::String(text) => self.calls.whole_arguments(key, text),
            Value::Object(_) => self.calls.whole_arguments(key, &whole.to_string()),
            _ => Vec::new(),
        }
    }
}

impl Kind {
    fn at(self, index: &Value) -> Place {
        Place {
            kind: self,
            at: index.as_u64().unwrap_or(0),
        }
    }
}
