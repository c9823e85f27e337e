//! Deleting a shape, and the label in it. Arrows that were bound to it stay: they read as loose.

use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::shapes::{call, intent};

pub struct Delete;

impl Action for Delete {
    type Clean = ElementId;

    fn name(&self) -> &'static str {
        "delete"
    }

    fn icon(&self) -> &'static str {
        "🗑️"
    }

    fn about(&self) -> &'static str {
        "delete a shape (delete the arrows that lead to it too, unless they should stay)"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), ("shapeId", json!({"type": "string"}))]
    }

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
