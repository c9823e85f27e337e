//! Going to another part of the page. What the fairy sees from there comes with the next step, so the answer ends here.

use glade_canvas::Rect;
use serde_json::Value;

use crate::action::{Action, Refusal, Shown};
use crate::desk::Desk;
use crate::given::Given;
use crate::request::{Request, Wish};
use crate::shapes::{area, intent, read_area};

pub struct FlyToBounds;

pub struct Look {
    bounds: Rect,
    intent: String,
}

impl Action for FlyToBounds {
    type Clean = Look;

    fn name(&self) -> &'static str {
        "fly-to-bounds"
    }

    fn icon(&self) -> &'static str {
        "🧚"
    }

    fn about(&self) -> &'static str {
        "go to another part of the page and look at it; your answer ends here, you go on when you see what is there"
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
        let mut message =
            String::from("You are at the place that you wanted to see. Go on with your work.");
        if !clean.intent.is_empty() {
            message.push_str(&format!(" You came to: {}", clean.intent));
        }
        desk.wish(Wish::Interrupt {
            mode: None,
            request: Request::own(message).at(clean.bounds),
        });
        Ok(Shown {
            doing: "flying on".to_owned(),
            done: "went to look elsewhere".to_owned(),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
