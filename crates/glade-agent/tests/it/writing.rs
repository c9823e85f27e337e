//! A fairy on a text page: blocks, words, and people who write beside it.

use glade_agent::diff::{Diff, Updated};
use glade_agent::parts::text_blocks::TextBlocks;
use glade_agent::{Effect, Input, PartData, UserAction};
use glade_canvas::{Element, Scene};
use glade_doc::{Edit, Props, Surface};
use glade_text::markdown::{from_markdown, to_markdown};
use glade_text::{Page, edits_of, order};
use proptest::prelude::*;
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
    let form = prompt.schema.to_string();
    assert!(form.contains("text-rewrite") && !form.contains("\"create\""));
    assert!(
        prompt
            .messages
            .iter()
            .any(|message| message.content.contains("We meet.")
                && message.content.contains("selected: b2"))
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
    let answer = json!({"actions": [{"_type": "block-insert", "intent": "x", "afterId": "b", "text": "One two three."}]}).to_string();
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
    room.answer(json!([{"_type": "block-insert", "intent": "x", "afterId": "b", "text": "| Name | Age |\n| --- | --- |\n| Ann | 31 |"}]));
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
        {"_type": "mark-set", "intent": "x", "blockId": "b", "mark": "bold", "words": "words"},
        {"_type": "block-set-kind", "intent": "x", "blockId": "c", "kind": "heading", "level": 1},
        {"_type": "list-set", "intent": "x", "blockIds": ["b"], "list": "bullet"},
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
    let seen = seen(&room);
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
        12
    );
    // A section that what is shown ends in the middle of is counted apart from those behind it.
    let hidden: Vec<usize> = seen.outline.iter().map(|section| section.blocks).collect();
    assert!(
        hidden.iter().skip(1).all(|blocks| *blocks == 50),
        "{hidden:?}"
    );
}

/// Blocks of Markdown, with ids as a page gives them.
fn written(source: &str) -> Room {
    let mut room = Room::new();
    let blocks = from_markdown(source);
    let keys = order::row(None, None, blocks.len());
    let mut scene = Scene::of(Surface::Text, []);
    for (at, (block, key)) in blocks.iter().zip(keys).enumerate() {
        let own = format!("bk_{at}");
        let mut part = 0;
        let mut id = || {
            part += 1;
            format!("{own}-{part}")
        };
        for edit in edits_of(block, &own.as_str().into(), &key, &mut id) {
            if let Edit::Put { id, props } = edit {
                scene.put(Element::new(id, props));
            }
        }
    }
    room.scene = scene;
    room
}

fn seen(room: &Room) -> TextBlocks {
    let parts = room.last_prompt().parts.iter();
    let mut seen = parts.filter_map(|part| match part {
        PartData::TextBlocks(seen) => Some(seen.clone()),
        _ => None,
    });
    seen.next().unwrap()
}

fn markdown(room: &Room) -> String {
    to_markdown(&page(room))
}

fn shown(room: &Room) -> String {
    let prompt = room.last_prompt();
    let said: Vec<&str> = prompt
        .messages
        .iter()
        .map(|one| one.content.as_str())
        .collect();
    said.join("\n")
}

#[test]
fn a_page_is_shown_as_markdown_under_short_ids() {
    let mut room = written(
        "# Plan\n\nSee the **old** [page](https://example.org/).\n\n- [x] did\n- [ ] open\n\n```rust\nlet a = 1;\n```\n\n![a cat](cat.png)\n",
    );
    room.prompt("look");
    let shown = shown(&room);
    for line in [
        "b1  # Plan",
        "b2  See the **old** [page](https://example.org/).",
        "b3  - [x] did",
        "b4  - [ ] open",
        "b5  ```rust\n    let a = 1;\n    ```",
        "b6  ![a cat](cat.png)",
    ] {
        assert!(shown.contains(line), "{line} is not in\n{shown}");
    }
    assert!(
        shown.contains("\n````data\n"),
        "no text can close the fence"
    );
    assert!(
        !room.last_prompt().system.contains("draw"),
        "{}",
        room.last_prompt().system
    );
}

