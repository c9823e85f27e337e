//! Scaling shapes from a point, each as soon as it is named. An origin of 0 is an origin.

use glade_canvas::{Point, layout};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{intent, origin, shape_ids};
use crate::together::arranged;

pub struct Resize;

pub struct Scale {
    ids: Vec<ElementId>,
    x: f64,
    y: f64,
    origin: Point,
}

/// No shape is made smaller or larger than this at once.
const LIMITS: (f64, f64) = (0.01, 100.0);

static FACTS: Facts = Facts::new(
    "resize",
    "📐",
    "scale shapes from a point (their common middle if none is given)",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
.live();

impl Described for Resize {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("scaleX", json!({"type": "number"})),
            ("scaleY", json!({"type": "number"})),
            ("originX", json!({"type": "number"})),
            ("originY", json!({"type": "number"})),
            shape_ids(),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["scaleY", "originX", "originY"]
    }
}

impl Action for Resize {
    type Clean = Scale;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let numbers = ["scaleX", "scaleY", "originX", "originY"].map(|key| given.coordinate(key));
        let ids = given.ids("shapeIds");
        if !given.is_complete() && (ids.is_empty() || numbers.contains(&None)) {
            return Ok(None);
        }
        let (x, y) = match numbers {
            [Some(x), Some(y), ..] => (x, y),
            [Some(one), None, ..] | [None, Some(one), ..] => (one, one),
            _ => return Ok(None),
        };
        if x == 0.0 || y == 0.0 {
            return Err(Refusal::new(
                "a scale of 0 would leave nothing of the shapes",
            ));
        }
        let ids = ctx.editable_all(&ids)?;
        let [_, _, origin_x, origin_y] = numbers;
        let origin = origin(ctx, &ids, origin_x, origin_y);
        let clamp = |scale: f64| scale.abs().clamp(LIMITS.0, LIMITS.1).copysign(scale);
        Ok(Some(Scale {
            ids,
            x: clamp(x),
            y: clamp(y),
            origin,
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let scene = ctx.original(&clean.ids);
        let edits = layout::resize(&scene, &clean.ids, clean.x, clean.y, clean.origin);
        Ok(arranged(ctx, &scene, &clean.ids, edits, |name| {
            (format!("resizing {name}"), format!("resized {name}"))
        }))
    }
}
