//! Lists and numbered steps of what is there.

use glade_agent::parts::text_blocks::{SeenBlock, TextBlocks};
use glade_text::markdown::{escaped, from_lines};
use serde_json::{Value, json};

use super::super::answer::say;
use super::super::names::split_list;
use super::{chosen, counted};

pub fn list(page: &TextBlocks, list: &str, name: &str) -> Vec<Value> {
    let wordy = |block: &&SeenBlock| {
        ["paragraph", "list-item"].contains(&block.kind.as_str()) && !block.text.trim().is_empty()
    };
    let blocks: Vec<&SeenBlock> = chosen(page).into_iter().filter(wordy).collect();
    if let [only] = blocks.as_slice() {
        let parts = marked_parts(only, list);
        if parts.len() > 1 {
            return apart(only, &parts, list, name);
        }
    }
    let ids: Vec<&str> = blocks
        .iter()
        .filter(|block| block.list.as_deref() != Some(list))
        .map(|block| block.block_id.as_str())
        .collect();
    if ids.is_empty() {
        return vec![say(format!("There are no lines to make {name} of."))];
    }
    vec![
        say(format!("Making {name} of {}.", counted(ids.len(), "line"))),
        listed(&ids, list),
    ]
}

fn listed(ids: &[&str], list: &str) -> Value {
    json!({"_type": "list-set", "intent": "list", "blockIds": ids, "list": list})
}

/// One paragraph becomes several items: its first part stays in it, the others follow.
fn apart(block: &SeenBlock, parts: &[String], list: &str, name: &str) -> Vec<Value> {
    let kind = match list {
        "ordered" => "step",
        "task" => "task",
        _ => "list-item",
    };
    let mut actions = vec![
        say(format!(
            "Making {name} of {}.",
            counted(parts.len(), "part")
        )),
        json!({"_type": "text-rewrite", "intent": "list", "blockId": block.block_id, "text": parts[0]}),
    ];
    if block.list.as_deref() != Some(list) {
        actions.push(listed(&[block.block_id.as_str()], list));
    }
    let others: Vec<String> = parts[1..].iter().map(|part| sign(kind, part)).collect();
    actions.push(json!({"_type": "block-insert", "intent": "write", "afterId": block.block_id, "text": others.join("\n")}));
    actions
}

/// An item, of Markdown.
fn sign(kind: &str, part: &str) -> String {
    let sign = match kind {
        "step" => "1. ",
        "task" => "- [ ] ",
        _ => "- ",
    };
    format!("{sign}{part}")
}

/// What a block falls into, as Markdown; where a mark would be torn apart, as plain words.
fn marked_parts(block: &SeenBlock, list: &str) -> Vec<String> {
    let plain = parts(&block.text, list);
    let marked = parts(block.shown(), list);
    let says = |(marked, plain): (&String, &String)| {
        let read = from_lines(marked);
        matches!(read.as_slice(), [only] if only.kind == "paragraph" && only.text == *plain)
    };
    let whole = block.kind == "paragraph" && marked.len() == plain.len();
    if whole && marked.iter().zip(&plain).all(says) {
        marked
    } else {
        plain.iter().map(|part| escaped(part)).collect()
    }
}

/// The lines of a text; or its sentences; or, if it is to be no steps, what it counts up.
fn parts(text: &str, list: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    if lines.len() > 1 {
        return lines.into_iter().filter(|line| !line.is_empty()).collect();
    }
    let sentences = sentences(text);
    match sentences.len() {
        1 if list != "ordered" => split_list(text),
        _ => sentences,
    }
}

/// A sentence ends with a sign before a capital or a digit; after a short word a full stop is that of an abbreviation.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, sign) in text.match_indices(['.', '!', '?']) {
        let end = at + sign.len();
        let rest = &text[end..];
        let next = rest.trim_start().chars().next();
        let word = text[from..at].split_whitespace().next_back().unwrap_or("");
        let whole = sign != "." || word.chars().filter(|ch| ch.is_alphanumeric()).count() > 2;
        let begins = next.is_some_and(|ch| ch.is_uppercase() || ch.is_ascii_digit());
        if rest.starts_with(char::is_whitespace) && begins && whole {
            found.push(text[from..end].trim().to_owned());
            from = end;
        }
    }
    found.push(text[from..].trim().to_owned());
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_falls_into_its_sentences() {
        for (text, expected) in [
            (
                "Boil water. Then add tea! Drink",
                vec!["Boil water.", "Then add tea!", "Drink"],
            ),
            (
                "Kaufe z. B. Milch. Zahle 3.50 Euro.",
                vec!["Kaufe z. B. Milch.", "Zahle 3.50 Euro."],
            ),
            ("Ask Dr. Moss. 2 days.", vec!["Ask Dr. Moss.", "2 days."]),
            ("one", vec!["one"]),
        ] {
            assert_eq!(sentences(text), expected);
        }
    }
}
