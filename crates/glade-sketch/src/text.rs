//! `sketch` on a text page: writes what it is given, outlines, lists, tables, numbered steps, tidies,
//! replaces and marks words. Plain about the rest.

mod lists;
mod rows;
#[cfg(test)]
mod tests;
mod tidy;

use glade_agent::parts::text_blocks::{SeenBlock, TextBlocks};
use glade_text::NewBlock;
use glade_text::markdown::{Shower, escaped};
use serde_json::{Value, json};

use super::answer::say;
use super::names::{split_list, unquote};
use super::table;

const ABOUT: &str = "I am sketch, a small rule-based model: I follow patterns, I do not understand language. \
On a text page I can write what you give me (\"Write: Good morning\", \"Heading: Plan\"), make an outline (\"Outline: Intro, Method, Results\", \
or \"make an outline\" of what is there), lists and numbered steps (\"make this a list\", \"number the steps\"), tables \
(\"Table: Name, Age; Ann, 31\", or \"make a table\" of lines with commas, semicolons or tabs), tidy headings and lists (\"tidy this page\"), \
replace words (\"replace colour with color\") and mark them (\"make Monday bold\"). Anything else is beyond me.";

pub fn answer(message: &str, page: &TextBlocks) -> Vec<Value> {
    let message = message.trim();
    let lower = message.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if let Some(rows) = table::parse(message) {
        return vec![
            say(format!(
                "Here comes a table of {}.",
                counted(rows.len(), "row")
            )),
            insert(&[table_block(rows)], &after(page)),
        ];
    }
    if let Some((old, new)) = replacing(message) {
        return replace(&old, &new, page);
    }
    if let Some((words, mark)) = marking(message) {
        return mark_words(&words, mark, page);
    }
    if let Some(rest) = after_word(message, &["outline:", "outline of:", "an outline:"]) {
        return headings(&split_list(rest), page);
    }
    for (signs, kind) in [
        (
            &["write:", "add:", "add a paragraph:", "write a paragraph:"][..],
            "paragraph",
        ),
        (&["heading:", "title:", "add a heading:"][..], "heading"),
        (&["quote:"][..], "quote"),
        (&["callout:", "note:"][..], "callout"),
        (&["list:", "bullets:", "add a list:"][..], "list-item"),
        (&["steps:", "numbered steps:"][..], "step"),
        (&["tasks:", "todo:", "to do:"][..], "task"),
    ] {
        if let Some(rest) = after_word(message, signs) {
            return write(rest, kind, page);
        }
    }
    if has(&["table"]) {
        return rows::table_of(page);
    }
    if has(&["tidy", "clean up", "format"]) {
        return tidy::tidy(page);
    }
    if has(&["outline"]) {
        return outline(page);
    }
    if has(&["number", "steps", "ordered"]) {
        return lists::list(page, "ordered", "numbered steps");
    }
    if has(&["task", "todo", "to-do", "checklist"]) {
        return lists::list(page, "task", "a task list");
    }
    if has(&["bullet", "list"]) {
        return lists::list(page, "bullet", "a list");
    }
    if has(&["delete", "remove"]) && !page.selected.is_empty() {
        let gone = page
            .selected
            .iter()
            .map(|id| json!({"_type": "block-delete", "intent": "delete", "blockId": id}));
        return std::iter::once(say("Deleting what you selected.".to_owned()))
            .chain(gone)
            .collect();
    }
    vec![say(ABOUT.to_owned())]
}

/// "1 row", "2 rows".
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn after_word<'m>(message: &'m str, signs: &[&str]) -> Option<&'m str> {
    signs.iter().find_map(|sign| {
        let head = message.get(..sign.len())?;
        head.eq_ignore_ascii_case(sign)
            .then(|| message[sign.len()..].trim())
    })
}

/// After which block new ones go: the last selected, or the end.
fn after(page: &TextBlocks) -> String {
    page.selected
        .last()
        .cloned()
        .unwrap_or_else(|| "end".to_owned())
}

/// What a wish is about: the selected blocks, or all.
fn chosen(page: &TextBlocks) -> Vec<&SeenBlock> {
    let all = page.blocks.iter().filter(|block| !block.shortened);
    all.filter(|block| page.selected.is_empty() || page.selected.contains(&block.block_id))
        .collect()
}

/// A block of a kind, in plain words.
fn block(kind: &str, text: &str) -> NewBlock {
    let list = |list: &str| NewBlock::new("listItem", text).with("list", list);
    match kind {
        "heading" => NewBlock::new("heading", text).with("level", 2),
        "step" => list("ordered"),
        "task" => list("task"),
        "list-item" => list("bullet"),
        "quote" => NewBlock::new("blockquote", text),
        other => NewBlock::new(other, text),
    }
}

fn table_block(rows: Vec<Vec<String>>) -> NewBlock {
    let cells = |row: Vec<String>| row.into_iter().map(|cell| (cell, Vec::new())).collect();
    NewBlock {
        rows: rows.into_iter().map(cells).collect(),
        ..NewBlock::new("table", "")
    }
}

/// New blocks after another, as Markdown.
fn insert(blocks: &[NewBlock], after: &str) -> Value {
    let mut shower = Shower::default();
    let mut text = String::new();
    let mut last = None;
    for block in blocks {
        if let Some(last) = last {
            let items = last == "listItem" && block.kind == "listItem";
            text.push_str(if items { "\n" } else { "\n\n" });
        }
        text.push_str(&shower.show(&block.as_block()));
        last = Some(block.kind.as_str());
    }
    json!({"_type": "block-insert", "intent": "write", "afterId": after, "text": text})
}

