//! Words to the person.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown, Words};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Shows, Work};
use crate::partial_object::PartialObject;

pub struct Message;

static FACTS: Facts = Facts::new(
    "message",
    "💬",
    "say something to the person",
    On::Any,
    Work::Speak,
    Impact::Own,
)
.live()
.shows(Shows::Words);

impl Described for Message {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("text", json!({"type": "string"}))]
    }
}

impl Action for Message {
    type Clean = String;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<String>, Refusal> {
        Ok(given.growing("text").filter(|text| !text.is_empty()))
    }

    fn apply(&self, text: &String, _ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        Ok(Shown {
            doing: "answering".to_owned(),
            done: "answered".to_owned(),
            words: Some(Words::Text(text.clone())),
            ..Shown::default()
        })
    }
}
