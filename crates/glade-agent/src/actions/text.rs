//! The actions of a text page, one file a family, and what they share.
//!
//! Positions in words are never taken from a model: it names blocks by id and words by themselves. What
//! it writes appears a word at a time ([`whole_words`]); a rewriting keeps what it has not come to yet
//! ([`begun`]), so that unchanged words keep their characters.

pub mod block_delete;
pub mod block_insert;
pub mod block_move;
pub mod block_set_kind;
pub mod bullet_list_toggle;
pub mod comment_add;
pub mod comment_reply;
pub mod comment_resolve;
pub mod embed_fetch_and_insert;
pub mod mark_toggle;
pub mod math_insert_formula;
pub mod mention_insert;
pub mod table_add_column;
pub mod table_add_row;
pub mod table_set_cell;
pub mod text_insert;
pub mod text_rewrite;

use glade_doc::text::Mark;
use glade_doc::{ElementId, words};
use glade_text::{Block, Page, Table, order};
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
pub(super) fn block<'p>(page: &'p Page, id: Option<&str>) -> Result<&'p Block, Refusal> {
    let find = |id: &str| page.blocks.iter().find(|block| block.id.as_str() == id);
    found(id, find)
}

/// The same for an action that is carried out at every word: what it costs must not grow with the page.
pub(super) fn block_alone(ctx: &ActionContext<'_, '_>, id: Option<&str>) -> Result<Block, Refusal> {
    found(id, |id| ctx.draft.block(id))
}

fn found<T>(id: Option<&str>, find: impl FnOnce(&str) -> Option<T>) -> Result<T, Refusal> {
    let id = id.ok_or_else(|| Refusal::new("the action has no blockId"))?;
    find(id).ok_or_else(|| {
        Refusal::new(format!(
            "there is no block with the id \"{id}\" on the page"
        ))
    })
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

/// Where words stand in a block, in characters.
pub(super) fn find_words(block: &Block, words: &str) -> Result<(usize, usize), Refusal> {
    let Some(at) = block.text.find(words) else {
        return Err(Refusal::new(format!(
            "the block \"{}\" does not hold the words \"{words}\"",
            block.id
        )));
    };
    let from = block.text[..at].chars().count();
    Ok((from, from + words.chars().count()))
}

/// A block's words and marks with marked words at their end.
pub(super) fn appended(
    block: &Block,
    words: &str,
    name: &str,
    value: Value,
) -> (String, Vec<Mark>) {
    let space = if block.text.is_empty() || block.text.ends_with(' ') {
        ""
    } else {
        " "
    };
    let text = format!("{}{space}{words}", block.text);
    let to = text.chars().count();
    let mut marks = block.marks.clone();
    marks.push(Mark {
        from: to - words.chars().count(),
        to,
        name: name.to_owned(),
        value,
    });
    (text, marks)
}

/// The table that the model means.
pub(super) fn table<'p>(
    page: &'p Page,
    id: Option<&str>,
) -> Result<(&'p Block, &'p Table), Refusal> {
    let block = block(page, id)?;
    match &block.table {
        Some(table) => Ok((block, table)),
        None => Err(Refusal::new(format!(
            "the block \"{}\" is a {}, not a table",
            block.id, block.kind
        ))),
    }
}

/// Words as far as they are whole.
pub(super) fn whole_words(given: PartialObject<'_>, field: &str) -> Option<String> {
    let text = given.growing(field)?;
    if given.is_complete() {
        return Some(text);
    }
    let end = text.rfind(char::is_whitespace)?;
    Some(text[..end].to_owned())
}

/// A rewriting of `old` as far as it has come: what it has not come to yet stays.
pub(super) fn begun(old: &str, new: &str, complete: bool) -> String {
    if complete {
        return new.to_owned();
    }
    let rest: String = old.chars().skip(words::reached(old, new)).collect();
    let space = !new.is_empty()
        && !rest.is_empty()
        && !new.ends_with(char::is_whitespace)
        && !rest.starts_with(char::is_whitespace);
    format!("{new}{}{rest}", if space { " " } else { "" })
}

/// The order key of a block that goes after another.
pub(super) fn index_after(
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
        Some(id) => match others.iter().position(|block| block.id.as_str() == id) {
            Some(at) => at + 1,
            None => {
                return Err(Refusal::new(format!(
                    "there is no block with the id \"{id}\" to go after"
                )));
            }
        },
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
    let kind = match block.kind.as_str() {
        "heading" if !block.text.trim().is_empty() => {
            return format!("the heading “{}”", short(&block.text));
        }
        "listItem" => "list item",
        "blockquote" => "quote",
        "codeBlock" => "code block",
        other => other,
    };
    format!("{kind} {number}")
}
