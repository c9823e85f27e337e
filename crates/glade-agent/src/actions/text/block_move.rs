//! Moving a block: its place is a property, so whatever is typed in it meanwhile moves along.

use glade_doc::ElementId;
use serde_json::{Value, json};

use super::{after_id, block, block_id, index_after, resolve, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct BlockMove;

pub struct Move {
    id: ElementId,
    index: String,
}

static FACTS: Facts = Facts::new(
    "block-move",
    "↕️",
    "move a block to after another; a block that somebody is in is not moved",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::WORDS);

impl Described for BlockMove {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), block_id(), after_id()]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["afterId"]
    }
}

impl Action for BlockMove {
    type Clean = Move;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Move>, Refusal> {
        let page = ctx.draft.text_page();
        let block = block(ctx, &page, given.id("blockId"))?;
        let after = given.word("afterId");
        let own =
            after.is_some_and(|after| resolve(ctx, Some(after)).is_ok_and(|id| id == block.id));
        if own {
            return Err(Refusal::new("a block cannot go after itself"));
        }
        let index = index_after(ctx, &page, Some(&block.id), after)?;
        Ok(Some(Move {
            id: block.id.clone(),
            index,
        }))
    }

    fn apply(&self, wanted: &Move, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let shown = shown(ctx, "moving", "moved", &wanted.id);
        let props = json!({"index": wanted.index});
        ctx.put(&wanted.id, props.as_object().cloned().unwrap_or_default());
        Ok(shown)
    }
}
