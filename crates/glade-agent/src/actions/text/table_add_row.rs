//! A new row of a table.

use glade_doc::ElementId;
use glade_text::order;
use serde_json::{Value, json};

use super::taken::inline;
use super::{shown, table};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct TableAddRow;

pub struct Row {
    table: ElementId,
    columns: Vec<ElementId>,
    index: String,
    cells: Vec<String>,
}

static FACTS: Facts = Facts::new(
    "table-add-row",
    "➕",
    "add a row to a table, at its end or after a row counted from 1",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::TABLES);

impl Described for TableAddRow {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("tableId", json!({"type": "string"})),
            ("afterRow", json!({"type": "number"})),
            (
                "cells",
                json!({"type": "array", "items": {"type": "string"}}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["afterRow"]
    }
}

impl Action for TableAddRow {
    type Clean = Row;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Row>, Refusal> {
        let page = ctx.draft.text_page();
        let (block, found) = table(ctx, &page, given.id("tableId"))?;
        let after = given.number("afterRow").map_or(found.rows.len(), |row| {
            row.clamp(0.0, found.rows.len() as f64) as usize
        });
        if !found.has_room(0, 1) {
            return Err(Refusal::new("the table has as many rows as it may have"));
        }
        let key = |at: usize| {
            let row = found.rows.get(at)?;
            ctx.draft.index_of(&row.id)
        };
        let left = after.checked_sub(1).and_then(key);
        Ok(Some(Row {
            table: block.id.clone(),
            columns: found.columns.clone(),
            index: order::between(left.as_deref(), key(after).as_deref()),
            cells: given.strings("cells"),
        }))
    }

    fn apply(&self, row: &Row, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let made = ctx.make("row", "row").id;
        let props = json!({"nodeName": "tableRow", "parent": row.table, "index": row.index});
        ctx.put(&made, props.as_object().cloned().unwrap_or_default());
        for (text, column) in row.cells.iter().zip(&row.columns) {
            ctx.put_cell(&made, column, &inline(text));
        }
        Ok(shown(ctx, "adding a row to", "added a row to", &row.table))
    }
}
