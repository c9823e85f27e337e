//! What the actions have in common that make the fairy look at a part of the page.

use glade_canvas::Rect;
use serde_json::Value;

use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::request::Request;
use crate::shapes::{area, intent, read_area};

/// A part of the page to look at, and why.
pub struct Look {
    pub bounds: Rect,
    pub intent: String,
}

impl Look {
    pub fn fields() -> Vec<(&'static str, Value)> {
        let mut fields = vec![intent()];
        fields.extend(area());
        fields
    }

    pub fn read(given: PartialObject<'_>, ctx: &ActionContext<'_, '_>) -> Option<Self> {
        let bounds = read_area(given, ctx)?;
        let intent = given.word("intent").unwrap_or_default().to_owned();
        Some(Self { bounds, intent })
    }

    /// Words to the fairy itself for when it looks.
    pub fn request(&self, message: &str, because: &str) -> Request {
        let mut message = message.to_owned();
        if !self.intent.is_empty() {
            message.push_str(&format!(" {because}: {}", self.intent));
        }
        Request::own(message).at(self.bounds)
    }
}
