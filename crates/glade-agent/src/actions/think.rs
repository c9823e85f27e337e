//! A thought: words to itself, which people may read.

use serde_json::{Value, json};

use crate::action::{Action, Refusal, Shown, Words};
use crate::action_context::ActionContext;
use crate::history::Remembered;
use crate::partial_object::PartialObject;

pub struct Think;

impl Action for Think {
    type Clean = String;

    fn name(&self) -> &'static str {
        "think"
    }

    fn icon(&self) -> &'static str {
        "💭"
    }

    fn about(&self) -> &'static str {
        "think before doing something hard"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("text", json!({"type": "string"}))]
    }

    fn live(&self) -> bool {
        true
    }

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

    fn remember(&self, raw: &Value) -> Option<Remembered> {
        let text = raw.get("text")?.as_str()?.to_owned();
        Some(Remembered::Thought { text })
    }
}
