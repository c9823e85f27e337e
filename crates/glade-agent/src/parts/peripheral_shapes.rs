//! The shapes out of view, as clusters: that something is there, and its largest words.

use glade_canvas::Rect;
use glade_canvas::view::{self, Direction};
use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeripheralShapes {
    pub clusters: Vec<PeripheralCluster>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeripheralCluster {
    pub bounds: Rect,
    pub number_of_shapes: usize,
    /// Where it lies from the view.
    pub direction: Direction,
    /// What is written there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
}

pub struct PeripheralShapesPart;

static FACTS: PartFacts = PartFacts::new("peripheral-shapes", Topic::Around, On::Canvas);

impl Part for PeripheralShapesPart {
    type Data = PeripheralShapes;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, look: &mut View<'_, '_>) -> Option<PeripheralShapes> {
        let clusters: Vec<_> = view::peripheral(look.world.scene, &look.area)
            .into_iter()
            .map(|cluster| PeripheralCluster {
                bounds: look.coords.show_rect(cluster.bounds),
                number_of_shapes: cluster.number_of_shapes,
                direction: cluster.direction,
                texts: cluster.texts,
            })
            .collect();
        (!clusters.is_empty()).then_some(PeripheralShapes { clusters })
    }

    fn print(&self, data: &PeripheralShapes) -> Vec<PromptMessage> {
        told(format!(
            "Groups of shapes outside of where you look:\n{}",
            fenced(&data.clusters)
        ))
    }
}
