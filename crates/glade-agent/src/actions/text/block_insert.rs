//! New blocks, written as Markdown: one or several in a row, their words appearing as they come.

use glade_doc::schema::TEXT;
use glade_doc::text::{INDEX, MARKS};
use glade_doc::{Edit, ElementId, TableLimits};
use glade_text::markdown::from_lines;
use glade_text::{NewBlock, Styled, edits_of, order};
use serde_json::{Value, json};

use super::{after_id, kinds, resolve, whole_words};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct BlockInsert;

pub struct New {
    after: Option<String>,
    name: Option<String>,
    blocks: Vec<NewBlock>,
}

static FACTS: Facts = Facts::new(
    "block-insert",
    "➕",
    "write new blocks after another, as Markdown, in the order in which they shall stand: paragraphs, # headings, - lists, 1. steps, - [ ] tasks, > quotes, > [!WARNING] callouts, ``` code, tables, $$ formulas, --- dividers, ![pictures](address)",
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
        vec![
            intent(),
            after_id(),
            (
                "blockId",
                json!({"type": "string", "description": "a name of your own for the first of them; the next are NAME-2, NAME-3"}),
            ),
            (
                "indent",
                json!({"type": "number", "description": "how much deeper in a list they stand"}),
            ),
            ("text", json!({"type": "string"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["afterId", "blockId", "indent"]
    }
}

impl Action for BlockInsert {
    type Clean = New;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _: &mut ActionContext<'_, '_>,
    ) -> Result<Option<New>, Refusal> {
        if !given.is_complete() && !given.has("text") {
            return Ok(None);
        }
        let Some(source) = whole_words(given, "text") else {
            return Ok(None);
        };
        let mut blocks = settled_blocks(from_lines(&source), given.is_complete());
        if blocks.is_empty() {
            return if given.is_complete() {
                Err(Refusal::new("there is nothing in its text to insert"))
            } else {
                Ok(None)
            };
        }
        if let Some(more) = given.number("indent").filter(|more| *more >= 1.0) {
            for block in &mut blocks {
                let own = block.props.get("indent").and_then(Value::as_u64);
                let deep = own.unwrap_or(0) + more.min(8.0) as u64;
                block.props.insert("indent".to_owned(), json!(deep));
            }
        }
        for block in &blocks {
            let width = block.rows.iter().map(Vec::len).max().unwrap_or(0);
            if !TableLimits::get().allows(width, block.rows.len()) {
                return Err(Refusal::new("it has more cells than a table may have"));
            }
        }
        Ok(Some(New {
            after: given.word("afterId").map(str::to_owned),
            name: given.id("blockId").map(str::to_owned),
            blocks,
        }))
    }

    fn apply(&self, new: &New, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let after = match new.after.as_deref() {
            None | Some("end") => {
                let page = ctx.draft.text_page();
                let own = |id: &ElementId| ctx.wrote(id);
                let mut others = page.blocks.iter().rev();
                others
                    .find(|block| !own(&block.id))
                    .map(|last| last.id.clone())
            }
            Some("start") => None,
            Some(name) => Some(resolve(ctx, Some(name))?),
        };
        let group = Group {
            after,
            name: new.name.as_deref(),
            blocks: &new.blocks,
        };
        let made = put_group(ctx, group)?;
        let what = match new.blocks.as_slice() {
            [only] => format!("a {}", kinds::plain(&only.kind)),
            several => format!("{} blocks", several.len()),
        };
        Ok(Shown {
            doing: format!("writing {what}"),
            done: format!("wrote {what}"),
            elements: made,
            ..Shown::default()
        })
    }
}

/// Blocks that go onto the page in a row.
pub struct Group<'a> {
    /// None: they are the first of the page.
    pub after: Option<ElementId>,
    /// What the model calls the first of them.
    pub name: Option<&'a str>,
    pub blocks: &'a [NewBlock],
}

/// Of blocks that are still being written those of which it is known what they will be.
pub fn settled_blocks(mut blocks: Vec<NewBlock>, complete: bool) -> Vec<NewBlock> {
    let may_become = |block: &NewBlock| {
        let words = block.text.trim_start();
        // The beginnings of tables, formulas, pictures, lists.
        let signs = ["|", "$$", "!", "<", "["];
        let open = ["table", "image", "formula"].contains(&block.kind.as_str());
        open || (block.kind != "codeBlock" && signs.iter().any(|sign| words.starts_with(sign)))
            || (block.kind == "listItem" && words.is_empty())
    };
    if !complete && blocks.last().is_some_and(may_become) {
        blocks.pop();
    }
    blocks
}

/// Wants these blocks on the page, in their order. What an earlier partial made of them grows.
pub fn put_group(
    ctx: &mut ActionContext<'_, '_>,
    group: Group<'_>,
) -> Result<Vec<ElementId>, Refusal> {
    let slot = |number: usize| format!("block {number}");
    // Those of an earlier partial that turned out to be none.
    let mut surplus = group.blocks.len();
    while ctx.has_made(&slot(surplus)) {
        ctx.drop_made(&slot(surplus));
        surplus += 1;
    }
    let known = (0..group.blocks.len()).take_while(|number| ctx.has_made(&slot(*number)));
    let known = known.count();
    let mut all = Vec::new();
    for (number, block) in group.blocks.iter().enumerate() {
        let name = group.name.unwrap_or(kinds::plain(&block.kind));
        all.push(ctx.make(&slot(number), name).id);
    }
    let goes_on = group.after.as_ref().is_some_and(|after| {
        let block = ctx.draft.block(after.as_str());
        block.is_some_and(|block| block.word("list") == "ordered")
    });
    let before = known.checked_sub(1).and_then(|at| all.get(at));
    let keys = keys_after(ctx, before.or(group.after.as_ref()), all.len() - known);
    for (number, (block, id)) in group.blocks.iter().zip(&all).enumerate() {
        let fresh = number.checked_sub(known);
        if let Some(name) = group.name.filter(|_| fresh.is_some()) {
            match number {
                0 => ctx.ids.adopt(name, id),
                _ => ctx.ids.adopt(&format!("{name}-{}", number + 1), id),
            };
        }
        let mut block = block.clone();
        if number == 0 && goes_on {
            // It is numbered by the list that it goes on with.
            block.props.remove("start");
        }
        put_block(ctx, &block, id, fresh.and_then(|at| keys.get(at)));
    }
    Ok(all)
}

/// Order keys right after a block.
fn keys_after(ctx: &ActionContext<'_, '_>, after: Option<&ElementId>, count: usize) -> Vec<String> {
    if count == 0 {
        return Vec::new();
    }
    let page = ctx.draft.text_page();
    let at = after.map_or(0, |after| {
        page.position(after).map_or(page.blocks.len(), |at| at + 1)
    });
    let index = |at: usize| page.blocks.get(at).map(|block| block.index.as_str());
    order::row(at.checked_sub(1).and_then(index), index(at), count)
}

/// `index`: of one that is new.
fn put_block(
    ctx: &mut ActionContext<'_, '_>,
    block: &NewBlock,
    id: &ElementId,
    index: Option<&String>,
) {
    let mut part = 0;
    let mut name = || {
        part += 1;
        format!("{id}-{part}")
    };
    let place = index.map_or("", String::as_str);
    for edit in edits_of(block, id, place, &mut name) {
        let Edit::Put {
            id: element,
            mut props,
        } = edit
        else {
            continue;
        };
        if element == *id {
            if index.is_none() {
                props.remove(INDEX);
            }
            if props.contains_key(TEXT) {
                props.entry(MARKS).or_insert_with(|| json!([]));
            }
        }
        ctx.put(&element, props);
    }
    let words = Styled {
        text: block.text.clone(),
        marks: block.marks.clone(),
    };
    ctx.reading.learn(id.clone(), words);
}
