//! Waiting until others have done their tasks: the answer ends here, and each task that is done wakes.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;

/// For a project and for a duo.
pub struct AwaitTasks(Facts);

pub static PROJECT: AwaitTasks = AwaitTasks(
    facts("await-tasks-completion", Work::Lead)
        .leads(&[(Mode::OrchestratingActive, Mode::OrchestratingWaiting)]),
);
pub static DUO: AwaitTasks = AwaitTasks(
    facts("await-duo-tasks-completion", Work::LeadDuo)
        .leads(&[(Mode::DuoOrchestratingActive, Mode::DuoOrchestratingWaiting)]),
);

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "⏳",
        "wait for tasks under way; your answer ends here, and you are woken as each is done",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for AwaitTasks {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![(
            "taskIds",
            json!({"type": "array", "items": {"type": "string"}}),
        )]
    }
}

impl Action for AwaitTasks {
    type Clean = Vec<String>;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let ids = given.ids("taskIds");
        Ok(Some(ids.into_iter().map(str::to_owned).collect()))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let tasks = clean.clone();
        ctx.act(ProjectCommand::Await { tasks })?;
        ctx.rest_and_wait();
        let count = clean.len();
        let many = if count == 1 { "a task" } else { "tasks" };
        Ok(Shown {
            doing: format!("waiting for {many}"),
            done: format!("waits for {many}"),
            ..Shown::default()
        })
    }
}
