//! Moving a shape. Its label and the arrows bound to it follow, and what is in a frame goes with it.

use glade_canvas::layout::{self, Anchor};
use glade_canvas::{Point, Rect};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::coords::Field;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{ANCHORS, anchor, call, follows, intent};

pub struct Move;

pub struct MoveTo {
    id: ElementId,
    /// Where its bounds' top left corner goes.
    corner: Point,
    from: Rect,
}

static FACTS: Facts = Facts::new(
    "move",
    "↔️",
    "move a shape so that its anchor point is at x, y",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Move {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("shapeId", json!({"type": "string"})),
            ("x", json!({"type": "number"})),
            ("y", json!({"type": "number"})),
            ("anchor", json!({"type": "string", "enum": ANCHORS})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["anchor"]
    }
}

impl Action for Move {
    type Clean = MoveTo;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<MoveTo>, Refusal> {
        let id = ctx.editable(given.id("shapeId"))?;
        let (Some(x), Some(y)) = (given.coordinate("x"), given.coordinate("y")) else {
            return Ok(None);
        };
        let Some(from) = ctx.draft.bounds(&id) else {
            return Ok(None);
        };
        if ctx.draft.get(&id).is_some_and(follows) {
            return Err(Refusal::new(
                "an arrow that is bound to shapes follows them: move the shapes instead",
            ));
        }
        let anchor = anchor(given.word("anchor"));
        let corner = if anchor == Anchor::TOP_LEFT {
            Point::new(
                ctx.coords.exact(&id, Field::Left, x),
                ctx.coords.exact(&id, Field::Top, y),
            )
        } else {
            let Point { x, y } = ctx.to_page(x, y);
            Point::new(x - anchor.x * from.w, y - anchor.y * from.h)
        };
        Ok(Some(MoveTo { id, corner, from }))
    }

    fn apply(&self, to: &MoveTo, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let name = call(ctx.draft, &to.id);
        let scene = ctx.original([&to.id]);
        let edits = layout::move_to(&scene, &to.id, to.corner, Anchor::TOP_LEFT);
        ctx.put_all(edits);
        Ok(Shown {
            doing: format!("moving {name}"),
            done: format!("moved {name}"),
            place: Some(Rect::new(to.corner.x, to.corner.y, to.from.w, to.from.h)),
            elements: vec![to.id.clone()],
            ..Shown::default()
        })
    }
}
