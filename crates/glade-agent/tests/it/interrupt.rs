//! Stop at any byte: nothing half-made stays, and nothing of the old answer is ever heard again.

use glade_agent::{Effect, Event, Failure, Mode, Outcome, StopReason, Usage};
use glade_canvas::Element;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::room::{Room, a_box, an_arrow, outcome, words};

/// An answer with every action, long words, escapes and slips of the model.
fn actions() -> Vec<Value> {
    vec![
        json!({"_type": "message", "text": "I draw a \"flow\" \\ of 3.\n"}),
        a_box(
            "order",
            100,
            100,
            "Order of the customer, which is a long text that wraps",
        ),
        a_box("pay", 400, 100, "Pay 💶"),
        an_arrow("order", "pay"),
        json!({"_type": "think", "text": "Now a note"}),
        json!({"_type": "create", "intent": "", "shape": {
            "_type": "note", "shapeId": "n", "x": 100, "y": 400, "color": "yellow", "text": "Ask Bob\nabout it",
        }}),
        json!({"_type": "create", "intent": "", "shape": {
            "_type": "text", "shapeId": "title", "x": 400, "y": 20, "anchor": "top-center", "fontSize": 28, "text": "The big title",
        }}),
        json!({"_type": "fly-away", "x": 1}),
        json!({"_type": "create", "intent": "", "shape": {
            "_type": "arrow", "shapeId": "lost", "fromId": "pay", "toId": "nowhere", "text": "?",
        }}),
        json!({"_type": "label", "intent": "", "shapeId": "pay", "text": "Pay now"}),
        json!({"_type": "move", "intent": "", "shapeId": "order", "x": 60, "y": 90}),
        json!({"_type": "update", "intent": "", "update": {"shapeId": "pay", "color": "red", "fill": "solid"}}),
        json!({"_type": "delete", "intent": "", "shapeId": "n"}),
        json!({"_type": "create", "intent": "", "shape": {
            "_type": "ellipse", "shapeId": "end", "x": 700, "y": 100, "w": 120, "h": 60, "text": "End",
        }}),
    ]
}

fn text() -> String {
    serde_json::to_string_pretty(&json!({"actions": actions()})).unwrap()
}

/// Live elements with places and sizes to the nearest few units: a label that grew letter by letter
/// may keep a measure that is right within the font's tolerance.
fn rough(room: &Room) -> Vec<(String, Value)> {
    fn round(value: &Value) -> Value {
        match value {
            Value::Number(number) => json!((number.as_f64().unwrap() / 4.0).round()),
            Value::Array(items) => items.iter().map(round).collect(),
            Value::Object(map) => Value::Object(
                map.iter()
                    .map(|(key, value)| (key.clone(), round(value)))
                    .collect(),
            ),
            other => other.clone(),
        }
    }
    let element = |element: Element| {
        let mut props: Vec<_> = element
            .props
            .iter()
            .map(|(key, value)| (key.clone(), round(value)))
            .collect();
        props.sort_by(|a, b| a.0.cmp(&b.0));
        (
            element.id.to_string(),
            Value::Object(props.into_iter().collect()),
        )
    };
    room.live().into_iter().map(element).collect()
}

#[test]
fn stopping_at_every_byte_leaves_only_whole_actions() {
    let text = text();
    // What stands after the first n actions, each answer given at once.
    let after: Vec<_> = (0..=actions().len())
        .map(|n| {
            let mut room = Room::asked("draw");
            room.delta(&json!({"actions": actions()[..n]}).to_string());
            rough(&room)
        })
        .collect();
    let mut room = Room::asked("draw");
    let step = room.step();
    let mut seen_partial = 0;
    for (at, letter) in text.char_indices() {
        room.delta(letter.encode_utf8(&mut [0; 4]));
        let whole = whole_actions(&text[..at + letter.len_utf8()]);

        let mut stopped = room.clone();
        let drawn = stopped.live().len();
        let effects = stopped.stop();
        assert_eq!(
            rough(&stopped),
            after[whole],
            "stopped after {:?}",
            &text[..at + 1]
        );
        seen_partial += usize::from(stopped.live().len() < drawn);
        assert_eq!(outcome(&effects), Some(Outcome::Stopped));
        assert_eq!(stopped.agent.mode(), Mode::Pausing);
        let writes = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Edit { .. } | Effect::Revert { .. }));
        assert!(!writes, "the host has rolled back already");
        words(&stopped.log);

        let late = [
            Event::Delta {
                step,
                text: text[at + letter.len_utf8()..].to_owned(),
            },
            Event::Thinking {
                step,
                text: "hm".to_owned(),
            },
            Event::Answered {
                step,
                usage: Usage::default(),
                stop: StopReason::Stop,
            },
            Event::Failed {
                step,
                failure: Failure::generic("late"),
                retryable: true,
            },
            Event::Woken { step },
        ];
        for event in late {
            assert_eq!(stopped.send(event), []);
        }
    }
    assert!(
        seen_partial > 100,
        "half-made shapes were there to be taken back"
    );
    assert_eq!(rough(&room), after[actions().len()]);
}