#[test]
fn a_rewriting_is_markdown_and_marks_stay_with_their_words() {
    let mut room =
        written("See the **old** [page](https://example.org/).\n\n- [ ] Buy milk\n\n## Plan\n");
    room.prompt("rewrite");
    room.answer(json!([
        {"_type": "text-rewrite", "intent": "x", "blockId": "b1", "text": "Now see the **new** [page](https://example.org/)."},
        {"_type": "text-rewrite", "intent": "x", "blockId": "b2", "text": "- [x] Buy *fresh* milk"},
        {"_type": "text-rewrite", "intent": "x", "blockId": "b3", "text": "### The plan"},
    ]));
    assert_eq!(
        markdown(&room),
        "Now see the **new** [page](https://example.org/).\n\n- [x] Buy *fresh* milk\n\n### The plan\n"
    );
}

#[test]
fn however_it_streams_a_rewriting_never_shows_signs_as_words() {
    let mut room = written("See the **old** page.\n");
    room.prompt("rewrite");
    let answer = json!({"actions": [{"_type": "text-rewrite", "intent": "x", "blockId": "b1", "text": "Read the **very new** [page](https://example.org/a) and `code`."}]}).to_string();
    for ch in answer.chars() {
        room.delta(&ch.to_string());
        let text = &page(&room).blocks[0].text;
        assert!(!text.contains(['*', '[', '`']), "{text}");
    }
    room.end();
    assert_eq!(
        markdown(&room),
        "Read the **very new** [page](https://example.org/a) and `code`.\n"
    );
}

#[test]
fn a_paragraph_that_begins_like_a_list_stays_one() {
    let mut room = written("1\\. is a number\n");
    room.prompt("rewrite");
    room.answer(json!([{"_type": "text-rewrite", "intent": "x", "blockId": "b1", "text": "1. is the first number"}]));
    assert_eq!(lines(&room), ["paragraph: 1. is the first number"]);
}

#[test]
fn several_blocks_come_in_one_insert_in_their_order_and_under_names() {
    let mut room = written("# Radiator\n\nend\n");
    room.prompt("write");
    let text = "Get ready:\n\n- [ ] key\n- [ ] cloth\n\n1. Turn it **off**.\n2. Open the valve.\n\n> [!WARNING]\n> Hot water.\n\n| Key | Valve |\n| --- | --- |\n| square | *old* |";
    let answer = json!({"actions": [
        {"_type": "block-insert", "intent": "x", "afterId": "b1", "blockId": "prep", "text": text},
        {"_type": "block-move", "intent": "x", "blockId": "prep-6", "afterId": "start"},
        {"_type": "mark-set", "intent": "x", "blockId": "prep", "mark": "italic"},
    ]})
    .to_string();
    for ch in answer.chars() {
        room.delta(&ch.to_string());
    }
    room.end();
    assert_eq!(
        markdown(&room),
        "> [!WARNING]\n> Hot water.\n\n# Radiator\n\n*Get ready:*\n\n- [ ] key\n- [ ] cloth\n\n1. Turn it **off**.\n2. Open the valve.\n\n| Key | Valve |\n| --- | --- |\n| square | *old* |\n\nend\n"
    );
}

#[test]
fn marks_are_set_and_unset_and_words_that_stand_twice_are_asked_for() {
    let mut room = written("Tea *and* tea, and **tea**.\n");
    room.prompt("mark");
    room.answer(json!([{"_type": "mark-set", "intent": "x", "blockId": "b1", "mark": "bold", "words": "and"}]));
    assert!(room.told().contains("stand 2 times"), "{}", room.told());
    room.answer(json!([
        {"_type": "mark-set", "intent": "x", "blockId": "b1", "mark": "bold", "words": "and", "which": 2},
        {"_type": "mark-set", "intent": "x", "blockId": "b1", "mark": "italic", "words": "and", "which": 1, "on": false},
        {"_type": "mark-set", "intent": "x", "blockId": "b1", "mark": "bold", "words": "**tea**", "which": 2, "on": false},
    ]));
    assert_eq!(markdown(&room), "Tea and tea, **and** tea.\n");
}

#[test]
fn words_of_a_block_are_replaced_where_they_stand() {
    let mut room = written("Open until **17:00**, Monday until 17:00.\n");
    room.prompt("later");
    room.answer(json!([{"_type": "text-rewrite", "intent": "x", "blockId": "b1", "words": "17:00", "which": "all", "text": "18:30"}]));
    assert_eq!(
        markdown(&room),
        "Open until **18:30**, Monday until 18:30.\n"
    );
}

