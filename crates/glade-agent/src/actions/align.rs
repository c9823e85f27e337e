//! Lining shapes up by one side or their middles.

use glade_canvas::layout::{self, Alignment};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{intent, shape_ids};
use crate::together::arranged;

const NAMES: [&str; 6] = [
    "top",
    "bottom",
    "left",
    "right",
    "center-horizontal",
    "center-vertical",
];

pub struct Align;

pub struct Arranged {
    ids: Vec<ElementId>,
    alignment: Alignment,
}

static FACTS: Facts = Facts::new(
    "align",
    "📏",
    "line shapes up: by a side (top, bottom, left, right), one above the other (center-horizontal: the same middle x) or side by side (center-vertical: the same middle y)",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Align {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            shape_ids(),
            ("alignment", json!({"type": "string", "enum": NAMES})),
        ]
    }
}

impl Action for Align {
    type Clean = Arranged;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let alignment = match given.word("alignment") {
            Some("top") => Alignment::Top,
            Some("bottom") => Alignment::Bottom,
            Some("left") => Alignment::Left,
            Some("right") => Alignment::Right,
            Some("center-horizontal") => Alignment::CenterHorizontal,
            Some("center-vertical") => Alignment::CenterVertical,
            Some(other) => {
                return Err(Refusal::new(format!(
                    "there is no alignment \"{other}\"; there are: {}",
                    NAMES.join(", ")
                )));
            }
            None => return Ok(None),
        };
        let ids = ctx.editable_all(&given.ids("shapeIds"))?;
        Ok(Some(Arranged { ids, alignment }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let scene = ctx.original(&clean.ids);
        let edits = layout::align(&scene, &clean.ids, clean.alignment);
        Ok(arranged(ctx, &scene, &clean.ids, edits, |name| {
            (format!("lining up {name}"), format!("lined up {name}"))
        }))
    }
}
