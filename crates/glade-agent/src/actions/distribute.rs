//! Spreading shapes evenly; the first and the last stay.

use glade_canvas::layout::{self, Direction};
use glade_doc::ElementId;
use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{direction, intent, read_direction, shape_ids};
use crate::together::arranged;

pub struct Distribute;

pub struct Arranged {
    ids: Vec<ElementId>,
    direction: Direction,
}

static FACTS: Facts = Facts::new(
    "distribute",
    "↔️",
    "spread three or more shapes evenly between the first and the last",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Distribute {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), shape_ids(), direction()]
    }
}

impl Action for Distribute {
    type Clean = Arranged;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(direction) = read_direction(given)? else {
            return Ok(None);
        };
        let ids = ctx.editable_all(&given.ids("shapeIds"))?;
        Ok(Some(Arranged { ids, direction }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let scene = ctx.original(&clean.ids);
        let edits = layout::distribute(&scene, &clean.ids, clean.direction);
        Ok(arranged(ctx, &scene, &clean.ids, edits, |name| {
            (format!("spreading {name}"), format!("spread {name} evenly"))
        }))
    }
}
