//! Writing on a shape: a new label, or the words of the one it has.

use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{call, intent, short, write_on};

pub struct Label;

/// The words of each shape.
pub struct NewWords(Vec<(ElementId, String)>);

static FACTS: Facts = Facts::new(
    "label",
    "🏷️",
    "change the text of a shape, or of several with labels; an empty text removes it",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Label {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let one = json!({
            "type": "object",
            "required": ["shapeId", "text"],
            "properties": {"shapeId": {"type": "string"}, "text": {"type": "string"}},
            "additionalProperties": false,
        });
        vec![
            intent(),
            ("shapeId", json!({"type": "string"})),
            ("text", json!({"type": "string"})),
            ("labels", json!({"type": "array", "items": one})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["shapeId", "text", "labels"]
    }
}

impl Action for Label {
    type Clean = NewWords;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<NewWords>, Refusal> {
        let several = given.children("labels");
        if several.is_empty() {
            let id = ctx.editable(given.id("shapeId"))?;
            let text = given.growing("text");
            return Ok(text.map(|text| NewWords(vec![(id, text)])));
        }
        let mut words = Vec::new();
        let mut problem = None;
        for one in several {
            match (ctx.editable(one.id("shapeId")), one.growing("text")) {
                (Ok(id), Some(text)) => words.push((id, text)),
                (Ok(_), None) => {}
                (Err(refusal), _) => problem = problem.or(Some(refusal)),
            }
        }
        match problem {
            Some(refusal) if words.is_empty() => Err(refusal),
            _ => Ok(Some(NewWords(words))),
        }
    }

    fn apply(&self, new: &NewWords, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let [(id, text)] = new.0.as_slice() else {
            return several(&new.0, ctx);
        };
        let before = call(ctx.draft, id);
        let place = ctx.draft.bounds(id);
        let mut elements = vec![id.clone()];
        elements.extend(write_on(ctx, id, text)?);
        Ok(Shown {
            doing: format!("labelling {before}"),
            done: format!("labelled {before} \"{}\"", short(text)),
            place,
            elements,
            ..Shown::default()
        })
    }
}

/// Writes on each; what cannot be written on is told, the others stand.
fn several(
    words: &[(ElementId, String)],
    ctx: &mut ActionContext<'_, '_>,
) -> Result<Shown, Refusal> {
    let mut shown = Shown::default();
    for (id, text) in words {
        let name = call(ctx.draft, id);
        shown.place = shown.place.or(ctx.draft.bounds(id));
        match write_on(ctx, id, text) {
            Ok(label) => {
                shown.elements.push(id.clone());
                shown.elements.extend(label);
            }
            Err(refusal) if shown.elements.is_empty() && words.len() == 1 => return Err(refusal),
            Err(refusal) => shown.adjusted.push(format!("not {name}: {refusal}")),
        }
    }
    shown.doing = format!("labelling {} shapes", words.len());
    shown.done = format!("labelled {} shapes", words.len() - shown.adjusted.len());
    Ok(shown)
}