/// How many actions of the answer are whole in this beginning of it.
fn whole_actions(text: &str) -> usize {
    let mut parser = glade_agent::parser::Parser::new();
    let whole = |parsed: &glade_agent::parser::Parsed| {
        matches!(parsed, glade_agent::parser::Parsed::Complete { .. })
    };
    parser
        .push(text)
        .iter()
        .filter(|parsed| whole(parsed))
        .count()
}

#[test]
fn a_new_message_interrupts_and_its_own_answer_is_drawn() {
    let text = text();
    for at in (0..text.len())
        .step_by(37)
        .filter(|at| text.is_char_boundary(*at))
    {
        let mut room = Room::asked("draw");
        let old = room.step();
        room.delta(&text[..at]);
        let stood = whole_actions(&text[..at]);
        let effects = room.prompt("something else");
        assert_eq!(outcome(&effects), Some(Outcome::Interrupted));
        assert_eq!(room.agent.mode(), Mode::OneShotting);
        assert_ne!(room.step(), old);
        assert_eq!(
            room.send(Event::Delta {
                step: old,
                text: text[at..].to_owned()
            }),
            []
        );
        let effects = room.answer(json!([a_box("other", 500, 600, "Other")]));
        assert_eq!(outcome(&effects), Some(Outcome::Done));
        assert_eq!(room.named("Other").rect().w, 160.0);
        let mut plain = Room::asked("draw");
        plain.delta(&json!({"actions": actions()[..stood]}).to_string());
        assert_eq!(
            room.live().len(),
            plain.live().len() + 2,
            "a box and its label more"
        );
    }
}

#[test]
fn a_failure_takes_back_the_open_action_and_the_next_prompt_works() {
    let text = text();
    for at in (0..text.len())
        .step_by(29)
        .filter(|at| text.is_char_boundary(*at))
    {
        let mut room = Room::asked("draw");
        room.delta(&text[..at]);
        let step = room.step();
        let effects = room.send(Event::Failed {
            step,
            failure: Failure::generic("the model is overloaded"),
            retryable: false,
        });
        assert_eq!(
            outcome(&effects),
            Some(Outcome::Failed(Failure::generic("the model is overloaded")))
        );
        let said = words(&room.log);
        assert_eq!(
            said.last().unwrap(),
            "I could not finish: the model is overloaded"
        );
        let mut plain = Room::asked("draw");
        plain.delta(&json!({"actions": actions()[..whole_actions(&text[..at])]}).to_string());
        assert_eq!(rough(&room), rough(&plain));
        assert_eq!(room.agent.mode(), Mode::Idling);
        room.prompt("again");
        assert_eq!(
            outcome(&room.answer(json!([a_box("a", 500, 600, "A")]))),
            Some(Outcome::Done)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn however_the_answer_is_cut_the_drawing_is_the_same(
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..60),
    ) {
        let text = text();
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len())).collect();
        ends.retain(|end| text.is_char_boundary(*end));
        ends.push(text.len());
        ends.sort_unstable();
        let mut room = Room::asked("draw");
        let mut from = 0;
        for end in ends {
            room.delta(&text[from..end]);
            from = end;
        }
        let mut at_once = Room::asked("draw");
        at_once.delta(&text);
        prop_assert_eq!(rough(&room), rough(&at_once));
    }
}
