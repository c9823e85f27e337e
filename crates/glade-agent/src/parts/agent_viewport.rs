//! What the fairy itself looks at.

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentViewport {
    pub bounds: Rect,
}

pub struct AgentViewportPart;

static FACTS: PartFacts = PartFacts::new("agent-viewport", Topic::InView, On::Canvas);

impl Part for AgentViewportPart {
    type Data = AgentViewport;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<AgentViewport> {
        Some(AgentViewport {
            bounds: view.coords.show_rect(view.area),
        })
    }

    fn print(&self, data: &AgentViewport) -> Vec<PromptMessage> {
        let Rect { x, y, w, h } = data.bounds;
        told(format!("You see the area x {x}, y {y}, w {w}, h {h}."))
    }
}
