//! Answers that want too much: what is over is refused with a reason, what was done before stands.

use glade_agent::budget::{MAX_ACTION_BYTES, MAX_ACTIONS, MAX_MADE, MAX_MESSAGES};
use glade_agent::parser::{Parsed, Parser};
use glade_agent::{Event, Failure};
use serde_json::{Value, json};

use crate::room::{Room, a_box, words};
use crate::stream::feed;
use crate::writing;

fn think(bytes: usize) -> String {
    let empty = json!({"_type": "think", "text": ""}).to_string();
    let text = "x".repeat(bytes - empty.len());
    json!({"_type": "think", "text": text}).to_string()
}

#[test]
fn an_action_is_too_long_by_its_length_however_it_is_cut() {
    for (bytes, taken) in [(MAX_ACTION_BYTES, 2), (MAX_ACTION_BYTES + 2, 1)] {
        let text = format!("{{\"actions\":[{},{}]}}", think(50), think(bytes));
        for cut in [1, 7, 4096, text.len()] {
            let mut parser = Parser::new();
            let (mut whole, mut broken) = (0, 0);
            for piece in text.as_bytes().chunks(cut) {
                for parsed in parser.push(std::str::from_utf8(piece).unwrap()) {
                    match parsed {
                        Parsed::Complete { .. } => whole += 1,
                        Parsed::Broken { .. } => broken += 1,
                        Parsed::Partial { .. } => {}
                    }
                }
            }
            assert_eq!((whole, broken), (taken, 2 - taken), "{bytes}, {cut}");
        }
    }
}

#[test]
fn prose_without_end_and_values_that_are_no_action_are_passed_over() {
    let long = "x".repeat(MAX_ACTION_BYTES * 2);
    let action = json!({"_type": "think", "text": "here"});
    for before in [long.clone(), format!("{{\"note\":\"{long}\"}}")] {
        let text = format!("{before}\n{action}");
        assert_eq!(feed([text.as_str()]).0.last(), Some(&action));
    }
}

#[test]
fn what_comes_after_so_many_actions_is_not_read_and_the_model_is_told() {
    let mut room = Room::asked("draw");
    let review = json!({"_type": "think", "text": "t"});
    let actions: Vec<Value> = (0..MAX_ACTIONS)
        .map(|_| review.clone())
        .chain([a_box("late", 0, 0, "Late")])
        .collect();
    room.answer(json!(actions));
    assert_eq!(room.scene.live().count(), 0);
    assert!(
        room.told().contains("more than 1,000 actions"),
        "{}",
        room.told()
    );
}

#[test]
fn one_answer_says_so_many_things_and_draws_all_the_same() {
    let mut room = Room::asked("talk");
    let message = |n: usize| json!({"_type": "message", "text": format!("word {n}")});
    let actions: Vec<Value> = (0..MAX_MESSAGES + 50)
        .map(message)
        .chain([a_box("a", 0, 0, "A")])
        .collect();
    let effects = room.answer(json!(actions));
    let said = words(&effects);
    let said = said.iter().filter(|text| text.starts_with("word"));
    assert_eq!(said.count(), MAX_MESSAGES);
    assert!(room.scene.live().count() > 0, "the box");
    assert!(room.told().contains("at most 100 messages"));
}

#[test]
fn an_action_that_makes_too_much_at_once_is_refused_and_leaves_nothing() {
    let mut room = writing::room(&[("a", "paragraph", "We meet.")]);
    room.prompt("a table");
    let side = MAX_MADE.isqrt() + 1;
    let row = format!("|{}\n", "x|".repeat(side));
    let rule = format!("|{}\n", "-|".repeat(side));
    let text = format!("{row}{rule}{}", row.repeat(side - 1));
    let insert = json!({"_type": "block-insert", "intent": "x", "afterId": "a", "text": text});
    let before = room.scene.live().count();
    room.answer(json!([insert]));
    assert_eq!(room.scene.live().count(), before);
    assert!(
        room.told().contains("makes at most 2000 things"),
        "{}",
        room.told()
    );
}

#[test]
fn a_model_that_was_ended_hears_why_when_it_is_asked_again() {
    let mut room = Room::asked("draw");
    room.delta("{\"actions\":[");
    let step = room.step();
    room.send(Event::Failed {
        step,
        failure: Failure::generic("m sent more than 2 MB of text in one answer"),
        retryable: false,
    });
    room.prompt("again");
    let prompt = room.last_prompt();
    let told = prompt.messages.iter().map(|message| &message.content);
    assert!(
        told.clone()
            .any(|text| text.contains("more than 2 MB of text in one answer")),
        "{prompt:?}"
    );
}
