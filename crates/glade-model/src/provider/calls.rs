//! Native tool calls: passed on as they are, or turned into the text that the agent's parser reads.
//!
//! In a conversation a call is a call ([`Calls::native`]). On a page fairies act by writing `{"actions": […]}`. A model that calls tools by its provider's own means
//! instead says the same in other clothes: the tool is the action, the arguments are its fields. So a
//! call `create({"shape": …})` becomes the text `{"_type":"create","shape": …}`, piece by piece as
//! the arguments arrive, and a call of a tool named `answer` or `actions` is its arguments as they
//! are. The parser takes actions one after the other, so each call ends its line.
//!
//! Pieces of several calls may come mixed (OpenAI numbers them). Only the oldest open call is passed
//! on; the others wait for their turn, so that two actions never run into each other.

use std::collections::VecDeque;

use super::wire::{WireEvent, text_event};
use crate::dialogue::CallEvent;

/// Tools whose arguments are the whole answer.
const WHOLE_ANSWER: [&str; 2] = ["answer", "actions"];
/// Calls that may be open at once.
const MOST_OPEN: usize = 128;
/// Bytes of calls that wait for an older one to end.
const MOST_WAITING: usize = 4 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Calls {
    open: VecDeque<Call>,
    /// Calls stay calls.
    native: bool,
    made: usize,
}

#[derive(Debug)]
struct Call {
    key: String,
    /// By which its result will be told from others.
    id: String,
    writer: Writer,
    /// Text made while an older call was open.
    waiting: String,
    over: bool,
}

impl Calls {
    pub fn native(native: bool) -> Self {
        Self {
            native,
            ..Self::default()
        }
    }

    /// A call begins. `key` tells it from others of the same answer. Where the provider gives no id
    /// of its own, one is made.
    pub fn begin(&mut self, key: &str, id: Option<&str>, tool: &str) -> Vec<WireEvent> {
        if self.open.iter().any(|call| call.key == key) {
            return Vec::new();
        }
        if self.open.len() >= MOST_OPEN {
            return vec![WireEvent::TooMuch("128 calls at once")];
        }
        self.made += 1;
        let id = id.filter(|id| !id.is_empty()).map(str::to_owned);
        let id = id.unwrap_or_else(|| format!("call_{}", self.made));
        self.open.push_back(Call {
            key: key.to_owned(),
            id: id.clone(),
            writer: Writer::new(tool),
            waiting: String::new(),
            over: false,
        });
        let tool = tool.to_owned();
        let begun = WireEvent::Call(CallEvent::Begun { id, tool });
        self.native.then_some(begun).into_iter().collect()
    }

    /// More of a call's arguments; what can be passed on now.
    pub fn arguments(&mut self, key: &str, piece: &str) -> Vec<WireEvent> {
        let Some(call) = self.open.iter_mut().find(|call| call.key == key) else {
            return Vec::new();
        };
        if self.native {
            let (id, more) = (call.id.clone(), !piece.is_empty());
            let piece = piece.to_owned();
            let input = WireEvent::Call(CallEvent::Input { id, piece });
            return more.then_some(input).into_iter().collect();
        }
        call.writer.push(piece, &mut call.waiting);
        call.over |= call.writer.closed();
        let ready = self.ready();
        let waiting: usize = self.open.iter().map(|call| call.waiting.len()).sum();
        if waiting <= MOST_WAITING {
            ready
        } else {
            vec![WireEvent::TooMuch("4 MB of calls that wait for another")]
        }
    }

    /// A call is over, whatever its arguments look like: those without any are an empty object.
    pub fn end(&mut self, key: &str) -> Vec<WireEvent> {
        if let Some(call) = self.open.iter_mut().find(|call| call.key == key) {
            call.finish();
        }
        self.ready()
    }

    /// The answer is over.
    pub fn end_all(&mut self) -> Vec<WireEvent> {
        self.open.iter_mut().for_each(Call::finish);
        self.ready()
    }

    fn ready(&mut self) -> Vec<WireEvent> {
        if self.native {
            let (over, open) = std::mem::take(&mut self.open)
                .into_iter()
                .partition::<VecDeque<Call>, _>(|call| call.over);
            self.open = open;
            return over
                .into_iter()
                .map(|call| WireEvent::Call(CallEvent::Over { id: call.id }))
                .collect();
        }
        let mut text = String::new();
        while let Some(oldest) = self.open.front_mut() {
            text.push_str(&std::mem::take(&mut oldest.waiting));
            if !oldest.over {
                break;
            }
            self.open.pop_front();
        }
        text_event(text).into_iter().collect()
    }
}

impl Call {
    fn finish(&mut self) {
        if !self.over && self.writer.untouched() {
            self.writer.push("{}", &mut self.waiting);
        }
        self.over = true;
    }
}

/// Puts the tool's name into its arguments, and sees where they close.
#[derive(Debug)]
struct Writer {
    /// `None`: the arguments pass as they are.
    tool: Option<String>,
    state: State,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    /// The brace is read; whether fields follow is not known yet.
    Opened,
    Inside,
    Closed,
}

impl Writer {
    fn new(tool: &str) -> Self {
        Self {
            tool: (!WHOLE_ANSWER.contains(&tool)).then(|| tool.to_owned()),
            state: State::Before,
            depth: 0,
            in_string: false,
            escaped: false,
        }
    }

    fn untouched(&self) -> bool {
        self.state == State::Before
    }

