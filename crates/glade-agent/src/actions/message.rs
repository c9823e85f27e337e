//! Words to the person.

use serde_json::{Value, json};

use crate::action::{Action, Refusal, Shown, Words};
use crate::action_context::ActionContext;
use crate::history::Remembered;
use crate::partial_object::PartialObject;

pub struct Message;

impl Action for Message {
    type Clean = String;

    fn name(&self) -> &'static str {
        "message"
    }

    fn icon(&self) -> &'static str {
        "💬"
    }

    fn about(&self) -> &'static str {
        "say something to the person"
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
            doing: "answering".to_owned(),
            done: "answered".to_owned(),
            words: Some(Words::Text(text.clone())),
            ..Shown::default()
        })
    }

    fn remember(&self, raw: &Value) -> Option<Remembered> {
        let text = raw.get("text")?.as_str()?.to_owned();
        Some(Remembered::Message { text })
    }
}
