//! Making a block another kind, in place: its words, marks and comments stay.

use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use super::kinds::{KIND_OPTIONAL, kind, kind_field, kind_fields, kind_props};
use super::{block, block_id, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct BlockSetKind;

pub struct NewKind {
    id: ElementId,
    props: Props,
}

static FACTS: Facts = Facts::new(
    "block-set-kind",
    "🔁",
    "make a block another kind, such as a heading or a list item, or change its level, list, tick, indent or language; its words stay",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
.plugin(&plugins::WORDS);

impl Described for BlockSetKind {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![intent(), block_id(), kind_field()];
        fields.extend(kind_fields());
        fields
    }

    fn optional(&self) -> &'static [&'static str] {
        KIND_OPTIONAL
    }
}

impl Action for BlockSetKind {
    type Clean = NewKind;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<NewKind>, Refusal> {
        let page = ctx.draft.text_page();
        let block = block(ctx, &page, given.id("blockId"))?;
        let name = given.word("kind").unwrap_or_default();
        let wordy = |kind: &str| !["table", "divider", "image", "embed"].contains(&kind);
        let Some(kind) = kind(name).filter(|kind| wordy(kind) && wordy(&block.kind)) else {
            return Err(Refusal::new(format!(
                "a {} cannot become a \"{name}\"",
                block.kind
            )));
        };
        let fresh = (block.kind != "listItem").then_some("bullet");
        let mut props = kind_props(kind, given, fresh);
        props.insert("nodeName".to_owned(), json!(kind));
        Ok(Some(NewKind {
            id: block.id.clone(),
            props,
        }))
    }

    fn apply(&self, change: &NewKind, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let shown = shown(ctx, "reshaping", "reshaped", &change.id);
        ctx.put(&change.id, change.props.clone());
        Ok(shown)
    }
}