/// New blocks in a row.
fn in_a_row(blocks: Vec<(&str, String)>, page: &TextBlocks) -> Vec<Value> {
    let blocks: Vec<NewBlock> = blocks
        .iter()
        .map(|(kind, text)| block(kind, text))
        .collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    vec![insert(&blocks, &after(page))]
}

fn write(rest: &str, kind: &'static str, page: &TextBlocks) -> Vec<Value> {
    let items: Vec<String> = match kind {
        "list-item" | "step" | "task" => split_list(rest),
        _ => rest
            .split("\n\n")
            .map(|part| unquote(part.trim()).to_owned())
            .collect(),
    };
    let blocks = items
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| (kind, text));
    in_a_row(blocks.collect(), page)
}

fn headings(items: &[String], page: &TextBlocks) -> Vec<Value> {
    let blocks = items.iter().map(|item| ("heading", item.clone()));
    let mut actions = vec![say(format!(
        "An outline of {}.",
        counted(items.len(), "part")
    ))];
    actions.extend(in_a_row(blocks.collect(), page));
    actions
}

/// The first words of every note, as a list under a heading.
fn outline(page: &TextBlocks) -> Vec<Value> {
    let notes: Vec<String> = chosen(page)
        .into_iter()
        .filter(|block| !block.text.trim().is_empty())
        .map(|block| clause(&block.text))
        .collect();
    if notes.is_empty() {
        return vec![say("There are no notes to make an outline of.".to_owned())];
    }
    let mut blocks = vec![("heading", "Outline".to_owned())];
    blocks.extend(notes.into_iter().map(|note| ("list-item", note)));
    let mut actions = vec![say("An outline of what is there.".to_owned())];
    actions.extend(in_a_row(blocks, page));
    actions
}

/// Up to the first sign that ends something: not that in 3.5 or 10:30.
fn clause(text: &str) -> String {
    let ends = |(at, sign): &(usize, &str)| {
        let rest = &text[at + sign.len()..];
        rest.is_empty() || rest.starts_with(char::is_whitespace)
    };
    let mut signs = text.match_indices(['.', ';', ':', ',', '!', '?']);
    let end = signs.find(ends).map_or(text.len(), |(at, _)| at);
    let words: Vec<&str> = text[..end].split_whitespace().take(8).collect();
    words.join(" ")
}

fn replacing(message: &str) -> Option<(String, String)> {
    let lower = message.to_lowercase();
    let start = ["replace ", "change "]
        .iter()
        .find(|word| lower.starts_with(**word))?
        .len();
    let (at, sign) = [" with ", " to ", " by "]
        .iter()
        .filter_map(|sign| Some((lower.find(sign)?, sign.len())))
        .min()?;
    let (old, new) = (message.get(start..at)?, message.get(at + sign..)?);
    let clean = |text: &str| unquote(text.trim().trim_end_matches(['.', '!'])).to_owned();
    (!clean(old).is_empty()).then(|| (clean(old), clean(new)))
}

fn replace(old: &str, new: &str, page: &TextBlocks) -> Vec<Value> {
    let blocks: Vec<&SeenBlock> = chosen(page)
        .into_iter()
        .filter(|block| block.text.contains(old))
        .collect();
    if blocks.is_empty() {
        return vec![say(format!("I do not find \"{old}\" here."))];
    }
    let rewrites = blocks.iter().map(|block| json!({"_type": "text-rewrite", "intent": "replace", "blockId": block.block_id, "words": old, "which": "all", "text": escaped(new)}));
    let places = blocks.iter().map(|block| block.text.matches(old).count());
    let places = counted(places.sum(), "place");
    std::iter::once(say(format!("Replacing it in {places}.")))
        .chain(rewrites)
        .collect()
}

fn marking(message: &str) -> Option<(String, &'static str)> {
    let lower = message.to_lowercase();
    let rest = message
        .get(lower.strip_prefix("make ").map(|_| 5)?..)?
        .trim_end_matches(['.', '!']);
    let marks = [
        ("bold", "bold"),
        ("italic", "italic"),
        ("underlined", "underline"),
        ("struck", "strike"),
        ("code", "code"),
        ("highlighted", "highlight"),
    ];
    let (word, mark) = marks
        .iter()
        .find(|(word, _)| rest.to_lowercase().ends_with(&format!(" {word}")))?;
    let words = unquote(rest[..rest.len() - word.len()].trim()).to_owned();
    (!words.is_empty()).then_some((words, *mark))
}

fn mark_words(words: &str, mark: &str, page: &TextBlocks) -> Vec<Value> {
    let this = ["this", "it", "these", "everything"].contains(&words.to_lowercase().as_str());
    let blocks = chosen(page)
        .into_iter()
        .filter(|block| (this && !block.text.is_empty()) || block.text.contains(words));
    let actions: Vec<Value> = blocks
        .map(|block| {
            let mut action = json!({"_type": "mark-set", "intent": "mark", "blockId": block.block_id, "mark": mark, "on": true});
            if !this {
                action["words"] = json!(words);
                action["which"] = json!("all");
            }
            action
        })
        .collect();
    if actions.is_empty() {
        vec![say(format!("I do not find \"{words}\" here."))]
    } else {
        std::iter::once(say("Done.".to_owned()))
            .chain(actions)
            .collect()
    }
}
