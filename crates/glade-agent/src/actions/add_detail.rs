//! Going over the work once more to add to it, in a step of its own.

use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::request::{FairyCommand, Request};
use crate::shapes::{intent, short};

pub struct AddDetail;

static FACTS: Facts = Facts::new(
    "add-detail",
    "✨",
    "add detail to your work in another step, when this answer is over",
    On::Canvas,
    Work::Answer,
    Impact::Own,
);

impl Described for AddDetail {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent()]
    }
}

impl Action for AddDetail {
    type Clean = String;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        Ok(given.word("intent").map(str::to_owned))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let message = format!("Add detail to your work: {clean}");
        ctx.command(FairyCommand::Schedule(Request::own(message)));
        Ok(Shown {
            doing: "planning details".to_owned(),
            done: format!("will add detail: {}", short(clean)),
            ..Shown::default()
        })
    }
}
