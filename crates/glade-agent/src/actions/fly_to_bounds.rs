//! Going to another part of the page. What the fairy sees from there comes with the next step, so the answer ends here.

use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::look::Look;
use crate::partial_object::PartialObject;
use crate::request::FairyCommand;

pub struct FlyToBounds;

static FACTS: Facts = Facts::new(
    "fly-to-bounds",
    "🧚",
    "go to another part of the page and look at it; your answer ends here, you go on when you see what is there",
    On::Canvas,
    Work::Look,
    Impact::Reads,
);

impl Described for FlyToBounds {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        Look::fields()
    }
}

impl Action for FlyToBounds {
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
        let words = "You are at the place that you wanted to see. Go on with your work.";
        ctx.command(FairyCommand::Interrupt {
            mode: None,
            request: clean.request(words, "You came to"),
        });
        Ok(Shown {
            doing: "flying on".to_owned(),
            done: "went to look elsewhere".to_owned(),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
