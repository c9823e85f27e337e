//! A formula as a block of its own, in TeX.

use serde_json::{Value, json};

use super::{after_id, index_after};
use crate::action::{Action, Refusal, Shown};
use crate::desk::Desk;
use crate::given::Given;
use crate::shapes::intent;

pub struct MathInsertFormula;

pub struct Formula {
    after: Option<String>,
    tex: String,
}

impl Action for MathInsertFormula {
    type Clean = Formula;

    fn name(&self) -> &'static str {
        "math-insert-formula"
    }

    fn icon(&self) -> &'static str {
        "∑"
    }

    fn about(&self) -> &'static str {
        "write a formula, in TeX without dollar signs, as a block of its own"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), after_id(), ("tex", json!({"type": "string"}))]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["afterId"]
    }

    fn sanitise(&self, given: Given<'_>, _: &mut Desk<'_, '_>) -> Result<Option<Formula>, Refusal> {
        let tex = given
            .word("tex")
            .ok_or_else(|| Refusal::new("the action has no tex"))?;
        Ok(Some(Formula {
            after: given.word("afterId").map(str::to_owned),
            tex: tex.trim_matches('$').trim().to_owned(),
        }))
    }

    fn apply(&self, formula: &Formula, desk: &mut Desk<'_, '_>) -> Result<Shown, Refusal> {
        let made = desk.make("block", "formula").id;
        let index = index_after(
            &desk.draft.text_page(),
            Some(&made),
            formula.after.as_deref(),
        )?;
        let props = json!({"nodeName": "formula", "parent": null, "index": index, "originalText": formula.tex});
        desk.put(&made, props.as_object().cloned().unwrap_or_default());
        Ok(Shown {
            doing: "writing a formula".to_owned(),
            done: "wrote a formula".to_owned(),
            elements: vec![made],
            ..Shown::default()
        })
    }
}
