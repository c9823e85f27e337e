//! A formula in TeX: a block of its own, or the last words of one.

use glade_doc::ElementId;
use glade_doc::text::TEX;
use glade_text::Styled;
use serde_json::{Value, json};

use super::{after_id, appended, block_alone, block_id, index_after, shown};
use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::plugins;
use crate::shapes::intent;

pub struct MathInsertFormula;

pub enum Formula {
    Block { after: Option<String>, tex: String },
    Words { id: ElementId, words: Styled },
}

static FACTS: Facts = Facts::new(
    "math-insert-formula",
    "∑",
    "write a formula, in TeX without dollar signs: as a block of its own or, with blockId, at the end of that block's words",
    On::Text,
    Work::Edit,
    Impact::Edits,
)
    .plugin(&plugins::MATH);

impl Described for MathInsertFormula {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            after_id(),
            block_id(),
            ("tex", json!({"type": "string"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["afterId", "blockId"]
    }
}

impl Action for MathInsertFormula {
    type Clean = Formula;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Formula>, Refusal> {
        let tex = given
            .word("tex")
            .ok_or_else(|| Refusal::new("the action has no tex"))?;
        let tex = tex.trim_matches('$').trim().to_owned();
        let Some(id) = given.id("blockId") else {
            let after = given.word("afterId").map(str::to_owned);
            return Ok(Some(Formula::Block { after, tex }));
        };
        let id = block_alone(ctx, Some(id))?.id;
        let words = appended(&ctx.words(&id), &tex, TEX, Value::Bool(true));
        Ok(Some(Formula::Words { id, words }))
    }

    fn apply(&self, formula: &Formula, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let (after, tex) = match formula {
            Formula::Block { after, tex } => (after, tex),
            Formula::Words { id, words } => {
                ctx.write(id, words.clone());
                return Ok(shown(ctx, "writing a formula in", "wrote a formula in", id));
            }
        };
        let made = ctx.make("block", "formula").id;
        let index = index_after(ctx, &ctx.draft.text_page(), Some(&made), after.as_deref())?;
        let props =
            json!({"nodeName": "formula", "parent": null, "index": index, "originalText": tex});
        ctx.put(&made, props.as_object().cloned().unwrap_or_default());
        Ok(Shown {
            doing: "writing a formula".to_owned(),
            done: "wrote a formula".to_owned(),
            elements: vec![made],
            ..Shown::default()
        })
    }
}
