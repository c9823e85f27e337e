//! Laying out shapes that are there, whoever drew them.

use glade_canvas::layout;
use glade_doc::ElementId;
use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{intent, shape_ids};
use crate::together::arranged;

pub struct Tidy;

static FACTS: Facts = Facts::new(
    "tidy",
    "🧹",
    "lay out shapes that are there, whoever drew them: their arrows say the structure, boxes around others are groups",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Tidy {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), shape_ids()]
    }
}

impl Action for Tidy {
    type Clean = Vec<ElementId>;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        ctx.editable_all(&given.ids("shapeIds")).map(Some)
    }

    fn apply(&self, ids: &Self::Clean, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let around = ctx.draft.live().map(|element| element.id.clone());
        let all: Vec<ElementId> = around.collect();
        let scene = ctx.original(&all);
        let edits = layout::tidy(&scene, ids).map_err(|error| Refusal::new(error.to_string()))?;
        Ok(arranged(ctx, &scene, ids, edits, |name| {
            (format!("tidying {name}"), format!("tidied {name}"))
        }))
    }
}
