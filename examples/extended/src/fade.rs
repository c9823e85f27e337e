//! An action of a canvas.

// docs: action
use glade_agent::action::{Action, Described, Refusal, Shown};
use glade_agent::action_context::ActionContext;
use glade_agent::facts::{Facts, Impact, On, Work};
use glade_agent::partial_object::PartialObject;
use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

/// Fades shapes that are of the past.
pub struct Fade;

static FACTS: Facts = Facts::new(
    "fade",
    "🌫️",
    "fade shapes that no longer matter: opacity from 10 (nearly gone) to 100",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
// Each shape fades as soon as it is named.
.live();

impl Described for Fade {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("opacity", json!({"type": "number"})),
            (
                "shapeIds",
                json!({"type": "array", "items": {"type": "string"}}),
            ),
        ]
    }
}

/// What sanitising leaves: real elements, and a number that can be trusted.
pub struct Faded {
    ids: Vec<ElementId>,
    opacity: f64,
}

impl Action for Fade {
    type Clean = Faded;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Faded>, Refusal> {
        let (Some(opacity), ids) = (given.number("opacity"), given.ids("shapeIds")) else {
            return Ok(None);
        };
        if ids.is_empty() && !given.is_complete() {
            return Ok(None); // the rest is still to come
        }
        Ok(Some(Faded {
            ids: ctx.editable_all(&ids)?,
            opacity: opacity.clamp(10.0, 100.0),
        }))
    }

    fn apply(&self, faded: &Faded, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        for id in &faded.ids {
            let props = Props::from_iter([("opacity".to_owned(), json!(faded.opacity))]);
            ctx.put(id, props);
        }
        Ok(Shown {
            doing: "fading".to_owned(),
            done: format!("faded {} shapes", faded.ids.len()),
            elements: faded.ids.clone(),
            ..Shown::default()
        })
    }
}
// docs: end
