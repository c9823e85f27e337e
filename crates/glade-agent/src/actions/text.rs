//! The actions of a text page, one file a family, and what they share.
//!
//! Positions in words are never taken from a model: it names blocks by id and words by themselves
//! ([`places`]). Words are Markdown, as they are shown. What it writes appears a word at a time
//! ([`whole_words`]); a rewriting keeps what it has not come to yet, so that unchanged words keep their characters.

pub mod block_delete;
pub mod block_insert;
pub mod block_move;
pub mod block_set_kind;
pub mod comment_add;
pub mod comment_reply;
pub mod comment_resolve;
pub mod embed_fetch_and_insert;
pub mod kinds;
pub mod list_set;
pub mod mark_set;
pub mod math_insert_formula;
pub mod mention_insert;
mod places;
pub mod read_blocks;
pub mod table_add_column;
pub mod table_add_row;
mod table_rewrite;
pub mod table_set_cell;
mod taken;
pub mod text_insert;
pub mod text_rewrite;

use glade_doc::schema::TEXT;
use glade_doc::{ElementId, words};
use glade_text::markdown::settled;
use glade_text::{Block, Page, Styled, Table, order};
use serde_json::{Value, json};

use crate::action::{Refusal, Shown};
use crate::action_context::ActionContext;
use crate::event::Comment;
use crate::partial_object::PartialObject;
use crate::shapes::short;

/// The field that names a block.
pub(super) fn block_id() -> (&'static str, Value) {
    ("blockId", json!({"type": "string"}))
}

/// The field that says after which block something goes.
pub(super) fn after_id() -> (&'static str, Value) {
    (
        "afterId",
        json!({"type": "string", "description": "the block that it goes after; \"start\" for the top of the page, \"end\" or nothing for its end"}),
    )
}

/// The live block that the model means.
pub(super) fn block<'p>(
    ctx: &ActionContext<'_, '_>,
    page: &'p Page,
    id: Option<&str>,
) -> Result<&'p Block, Refusal> {
    let found = resolve(ctx, id)?;
    page.get(&found)
        .ok_or_else(|| nothing_called(ctx, id.unwrap_or_default()))
}

/// The same for an action that is carried out at every word: what it costs must not grow with the page.
pub(super) fn block_alone(ctx: &ActionContext<'_, '_>, id: Option<&str>) -> Result<Block, Refusal> {
    let found = resolve(ctx, id)?;
    ctx.draft
        .block(found.as_str())
        .ok_or_else(|| nothing_called(ctx, id.unwrap_or_default()))
}

/// The block that goes by this name.
pub(super) fn resolve(ctx: &ActionContext<'_, '_>, id: Option<&str>) -> Result<ElementId, Refusal> {
    let id = id.ok_or_else(|| Refusal::new("the action has no blockId"))?;
    let lower = id.to_lowercase();
    let own = ElementId::from(id);
    let candidates = [ctx.ids.element(id), ctx.ids.element(&lower), Some(&own)];
    let mut live = candidates.into_iter().flatten();
    live.find(|id| ctx.draft.get(id).is_some())
        .cloned()
        .ok_or_else(|| nothing_called(ctx, id))
}

/// A wrong id is answered with those that it may have been.
fn nothing_called(ctx: &ActionContext<'_, '_>, wrong: &str) -> Refusal {
    let named = ctx.ids.names().filter_map(|(name, id)| {
        let block = ctx.draft.get(id)?;
        let words = block.props.get(TEXT).and_then(Value::as_str)?;
        Some((distance(wrong, name), name, words))
    });
    let mut near: Vec<(usize, &str, &str)> = named.collect();
    near.sort_unstable();
    let near: Vec<String> = near
        .iter()
        .take(3)
        .map(|(_, name, words)| format!("{name} (\"{}\")", short(words)))
        .collect();
    let nearest = match near.len() {
        0 => String::new(),
        _ => format!("; the nearest are {}", near.join(", ")),
    };
    Refusal::new(format!(
        "there is no block with the id \"{wrong}\" on the page{nearest}"
    ))
}

