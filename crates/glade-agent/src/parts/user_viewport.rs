//! What the person sees.

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};

use crate::part::{Part, PartData, View, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserViewport {
    pub bounds: Rect,
}

pub struct UserViewportPart;

impl Part for UserViewportPart {
    fn name(&self) -> &'static str {
        "user-viewport"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let bounds = view.coords.show_rect(view.input.bounds?);
        Some(PartData::UserViewport(UserViewport { bounds }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::UserViewport(data) = data else {
            return Vec::new();
        };
        let Rect { x, y, w, h } = data.bounds;
        told(format!(
            "The person sees the area x {x}, y {y}, w {w}, h {h}."
        ))
    }

    fn about(&self) -> Option<&'static str> {
        Some("Draw where the person looks unless they ask for another place.")
    }
}
