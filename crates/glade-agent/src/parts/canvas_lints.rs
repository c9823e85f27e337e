//! What looks wrong on the page: each thing is pointed out once.

use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CanvasLints {
    pub lints: Vec<LintLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LintLine {
    pub kind: String,
    pub shape_ids: Vec<String>,
    pub message: String,
}

pub struct CanvasLintsPart;

static FACTS: PartFacts = PartFacts::new("canvas-lints", Topic::Lints, On::Canvas)
    .about("Correct what may be wrong if it is of your making; leave what people meant to be so.");

impl Part for CanvasLintsPart {
    type Data = CanvasLints;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<CanvasLints> {
        let lints: Vec<LintLine> = view
            .lints
            .iter()
            .map(|lint| LintLine {
                kind: lint.kind.clone(),
                shape_ids: lint.shapes.iter().map(|id| view.ids.model_id(id)).collect(),
                message: lint.message.clone(),
            })
            .collect();
        (!lints.is_empty()).then_some(CanvasLints { lints })
    }

    fn print(&self, data: &CanvasLints) -> Vec<PromptMessage> {
        told(format!(
            "What may be wrong where you look:\n{}",
            fenced(&data.lints)
        ))
    }
}
