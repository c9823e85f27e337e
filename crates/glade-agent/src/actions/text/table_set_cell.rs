//! The words of one cell.

use glade_doc::ElementId;
use glade_text::Styled;
use serde_json::{Value, json};

use super::taken::inline;
use super::{shown, table};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct TableSetCell;

pub struct Set {
    table: ElementId,
    row: ElementId,
    column: ElementId,
    words: Styled,
}

static FACTS: Facts = Facts::new(
    "table-set-cell",
    "▦",
    "write a cell of a table; rows and columns are counted from 1, the head being row 1",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::TABLES);

impl Described for TableSetCell {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("tableId", json!({"type": "string"})),
            ("row", json!({"type": "number"})),
            ("column", json!({"type": "number"})),
            ("text", json!({"type": "string"})),
        ]
    }
}

impl Action for TableSetCell {
    type Clean = Set;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Set>, Refusal> {
        let page = ctx.draft.text_page();
        let (block, found) = table(ctx, &page, given.id("tableId"))?;
        let at = |field: &str| {
            given
                .number(field)
                .map_or(0, |number| number.clamp(0.0, 1e6) as usize)
        };
        let row = at("row").checked_sub(1).and_then(|at| found.rows.get(at));
        let column = at("column")
            .checked_sub(1)
            .and_then(|at| found.columns.get(at));
        let (Some(row), Some(column)) = (row, column) else {
            return Err(Refusal::new(format!(
                "the table has {} rows and {} columns, counted from 1",
                found.rows.len(),
                found.columns.len()
            )));
        };
        Ok(given.prose("text").map(|text| Set {
            table: block.id.clone(),
            row: row.id.clone(),
            column: column.clone(),
            words: inline(&text),
        }))
    }

    fn apply(&self, set: &Set, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.put_cell(&set.row, &set.column, &set.words);
        Ok(shown(ctx, "filling", "filled a cell of", &set.table))
    }
}
