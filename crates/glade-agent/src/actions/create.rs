//! Drawing a new shape. It appears as soon as its place is known, and its words grow in it.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::new_shape::NewShape;
use crate::partial_object::PartialObject;
use crate::shape_schema::schemas;
use crate::shapes::{a_kind, intent, short};

pub struct Create;

static FACTS: Facts = Facts::new(
    "create",
    "✏️",
    "draw a new shape: a geometric shape, a note (sticky note), a text, an arrow, a line or a frame",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
.live()
.once();

impl Described for Create {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![intent(), ("shape", json!({"anyOf": schemas()}))]
    }
}

impl Action for Create {
    type Clean = NewShape;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<NewShape>, Refusal> {
        match given.child("shape") {
            Some(shape) => NewShape::read(shape, ctx),
            None => Ok(None),
        }
    }

    fn apply(&self, shape: &NewShape, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let place = shape.bounds(ctx);
        let elements = shape.draw(ctx);
        let name = match shape.text().map(short).filter(|text| !text.is_empty()) {
            Some(text) => text,
            None => a_kind(shape.kind()),
        };
        Ok(Shown {
            doing: format!("drawing {name}"),
            done: format!("drew {name}"),
            place,
            elements,
            adjusted: shape.adjusted(),
            asked: shape.asked(),
            ..Shown::default()
        })
    }
}
