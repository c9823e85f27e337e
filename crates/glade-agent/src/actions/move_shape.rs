//! Moving shapes. Their labels and the arrows bound to them follow, and what is in a frame goes with it.

use glade_canvas::layout::{self, Anchor};
use glade_canvas::{Point, Rect};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::coords::Field;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{ANCHORS, anchor, follows, intent, shape_ids};
use crate::together::{around, arranged, one_or_several};

pub struct Move;

pub struct MoveTo {
    ids: Vec<ElementId>,
    way: Way,
}

enum Way {
    /// The anchor of the box around all of them comes to lie here.
    To(Point, Anchor),
    By(f64, f64),
}

static FACTS: Facts = Facts::new(
    "move",
    "↔️",
    "move a shape, or several together, so that the anchor of the box around them is at x, y; or by dx and dy",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Move {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let number = || json!({"type": "number"});
        vec![
            intent(),
            ("shapeId", json!({"type": "string"})),
            shape_ids(),
            ("x", number()),
            ("y", number()),
            ("anchor", json!({"type": "string", "enum": ANCHORS})),
            ("dx", number()),
            ("dy", number()),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["shapeId", "shapeIds", "x", "y", "anchor", "dx", "dy"]
    }
}

impl Action for Move {
    type Clean = MoveTo;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<MoveTo>, Refusal> {
        let ids = one_or_several(given, ctx)?;
        let tied = |id: &&ElementId| ctx.draft.get(id).is_some_and(follows);
        if ids.iter().all(|id| tied(&id)) {
            return Err(Refusal::new(
                "an arrow that is bound to shapes follows them: move the shapes instead",
            ));
        }
        let (dx, dy) = (given.number("dx"), given.number("dy"));
        let way = match (given.coordinate("x"), given.coordinate("y")) {
            _ if dx.is_some() || dy.is_some() => Way::By(dx.unwrap_or(0.0), dy.unwrap_or(0.0)),
            (Some(x), Some(y)) => {
                let anchor = anchor(given.word("anchor"));
                let exact = (anchor == Anchor::TOP_LEFT).then_some(ids.as_slice());
                let to = match exact {
                    Some([id]) => Point::new(
                        ctx.coords.exact(id, Field::Left, x),
                        ctx.coords.exact(id, Field::Top, y),
                    ),
                    _ => ctx.to_page(x, y),
                };
                Way::To(to, anchor)
            }
            _ => return Ok(None),
        };
        Ok(Some(MoveTo { ids, way }))
    }

    fn apply(&self, to: &MoveTo, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let scene = ctx.original(&to.ids);
        let edits = match to.way {
            Way::To(point, anchor) => layout::move_together(&scene, &to.ids, point, anchor),
            Way::By(dx, dy) => layout::move_by(&scene, &to.ids, (dx, dy)),
        };
        let from = around(&scene, &to.ids);
        let place = from.map(|from| match to.way {
            Way::To(point, anchor) => Rect::new(
                point.x - anchor.x * from.w,
                point.y - anchor.y * from.h,
                from.w,
                from.h,
            ),
            Way::By(dx, dy) => from.translate(dx, dy),
        });
        let mut shown = arranged(ctx, &scene, &to.ids, edits, |name| {
            (format!("moving {name}"), format!("moved {name}"))
        });
        shown.place = place;
        Ok(shown)
    }
}
