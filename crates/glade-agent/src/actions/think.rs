//! A thought: words to itself, which people may read.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown, Words};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Shows, Work};
use crate::partial_object::PartialObject;

pub struct Think;

static FACTS: Facts = Facts::new(
    "think",
    "💭",
    "think before doing something hard",
    On::Any,
    Work::Think,
    Impact::Own,
)
.live()
.shows(Shows::Thought);

impl Described for Think {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("text", json!({"type": "string"}))]
    }
}

impl Action for Think {
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
            doing: "thinking".to_owned(),
            done: "thought".to_owned(),
            words: Some(Words::Thought(text.clone())),
            ..Shown::default()
        })
    }
}
