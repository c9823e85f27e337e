//! What the person sees.

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserViewport {
    pub bounds: Rect,
}

pub struct UserViewportPart;

static FACTS: PartFacts = PartFacts::new("user-viewport", Topic::Around, On::Canvas)
    .about("Draw where the person looks unless they ask for another place.");

impl Part for UserViewportPart {
    type Data = UserViewport;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<UserViewport> {
        let bounds = view.coords.show_rect(view.input.bounds?);
        Some(UserViewport { bounds })
    }

    fn print(&self, data: &UserViewport) -> Vec<PromptMessage> {
        let Rect { x, y, w, h } = data.bounds;
        told(format!(
            "The person sees the area x {x}, y {y}, w {w}, h {h}."
        ))
    }
}
