//! Ending a task: the answer ends here, and the fairy goes back to its plan.

use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::agenda::{Status, Task};
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::request::{FairyCommand, Request};
use crate::shapes::short;

pub struct MarkTaskDone;

static FACTS: Facts = Facts::new(
    "mark-task-done",
    "✅",
    "say that the task you work on is done; your answer ends here",
    On::Any,
    Work::OwnTask,
    Impact::Own,
)
.interrupts()
.leads(&[(Mode::WorkingSolo, Mode::Soloing)]);

impl Described for MarkTaskDone {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

impl Action for MarkTaskDone {
    type Clean = Task;

    fn sanitise(
        &self,
        _given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        match ctx.agenda.current_task() {
            Some(task) => Ok(Some(task.clone())),
            None => Err(Refusal::new("you are not working on a task")),
        }
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.agenda.set_task(&clean.id, Status::Done);
        ctx.agenda.current = None;
        let left: Vec<&str> = ctx
            .agenda
            .open_tasks()
            .map(|task| task.id.as_str())
            .collect();
        let message = if left.is_empty() {
            format!(
                "The task \"{}\" is done, and so are all others. Tell the person in a sentence what you made.",
                clean.title
            )
        } else {
            format!(
                "The task \"{}\" is done. Open are: {}. Start the next one.",
                clean.title,
                left.join(", ")
            )
        };
        ctx.command(FairyCommand::Interrupt {
            mode: Some(Mode::Soloing),
            request: Request::own(message).at(clean.bounds),
        });
        Ok(Shown {
            doing: format!("finishing {}", short(&clean.title)),
            done: format!("finished {}", short(&clean.title)),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
