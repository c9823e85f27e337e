//! What a text page holds: blocks whose words carry marks.
//!
//! A block is an element like any other: a mergeable map below the root `doc`, one register a
//! property, its words mergeable text. What is special is agreed on here, with the studio's half in
//! `web/src/text/schema.ts`:
//!
//! - `nodeName` says what the block is ([`KINDS`]), `parent` which block it is in (null: the page),
//!   `index` its place among its neighbours (an order key; ties go by id). Changing the kind or the
//!   place of a block writes a register: nothing that anybody types meanwhile is lost.
//! - A table has columns and rows as children, and a cell is called `ROW.COLUMN`: two people who
//!   fill the same new cell make the same block, and a row added beside a column meets it.
//! - Words carry [`MARK_NAMES`]. `agent-pending` holds the run that typed them; only commits that
//!   the server itself makes set or clear it.

use std::collections::{BTreeMap, BTreeSet};

use loro::cursor::{Cursor, Side};
use loro::{
    ContainerID, ContainerType, ExpandType, ID, LoroText, StyleConfig, StyleConfigMap, TextDelta,
};
use serde_json::{Value, json};

use crate::inspect::{Write, WriteKind};
use crate::rules;
use crate::schema::{IS_DELETED, TEXT};
use crate::surface::Surface;
use crate::touch::CharId;
use crate::value::{from_json, to_json};
use crate::{DocError, ElementId, Refusal};

/// What the block is.
pub const NODE: &str = "nodeName";
/// The block that it is in, or null.
pub const PARENT: &str = "parent";
/// Its place among its neighbours.
pub const INDEX: &str = "index";
/// All marks of a block's words, in reading and in writing; not a register.
pub const MARKS: &str = "marks";
/// Typed by a run that nobody has kept or undone yet.
pub const PENDING: &str = "agent-pending";

/// Words that a comment is about; its value is the comment's id.
pub const ANCHOR: &str = "comment-anchor";

/// Words that are a formula, in TeX.
pub const TEX: &str = "tex";
/// Words that are HTML in a Markdown file: shown as they are written, never obeyed, and written back as they are.
pub const HTML: &str = "html";

pub const KINDS: [&str; 14] = [
    "paragraph",
    "heading",
    "listItem",
    "blockquote",
    "callout",
    "codeBlock",
    "divider",
    "image",
    "formula",
    "embed",
    "table",
    "tableColumn",
    "tableRow",
    "tableCell",
];

pub const MARK_NAMES: [&str; 12] = [
    "bold",
    "italic",
    "underline",
    "strike",
    "code",
    "link",
    "highlight",
    TEX,
    HTML,
    ANCHOR,
    PENDING,
    "mention",
];

/// One mark of a block's words.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// In characters (Unicode scalars).
    pub from: usize,
    pub to: usize,
    pub name: String,
    pub value: Value,
}

/// What a link's mark holds: where it leads and, if it is called something, `{href, title}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link<'a> {
    pub href: &'a str,
    pub title: Option<&'a str>,
}

impl<'a> Link<'a> {
    /// The longest title.
    const TITLE: usize = 1024;

    pub fn read(value: &'a Value) -> Option<Self> {
        let (href, title) = match value {
            Value::String(href) => (href.as_str(), None),
            Value::Object(parts) if parts.len() == 2 => {
                let part = |name: &str| parts.get(name).and_then(Value::as_str);
                (part("href")?, Some(part("title")?))
            }
            _ => return None,
        };
        let fits = title.is_none_or(|title| (1..=Self::TITLE).contains(&title.len()));
        (fits && is_safe_link(href)).then_some(Self { href, title })
    }

    /// A link without words for its title has none.
    pub fn new(href: &'a str, title: &'a str) -> Self {
        let title = Some(title).filter(|title| (1..=Self::TITLE).contains(&title.len()));
        Self { href, title }
    }

    pub fn value(&self) -> Value {
        match self.title {
            Some(title) => json!({ "href": self.href, "title": title }),
            None => json!(self.href),
        }
    }
}

/// A Loro cursor, encoded, that sits on a character of a block: whoever holds the document can follow it,
/// whatever is typed before it.
pub fn cursor(block: &ElementId, at: CharId) -> Vec<u8> {
    let map =
        ContainerID::new_mergeable(&Surface::Text.root_id(), block.as_str(), ContainerType::Map);
    let words = ContainerID::new_mergeable(&map, TEXT, ContainerType::Text);
    let id = ID::new(at.peer, at.counter);
    Cursor::new(Some(id), words, Side::Middle, 0).encode()
}

