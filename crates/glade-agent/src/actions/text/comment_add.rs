//! A comment on a block, or on words of it.

use glade_text::Styled;
use serde_json::{Value, json};

use super::{block_alone, block_id, call, places};
use crate::Remark;
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::request::FairyCommand;
use crate::shapes::intent;

pub struct CommentAdd;

static FACTS: Facts = Facts::new(
    "comment-add",
    "💬",
    "comment on a block, or on words of it, instead of changing it",
    On::Text,
    Work::Edit,
    Impact::Comments,
)
.plugin(&plugins::COMMENTS);

impl Described for CommentAdd {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![intent(), block_id()];
        fields.extend(places::fields("exactly as they stand in the block"));
        fields.push(("text", json!({"type": "string"})));
        fields
    }

    fn optional(&self) -> &'static [&'static str] {
        &["words", "which"]
    }
}

impl Action for CommentAdd {
    type Clean = Remark;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Remark>, Refusal> {
        let name = given.id("blockId");
        let block = block_alone(ctx, name)?;
        let (mut words, mut which) = (None, 0);
        if let Some(wanted) = given.word("words") {
            let now = Styled::of(&block);
            let found = places::find(wanted, given, &now, name.unwrap_or_default())?;
            (words, which) = places::named(&block.text, &found);
        }
        let add = |text: String| Remark::Add {
            block: block.id.clone(),
            words,
            which,
            text,
        };
        Ok(said(given).map(add))
    }

    fn apply(&self, remark: &Remark, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        ctx.command(FairyCommand::Comment(remark.clone()));
        let Remark::Add { block, .. } = remark else {
            return Ok(Shown::default());
        };
        let what = call(&ctx.draft.text_page(), block);
        Ok(Shown {
            doing: format!("commenting on {what}"),
            done: format!("commented on {what}"),
            elements: vec![block.clone()],
            ..Shown::default()
        })
    }
}

/// The words of a comment, if there are any.
pub(super) fn said(given: PartialObject<'_>) -> Option<String> {
    given
        .growing("text")
        .filter(|text| !text.trim().is_empty())
        .map(|text| text.trim().to_owned())
}
