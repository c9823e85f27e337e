//! What a workspace's text pages have, cards of pages elsewhere, and a part of a page to itself.

use glade_agent::plugins::Enabled;
use glade_agent::{Effect, Event, Outside, PartData};
use glade_doc::Edit;
use serde_json::{Value, json};

use crate::room::Room;
use crate::writing::room;

fn with(room: &mut Room, said: &[(&str, bool)]) {
    let mut enabled = Enabled::default();
    for (name, on) in said {
        enabled.set(name, *on).unwrap();
    }
    room.agent.settings.plugins = enabled;
}

#[test]
fn what_is_switched_off_is_on_no_menu_and_says_why() {
    let mut room = room(&[("a", "paragraph", "Hello.")]);
    with(&mut room, &[("tables", false), ("search", false)]);
    room.prompt("go on");
    let schema = room.last_prompt().schema.to_string();
    assert!(!schema.contains("table-add-row") && !schema.contains("\"search\""));
    assert!(schema.contains("text-rewrite") && schema.contains("comment-add"));
    room.answer(json!([{"_type": "table-add-row", "intent": "", "tableId": "t", "cells": []}]));
    assert!(room.told().contains("plugin tables"), "{}", room.told());
}

fn fetch(effects: &[Effect]) -> Option<(u32, Outside)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Fetch { action, what } => Some((*action, what.clone())),
        _ => None,
    })
}

fn puts(effects: &[Effect]) -> Vec<Value> {
    let edits = effects.iter().filter_map(|effect| match effect {
        Effect::Edit { edits, .. } => Some(edits),
        _ => None,
    });
    let put = |edit: &Edit| match edit {
        Edit::Put { props, .. } => Some(json!(props)),
        _ => None,
    };
    edits.flatten().filter_map(put).collect()
}

#[test]
fn a_card_comes_onto_the_page_when_it_has_been_fetched() {
    let mut room = room(&[("a", "paragraph", "Hello.")]);
    with(&mut room, &[("embeds", true)]);
    room.agent.settings.outside = true;
    room.prompt("go on");
    let address = "https://example.org/moss";
    let action =
        json!({"_type": "embed-fetch-and-insert", "intent": "", "afterId": "a", "url": address});
    let effects = room.delta(&json!({"actions": [action]}).to_string());
    let page = Outside::Page {
        address: address.to_owned(),
    };
    let (number, what) = fetch(&effects).unwrap();
    assert_eq!((what, puts(&effects)), (page, Vec::new()));
    let card = json!({"address": address, "title": "Moss", "about": "Small plants."});
    let effects = room.send(Event::Fetched {
        action: number,
        found: Ok(card),
    });
    let [put] = puts(&effects).try_into().unwrap();
    assert_eq!(
        [&put["nodeName"], &put["href"], &put["title"], &put["about"]],
        [
            &json!("embed"),
            &json!(address),
            &json!("Moss"),
            &json!("Small plants.")
        ]
    );
    assert!(put["index"].as_str().unwrap() > "B");
}

#[test]
fn a_card_that_cannot_be_had_leaves_nothing_behind_but_a_reason() {
    let mut room = room(&[("a", "paragraph", "Hello.")]);
    with(&mut room, &[("embeds", true)]);
    room.agent.settings.outside = true;
    room.prompt("go on");
    let url = "https://elsewhere.example/";
    let action = json!({"_type": "embed-fetch-and-insert", "intent": "", "url": url});
    let effects = room.delta(&json!({"actions": [action]}).to_string());
    let (action, _) = fetch(&effects).unwrap();
    let found = Err("elsewhere.example is not among the hosts".to_owned());
    let effects = room.send(Event::Fetched { action, found });
    assert_eq!(puts(&effects), Vec::<Value>::new());
    room.end();
    assert!(
        room.told().contains("not among the hosts"),
        "{}",
        room.told()
    );
    room.answer(
        json!([{"_type": "embed-fetch-and-insert", "intent": "", "url": "file:///etc/passwd"}]),
    );
    assert!(
        room.told().contains("no address of a web page"),
        "{}",
        room.told()
    );
}

#[test]
fn its_part_of_a_page_is_shown_in_full_and_told() {
    let mut room = room(&[
        ("a", "paragraph", "One."),
        ("b", "paragraph", "Two."),
        ("c", "paragraph", "Three."),
    ]);
    room.part = Some(("b".into(), "c".into()));
    room.prompt("go on");
    let prompt = room.last_prompt();
    let shown = prompt.parts.iter().find_map(|part| match part {
        PartData::TextBlocks(blocks) => blocks.part.clone(),
        _ => None,
    });
    assert_eq!(shown, Some(("b2".to_owned(), "b3".to_owned())));
    let told = |words: &str| {
        prompt
            .messages
            .iter()
            .any(|one| one.content.contains(words))
    };
    assert!(told("You may change only the blocks from b2 to b3."));
}
