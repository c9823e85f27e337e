//! What the person has selected, in full.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::facts::On;
use crate::format::full;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectedShapes {
    /// In the formats of [`glade_canvas::full`], with the model's ids and numbers.
    pub shapes: Vec<Value>,
}

pub struct SelectedShapesPart;

static FACTS: PartFacts = PartFacts::new("selected-shapes", Topic::Around, On::Canvas)
    .about("When the person says \"this\", \"these\" or \"it\", they mean the selected shapes.");

impl Part for SelectedShapesPart {
    type Data = SelectedShapes;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<SelectedShapes> {
        let shapes = full(
            view.world.scene,
            &view.input.selection,
            view.ids,
            view.coords,
        );
        (!shapes.is_empty()).then_some(SelectedShapes { shapes })
    }

    fn print(&self, data: &SelectedShapes) -> Vec<PromptMessage> {
        told(format!(
            "The person has selected these shapes:\n{}",
            fenced(&data.shapes)
        ))
    }
}
