//! Mentioning somebody, or a page, at the end of a block.

use glade_doc::ElementId;
use glade_doc::text::{Mark, to_value};
use serde_json::{Value, json};

use super::{appended, block, block_id, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct MentionInsert;

pub struct Mention {
    id: ElementId,
    text: String,
    marks: Vec<Mark>,
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
        let page = ctx.draft.text_page();
        let block = block(&page, given.id("blockId"))?;
        let name = given
            .word("name")
            .ok_or_else(|| Refusal::new("the action has no name"))?;
        let name: String = name.trim_start_matches('@').chars().take(100).collect();
        let page = ctx.draft.pages().iter().find(|page| page.name == name);
        let value = page.map_or_else(|| json!(name), |page| json!({"page": page.id}));
        let (text, marks) = appended(block, &format!("@{name}"), "mention", value);
        Ok(Some(Mention {
            id: block.id.clone(),
            text,
            marks,
        }))
    }

    fn apply(&self, mention: &Mention, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let props = json!({"originalText": mention.text, "marks": to_value(&mention.marks)});
        ctx.put(&mention.id, props.as_object().cloned().unwrap_or_default());
        Ok(shown(ctx, "mentioning in", "mentioned in", &mention.id))
    }
}
