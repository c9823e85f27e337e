//! Beginning a task: the answer ends here, and the fairy works within the task's bounds until it is done.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::agenda::{Status, Task};
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::request::{FairyCommand, Request};
use crate::shapes::short;

pub struct StartTask;

static FACTS: Facts = Facts::new(
    "start-task",
    "🚀",
    "begin one of your tasks; your answer ends here and you go on inside the task",
    On::Any,
    Work::Plan,
    Impact::Own,
)
.interrupts()
.leads(&[(Mode::Soloing, Mode::WorkingSolo)]);

impl Described for StartTask {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("taskId", json!({"type": "string"}))]
    }
}

impl Action for StartTask {
    type Clean = Task;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(id) = given.word("taskId") else {
            return Ok(None);
        };
        match ctx.agenda.task(id) {
            Some(task) if task.status == Status::Done => {
                Err(Refusal::new(format!("the task \"{id}\" is done already")))
            }
            Some(task) => Ok(Some(task.clone())),
            None => {
                let open: Vec<&str> = ctx
                    .agenda
                    .open_tasks()
                    .map(|task| task.id.as_str())
                    .collect();
                Err(Refusal::new(format!(
                    "there is no task \"{id}\"; open are: {}",
                    if open.is_empty() {
                        "none".to_owned()
                    } else {
                        open.join(", ")
                    }
                )))
            }
        }
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.agenda.set_task(&clean.id, Status::InProgress);
        ctx.agenda.current = Some(clean.id.clone());
        let message = format!("Work on the task \"{}\" now: {}", clean.title, clean.text);
        ctx.command(FairyCommand::Interrupt {
            mode: Some(Mode::WorkingSolo),
            request: Request::own(message).at(clean.bounds),
        });
        Ok(Shown {
            doing: format!("beginning {}", short(&clean.title)),
            done: format!("began {}", short(&clean.title)),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
