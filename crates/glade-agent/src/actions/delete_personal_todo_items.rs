//! Taking items off its own todo list.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Remember, Work};
use crate::partial_object::PartialObject;

pub struct DeletePersonalTodoItems;

static FACTS: Facts = Facts::new(
    "delete-personal-todo-items",
    "🧽",
    "take items off your own todo list that need not be done any more",
    On::Any,
    Work::KeepTodos,
    Impact::Own,
)
.remembered(Remember::No);

impl Described for DeletePersonalTodoItems {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("ids", json!({"type": "array", "items": {"type": "string"}}))]
    }
}

impl Action for DeletePersonalTodoItems {
    type Clean = Vec<String>;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let ids: Vec<String> = given.ids("ids").into_iter().map(str::to_owned).collect();
        Ok((!ids.is_empty()).then_some(ids))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let before = ctx.agenda.todos.len();
        ctx.agenda.todos.retain(|todo| !clean.contains(&todo.id));
        let gone = before - ctx.agenda.todos.len();
        Ok(Shown {
            doing: "tidying its todos".to_owned(),
            done: format!("took {gone} off its todos"),
            ..Shown::default()
        })
    }
}
