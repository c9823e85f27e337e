//! Mentioning somebody, or a page, at the end of a block.

use glade_doc::ElementId;
use glade_text::Styled;
use serde_json::{Value, json};

use super::{appended, block_alone, block_id, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct MentionInsert;

pub struct Mention {
    id: ElementId,
    words: Styled,
}

static FACTS: Facts = Facts::new(
    "mention-insert",
    "@",
    "mention a person or a page at the end of a block",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::MENTIONS);

impl Described for MentionInsert {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), block_id(), ("name", json!({"type": "string"}))]
    }
}

impl Action for MentionInsert {
    type Clean = Mention;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Mention>, Refusal> {
        let block = block_alone(ctx, given.id("blockId"))?;
        let name = given
            .word("name")
            .ok_or_else(|| Refusal::new("the action has no name"))?;
        let name: String = name.trim_start_matches('@').chars().take(100).collect();
        let page = ctx.draft.pages().iter().find(|page| page.name == name);
        let value = page.map_or_else(|| json!(name), |page| json!({"page": page.id}));
        let words = appended(&ctx.words(&block.id), &format!("@{name}"), "mention", value);
        Ok(Some(Mention {
            id: block.id,
            words,
        }))
    }

    fn apply(&self, mention: &Mention, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.write(&mention.id, mention.words.clone());
        Ok(shown(ctx, "mentioning in", "mentioned in", &mention.id))
    }
}
