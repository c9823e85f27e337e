//! What looks wrong on the page: each thing is pointed out once.

use serde::{Deserialize, Serialize};

use crate::part::{Part, PartData, View, fenced, told};
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

impl Part for CanvasLintsPart {
    fn name(&self) -> &'static str {
        "canvas-lints"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let lints: Vec<LintLine> = view
            .lints
            .iter()
            .map(|lint| LintLine {
                kind: lint.kind.clone(),
                shape_ids: lint.shapes.iter().map(|id| view.ids.model_id(id)).collect(),
                message: lint.message.clone(),
            })
            .collect();
        (!lints.is_empty()).then_some(PartData::CanvasLints(CanvasLints { lints }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::CanvasLints(data) = data else {
            return Vec::new();
        };
        told(format!(
            "What may be wrong where you look:\n{}",
            fenced(&data.lints)
        ))
    }

    fn about(&self) -> Option<&'static str> {
        Some("Correct what may be wrong if it is of your making; leave what people meant to be so.")
    }
}
