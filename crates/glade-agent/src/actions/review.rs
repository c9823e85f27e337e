//! Looking again at what was done, in a step of its own.

use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::look::Look;
use crate::partial_object::PartialObject;
use crate::request::FairyCommand;

pub struct Review;

static FACTS: Facts = Facts::new(
    "review",
    "🔍",
    "look at an area again when your answer is over, to check and correct your work there",
    On::Canvas,
    Work::Look,
    Impact::Reads,
);

impl Described for Review {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        Look::fields()
    }
}

impl Action for Review {
    type Clean = Look;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        Ok(Look::read(given, ctx))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let words = "Review what is in your view now: look for overlaps, loose arrows, text that does not fit and what is missing, and correct it. If all is well, say so in a few words.";
        let request = clean.request(words, "You wanted to review");
        ctx.command(FairyCommand::Schedule(request));
        Ok(Shown {
            doing: "planning a review".to_owned(),
            done: "will look at it again".to_owned(),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
