//! Deleting everything that is not locked.

use glade_doc::ElementId;
use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::intent;

pub struct Clear;

static FACTS: Facts = Facts::new(
    "clear",
    "🧹",
    "delete every shape of the page; only when the person asks for an empty page",
    On::Canvas,
    Work::Answer,
    Impact::Edits,
)
.makes_room();

impl Described for Clear {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent()]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["intent"]
    }
}

impl Action for Clear {
    type Clean = Vec<ElementId>;

    fn sanitise(
        &self,
        _given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let locked = |id: &ElementId| {
            ctx.draft
                .get(id)
                .is_some_and(glade_canvas::Element::is_locked)
        };
        let free = ctx
            .draft
            .live()
            .filter(|element| !element.is_locked())
            // The label of a locked shape stays with it.
            .filter(|element| !element.container_id().is_some_and(|shape| locked(&shape)))
            .map(|element| element.id.clone())
            .collect();
        Ok(Some(free))
    }

    fn apply(&self, all: &Self::Clean, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        for id in all {
            ctx.delete(id);
        }
        Ok(Shown {
            doing: "clearing the page".to_owned(),
            done: "cleared the page".to_owned(),
            place: Some(ctx.view),
            elements: all.clone(),
            ..Shown::default()
        })
    }
}
