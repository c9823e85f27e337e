//! Tidying a page: headings where lines look like headings and no level left out, lists where lines
//! look like lists, single spaces.

use glade_agent::parts::text_blocks::{SeenBlock, TextBlocks};
use glade_text::markdown::escaped;
use serde_json::{Value, json};

use super::super::answer::say;
use super::{chosen, counted};

/// A heading is a short line that does not end like a sentence.
const HEADING: usize = 60;

pub fn tidy(page: &TextBlocks) -> Vec<Value> {
    let blocks = chosen(page);
    let mut actions = Vec::new();
    let mut level = 0;
    for (at, block) in blocks.iter().enumerate() {
        let text = block.text.trim();
        let (kind, rest) = match block.kind.as_str() {
            "paragraph" => {
                let next = blocks.get(at + 1);
                let longer = next
                    .is_some_and(|next| next.kind == "paragraph" && next.text.len() > text.len());
                shape(text, longer)
            }
            "heading" => (Some(Kind::Heading(block.level.unwrap_or(1))), text),
            "list-item" | "quote" => (None, text),
            _ => continue,
        };
        let kind = match kind {
            Some(Kind::Heading(wanted)) => {
                level = if level == 0 {
                    wanted
                } else {
                    wanted.min(level + 1)
                };
                (block.level != Some(level)).then_some(Kind::Heading(level))
            }
            other => other,
        };
        actions.extend(kind.map(|kind| kind.action(block)));
        let clean = single_spaced(rest);
        if clean != block.text && !block.text.contains('\n') {
            // With its marks, unless a sign at its beginning went with the kind.
            let text = if rest == text {
                single_spaced(block.shown())
            } else {
                escaped(&clean)
            };
            actions.push(json!({"_type": "text-rewrite", "intent": "tidy", "blockId": block.block_id, "text": text}));
        }
    }
    let words = match actions.len() {
        0 => "It is tidy already.".to_owned(),
        n => format!("Tidied: {}.", counted(n, "change")),
    };
    std::iter::once(say(words)).chain(actions).collect()
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a block should be.
enum Kind {
    Heading(usize),
    Bullet,
    Step,
    Task { done: bool },
}

impl Kind {
    fn action(&self, block: &SeenBlock) -> Value {
        let more = match self {
            Self::Heading(level) => json!({"kind": "heading", "level": level}),
            Self::Bullet => json!({"kind": "list-item", "list": "bullet"}),
            Self::Step => json!({"kind": "list-item", "list": "ordered"}),
            Self::Task { done } => json!({"kind": "list-item", "list": "task", "checked": done}),
        };
        let mut action =
            json!({"_type": "block-set-kind", "intent": "tidy", "blockId": block.block_id});
        if let (Some(action), Some(more)) = (action.as_object_mut(), more.as_object()) {
            action.extend(more.clone());
        }
        action
    }
}

/// What a line looks like, and its words without the sign.
fn shape(text: &str, longer_follows: bool) -> (Option<Kind>, &str) {
    let hashes = text.chars().take_while(|ch| *ch == '#').count();
    if (1..=6).contains(&hashes) && text[hashes..].starts_with(' ') {
        return (Some(Kind::Heading(hashes)), text[hashes..].trim());
    }
    let item = ["- ", "* ", "+ ", "• ", "– "]
        .iter()
        .find_map(|sign| text.strip_prefix(sign));
    let line = item.unwrap_or(text).trim_start();
    for (sign, done) in [
        ("[ ] ", false),
        ("[] ", false),
        ("[x] ", true),
        ("[X] ", true),
    ] {
        if let Some(rest) = line.strip_prefix(sign) {
            return (Some(Kind::Task { done }), rest);
        }
    }
    if let Some(rest) = item {
        return (Some(Kind::Bullet), rest);
    }
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    if (1..=3).contains(&digits)
        && (text[digits..].starts_with(". ") || text[digits..].starts_with(") "))
    {
        return (Some(Kind::Step), text[digits + 2..].trim());
    }
    let heading = !text.is_empty()
        && text.chars().count() <= HEADING
        && !text.ends_with(['.', '!', '?', ',', ';', ':'])
        && longer_follows;
    (heading.then_some(Kind::Heading(2)), text)
}
