//! Writing on a shape: a new label, or the words of the one it has.

use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::shapes::{call, intent, short, write_on};

pub struct Label;

pub struct NewWords {
    id: ElementId,
    text: String,
}

impl Action for Label {
    type Clean = NewWords;

    fn name(&self) -> &'static str {
        "label"
    }

    fn icon(&self) -> &'static str {
        "🏷️"
    }

    fn about(&self) -> &'static str {
        "change the text of a shape; an empty text removes it"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            intent(),
            ("shapeId", json!({"type": "string"})),
            ("text", json!({"type": "string"})),
        ]
    }

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
