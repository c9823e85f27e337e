//! Sending shapes behind all others, each as soon as it is named.

use glade_canvas::layout;
use glade_doc::ElementId;
use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{intent, shape_ids};
use crate::together::{arranged, named_ids};

pub struct SendToBack;

static FACTS: Facts = Facts::new(
    "send-to-back",
    "⬇️",
    "send shapes behind all others",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
.live();

impl Described for SendToBack {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), shape_ids()]
    }
}

impl Action for SendToBack {
    type Clean = Vec<ElementId>;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        named_ids(given, ctx)
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let scene = ctx.original(clean);
        let edits = layout::below(&scene, clean, ctx.order_ends().0.as_deref());
        Ok(arranged(ctx, &scene, clean, edits, |name| {
            (
                format!("sending {name} to the back"),
                format!("sent {name} to the back"),
            )
        }))
    }
}