/// What is typed at the end of these belongs to them; links, anchors and pending words end where they end.
pub(crate) fn styles() -> StyleConfigMap {
    let mut styles = StyleConfigMap::new();
    for name in MARK_NAMES {
        let expand = match name {
            "bold" | "italic" | "underline" | "strike" | "highlight" => ExpandType::After,
            _ => ExpandType::None,
        };
        styles.insert(name.into(), StyleConfig { expand });
    }
    styles
}

/// The marks of a text but for [`PENDING`]. Where words are both code and a link, they are code.
pub(crate) fn marks_of(text: &LoroText) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut open: BTreeMap<String, Mark> = BTreeMap::new();
    let mut at = 0;
    for (words, styles) in pieces(text) {
        let to = at + words.chars().count();
        let code = styles.contains_key("code");
        let here: BTreeMap<String, Value> = styles
            .into_iter()
            .filter(|(name, _)| name != PENDING && !(code && name == "link"))
            .collect();
        let ended: Vec<String> = open
            .iter()
            .filter(|(name, mark)| here.get(*name) != Some(&mark.value))
            .map(|(name, _)| name.clone())
            .collect();
        marks.extend(ended.iter().filter_map(|name| open.remove(name)));
        for (name, value) in here {
            let from = at;
            let begun = || Mark {
                from,
                to,
                name: name.clone(),
                value,
            };
            open.entry(name.clone()).or_insert_with(begun).to = to;
        }
        at = to;
    }
    marks.extend(open.into_values());
    marks.sort_by(|a, b| (a.from, a.to, &a.name).cmp(&(b.from, b.to, &b.name)));
    marks
}

/// The words of a text with their styles.
pub(crate) fn pieces(text: &LoroText) -> Vec<(String, BTreeMap<String, Value>)> {
    text.to_delta()
        .into_iter()
        .filter_map(|delta| match delta {
            TextDelta::Insert { insert, attributes } => {
                let styles = attributes.into_iter().flatten();
                let styles = styles.map(|(name, value)| (name, to_json(&value)));
                Some((
                    insert,
                    styles.filter(|(_, value)| !value.is_null()).collect(),
                ))
            }
            _ => None,
        })
        .collect()
}

/// What the character at a place wears, [`PENDING`] aside.
pub(crate) fn worn_at(text: &LoroText, at: usize) -> BTreeMap<String, Value> {
    let mut start = 0;
    for (words, mut styles) in pieces(text) {
        start += words.chars().count();
        if at < start {
            styles.remove(PENDING);
            return styles;
        }
    }
    BTreeMap::new()
}

/// A streamed rewriting types a word before it deletes the one that the word stands for: what is about
/// to be deleted hands its marks on to the plain word that `run` typed right before it.
pub(crate) fn hand_on(
    text: &LoroText,
    at: usize,
    delete: usize,
    run: &str,
) -> Result<(), DocError> {
    let all: Vec<char> = text.to_string().chars().collect();
    let gone = at..(at + delete).min(all.len());
    let Some(first) = gone.into_iter().find(|at| !all[*at].is_whitespace()) else {
        return Ok(());
    };
    let worn = worn_at(text, first);
    let mut end = at.min(all.len());
    while end > 0 && all[end - 1].is_whitespace() {
        end -= 1;
    }
    let mut start = 0;
    for (words, styles) in pieces(text) {
        let to = start + words.chars().count();
        let own = styles.len() == 1 && styles.get(PENDING).and_then(Value::as_str) == Some(run);
        if own && start < end && end <= to {
            for (name, value) in &worn {
                text.mark(start..end, name, from_json(value))?;
            }
        }
        start = to;
    }
    Ok(())
}

/// Marks as a property: `[[from, to, name, value], …]`.
pub fn to_value(marks: &[Mark]) -> Value {
    marks
        .iter()
        .map(|mark| json!([mark.from, mark.to, mark.name, mark.value]))
        .collect()
}

/// What is not a mark of a text page is left out.
pub fn from_value(value: &Value) -> Vec<Mark> {
    let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
    let read = |entry: &Value| {
        Some(Mark {
            from: number(entry.get(0)?)?,
            to: number(entry.get(1)?)?,
            name: entry.get(2)?.as_str()?.to_owned(),
            value: entry.get(3).cloned().unwrap_or(Value::Bool(true)),
        })
    };
    let entries = value.as_array().into_iter().flatten();
    entries
        .filter_map(read)
        .filter(|mark| mark.from < mark.to && mark.name != PENDING)
        .filter(|mark| mark_problem(&mark.name, &mark.value).is_none())
        .collect()
}

