//! Stacking shapes one after the other with the same gap; the first stays.

use glade_canvas::layout::{self, Direction};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::{MAX_SIZE, PartialObject};
use crate::shapes::{direction, intent, read_direction, shape_ids};
use crate::together::arranged;

/// The gap when none is given.
const GAP: f64 = 40.0;

pub struct Stack;

pub struct Arranged {
    ids: Vec<ElementId>,
    direction: Direction,
    gap: f64,
}

static FACTS: Facts = Facts::new(
    "stack",
    "🗂️",
    "put shapes one after the other, horizontally or vertically, with a gap between them",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Stack {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            shape_ids(),
            direction(),
            ("gap", json!({"type": "number"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["gap"]
    }
}

impl Action for Stack {
    type Clean = Arranged;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(direction) = read_direction(given)? else {
            return Ok(None);
        };
        let gap = given
            .coordinate("gap")
            .unwrap_or(GAP)
            .clamp(-MAX_SIZE, MAX_SIZE);
        let ids = ctx.editable_all(&given.ids("shapeIds"))?;
        Ok(Some(Arranged {
            ids,
            direction,
            gap,
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let scene = ctx.original(&clean.ids);
        let edits = layout::stack(&scene, &clean.ids, clean.direction, clean.gap);
        Ok(arranged(ctx, &scene, &clean.ids, edits, |name| {
            (format!("stacking {name}"), format!("stacked {name}"))
        }))
    }
}
