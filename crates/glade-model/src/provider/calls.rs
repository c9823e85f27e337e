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

use glade_agent::{CallEvent, StopReason};

use super::arguments::{Arguments, Form};
use super::wire::{WireEvent, text_event};

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
    /// The ids of all calls of this answer.
    ids: Vec<String>,
    /// An action was cut in the middle: what followed in the text would be read as part of it.
    cut: bool,
}

#[derive(Debug)]
struct Call {
    key: String,
    /// By which its result will be told from others.
    id: String,
    arguments: Arguments,
    /// Written while an older call was open, or not passed on yet.
    waiting: String,
    state: CallState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallState {
    Open,
    /// Said to be over without any arguments: true, unless the answer breaks off right here.
    OverWithout,
    Whole,
    /// To be carried out by nobody.
    Cut,
}

impl Calls {
    pub fn native(native: bool) -> Self {
        Self {
            native,
            ..Self::default()
        }
    }

    /// A call begins. `key` tells it from others that are open. Where the provider gives no id of its
    /// own, or one that another call has, one is made.
    pub fn begin(&mut self, key: &str, id: Option<&str>, tool: &str) -> Vec<WireEvent> {
        if self.open.len() >= MOST_OPEN {
            return vec![WireEvent::TooMuch("128 calls at once")];
        }
        let mut events = self.settle_those_without();
        let given = id.filter(|id| !id.is_empty() && !self.ids.iter().any(|taken| taken == id));
        let made = || format!("call_{}", self.ids.len() + 1);
        let id = given.map_or_else(made, str::to_owned);
        self.ids.push(id.clone());
        let form = match tool {
            _ if self.native => Form::Input,
            _ if WHOLE_ANSWER.contains(&tool) => Form::Line,
            tool => Form::Action(tool.to_owned()),
        };
        self.open.push_back(Call {
            key: key.to_owned(),
            id: id.clone(),
            arguments: Arguments::new(form),
            waiting: String::new(),
            state: CallState::Open,
        });
        let tool = tool.to_owned();
        let begun = WireEvent::Call(CallEvent::Begun { id, tool });
        events.extend(self.native.then_some(begun));
        events
    }

    /// The arguments so far of an open call.
    pub fn open_arguments(&self, key: &str) -> Option<&Arguments> {
        let call = self.open.iter().find(|call| call.key == key)?;
        Some(&call.arguments)
    }

    /// More of a call's arguments; what can be passed on now.
    pub fn arguments(&mut self, key: &str, piece: &str) -> Vec<WireEvent> {
        self.tell(key, |arguments, out| arguments.push(piece, out))
    }

    /// All of a call's arguments, after whatever came in pieces.
    pub fn whole_arguments(&mut self, key: &str, whole: &str) -> Vec<WireEvent> {
        self.tell(key, |arguments, out| arguments.tell_whole(whole, out))
    }

    fn tell(
        &mut self,
        key: &str,
        change: impl FnOnce(&mut Arguments, &mut String),
    ) -> Vec<WireEvent> {
        let Some(call) = self.open.iter_mut().find(|call| call.key == key) else {
            return Vec::new();
        };
        change(&mut call.arguments, &mut call.waiting);
        if !self.native && call.arguments.closed() {
            call.state = CallState::Whole;
        }
        let ready = self.ready();
        let waiting: usize = self.open.iter().map(|call| call.waiting.len()).sum();
        if waiting <= MOST_WAITING {
            ready
        } else {
            vec![WireEvent::TooMuch("4 MB of calls that wait for another")]
        }
    }

    /// A call is said to be over.
    pub fn end(&mut self, key: &str) -> Vec<WireEvent> {
        if let Some(call) = self.open.iter_mut().find(|call| call.key == key) {
            if call.unfinished() && call.arguments.empty() {
                call.state = CallState::OverWithout;
            } else {
                call.finish(false);
            }
        }
        self.ready()
    }

    /// The answer is over. Only one that ended well has calls without arguments.
    pub fn end_all(&mut self, stop: StopReason) -> Vec<WireEvent> {
        let trusted = stop == StopReason::Stop;
        self.open.iter_mut().for_each(|call| call.finish(trusted));
        self.ready()
    }

    /// What is open belongs to an answer that was given up.
    pub fn cut_open(&mut self) -> Vec<WireEvent> {
        self.open.iter_mut().for_each(Call::cut);
        self.ready()
    }

    /// The model went on after them, so it had nothing more to say in them.
    fn settle_those_without(&mut self) -> Vec<WireEvent> {
        let settled = |call: &&mut Call| call.state == CallState::OverWithout;
        self.open
            .iter_mut()
            .filter(settled)
            .for_each(|call| call.finish(true));
        self.ready()
    }

    fn ready(&mut self) -> Vec<WireEvent> {
        if self.native {
            self.ready_calls()
        } else {
            self.ready_text()
        }
    }

    fn ready_calls(&mut self) -> Vec<WireEvent> {
        let mut events = Vec::new();
        for call in &mut self.open {
            let id = call.id.clone();
            let piece = std::mem::take(&mut call.waiting);
            if !piece.is_empty() {
                events.push(CallEvent::Input { id, piece });
            }
            let id = call.id.clone();
            match call.state {
                CallState::Whole => events.push(CallEvent::Over { id }),
                CallState::Cut => events.push(CallEvent::Cut { id }),
                CallState::Open | CallState::OverWithout => {}
            }
        }
        self.open.retain(Call::unfinished);
        events.into_iter().map(WireEvent::Call).collect()
    }

    fn ready_text(&mut self) -> Vec<WireEvent> {
        let mut text = String::new();
        while let Some(oldest) = self.open.front_mut() {
            if !self.cut {
                text.push_str(&std::mem::take(&mut oldest.waiting));
            }
            if oldest.unfinished() {
                break;
            }
            self.cut |= oldest.state == CallState::Cut && !oldest.arguments.empty();
            self.open.pop_front();
        }
        text_event(text).into_iter().collect()
    }
}

impl Call {
    fn unfinished(&self) -> bool {
        matches!(self.state, CallState::Open | CallState::OverWithout)
    }

    fn finish(&mut self, trusted: bool) {
        if self.unfinished() {
            let whole = self.arguments.finish(trusted, &mut self.waiting);
            self.state = if whole {
                CallState::Whole
            } else {
                CallState::Cut
            };
        }
    }

    fn cut(&mut self) {
        if self.unfinished() {
            self.state = CallState::Cut;
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
            ["", "", "{\"_type\":\"create\",\"a\": \"}\\\"", "{\"", "}\n"]
        );
        assert_eq!(
            (calls.end("0"), calls.end_all(StopReason::Stop)),
            (vec![], vec![])
        );
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
        assert_eq!(text(calls.end("a")), "");
        let said = text(calls.begin("b", None, "answer"));
        assert_eq!(said, "{\"_type\":\"celebrate\"}\n", "the model went on");
        assert_eq!(
            text(calls.arguments("b", "{\"actions\":[]}")),
            "{\"actions\":[]}\n"
        );
    }

    #[test]
    fn a_cut_call_is_never_closed_for_the_model() {
        let mut calls = Calls::default();
        calls.begin("0", None, "delete");
        let said =
            text(calls.arguments("0", "{\"shapeId\":\"a")) + &text(calls.end_all(StopReason::Stop));
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
        events.extend(calls.end_all(StopReason::Stop));
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
            input("toolu_7", "\"*\"}"),
            over("toolu_7"),
            input("call_2", "{}"),
            over("call_2"),
        ];
        assert_eq!(events, expected.map(WireEvent::Call));
    }
}
