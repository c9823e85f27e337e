//! The shapes in view, just enough of each to refer to it and to keep clear of it.

use glade_canvas::view;
use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::format::{BlurryShape, blurry};
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlurryShapes {
    pub shapes: Vec<BlurryShape>,
}

pub struct BlurryShapesPart;

const ABOUT: &str = "Of a shape you are told what differs from the usual: black, no fill, a solid line of width 2, the hand-written font \
at 20. angle is in degrees, group and frame name what it belongs to.";

static FACTS: PartFacts = PartFacts::new("blurry-shapes", Topic::InView, On::Canvas)
    .steady()
    .about(ABOUT);

impl Part for BlurryShapesPart {
    type Data = BlurryShapes;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, look: &mut View<'_, '_>) -> Option<BlurryShapes> {
        let (scene, area) = (look.world.scene, look.area);
        let shapes: Vec<_> = view::in_view(scene, &area)
            .into_iter()
            .map(|element| blurry(scene, element, look.ids, look.coords))
            .collect();
        Some(BlurryShapes { shapes })
    }

    fn print(&self, data: &BlurryShapes) -> Vec<PromptMessage> {
        if data.shapes.is_empty() {
            return told("There are no shapes where you look.".to_owned());
        }
        told(format!(
            "The shapes where you look, from back to front:\n{}",
            fenced(
                &data
                    .shapes
                    .iter()
                    .map(BlurryShape::printed)
                    .collect::<Vec<_>>()
            )
        ))
    }
}
