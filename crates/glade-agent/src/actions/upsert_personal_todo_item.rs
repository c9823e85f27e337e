//! Writing on its own todo list. While anything there is open, the fairy goes on.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::agenda::Status;
use crate::facts::{Facts, Impact, On, Remember, Work};
use crate::partial_object::PartialObject;
use crate::shapes::short;

pub struct UpsertPersonalTodoItem;

/// No list is longer.
const MOST: usize = 50;

pub struct Item {
    id: String,
    status: Status,
    text: Option<String>,
}

static FACTS: Facts = Facts::new(
    "upsert-personal-todo-item",
    "☑️",
    "add an item to your own todo list, or change one; you go on until all are done",
    On::Any,
    Work::KeepTodos,
    Impact::Own,
)
.remembered(Remember::No);

impl Described for UpsertPersonalTodoItem {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("id", json!({"type": "string"})),
            ("status", json!({"type": "string", "enum": Status::NAMES})),
            ("text", json!({"type": "string"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["text"]
    }
}

impl Action for UpsertPersonalTodoItem {
    type Clean = Item;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let (Some(id), Some(status)) = (given.word("id"), given.word("status")) else {
            return Ok(None);
        };
        let Some(status) = Status::parse(status) else {
            return Err(Refusal::new(format!(
                "there is no status \"{status}\"; there are: {}",
                Status::NAMES.join(", ")
            )));
        };
        let text = given.word("text").map(str::to_owned);
        let known = ctx.agenda.todos.iter().any(|todo| todo.id == id);
        if !known && text.is_none() {
            return Err(Refusal::new(format!(
                "there is no todo item \"{id}\" yet, and a new one needs a text"
            )));
        }
        if !known && ctx.agenda.todos.len() >= MOST {
            return Err(Refusal::new(format!(
                "the todo list has {MOST} items already: finish or delete some"
            )));
        }
        Ok(Some(Item {
            id: id.to_owned(),
            status,
            text,
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.agenda
            .upsert_todo(&clean.id, clean.status, clean.text.clone());
        let text = ctx
            .agenda
            .todos
            .iter()
            .find(|todo| todo.id == clean.id)
            .map_or_else(String::new, |todo| short(&todo.text));
        let done = match clean.status {
            Status::Todo => format!("to do: {text}"),
            Status::InProgress => format!("began: {text}"),
            Status::Done => format!("finished: {text}"),
        };
        Ok(Shown {
            doing: "writing a todo".to_owned(),
            done,
            ..Shown::default()
        })
    }
}
