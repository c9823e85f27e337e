//! What the fairy itself looks at.

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};

use crate::part::{Part, PartData, View, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentViewport {
    pub bounds: Rect,
}

pub struct AgentViewportPart;

impl Part for AgentViewportPart {
    fn name(&self) -> &'static str {
        "agent-viewport"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        Some(PartData::AgentViewport(AgentViewport {
            bounds: view.coords.show_rect(view.area),
        }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::AgentViewport(data) = data else {
            return Vec::new();
        };
        let Rect { x, y, w, h } = data.bounds;
        told(format!("You see the area x {x}, y {y}, w {w}, h {h}."))
    }
}
