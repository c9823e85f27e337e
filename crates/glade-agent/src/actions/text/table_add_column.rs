//! A new column of a table.

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

pub struct TableAddColumn;

pub struct Column {
    table: ElementId,
    rows: Vec<ElementId>,
    index: String,
    cells: Vec<String>,
}

static FACTS: Facts = Facts::new(
    "table-add-column",
    "➕",
    "add a column to a table, at its right; cells from the top, the head first",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::TABLES);

impl Described for TableAddColumn {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("tableId", json!({"type": "string"})),
            (
                "cells",
                json!({"type": "array", "items": {"type": "string"}}),
            ),
        ]
    }
}

impl Action for TableAddColumn {
    type Clean = Column;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Column>, Refusal> {
        let page = ctx.draft.text_page();
        let (block, found) = table(ctx, &page, given.id("tableId"))?;
        if !found.has_room(1, 0) {
            return Err(Refusal::new("the table has as many columns as it may have"));
        }
        let last = found.columns.last().and_then(|id| ctx.draft.index_of(id));
        Ok(Some(Column {
            table: block.id.clone(),
            rows: found.rows.iter().map(|row| row.id.clone()).collect(),
            index: order::between(last.as_deref(), None),
            cells: given.strings("cells"),
        }))
    }

    fn apply(&self, column: &Column, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let made = ctx.make("column", "column").id;
        let props =
            json!({"nodeName": "tableColumn", "parent": column.table, "index": column.index});
        ctx.put(&made, props.as_object().cloned().unwrap_or_default());
        for (text, row) in column.cells.iter().zip(&column.rows) {
            ctx.put_cell(row, &made, &inline(text));
        }
        Ok(shown(
            ctx,
            "adding a column to",
            "added a column to",
            &column.table,
        ))
    }
}
