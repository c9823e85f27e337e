//! What the studio is tested against too (`vectors/`): kinds of blocks and what they keep, order keys.

use glade_doc::text::{KINDS, MARK_NAMES, Mark};
use glade_text::markdown::{from_markdown, to_markdown};
use glade_text::{NewBlock, html, order};
use serde_json::{Value, json};

use crate::work::page_of;

fn blocks() -> Value {
    serde_json::from_str(include_str!("../../../../vectors/blocks.json")).unwrap()
}

fn list<'a>(of: &'a Value, name: &str) -> &'a Vec<Value> {
    let list = of[name].as_array().unwrap();
    assert!(!list.is_empty());
    list
}

fn words<'a>(values: impl IntoIterator<Item = &'a Value>) -> Vec<&'a str> {
    let mut words: Vec<&str> = values.into_iter().filter_map(Value::as_str).collect();
    words.sort_unstable();
    words
}

#[test]
fn kinds_of_blocks_and_marks_are_those_of_the_studio() {
    let blocks = blocks();
    let names = |name: &str| list(&blocks, name).iter().map(|one| &one["name"]);
    let parts = list(&blocks, "tableParts");
    let mut kinds = KINDS;
    kinds.sort_unstable();
    assert_eq!(words(names("kinds").chain(parts)), kinds);
    let mut marks = MARK_NAMES;
    marks.sort_unstable();
    assert_eq!(words(names("marks")), marks);
}

#[test]
fn what_a_block_leaves_out_is_written_as_the_studio_reads_it() {
    for kind in list(&blocks(), "kinds") {
        let bare = || NewBlock {
            rows: vec![vec![("cell".to_owned(), Vec::new())]],
            ..NewBlock::new(kind["name"].as_str().unwrap(), "words")
        };
        let mut full = bare();
        let attributes = kind["attributes"].as_object().unwrap();
        full.props.extend(attributes.clone());
        let written = |block: NewBlock| {
            let page = page_of(&[block]);
            (to_markdown(&page), html::to_html(&page))
        };
        assert_eq!(written(bare()), written(full), "{kind}");
    }
}

#[test]
fn keys_between_two_are_the_studios() {
    let text = include_str!("../../../../vectors/order-keys.json");
    let keys: Value = serde_json::from_str(text).unwrap();
    for case in list(&keys, "text") {
        let key = order::between(case["left"].as_str(), case["right"].as_str());
        assert_eq!(key, case["key"], "{case}");
    }
}

/// Words with what they wear, in turn.
fn pieces(text: &str, marks: &[Mark]) -> Value {
    let mut pieces: Vec<(String, Vec<&str>)> = Vec::new();
    for (at, letter) in text.chars().enumerate() {
        let here = marks
            .iter()
            .filter(|mark| (mark.from..mark.to).contains(&at));
        let mut names: Vec<&str> = here.map(|mark| mark.name.as_str()).collect();
        names.sort_unstable();
        match pieces.last_mut() {
            Some((words, worn)) if *worn == names => words.push(letter),
            _ => pieces.push((letter.to_string(), names)),
        }
    }
    json!(pieces)
}

/// What a block says of itself beyond what it is anyway.
fn said(block: &NewBlock) -> Value {
    let kinds = blocks();
    let mut kinds = list(&kinds, "kinds").iter();
    let kind = kinds.find(|kind| kind["name"] == block.kind).unwrap();
    let mut said = block.props.clone();
    said.retain(|name, value| {
        kind["attributes"]
            .get(name)
            .is_some_and(|bare| bare != value)
    });
    Value::Object(said)
}

fn shown(block: &NewBlock) -> Value {
    let mut shown = json!({"kind": block.kind, "attributes": said(block)});
    if block.kind == "table" {
        let row = |cells: &Vec<(String, Vec<Mark>)>| -> Vec<Value> {
            cells
                .iter()
                .map(|(text, marks)| pieces(text, marks))
                .collect()
        };
        shown["rows"] = block.rows.iter().map(row).collect();
    } else {
        shown["words"] = pieces(&block.text, &block.marks);
    }
    shown
}

#[test]
fn markdown_becomes_the_studios_blocks() {
    let text = include_str!("../../../../vectors/markdown.json");
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let read = from_markdown(case["markdown"].as_str().unwrap());
        let read: Vec<Value> = read.iter().map(shown).collect();
        assert_eq!(json!(read), case["blocks"], "{}", case["markdown"]);
    }
}