/// How many letters differ.
fn distance(a: &str, b: &str) -> usize {
    let changes = words::diff_letters(a, b);
    let cost = |one: &words::Splice| one.delete.max(one.insert.chars().count());
    changes.iter().map(cost).sum()
}

/// The comment that the model means.
pub(super) fn comment<'c>(
    ctx: &ActionContext<'c, '_>,
    id: Option<&str>,
) -> Result<Comment, Refusal> {
    let id = id.ok_or_else(|| Refusal::new("the action has no commentId"))?;
    let said = ctx.draft.comments().iter();
    let found = said.clone().find(|comment| comment.id == id);
    found.cloned().ok_or_else(|| {
        Refusal::new(format!(
            "there is no comment with the id \"{id}\" on the page"
        ))
    })
}

/// Words with marked words at their end.
pub(super) fn appended(words: &Styled, more: &str, name: &str, value: Value) -> Styled {
    let at = words.text.chars().count();
    let space = if words.text.is_empty() || words.text.ends_with(' ') {
        ""
    } else {
        " "
    };
    let added = Styled {
        text: format!("{space}{more}"),
        marks: Vec::new(),
    };
    let text = words.replaced(at, at, &added);
    let end = text.text.chars().count();
    text.marked(end - more.chars().count(), end, name, Some(&value))
}

/// The table that the model means.
pub(super) fn table<'p>(
    ctx: &ActionContext<'_, '_>,
    page: &'p Page,
    id: Option<&str>,
) -> Result<(&'p Block, &'p Table), Refusal> {
    let block = block(ctx, page, id)?;
    match &block.table {
        Some(table) => Ok((block, table)),
        None => Err(Refusal::new(format!(
            "the block \"{}\" is a {}, not a table",
            block.id, block.kind
        ))),
    }
}

/// Words as far as they are whole, and no mark in them is open.
pub(super) fn whole_words(given: PartialObject<'_>, field: &str) -> Option<String> {
    let mut text = given.prose(field)?;
    if !given.is_complete() {
        text.truncate(text.rfind(char::is_whitespace)?);
        text.truncate(settled(&text));
    }
    Some(text)
}

/// The order key of a block that goes after another.
pub(super) fn index_after(
    ctx: &ActionContext<'_, '_>,
    page: &Page,
    own: Option<&ElementId>,
    after: Option<&str>,
) -> Result<String, Refusal> {
    let others: Vec<&Block> = page
        .blocks
        .iter()
        .filter(|block| Some(&block.id) != own)
        .collect();
    let at = match after {
        None | Some("end") => others.len(),
        Some("start") => 0,
        Some(id) => {
            let after = resolve(ctx, Some(id))?;
            let found = others.iter().position(|block| block.id == after);
            found.ok_or_else(|| nothing_called(ctx, id))? + 1
        }
    };
    let left = at.checked_sub(1).map(|at| others[at].index.as_str());
    Ok(order::between(
        left,
        others.get(at).map(|block| block.index.as_str()),
    ))
}

/// What people read of an action on a block: "rewriting paragraph 3".
pub(super) fn shown(
    ctx: &mut ActionContext<'_, '_>,
    doing: &str,
    done: &str,
    id: &ElementId,
) -> Shown {
    let what = ctx.called(id, |draft| call(&draft.text_page(), id));
    Shown {
        doing: format!("{doing} {what}"),
        done: format!("{done} {what}"),
        elements: vec![id.clone()],
        ..Shown::default()
    }
}

/// A block in words: "paragraph 3", "the heading Plan".
pub(super) fn call(page: &Page, id: &ElementId) -> String {
    let Some(at) = page.position(id) else {
        return "a block".to_owned();
    };
    let block = &page.blocks[at];
    let number = page.blocks[..=at]
        .iter()
        .filter(|other| other.kind == block.kind)
        .count();
    if block.kind == "heading" && !block.text.trim().is_empty() {
        return format!("the heading “{}”", short(&block.text));
    }
    format!("{} {number}", kinds::plain(&block.kind))
}
