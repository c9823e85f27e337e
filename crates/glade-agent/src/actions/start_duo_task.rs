//! The leader of a duo begins a task of its own: the answer ends here, and it works within the task's
//! bounds until it is done.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::request::{FairyCommand, Request};
use crate::shapes::short;

pub struct StartDuoTask;

static FACTS: Facts = Facts::new(
    "start-duo-task",
    "🚀",
    "begin one of your own tasks; your answer ends here and you go on inside the task",
    On::Any,
    Work::LeadDuo,
    Impact::Own,
)
.interrupts()
.leads(&[(Mode::DuoOrchestratingActive, Mode::WorkingOrchestrator)]);

impl Described for StartDuoTask {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("taskId", json!({"type": "string"}))]
    }
}

impl Action for StartDuoTask {
    type Clean = String;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        Ok(given.word("taskId").map(str::to_owned))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let task = clean.clone();
        ctx.act(ProjectCommand::StartOwn { task })?;
        let Some(job) = ctx.board().and_then(|board| board.job(clean)).cloned() else {
            return Err(Refusal::new("the task is gone"));
        };
        let request = Request {
            // Another fairy gives the words of a task, even where that is oneself.
            source: crate::event::Source::OtherAgent,
            bounds: job.bounds,
            ..Request::own(job.text)
        };
        ctx.command(FairyCommand::Interrupt {
            mode: Some(Mode::WorkingOrchestrator),
            request,
        });
        Ok(Shown {
            doing: format!("beginning {}", short(&job.title)),
            done: format!("began {}", short(&job.title)),
            place: job.bounds,
            ..Shown::default()
        })
    }
}