/// Makes the marks of a text these, [`PENDING`] aside: only what differs is written. No mark is taken off
/// where `keeps` says so of its name and place.
pub(crate) fn set_marks(
    text: &LoroText,
    wanted: &[Mark],
    keeps: impl Fn(&str, usize) -> bool,
) -> Result<(), DocError> {
    let length = text.len_unicode();
    let names: BTreeSet<String> = marks_of(text)
        .into_iter()
        .chain(wanted.iter().cloned())
        .map(|mark| mark.name)
        .collect();
    for name in names {
        let now = spread(&name, &marks_of(text), length);
        let mut then = spread(&name, wanted, length);
        for (at, (then, now)) in then.iter_mut().zip(&now).enumerate() {
            if then.is_none() && keeps(&name, at) {
                then.clone_from(now);
            }
        }
        let mut at = 0;
        while at < length {
            if now[at] == then[at] {
                at += 1;
                continue;
            }
            let from = at;
            while at < length && now[at] != then[at] && then[at] == then[from] {
                at += 1;
            }
            match &then[from] {
                Some(value) => text.mark(from..at, &name, from_json(value))?,
                None => text.unmark(from..at, &name)?,
            }
        }
    }
    Ok(())
}

fn spread(name: &str, marks: &[Mark], length: usize) -> Vec<Option<Value>> {
    let mut values = vec![None; length];
    for mark in marks.iter().filter(|mark| mark.name == name) {
        for value in &mut values[mark.from.min(length)..mark.to.min(length)] {
            *value = Some(mark.value.clone());
        }
    }
    values
}

/// Why a page may not hold this mark.
fn mark_problem(name: &str, value: &Value) -> Option<String> {
    let fits = match name {
        "bold" | "italic" | "underline" | "strike" | "code" | TEX | HTML => {
            value == &Value::Bool(true)
        }
        "highlight" => value == &Value::Bool(true) || short(value),
        "link" => {
            let problem = "a link leads to http, https, mailto, or a page of this server";
            return Link::read(value).is_none().then(|| problem.to_owned());
        }
        ANCHOR | PENDING => short(value),
        "mention" => short(value) || (value.is_object() && value.to_string().len() <= MENTION),
        _ => return Some(format!("there is no mark {name}")),
    };
    (!fits).then(|| format!("{value} is not a value of the mark {name}"))
}

/// The longest that a mention may be, written as JSON.
const MENTION: usize = 4096;

fn short(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| (1..=256).contains(&text.len()))
}

/// Whether a link may be followed from a page: no script, no data, nothing hidden by odd signs.
pub fn is_safe_link(href: &str) -> bool {
    let clean = href.len() <= 4096 && !href.chars().any(|ch| ch.is_control());
    let scheme = href
        .split(['/', '?', '#'])
        .next()
        .and_then(|head| head.split_once(':'));
    let known = scheme.is_none_or(|(scheme, _)| {
        let scheme = scheme.trim().to_ascii_lowercase();
        !is_scheme(&scheme) || ["http", "https", "mailto"].contains(&scheme.as_str())
    });
    clean && known
}

/// Whether browsers take what stands before a colon as a scheme; anything else is a part of a path.
fn is_scheme(text: &str) -> bool {
    let sign = |ch: char| ch.is_ascii_alphanumeric() || "+-.".contains(ch);
    text.starts_with(|ch: char| ch.is_ascii_alphabetic()) && text.chars().all(sign)
}

/// `value`: null clears the mark; `None`: it is no plain value.
pub(crate) fn check_mark(
    element: &ElementId,
    name: &str,
    value: Option<&Value>,
) -> Result<(), Refusal> {
    let problem = match value {
        Some(Value::Null) if MARK_NAMES.contains(&name) => None,
        Some(value) => mark_problem(name, value),
        None => Some(format!("the value of the mark {name} is not plain")),
    };
    match problem {
        Some(reason) => Err(Refusal::BadBlock {
            element: element.clone(),
            reason,
        }),
        None => Ok(()),
    }
}

/// Registers that decide what a block is and where must make sense to everybody.
pub(crate) fn check_register(write: &Write) -> Result<(), Refusal> {
    let (WriteKind::Register, Some(value)) = (write.kind, &write.value) else {
        return Ok(());
    };
    let fits = match write.property.as_str() {
        NODE => value.as_str().is_some_and(|kind| KINDS.contains(&kind)),
        PARENT => value.is_null() || short(value),
        INDEX => value.is_null() || value.as_str().is_some_and(|key| key.len() <= 1024),
        IS_DELETED => value.is_null() || value.is_boolean(),
        "href" | "src" => value.is_null() || value.as_str().is_some_and(is_safe_link),
        MARKS => false,
        property => rules::check_block(property, value).is_ok(),
    };
    if fits {
        return Ok(());
    }
    Err(Refusal::BadBlock {
        element: write.element.clone(),
        reason: format!("{value} cannot be its {}", write.property),
    })
}
