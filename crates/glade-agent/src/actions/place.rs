//! Putting a shape beside another.

use glade_canvas::layout::{self, AlignTo, Side};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{call, follows, intent};

pub struct Place;

pub struct Beside {
    id: ElementId,
    reference: ElementId,
    side: (Side, f64),
    along: (AlignTo, f64),
}

static FACTS: Facts = Facts::new(
    "place",
    "📍",
    "put a shape beside another: on which side, how far away, and how the two line up",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Place {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("shapeId", json!({"type": "string"})),
            ("referenceShapeId", json!({"type": "string"})),
            (
                "side",
                json!({"type": "string", "enum": ["top", "bottom", "left", "right"]}),
            ),
            ("sideOffset", json!({"type": "number"})),
            (
                "align",
                json!({"type": "string", "enum": ["start", "center", "end"]}),
            ),
            ("alignOffset", json!({"type": "number"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["sideOffset", "align", "alignOffset"]
    }
}

impl Action for Place {
    type Clean = Beside;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Beside>, Refusal> {
        let id = ctx.editable(given.id("shapeId"))?;
        let Some(name) = given.id("referenceShapeId") else {
            return Ok(None);
        };
        let Some(reference) = ctx.resolve(name) else {
            return Err(Refusal::new(format!(
                "there is no shape with the id \"{name}\" on the page"
            )));
        };
        if reference == id {
            return Err(Refusal::new("a shape cannot be placed beside itself"));
        }
        if ctx.draft.get(&id).is_some_and(follows) {
            return Err(Refusal::new(
                "an arrow that is bound to shapes follows them: place the shapes instead",
            ));
        }
        let side = match given.word("side") {
            Some("top") => Side::Top,
            Some("bottom") => Side::Bottom,
            Some("left") => Side::Left,
            Some("right") => Side::Right,
            _ => return Ok(None),
        };
        let along = match given.word("align") {
            Some("start") => AlignTo::Start,
            Some("end") => AlignTo::End,
            _ => AlignTo::Center,
        };
        let offset = |key: &str| given.coordinate(key).unwrap_or(0.0);
        Ok(Some(Beside {
            id,
            reference,
            side: (side, offset("sideOffset")),
            along: (along, offset("alignOffset")),
        }))
    }

    fn apply(&self, clean: &Beside, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let Beside {
            id,
            reference,
            side: (side, side_offset),
            along: (along, align_offset),
        } = clean;
        let (name, other) = (call(ctx.draft, id), call(ctx.draft, reference));
        let scene = ctx.original([id, reference]);
        ctx.put_all(layout::place(
            &scene,
            id,
            reference,
            *side,
            *side_offset,
            *along,
            *align_offset,
        ));
        Ok(Shown {
            doing: format!("placing {name} beside {other}"),
            done: format!("placed {name} beside {other}"),
            place: ctx.draft.bounds(reference),
            elements: vec![id.clone()],
            ..Shown::default()
        })
    }
}
