//! Writing on a shape: a new label, or the words of the one it has.

use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{call, intent, short, write_on};

pub struct Label;

pub struct NewWords {
    id: ElementId,
    text: String,
}

static FACTS: Facts = Facts::new(
    "label",
    "🏷️",
    "change the text of a shape; an empty text removes it",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Label {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("shapeId", json!({"type": "string"})),
            ("text", json!({"type": "string"})),
        ]
    }
}

impl Action for Label {
    type Clean = NewWords;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<NewWords>, Refusal> {
        let id = ctx.editable(given.id("shapeId"))?;
        Ok(given.growing("text").map(|text| NewWords { id, text }))
    }

    fn apply(&self, new: &NewWords, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let before = call(ctx.draft, &new.id);
        let place = ctx.draft.bounds(&new.id);
        let mut elements = vec![new.id.clone()];
        elements.extend(write_on(ctx, &new.id, &new.text)?);
        Ok(Shown {
            doing: format!("labelling {before}"),
            done: format!("labelled {before} \"{}\"", short(&new.text)),
            place,
            elements,
            ..Shown::default()
        })
    }
}
