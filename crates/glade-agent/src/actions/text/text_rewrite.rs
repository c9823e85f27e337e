//! Rewriting a block: only the words that differ change, as they come.

use glade_doc::ElementId;
use serde_json::{Value, json};

use super::{begun, block_alone, block_id, shown, whole_words};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct TextRewrite;

pub struct Rewrite {
    id: ElementId,
    text: String,
}

static FACTS: Facts = Facts::new(
    "text-rewrite",
    "📝",
    "rewrite the words of a block; write all of its new text, unchanged words as they are",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::WORDS)
.live();

impl Described for TextRewrite {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), block_id(), ("text", json!({"type": "string"}))]
    }
}

impl Action for TextRewrite {
    type Clean = Rewrite;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Rewrite>, Refusal> {
        let block = block_alone(ctx, given.id("blockId"))?;
        if block.table.is_some() {
            return Err(Refusal::new(
                "a table is changed cell by cell, with table-set-cell",
            ));
        }
        let Some(new) = whole_words(given, "text") else {
            return Ok(None);
        };
        let old = ctx.original_text(&block.id).unwrap_or_default();
        Ok(Some(Rewrite {
            id: block.id,
            text: begun(&old, &new, given.is_complete()),
        }))
    }

    fn apply(&self, rewrite: &Rewrite, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.write(&rewrite.id, &rewrite.text);
        Ok(shown(ctx, "rewriting", "rewrote", &rewrite.id))
    }
}
