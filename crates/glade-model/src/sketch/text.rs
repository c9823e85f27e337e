//! `sketch` on a text page: writes what it is given, outlines, lists, tables, numbered steps, tidies,
//! replaces and marks words. Plain about the rest.

use glade_agent::parts::text_blocks::{SeenBlock, TextBlocks};
use serde_json::{Value, json};

use super::answer::say;
use super::names::{split_list, unquote};
use super::table;

const ABOUT: &str = "I am sketch, a small rule-based model: I follow patterns, I do not understand language. \
On a text page I can write what you give me (\"Write: Good morning\", \"Heading: Plan\"), make an outline (\"Outline: Intro, Method, Results\", \
or \"make an outline\" of what is there), lists and numbered steps (\"make this a list\", \"number the steps\"), tables \
(\"Table: Name, Age; Ann, 31\", or \"make a table\" of comma-separated lines), tidy headings and lists (\"tidy this page\"), \
replace words (\"replace colour with color\") and mark them (\"make Monday bold\"). Anything else is beyond me.";

/// A heading is a short line that does not end like a sentence.
const HEADING: usize = 60;

pub fn answer(message: &str, page: &TextBlocks) -> Vec<Value> {
    let message = message.trim();
    let lower = message.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if let Some(rows) = table::parse(message) {
        return vec![
            say(format!("Here comes a table of {} rows.", rows.len())),
            json!({"_type": "block-insert", "intent": "table", "afterId": after(page), "kind": "table", "rows": rows}),
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
        return table_of(page);
    }
    if has(&["tidy", "clean up", "format"]) {
        return tidy(page);
    }
    if has(&["outline"]) {
        return outline(page);
    }
    if has(&["number", "steps", "ordered"]) {
        return list(page, "ordered", "numbered steps");
    }
    if has(&["task", "todo", "to-do", "checklist"]) {
        return list(page, "task", "a task list");
    }
    if has(&["bullet", "list"]) {
        return list(page, "bullet", "a list");
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

fn insert(kind: &str, text: &str, after: &str) -> Value {
    let (kind, list) = match kind {
        "step" => ("list-item", Some("ordered")),
        "task" => ("list-item", Some("task")),
        "list-item" => ("list-item", Some("bullet")),
        other => (other, None),
    };
    let mut action =
        json!({"_type": "block-insert", "intent": "write", "afterId": after, "kind": kind});
    if let Some(list) = list {
        action["list"] = json!(list);
    }
    action["text"] = json!(text);
    action
}

/// New blocks in a row. After one block they are written from the last to the first.
fn in_a_row(blocks: Vec<(&str, String)>, page: &TextBlocks) -> Vec<Value> {
    let after = after(page);
    let actions = blocks.iter().map(|(kind, text)| insert(kind, text, &after));
    match after.as_str() {
        "end" => actions.collect(),
        _ => actions.rev().collect(),
    }
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
    let blocks = items
        .iter()
        .flat_map(|item| [("heading", item.clone()), ("paragraph", String::new())]);
    let mut actions = vec![say(format!("An outline of {} parts.", items.len()))];
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

fn clause(text: &str) -> String {
    let end = text.find(['.', ';', ':', ',', '\n']).unwrap_or(text.len());
    let words: Vec<&str> = text[..end].split_whitespace().take(8).collect();
    words.join(" ")
}

fn list(page: &TextBlocks, list: &str, name: &str) -> Vec<Value> {
    let blocks = chosen(page).into_iter().filter(|block| {
        ["paragraph", "list-item"].contains(&block.kind.as_str()) && !block.text.trim().is_empty()
    });
    let ids: Vec<&str> = blocks
        .filter(|block| block.list.as_deref() != Some(list))
        .map(|block| block.block_id.as_str())
        .collect();
    if ids.is_empty() {
        return vec![say(format!("There are no lines to make {name} of."))];
    }
    vec![
        say(format!("Making {name} of {} lines.", ids.len())),
        json!({"_type": "bullet-list-toggle", "intent": "list", "blockIds": ids, "list": list}),
    ]
}

fn table_of(page: &TextBlocks) -> Vec<Value> {
    let lines: Vec<&SeenBlock> = chosen(page)
        .into_iter()
        .filter(|block| block.text.contains(','))
        .collect();
    let Some(last) = lines.last() else {
        return vec![say(
            "There are no comma-separated lines to make a table of.".to_owned(),
        )];
    };
    let rows: Vec<Vec<&str>> = lines
        .iter()
        .flat_map(|block| block.text.lines())
        .map(|line| line.split(',').map(str::trim).collect())
        .collect();
    let mut actions = vec![
        say(format!("A table of {} rows.", rows.len())),
        json!({"_type": "block-insert", "intent": "table", "afterId": last.block_id, "kind": "table", "rows": rows}),
    ];
    actions.extend(lines.iter().map(|block| json!({"_type": "block-delete", "intent": "in the table now", "blockId": block.block_id})));
    actions
}

/// Headings where lines look like headings, lists where they look like lists, single spaces.
fn tidy(page: &TextBlocks) -> Vec<Value> {
    let blocks = chosen(page);
    let mut actions = Vec::new();
    for (at, block) in blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| block.kind == "paragraph")
    {
        let text = block.text.trim();
        let (kind, rest) = shape(
            text,
            blocks
                .get(at + 1)
                .is_some_and(|next| next.kind == "paragraph" && next.text.len() > text.len()),
        );
        if let Some(kind) = kind {
            let mut action = json!({"_type": "block-set-kind", "intent": "tidy", "blockId": block.block_id, "kind": kind.0});
            if let Some((name, value)) = kind.1 {
                action[name] = value;
            }
            actions.push(action);
        }
        let clean: Vec<&str> = rest.split_whitespace().collect();
        let clean = clean.join(" ");
        if clean != block.text && !block.text.contains('\n') {
            actions.push(json!({"_type": "text-rewrite", "intent": "tidy", "blockId": block.block_id, "text": clean}));
        }
    }
    let words = match actions.len() {
        0 => "It is tidy already.".to_owned(),
        n => format!("Tidied: {n} changes."),
    };
    std::iter::once(say(words)).chain(actions).collect()
}

type Kind = (&'static str, Option<(&'static str, Value)>);

fn shape(text: &str, longer_follows: bool) -> (Option<Kind>, &str) {
    let hashes = text.chars().take_while(|ch| *ch == '#').count();
    if (1..=6).contains(&hashes) && text[hashes..].starts_with(' ') {
        return (
            Some(("heading", Some(("level", json!(hashes))))),
            text[hashes..].trim(),
        );
    }
    for (sign, list) in [
        ("[ ] ", "task"),
        ("- ", "bullet"),
        ("* ", "bullet"),
        ("• ", "bullet"),
    ] {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Some(("list-item", Some(("list", json!(list))))), rest);
        }
    }
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    if digits > 0 && (text[digits..].starts_with(". ") || text[digits..].starts_with(") ")) {
        return (
            Some(("list-item", Some(("list", json!("ordered"))))),
            text[digits + 2..].trim(),
        );
    }
    let heading = !text.is_empty()
        && text.chars().count() <= HEADING
        && !text.ends_with(['.', '!', '?', ',', ';', ':'])
        && longer_follows;
    (
        heading.then_some(("heading", Some(("level", json!(2))))),
        text,
    )
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
    let rewrites = blocks.iter().map(|block| json!({"_type": "text-rewrite", "intent": "replace", "blockId": block.block_id, "text": block.text.replace(old, new)}));
    std::iter::once(say(format!("Replacing it in {} places.", blocks.len())))
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
            let mut action = json!({"_type": "mark-toggle", "intent": "mark", "blockId": block.block_id, "mark": mark});
            if !this {
                action["words"] = json!(words);
            }
            action
        })
        .collect();
    match actions.is_empty() {
        true => vec![say(format!("I do not find \"{words}\" here."))],
        false => std::iter::once(say("Done.".to_owned()))
            .chain(actions)
            .collect(),
    }
}
