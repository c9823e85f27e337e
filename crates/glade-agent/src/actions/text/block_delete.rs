//! Deleting a block.

use glade_doc::ElementId;
use serde_json::Value;

use super::{block, block_id, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct BlockDelete;

static FACTS: Facts = Facts::new(
    "block-delete",
    "🗑️",
    "delete a block and all that is in it",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::WORDS);

impl Described for BlockDelete {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), block_id()]
    }
}

impl Action for BlockDelete {
    type Clean = ElementId;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<ElementId>, Refusal> {
        let page = ctx.draft.text_page();
        Ok(Some(block(ctx, &page, given.id("blockId"))?.id.clone()))
    }

    fn apply(&self, id: &ElementId, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let shown = shown(ctx, "deleting", "deleted", id);
        ctx.delete(id);
        Ok(shown)
    }
}
