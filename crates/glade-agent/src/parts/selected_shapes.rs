//! What the person has selected, in full.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::format::full;
use crate::part::{Part, PartData, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectedShapes {
    /// In the formats of [`glade_canvas::full`], with the model's ids and numbers.
    pub shapes: Vec<Value>,
}

pub struct SelectedShapesPart;

impl Part for SelectedShapesPart {
    fn name(&self) -> &'static str {
        "selected-shapes"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let shapes = full(
            view.world.scene,
            &view.input.selection,
            view.ids,
            view.coords,
        );
        (!shapes.is_empty()).then_some(PartData::SelectedShapes(SelectedShapes { shapes }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::SelectedShapes(data) = data else {
            return Vec::new();
        };
        told(format!(
            "The person has selected these shapes:\n{}",
            fenced(&data.shapes)
        ))
    }

    fn about(&self) -> Option<&'static str> {
        Some("When the person says \"this\", \"these\" or \"it\", they mean the selected shapes.")
    }
}
