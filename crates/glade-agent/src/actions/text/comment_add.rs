//! A comment on a block, or on words of it.

use serde_json::{Value, json};

use super::{block, block_id, call, find_words};
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
        vec![
            intent(),
            block_id(),
            (
                "words",
                json!({"type": "string", "description": "exactly as they stand in the block"}),
            ),
            ("text", json!({"type": "string"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["words"]
    }
}

impl Action for CommentAdd {
    type Clean = Remark;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Remark>, Refusal> {
        let page = ctx.draft.text_page();
        let block = block(&page, given.id("blockId"))?;
        let words = given.word("words");
        if let Some(words) = words {
            find_words(block, words)?;
        }
        let add = |text: String| Remark::Add {
            block: block.id.clone(),
            words: words.map(str::to_owned),
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
