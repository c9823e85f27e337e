//! A table that is written anew as a whole: rows and columns that are still there stay themselves, moved where they
//! stand now, and only the cells that differ are written.

use glade_doc::{ElementId, TableLimits};
use glade_text::markdown::{Shower, from_lines};
use glade_text::{Block, NewBlock, Side, Styled, Table, keys};
use serde_json::{Value, json};

use crate::action::Refusal;
use crate::action_context::ActionContext;

/// The table that a model wrote in the place of one.
pub fn read(source: &str) -> Result<NewBlock, Refusal> {
    let wrong = || {
        Refusal::new(
            "the block is a table: write all of it as a Markdown table, or use table-set-cell",
        )
    };
    let [table] = <[NewBlock; 1]>::try_from(from_lines(source.trim())).map_err(|_| wrong())?;
    let width = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    if table.kind != "table" || width == 0 {
        return Err(wrong());
    }
    if !TableLimits::get().allows(width, table.rows.len()) {
        return Err(Refusal::new("it has more cells than a table may have"));
    }
    Ok(table)
}

/// Wants the table to be that.
pub fn put(ctx: &mut ActionContext<'_, '_>, block: &Block, new: &NewBlock) {
    let Some(table) = &block.table else { return };
    let found = table.retabled(&new.rows);
    let old: Vec<ElementId> = table.rows.iter().map(|row| row.id.clone()).collect();
    let rows = arrange(ctx, &block.id, Parts::new("tableRow", &found.rows, &old));
    let columns = arrange(
        ctx,
        &block.id,
        Parts::new("tableColumn", &found.columns, &table.columns),
    );
    for ((column, from), side) in columns.iter().zip(&found.columns).zip(&new.sides) {
        let was = from.and_then(|from| table.sides.get(from)).copied();
        if was.unwrap_or_default() != *side {
            let word = side.word().map_or(Value::Null, Value::from);
            let props = json!({ Side::NAME: word });
            ctx.put(column, props.as_object().cloned().unwrap_or_default());
        }
    }
    for (at, (row, cells)) in rows.iter().zip(&new.rows).enumerate() {
        for (number, (column, (text, marks))) in columns.iter().zip(cells).enumerate() {
            let was = found.rows[at].zip(found.columns[number]);
            let known = was.map(|(row, column)| cell(table, row, column));
            let known = known.unwrap_or_default();
            let wanted = Styled {
                text: text.clone(),
                marks: marks.clone(),
            };
            let words = known.rewritten(&as_read(&known), &wanted);
            if words != known {
                ctx.put_cell(row, column, &words);
            }
        }
    }
}

/// Rows or columns: what they are, which they were, and those that there were.
struct Parts<'a> {
    kind: &'static str,
    found: &'a [Option<usize>],
    old: &'a [ElementId],
}

impl<'a> Parts<'a> {
    fn new(kind: &'static str, found: &'a [Option<usize>], old: &'a [ElementId]) -> Self {
        Self { kind, found, old }
    }
}

/// Puts rows or columns in their order, makes new ones, and deletes those that are gone.
fn arrange(ctx: &mut ActionContext<'_, '_>, table: &ElementId, parts: Parts<'_>) -> Vec<ElementId> {
    let Parts { kind, found, old } = parts;
    for (at, gone) in old.iter().enumerate() {
        if !found.contains(&Some(at)) {
            ctx.delete(gone);
        }
    }
    let known = |from: &Option<usize>| ctx.draft.index_of(&old[(*from)?]);
    let had: Vec<Option<String>> = found.iter().map(known).collect();
    let mut ids = Vec::new();
    for (number, (from, key)) in found.iter().zip(keys(&had)).enumerate() {
        let (id, props) = match from {
            Some(from) => (old[*from].clone(), json!({"index": key})),
            None => {
                let made = ctx.make(&format!("{kind} {number}"), "part").id;
                (
                    made,
                    json!({"nodeName": kind, "parent": table, "index": key}),
                )
            }
        };
        ctx.put(&id, props.as_object().cloned().unwrap_or_default());
        ids.push(id);
    }
    ids
}

fn cell(table: &Table, row: usize, column: usize) -> Styled {
    let row = &table.rows[row];
    let found = row.cells.iter().find(|cell| cell.column == column);
    found.map_or_else(Styled::default, |cell| Styled {
        text: cell.text.clone(),
        marks: cell.marks.clone(),
    })
}

/// A cell's words as they are read from what was shown.
fn as_read(words: &Styled) -> Styled {
    let shown = NewBlock {
        rows: vec![vec![(words.text.clone(), words.marks.clone())]],
        ..NewBlock::new("table", "")
    };
    let shown = Shower::default().show(&shown.as_block());
    let read = from_lines(&shown).into_iter().next();
    let cell = read.and_then(|table| table.rows.into_iter().next()?.into_iter().next());
    let (text, marks) = cell.unwrap_or_default();
    Styled { text, marks }
}