    fn closed(&self) -> bool {
        self.state == State::Closed
    }

    fn push(&mut self, piece: &str, out: &mut String) {
        for letter in piece.chars() {
            match self.state {
                State::Closed => {}
                State::Before if letter == '{' => {
                    self.depth = 1;
                    self.state = State::Opened;
                    out.push('{');
                    if let Some(tool) = &self.tool {
                        out.push_str("\"_type\":");
                        out.push_str(&serde_json::Value::from(tool.as_str()).to_string());
                    }
                }
                State::Before => {}
                State::Opened if letter.is_whitespace() => {}
                State::Opened => {
                    if letter != '}' && self.tool.is_some() {
                        out.push(',');
                    }
                    self.state = State::Inside;
                    self.inside(letter, out);
                }
                State::Inside => self.inside(letter, out),
            }
        }
    }

    fn inside(&mut self, letter: char, out: &mut String) {
        out.push(letter);
        if self.in_string {
            match letter {
                _ if self.escaped => self.escaped = false,
                '\\' => self.escaped = true,
                '"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match letter {
            '"' => self.in_string = true,
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 {
            self.state = State::Closed;
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(events: Vec<WireEvent>) -> String {
        let one = |event| match event {
            WireEvent::Text(text) => text,
            other => panic!("{other:?} is not text"),
        };
        events.into_iter().map(one).collect()
    }

    #[test]
    fn a_call_becomes_an_action_while_its_arguments_arrive() {
        let mut calls = Calls::default();
        calls.begin("0", None, "create");
        let pieces = ["", " {", " \"a\": \"}\\\"", "{\"", "}"];
        let said: Vec<String> = pieces
            .map(|piece| text(calls.arguments("0", piece)))
            .to_vec();
        assert_eq!(
            said,
            ["", "{\"_type\":\"create\"", ",\"a\": \"}\\\"", "{\"", "}\n"]
        );
        assert_eq!((calls.end("0"), calls.end_all()), (vec![], vec![]));
    }

    #[test]
    fn calls_that_come_mixed_follow_each_other() {
        let mut calls = Calls::default();
        calls.begin("0", None, "one");
        calls.begin("1", None, "two");
        let mut said = text(calls.arguments("1", "{\"b\":2}"));
        assert_eq!(said, "");
        said += &text(calls.arguments("0", "{\"a\":"));
        said += &text(calls.arguments("0", "1}"));
        assert_eq!(
            said,
            "{\"_type\":\"one\",\"a\":1}\n{\"_type\":\"two\",\"b\":2}\n"
        );
    }

    #[test]
    fn a_call_without_arguments_is_an_empty_action_and_an_answer_passes_as_it_is() {
        let mut calls = Calls::default();
        calls.begin("a", None, "celebrate");
        assert_eq!(text(calls.end("a")), "{\"_type\":\"celebrate\"}\n");
        calls.begin("b", None, "answer");
        assert_eq!(
            text(calls.arguments("b", "{\"actions\":[]}")),
            "{\"actions\":[]}\n"
        );
    }

    #[test]
    fn a_cut_call_is_never_closed_for_the_model() {
        let mut calls = Calls::default();
        calls.begin("0", None, "delete");
        let said = text(calls.arguments("0", "{\"shapeId\":\"a")) + &text(calls.end_all());
        assert_eq!(said, "{\"_type\":\"delete\",\"shapeId\":\"a");
    }

    #[test]
    fn calls_that_never_end_or_never_get_their_turn_are_too_much() {
        for native in [true, false] {
            let mut calls = Calls::native(native);
            let mut keys = (0..=MOST_OPEN).map(|key| key.to_string());
            let last = keys.next_back().unwrap();
            keys.for_each(|key| drop(calls.begin(&key, None, "create")));
            let refused = calls.begin(&last, None, "create");
            assert_eq!(refused, [WireEvent::TooMuch("128 calls at once")]);
        }
        let mut calls = Calls::default();
        calls.begin("first", None, "create");
        calls.begin("second", None, "create");
        let piece = format!("{{\"a\":\"{}", "x".repeat(MOST_WAITING));
        assert_eq!(
            calls.arguments("second", &piece),
            [WireEvent::TooMuch("4 MB of calls that wait for another")]
        );
    }

    #[test]
    fn in_a_conversation_a_call_stays_a_call_with_its_own_id_or_one_of_ours() {
        let mut calls = Calls::native(true);
        let mut events = calls.begin("0", Some("toolu_7"), "glob");
        events.extend(calls.begin("1", None, "readFile"));
        events.extend(calls.arguments("1", ""));
        events.extend(calls.arguments("0", "{\"pattern\":"));
        events.extend(calls.end("1"));
        events.extend(calls.arguments("0", "\"*\"}"));
        events.extend(calls.end_all());
        let begun = |id: &str, tool: &str| CallEvent::Begun {
            id: id.to_owned(),
            tool: tool.to_owned(),
        };
        let input = |id: &str, piece: &str| CallEvent::Input {
            id: id.to_owned(),
            piece: piece.to_owned(),
        };
        let over = |id: &str| CallEvent::Over { id: id.to_owned() };
        let expected = [
            begun("toolu_7", "glob"),
            begun("call_2", "readFile"),
            input("toolu_7", "{\"pattern\":"),
            over("call_2"),
            input("toolu_7", "\"*\"}"),
            over("toolu_7"),
        ];
        assert_eq!(events, expected.map(WireEvent::Call));
    }
}
