//! A new block, its words appearing as they come; a table with its cells.

use glade_doc::{ElementId, Props, TableLimits};
use glade_text::order;
use serde_json::{Value, json};

use super::{after_id, index_after, shown, whole_words};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct BlockInsert;

pub struct New {
    after: Option<String>,
    kind: &'static str,
    text: String,
    props: Props,
    rows: Vec<Vec<String>>,
}

/// Kinds that a model may make, by the names that it may use.
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
    ]
}

pub const KIND_OPTIONAL: &[&str] = &["level", "list", "checked", "indent", "lang"];

pub fn kind(name: &str) -> Option<&'static str> {
    let known = KINDS
        .iter()
        .find(|(short, long)| *short == name || *long == name);
    known.map(|(_, kind)| *kind)
}

/// What is said of a kind, as properties of the block.
pub fn kind_props(kind: &str, given: PartialObject<'_>) -> Props {
    let mut props = Props::new();
    let mut put = |name: &str, value: Value| {
        props.insert(name.to_owned(), value);
    };
    let level = |default: f64| given.number("level").unwrap_or(default).clamp(1.0, 6.0) as u64;
    match kind {
        "heading" => put("level", json!(level(2.0))),
        "listItem" => {
            let list = given
                .word("list")
                .filter(|list| ["bullet", "ordered", "task"].contains(list));
            put("list", json!(list.unwrap_or("bullet")));
            if let Some(checked) = given.flag("checked") {
                put("checked", json!(checked));
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

static FACTS: Facts = Facts::new(
    "block-insert",
    "➕",
    "write a new block after another: a paragraph, heading, list item, quote, callout, code, divider, formula or table",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
    .plugin(&plugins::WORDS)
    .live();

impl Described for BlockInsert {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![intent(), after_id(), kind_field()];
        fields.extend(kind_fields());
        fields.push(("rows", json!({"type": "array", "items": {"type": "array", "items": {"type": "string"}}, "description": "of a table: its cells, the first row being its head"})));
        fields.push(("text", json!({"type": "string"})));
        fields
    }

    fn optional(&self) -> &'static [&'static str] {
        &[
            "afterId", "level", "list", "checked", "indent", "lang", "rows", "text",
        ]
    }
}

impl Action for BlockInsert {
    type Clean = New;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _: &mut ActionContext<'_, '_>,
    ) -> Result<Option<New>, Refusal> {
        let Some(name) = given.word("kind") else {
            return if given.is_complete() {
                Err(Refusal::new("the action has no kind"))
            } else {
                Ok(None)
            };
        };
        let Some(kind) = kind(name) else {
            return Err(Refusal::new(format!(
                "there is no kind of block \"{name}\""
            )));
        };
        // What a block is must be known before its words: a partial shows only what is settled.
        let settled = given.is_complete() || given.has("text");
        if !settled {
            return Ok(None);
        }
        let rows = match kind {
            "table" if !given.is_complete() => return Ok(None),
            "table" => given.rows("rows"),
            _ => Vec::new(),
        };
        if kind == "table" && rows.is_empty() {
            return Err(Refusal::new("a table needs rows: lists of cells"));
        }
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        if !TableLimits::get().allows(width, rows.len()) {
            return Err(Refusal::new("it has more cells than a table may have"));
        }
        Ok(Some(New {
            after: given.word("afterId").map(str::to_owned),
            kind,
            text: whole_words(given, "text").unwrap_or_default(),
            props: kind_props(kind, given),
            rows,
        }))
    }

    fn apply(&self, new: &New, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let made = ctx.make("block", new.kind).id;
        let begins = !ctx.wrote(&made);
        let mut props = new.props.clone();
        props.insert("nodeName".to_owned(), json!(new.kind));
        props.insert("parent".to_owned(), Value::Null);
        if begins {
            let page = ctx.draft.text_page();
            let index = index_after(&page, Some(&made), new.after.as_deref())?;
            props.insert("index".to_owned(), json!(index));
        }
        if !["divider", "table"].contains(&new.kind) {
            props.insert("originalText".to_owned(), json!(new.text));
        }
        ctx.put(&made, props);
        put_rows(ctx, &made, &new.rows);
        if !begins {
            return Ok(shown(ctx, "writing", "wrote", &made));
        }
        let what = KINDS
            .iter()
            .find(|(_, kind)| *kind == new.kind)
            .map_or("block", |(name, _)| name);
        let what = what.replace('-', " ");
        Ok(Shown {
            doing: format!("writing a {what}"),
            done: format!("wrote a {what}"),
            elements: vec![made],
            ..Shown::default()
        })
    }
}

fn put_rows(ctx: &mut ActionContext<'_, '_>, table: &ElementId, rows: &[Vec<String>]) {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut part =
        |id: ElementId, kind: &str, parent: &ElementId, index: &str, text: Option<&str>| {
            let mut props = Props::new();
            props.insert("nodeName".to_owned(), json!(kind));
            props.insert("parent".to_owned(), json!(parent));
            props.insert("index".to_owned(), json!(index));
            if let Some(text) = text {
                props.insert("originalText".to_owned(), json!(text));
            }
            ctx.put(&id, props);
        };
    let mut key: Option<String> = None;
    for column in 0..width {
        let next = order::between(key.as_deref(), None);
        part(
            ElementId(format!("{table}-c{column}")),
            "tableColumn",
            table,
            &next,
            None,
        );
        key = Some(next);
    }
    let mut key: Option<String> = None;
    for (number, cells) in rows.iter().enumerate() {
        let next = order::between(key.as_deref(), None);
        let row = ElementId(format!("{table}-r{number}"));
        part(row.clone(), "tableRow", table, &next, None);
        for (column, text) in cells
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.is_empty())
        {
            let id = ElementId(format!("{row}.{table}-c{column}"));
            part(id, "tableCell", &row, "V", Some(text));
        }
        key = Some(next);
    }
}
