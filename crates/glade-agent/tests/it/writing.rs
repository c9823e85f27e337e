//! A fairy on a text page: blocks, words, and people who write beside it.

use glade_agent::{Effect, Input, PartData};
use glade_canvas::{Element, Scene};
use glade_doc::{Edit, Surface};
use glade_text::Page;
use serde_json::{Value, json};

use crate::room::Room;

pub fn block(id: &str, index: &str, kind: &str, text: &str) -> Element {
    let props = json!({"nodeName": kind, "parent": null, "index": index, "originalText": text});
    Element::new(id, props.as_object().unwrap().clone())
}

pub fn room(blocks: &[(&str, &str, &str)]) -> Room {
    let mut room = Room::new();
    let keys = ["B", "D", "F", "H", "J"];
    let made = blocks
        .iter()
        .zip(keys)
        .map(|((id, kind, text), key)| block(id, key, kind, text));
    room.scene = Scene::of(Surface::Text, made);
    room
}

fn page(room: &Room) -> Page {
    Page::read(
        room.scene
            .live()
            .map(|element| (&element.id, &element.props)),
    )
}

fn lines(room: &Room) -> Vec<String> {
    let page = page(room);
    page.blocks
        .iter()
        .map(|block| format!("{}: {}", block.kind, block.all_text()))
        .collect()
}

#[test]
fn the_prompt_shows_blocks_and_offers_what_a_text_page_has() {
    let mut room = room(&[("a", "heading", "Plan"), ("b", "paragraph", "We meet.")]);
    room.prompt_with(Input {
        selection: vec!["b".into()],
        ..Input::message("go on")
    });
    let prompt = room.last_prompt();
    let parts: Vec<&str> = prompt
        .parts
        .iter()
        .filter_map(|part| match part {
            PartData::TextBlocks(_) => Some("blocks"),
            PartData::BlurryShapes(_) | PartData::UserViewport(_) | PartData::Screenshot(_) => {
                Some("canvas")
            }
            _ => None,
        })
        .collect();
    assert_eq!(parts, ["blocks"]);
    assert!(prompt.system.contains("text-rewrite") && !prompt.system.contains("\"create\""));
    assert!(
        prompt
            .messages
            .iter()
            .any(|message| message.content.contains("We meet.")
                && message.content.contains("selected: b"))
    );
}

#[test]
fn a_canvas_action_is_refused_on_a_text_page() {
    let mut room = room(&[("b", "paragraph", "We meet.")]);
    room.prompt("draw");
    room.answer(json!([{"_type": "delete", "intent": "x", "shapeId": "b"}]));
    assert_eq!(lines(&room), ["paragraph: We meet."]);
    assert!(
        room.told().contains("not for this kind of page"),
        "{}",
        room.told()
    );
}

#[test]
fn words_appear_as_they_come_and_whole() {
    let mut room = room(&[("b", "paragraph", "Before.")]);
    room.prompt("write");
    let answer = json!({"actions": [{"_type": "block-insert", "intent": "x", "afterId": "b", "kind": "paragraph", "text": "One two three."}]}).to_string();
    let mut seen: Vec<String> = Vec::new();
    for ch in answer.chars() {
        room.delta(&ch.to_string());
        if let Some(line) = lines(&room).get(1)
            && seen.last() != Some(line)
        {
            seen.push(line.clone());
        }
    }
    room.end();
    assert_eq!(
        seen,
        [
            "paragraph: ",
            "paragraph: One",
            "paragraph: One two",
            "paragraph: One two three."
        ]
    );
    // The first edit makes the block, the later ones only add words.
    let rewrites = room.log.iter().filter_map(|effect| match effect {
        Effect::Edit { edits, .. } => Some(edits),
        _ => None,
    });
    let later: Vec<&Edit> = rewrites.skip(1).flatten().collect();
    assert!(
        later
            .iter()
            .all(|edit| matches!(edit, Edit::Rewrite { .. })),
        "{later:?}"
    );
}

#[test]
fn a_streamed_rewriting_keeps_the_rest_until_it_comes_to_it() {
    let mut room = room(&[("b", "paragraph", "We meet on Monday. Bring the plans.")]);
    room.prompt("rewrite");
    let answer = json!({"actions": [{"_type": "text-rewrite", "intent": "x", "blockId": "b", "text": "We gather on Monday. Bring your plans."}]}).to_string();
    for ch in answer.chars() {
        room.delta(&ch.to_string());
        let text = &page(&room).blocks[0].text;
        assert!(
            text.contains("Monday. Bring") && text.ends_with("plans."),
            "{text}"
        );
    }
    room.end();
    assert_eq!(
        lines(&room),
        ["paragraph: We gather on Monday. Bring your plans."]
    );
}

fn type_in(room: &mut Room, id: &str, from: &str, to: &str) {
    let mut element = room.scene.get(&id.into()).unwrap().clone();
    let text = element.props["originalText"]
        .as_str()
        .unwrap()
        .replace(from, to);
    element.props.insert("originalText".to_owned(), json!(text));
    room.scene.put(element);
}

