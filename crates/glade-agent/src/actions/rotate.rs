//! Turning shapes about a point, each as soon as it is named. An origin of 0 is an origin.

use glade_canvas::{Point, layout};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{intent, origin, shape_ids};
use crate::together::arranged;

pub struct Rotate;

pub struct Turn {
    ids: Vec<ElementId>,
    degrees: f64,
    origin: Point,
}

static FACTS: Facts = Facts::new(
    "rotate",
    "🔄",
    "turn shapes clockwise about a point (their common middle if none is given)",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
.live();

impl Described for Rotate {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("degrees", json!({"type": "number"})),
            ("originX", json!({"type": "number"})),
            ("originY", json!({"type": "number"})),
            shape_ids(),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["originX", "originY"]
    }
}

impl Action for Rotate {
    type Clean = Turn;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let numbers = ["degrees", "originX", "originY"].map(|key| given.coordinate(key));
        let ids = given.ids("shapeIds");
        if !given.is_complete() && (ids.is_empty() || numbers.contains(&None)) {
            return Ok(None);
        }
        let [Some(degrees), x, y] = numbers else {
            return Ok(None);
        };
        let ids = ctx.editable_all(&ids)?;
        let origin = origin(ctx, &ids, x, y);
        Ok(Some(Turn {
            ids,
            degrees,
            origin,
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let scene = ctx.original(&clean.ids);
        let edits = layout::rotate(&scene, &clean.ids, clean.degrees, clean.origin);
        Ok(arranged(ctx, &scene, &clean.ids, edits, |name| {
            (
                format!("turning {name}"),
                format!("turned {name} by {}°", clean.degrees),
            )
        }))
    }
}
