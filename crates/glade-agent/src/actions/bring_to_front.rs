//! Bringing shapes before all others, each as soon as it is named.

use glade_canvas::layout;
use glade_doc::ElementId;
use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{intent, shape_ids};
use crate::together::{arranged, named_ids};

pub struct BringToFront;

static FACTS: Facts = Facts::new(
    "bring-to-front",
    "⬆️",
    "bring shapes before all others",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
.live();

impl Described for BringToFront {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), shape_ids()]
    }
}

impl Action for BringToFront {
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
        let edits = layout::above(&scene, clean, ctx.order_ends().1.as_deref());
        Ok(arranged(ctx, &scene, clean, edits, |name| {
            (
                format!("bringing {name} to the front"),
                format!("brought {name} to the front"),
            )
        }))
    }
}
