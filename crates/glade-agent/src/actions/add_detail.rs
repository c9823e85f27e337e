//! Going over the work once more to add to it, in a step of its own.

use serde_json::Value;

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::request::{FairyCommand, Request};
use crate::shapes::{intent, short};

pub struct AddDetail;

impl Action for AddDetail {
    type Clean = String;

    fn name(&self) -> &'static str {
        "add-detail"
    }

    fn icon(&self) -> &'static str {
        "✨"
    }

    fn about(&self) -> &'static str {
        "add detail to your work in another step, when this answer is over"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent()]
    }

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