#[test]
fn a_wrong_id_is_answered_with_the_nearest() {
    let mut room = written("one\n\ntwo\n\nthree\n");
    room.prompt("go");
    room.answer(json!([{"_type": "block-delete", "intent": "x", "blockId": "b22"}]));
    let told = room.told();
    assert!(
        told.contains("no block with the id \"b22\"") && told.contains("b2 (\"two\")"),
        "{told}"
    );
}

#[test]
fn what_a_person_typed_since_the_prompt_is_no_part_of_a_rewriting() {
    let mut room = written("We meet on Monday.\n");
    room.prompt("rewrite");
    type_in(&mut room, "bk_0", "Monday", "Monday, says Ann");
    let effects = room.answer(json!([{"_type": "text-rewrite", "intent": "x", "blockId": "b1", "text": "We gather on Monday."}]));
    let edit = effects.iter().find_map(|effect| match effect {
        Effect::Edit { edits, .. } => edits.first().cloned(),
        _ => None,
    });
    let Some(Edit::Rewrite { base, text, .. }) = edit else {
        panic!("{effects:?}")
    };
    assert_eq!(
        (base.as_str(), text.as_str()),
        ("We meet on Monday.", "We gather on Monday.")
    );
}

fn long() -> Room {
    let sections = (1..=20).map(|section| {
        let body = (1..=19).map(|at| {
            format!(
                "Paragraph {section}.{at} {}",
                "says something of no importance ".repeat(8)
            )
        });
        format!(
            "## Section {section}\n\n{}",
            body.collect::<Vec<_>>().join("\n\n")
        )
    });
    written(&sections.collect::<Vec<_>>().join("\n\n"))
}

#[test]
fn of_four_hundred_paragraphs_any_one_can_be_worked_on() {
    let mut room = long();
    room.prompt("change 17.3");
    let prompt = shown(&room);
    let line = prompt
        .lines()
        .find(|line| line.contains("## Section 17 "))
        .unwrap();
    assert!(
        line.ends_with("(20 blocks, 1025 words)") || line.contains("(20 blocks,"),
        "{line}"
    );
    let heading = line.split_whitespace().next().unwrap().to_owned();
    assert!(!prompt.contains("Paragraph 17.3"));
    room.answer(
        json!([{"_type": "text-rewrite", "intent": "x", "blockId": heading, "text": "## Other"}]),
    );
    assert!(room.told().contains("read-blocks"), "{}", room.told());
    room.answer(json!([{"_type": "read-blocks", "intent": "x", "fromId": heading}]));
    let prompt = shown(&room);
    let line = prompt
        .lines()
        .find(|line| line.contains("Paragraph 17.3"))
        .unwrap();
    assert!(line.contains("importance says"), "it is whole: {line}");
    let id = line.split_whitespace().next().unwrap().to_owned();
    room.answer(json!([{"_type": "text-rewrite", "intent": "x", "blockId": id, "text": "Short."}]));
    assert!(lines(&room).contains(&"paragraph: Short.".to_owned()));
    room.end();
    // What was changed last stays in view.
    room.prompt("and now?");
    assert!(shown(&room).contains("  Short."), "{}", shown(&room));
}

#[test]
fn what_people_changed_is_told_in_words() {
    let mut room = written("We meet on Monday.\n\n- [ ] key\n");
    room.prompt("look");
    room.answer(json!([]));
    let before = |id: &str, name: &str| {
        let props = &room.scene.get(&id.into()).unwrap().props;
        props.get(name).cloned().unwrap_or_default()
    };
    let updated = |id: &str, name: &str, after: Value| Updated {
        id: id.into(),
        before: Props::from_iter([(name.to_owned(), before(id, name))]),
        after: Props::from_iter([(name.to_owned(), after)]),
    };
    let diff = Diff {
        updated: vec![
            updated("bk_0", "originalText", json!("We all meet on Tuesday.")),
            updated("bk_1", "checked", json!(true)),
        ],
        ..Diff::default()
    };
    room.user_actions = vec![UserAction {
        by: "Ann".to_owned(),
        diff,
    }];
    room.prompt("go on");
    let shown = shown(&room);
    for told in [
        r#""blockId":"b1""#,
        r#""did":["wrote \"all\"","wrote \"Tuesday\" instead of \"Monday\""]"#,
        r#""blockId":"b2""#,
        r#""did":["ticked it"]"#,
    ] {
        assert!(shown.contains(told), "{told} is not in\n{shown}");
    }
}

