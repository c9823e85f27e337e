//! Planning a task of its own, with its place on the page.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::agenda::{Status, Task};
use crate::budget::noted;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{area, read_area, short};

pub struct CreateTask;

/// No plan is longer.
const MOST: usize = 50;

static FACTS: Facts = Facts::new(
    "create-task",
    "📋",
    "plan a task: what to do, and the area of the page where it is done",
    On::Any,
    Work::Plan,
    Impact::Own,
);

impl Described for CreateTask {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            ("taskId", json!({"type": "string"})),
            ("title", json!({"type": "string"})),
            (
                "text",
                json!({"type": "string", "description": "what to do, in full"}),
            ),
        ];
        fields.extend(area());
        fields
    }
}

impl Action for CreateTask {
    type Clean = Task;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let (Some(id), Some(title)) = (given.word("taskId"), given.word("title")) else {
            return Ok(None);
        };
        let Some(bounds) = read_area(given, ctx) else {
            return Ok(None);
        };
        if ctx.agenda.task(id).is_some() {
            return Err(Refusal::new(format!("there is a task \"{id}\" already")));
        }
        if ctx.agenda.open_tasks().count() >= MOST {
            return Err(Refusal::new(format!(
                "there are {MOST} open tasks already: do them first"
            )));
        }
        Ok(Some(Task {
            id: id.to_owned(),
            title: noted(title.to_owned()),
            text: noted(given.word("text").unwrap_or(title).to_owned()),
            status: Status::Todo,
            bounds,
            run: None,
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.agenda.tasks.push(clean.clone());
        Ok(Shown {
            doing: "planning".to_owned(),
            done: format!("planned: {}", short(&clean.title)),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
