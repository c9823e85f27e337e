//! Looking again at what was done, in a step of its own.

use glade_canvas::Rect;
use serde_json::Value;

use crate::action::{Action, Refusal, Shown};
use crate::desk::Desk;
use crate::given::Given;
use crate::request::{Request, Wish};
use crate::shapes::{area, intent, read_area};

pub struct Review;

pub struct Look {
    bounds: Rect,
    intent: String,
}

impl Action for Review {
    type Clean = Look;

    fn name(&self) -> &'static str {
        "review"
    }

    fn icon(&self) -> &'static str {
        "🔍"
    }

    fn about(&self) -> &'static str {
        "look at an area again when your answer is over, to check and correct your work there"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![intent()];
        fields.extend(area());
        fields
    }

    fn sanitise(
        &self,
        given: Given<'_>,
        desk: &mut Desk<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(bounds) = read_area(given, desk) else {
            return Ok(None);
        };
        let intent = given.word("intent").unwrap_or_default().to_owned();
        Ok(Some(Look { bounds, intent }))
    }

    fn apply(&self, clean: &Self::Clean, desk: &mut Desk<'_, '_>) -> Result<Shown, Refusal> {
        let mut message = String::from(
            "Review what is in your view now: look for overlaps, loose arrows, text that does not fit and what is missing, and correct it. If all is well, say so in a few words.",
        );
        if !clean.intent.is_empty() {
            message.push_str(&format!(" You wanted to review: {}", clean.intent));
        }
        desk.wish(Wish::Schedule(Request::own(message).at(clean.bounds)));
        Ok(Shown {
            doing: "planning a review".to_owned(),
            done: "will look at it again".to_owned(),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