#[test]
fn the_fairy_yields_the_sentence_that_a_person_writes_in() {
    let mut room = room(&[("b", "paragraph", "First.")]);
    room.prompt("go on");
    room.delta(r#"{"actions": [{"_type": "text-insert", "intent": "x", "blockId": "b", "at": "end", "text": "And then we "#);
    assert_eq!(lines(&room), ["paragraph: First. And then we"]);
    type_in(&mut room, "b", "And then we", "And then they");
    room.delta(r#"go home together."}]}"#);
    room.end();
    assert_eq!(lines(&room), ["paragraph: First. And then they"]);
}

#[test]
fn a_person_in_another_sentence_is_left_alone() {
    let mut room = room(&[("b", "paragraph", "First.")]);
    room.prompt("go on");
    room.delta(r#"{"actions": [{"_type": "text-insert", "intent": "x", "blockId": "b", "at": "end", "text": "And then we "#);
    type_in(&mut room, "b", "First", "Firstly");
    let effects = room.delta("go home. ");
    let edit = effects.iter().find_map(|effect| match effect {
        Effect::Edit { edits, .. } => edits.first().cloned(),
        _ => None,
    });
    // What it wrote last is the base: the room keeps the person's word.
    let Some(Edit::Rewrite { base, text, .. }) = edit else {
        panic!("{effects:?}")
    };
    assert_eq!(base, "First. And then we");
    assert_eq!(text, "First. And then we go home.");
}

#[test]
fn tables_are_made_widened_and_filled() {
    let mut room = room(&[("b", "paragraph", "People:")]);
    room.prompt("table");
    room.answer(json!([{"_type": "block-insert", "intent": "x", "afterId": "b", "kind": "table", "rows": [["Name", "Age"], ["Ann", "31"]]}]));
    let table = page(&room).blocks[1].id.to_string();
    room.prompt("more");
    room.answer(json!([
        {"_type": "table-add-row", "intent": "x", "tableId": table, "cells": ["Ben", "29"]},
        {"_type": "table-add-column", "intent": "x", "tableId": table, "cells": ["Town", "Oslo"]},
        {"_type": "table-set-cell", "intent": "x", "tableId": table, "row": 3, "column": 3, "text": "Rome"},
    ]));
    assert_eq!(
        lines(&room)[1],
        "table: Name | Age | Town\nAnn | 31 | Oslo\nBen | 29 | Rome"
    );
}

#[test]
fn blocks_are_moved_marked_listed_and_deleted() {
    let mut room = room(&[
        ("a", "paragraph", "one"),
        ("b", "paragraph", "two words"),
        ("c", "paragraph", "three"),
    ]);
    room.prompt("all");
    room.answer(json!([
        {"_type": "block-move", "intent": "x", "blockId": "c", "afterId": "start"},
        {"_type": "mark-toggle", "intent": "x", "blockId": "b", "mark": "bold", "words": "words"},
        {"_type": "block-set-kind", "intent": "x", "blockId": "c", "kind": "heading", "level": 1},
        {"_type": "bullet-list-toggle", "intent": "x", "blockIds": ["b"]},
        {"_type": "block-delete", "intent": "x", "blockId": "a"},
        {"_type": "math-insert-formula", "intent": "x", "tex": "$x^2$"},
        {"_type": "math-insert-formula", "intent": "x", "blockId": "b", "tex": "$a+b$"},
        {"_type": "mention-insert", "intent": "x", "blockId": "c", "name": "Ann"},
    ]));
    assert_eq!(
        lines(&room),
        [
            "heading: three @Ann",
            "listItem: two words a+b",
            "formula: x^2"
        ]
    );
    let marks: Vec<Value> = page(&room).blocks[1]
        .marks
        .iter()
        .map(|mark| json!([mark.from, mark.to, mark.name]))
        .collect();
    assert_eq!(marks, [json!([4, 9, "bold"]), json!([10, 13, "tex"])]);
}

#[test]
fn far_away_blocks_are_an_outline() {
    let mut room = Room::new();
    let text = "word ".repeat(40);
    let blocks = (0..600).map(|n| {
        let kind = if n % 50 == 0 { "heading" } else { "paragraph" };
        block(&format!("b{n:03}"), &format!("K{n:03}"), kind, &text)
    });
    room.scene = Scene::of(Surface::Text, blocks);
    room.prompt("look");
    let seen = room
        .last_prompt()
        .parts
        .iter()
        .find_map(|part| match part {
            PartData::TextBlocks(seen) => Some(seen.clone()),
            _ => None,
        })
        .unwrap();
    let shown = seen.blocks.len();
    assert!((100..400).contains(&shown), "{shown}");
    assert_eq!(
        shown
            + seen
                .outline
                .iter()
                .map(|section| section.blocks)
                .sum::<usize>(),
        600
    );
    assert_eq!(
        seen.blocks.iter().filter(|block| block.shortened).count(),
        60
    );
}
