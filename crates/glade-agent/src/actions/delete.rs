//! Deleting a shape, and the label in it. Arrows that were bound to it stay: they read as loose.

use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{call, intent};

pub struct Delete;

static FACTS: Facts = Facts::new(
    "delete",
    "🗑️",
    "delete a shape (delete the arrows that lead to it too, unless they should stay)",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
.makes_room();

impl Described for Delete {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), ("shapeId", json!({"type": "string"}))]
    }
}

impl Action for Delete {
    type Clean = ElementId;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<ElementId>, Refusal> {
        ctx.editable(given.id("shapeId")).map(Some)
    }

    fn apply(&self, id: &ElementId, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let name = call(ctx.draft, id);
        let place = ctx.draft.bounds(id);
        let label = ctx.draft.label_of(id).map(|label| label.id.clone());
        let mut elements = vec![id.clone()];
        elements.extend(label);
        for element in &elements {
            ctx.delete(element);
        }
        Ok(Shown {
            doing: format!("deleting {name}"),
            done: format!("deleted {name}"),
            place,
            elements,
            ..Shown::default()
        })
    }
}