/// Blocks of all kinds, with marks of all kinds.
fn any_block() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(
        prop_oneof![
            "[a-z]{1,6}",
            "[a-z]{1,5}".prop_map(|word| format!("**{word}**")),
            "[a-z]{1,5}".prop_map(|word| format!("*{word} x*")),
            "[a-z]{1,5}".prop_map(|word| format!("[{word}](https://example.org/{word}?a=b&c)")),
            "[a-z*_]{1,5}".prop_map(|word| format!("`{word}`")),
            "[a-z]{1,5}".prop_map(|word| format!("<u>{word}</u>")),
            Just("$x_1$".to_owned()),
            Just("\\*no mark\\*".to_owned()),
            Just("$5, 1. and # 2 [a] <b".to_owned()),
        ],
        1..6,
    );
    let words = words.prop_map(|words| words.join(" "));
    let sign = prop::sample::select(vec![
        "",
        "## ",
        "- ",
        "3. ",
        "- [x] ",
        "> ",
        "> [!TIP]\n> ",
        "- deep\n  - ",
    ]);
    prop_oneof![
        6 => (sign, words.clone()).prop_map(|(sign, words)| format!("{sign}{words}")),
        1 => words.clone().prop_map(|words| format!("| a | b |\n| --- | :-: |\n| {words} |  |")),
        1 => words.clone().prop_map(|words| format!("```md\n{words}\n\n  # x\n```")),
        1 => words.prop_map(|words| format!("{words}\\\nnext line")),
        1 => Just("![a *cat*](cat.png \"asleep\")".to_owned()),
        1 => Just("$$\na + b\n$$".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// A model that writes each block as it was shown changes nothing.
    #[test]
    fn what_is_written_as_it_was_shown_changes_nothing(blocks in prop::collection::vec(any_block(), 1..6)) {
        let mut room = written(&blocks.join("\n\n"));
        room.prompt("write it again");
        let before = room.scene.clone();
        let actions: Vec<Value> = seen(&room).blocks.iter().filter(|block| block.kind != "divider").map(|block| {
            json!({"_type": "text-rewrite", "intent": "x", "blockId": block.block_id, "text": block.shown()})
        }).collect();
        let effects = room.answer(json!(actions));
        let edits: Vec<&Effect> = effects.iter().filter(|effect| matches!(effect, Effect::Edit { .. })).collect();
        prop_assert!(edits.is_empty(), "{edits:?}\n{}", shown(&room));
        prop_assert_eq!(room.scene.live().collect::<Vec<_>>(), before.live().collect::<Vec<_>>());
    }
}

#[test]
fn a_table_that_is_rewritten_keeps_its_rows_and_cells() {
    let mut room = written(
        "| Bike | Price |\n| --- | --: |\n| Otter | 4500 |\n| Long Tom | *1500* |\n| Pelikan | 2500 |\n",
    );
    let rows = |room: &Room| -> Vec<(String, String)> {
        let page = page(room);
        let table = page.blocks[0].table.as_ref().unwrap();
        let ids = table.rows.iter().map(|row| row.id.to_string());
        ids.zip(table.words().map(|cells| cells.join(" ")))
            .collect()
    };
    let before = rows(&room);
    room.prompt("sort it");
    room.answer(json!([{"_type": "text-rewrite", "intent": "x", "blockId": "b1", "text":
        "| Bike | Price | Load |\n| --- | --: | --- |\n| Long Tom | *1500* | 32 |\n| Pelikan | **2600** | 75 |\n| Otter | 4500 | 92 |\n| New | 1 | 2 |"}]));
    assert_eq!(
        markdown(&room),
        "| Bike | Price | Load |\n| --- | --: | --- |\n| Long Tom | *1500* | 32 |\n| Pelikan | **2600** | 75 |\n| Otter | 4500 | 92 |\n| New | 1 | 2 |\n"
    );
    let after = rows(&room);
    for (id, words) in &before {
        let name = words.split(' ').next().unwrap();
        assert!(
            after
                .iter()
                .any(|(other, now)| other == id && now.starts_with(name)),
            "{after:?}"
        );
    }
}
