//! Taking on something from the list of the page that nobody has taken yet. The fairy goes on until
//! it is done, as with its own todos.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::agenda::Status;
use crate::event::OpenItem;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::request::FairyCommand;
use crate::shapes::short;

pub struct ClaimTodoItem;

static FACTS: Facts = Facts::new(
    "claim-todo-item",
    "🙋",
    "take on an item of the page's list that nobody has taken; it joins your own todo list, where you mark it as done",
    On::Any,
    Work::Answer,
    Impact::Own,
);

impl Described for ClaimTodoItem {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("id", json!({"type": "string"}))]
    }
}

impl Action for ClaimTodoItem {
    type Clean = OpenItem;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(id) = given.word("id") else {
            return Ok(None);
        };
        let open = ctx.draft.open_items();
        if let Some(item) = open.iter().find(|item| item.id == id) {
            return Ok(Some(item.clone()));
        }
        let ids: Vec<&str> = open.iter().map(|item| item.id.as_str()).collect();
        Err(Refusal::new(if ids.is_empty() {
            "there is nothing on the page's list that nobody has taken".to_owned()
        } else {
            format!(
                "there is no item \"{id}\" that nobody has taken; there are: {}",
                ids.join(", ")
            )
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.agenda
            .upsert_todo(&clean.id, Status::InProgress, Some(clean.text.clone()));
        ctx.command(FairyCommand::Claim(clean.id.clone()));
        Ok(Shown {
            doing: "taking something on".to_owned(),
            done: format!("took on {}", short(&clean.text)),
            ..Shown::default()
        })
    }
}
