//! Kinds of blocks, by the names that a model may use.

use glade_doc::Props;
use serde_json::{Value, json};

use crate::partial_object::PartialObject;

/// What a model calls them, and what they are.
pub const KINDS: [(&str, &str); 9] = [
    ("paragraph", "paragraph"),
    ("heading", "heading"),
    ("list-item", "listItem"),
    ("quote", "blockquote"),
    ("callout", "callout"),
    ("code", "codeBlock"),
    ("divider", "divider"),
    ("formula", "formula"),
    ("table", "table"),
];

pub fn kind_field() -> (&'static str, Value) {
    let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    ("kind", json!({"enum": names}))
}

/// The fields that say more about a kind.
pub fn kind_fields() -> Vec<(&'static str, Value)> {
    vec![
        (
            "level",
            json!({"type": "number", "description": "of a heading, 1 to 6"}),
        ),
        ("list", json!({"enum": ["bullet", "ordered", "task"]})),
        ("checked", json!({"type": "boolean"})),
        ("indent", json!({"type": "number"})),
        ("lang", json!({"type": "string", "description": "of code"})),
        (
            "tone",
            json!({"enum": ["note", "tip", "important", "warning", "caution"]}),
        ),
    ]
}

pub const KIND_OPTIONAL: &[&str] = &["level", "list", "checked", "indent", "lang", "tone"];

pub fn kind(name: &str) -> Option<&'static str> {
    let known = KINDS
        .iter()
        .find(|(short, long)| *short == name || *long == name);
    known.map(|(_, kind)| *kind)
}

/// What is said of a kind, as properties of the block. `fallback`: the list of an item of which that is not said.
pub fn kind_props(kind: &str, given: PartialObject<'_>, fallback: Option<&str>) -> Props {
    let mut props = Props::new();
    let mut put = |name: &str, value: Value| {
        props.insert(name.to_owned(), value);
    };
    let level = |default: f64| given.number("level").unwrap_or(default).clamp(1.0, 6.0) as u64;
    match kind {
        "heading" => put("level", json!(level(2.0))),
        "listItem" => {
            let known = ["bullet", "ordered", "task"];
            let list = given.word("list").filter(|list| known.contains(list));
            let ticked = given.has("checked").then_some("task");
            if let Some(list) = list.or(ticked).or(fallback) {
                put("list", json!(list));
            }
            if let Some(checked) = given.flag("checked") {
                put("checked", json!(checked));
            }
        }
        "callout" => {
            if let Some(tone) = given.word("tone") {
                put("tone", json!(tone.to_lowercase()));
            }
        }
        "codeBlock" => {
            if let Some(lang) = given.word("lang") {
                put("lang", json!(lang));
            }
        }
        _ => {}
    }
    if let Some(indent) = given.number("indent").filter(|indent| *indent >= 1.0) {
        put("indent", json!(indent.min(8.0) as u64));
    }
    props
}

/// What a kind is called in a sentence.
pub fn plain(kind: &str) -> &str {
    match kind {
        "listItem" => "list item",
        "blockquote" => "quote",
        "codeBlock" => "code block",
        other => other,
    }
}
