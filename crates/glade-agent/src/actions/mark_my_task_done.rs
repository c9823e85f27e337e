//! A member has done its task: the answer ends here. A drone stands by, the leader of a duo goes back
//! to leading, and whoever waits for the task wakes.

use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::{Job, ProjectCommand};
use crate::request::{FairyCommand, Request};
use crate::shapes::short;

/// For a drone and for the leader of a duo.
pub struct MarkMyTaskDone(Facts);

pub static DRONE: MarkMyTaskDone = MarkMyTaskDone(
    facts("mark-my-task-done", Work::ProjectTask).leads(&[(Mode::WorkingDrone, Mode::StandingBy)]),
);
pub static DUO: MarkMyTaskDone = MarkMyTaskDone(
    facts("mark-duo-task-done", Work::DuoTask)
        .leads(&[(Mode::WorkingOrchestrator, Mode::DuoOrchestratingActive)]),
);

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "✅",
        "say that the task you work on is done; your answer ends here",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for MarkMyTaskDone {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

impl Action for MarkMyTaskDone {
    type Clean = Job;

    fn sanitise(
        &self,
        _given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let job = ctx.board().and_then(|board| board.job_of(ctx.fairy));
        match job {
            Some(job) => Ok(Some(job.clone())),
            None => Err(Refusal::new("you are not working on a task")),
        }
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(ProjectCommand::MarkDone)?;
        let title = &clean.title;
        if ctx.mode == Mode::WorkingOrchestrator {
            let left = ctx.board().and_then(|board| board.nudge(ctx.fairy));
            let message = format!(
                "Your task \"{title}\" is done. {}",
                left.unwrap_or_default()
            );
            let request = Request {
                bounds: clean.bounds,
                ..Request::own(message)
            };
            ctx.command(FairyCommand::Interrupt {
                mode: Some(Mode::DuoOrchestratingActive),
                request,
            });
        } else {
            ctx.command(FairyCommand::Rest(Mode::StandingBy));
        }
        Ok(Shown {
            doing: format!("finishing {}", short(title)),
            done: format!("finished {}", short(title)),
            place: clean.bounds,
            ..Shown::default()
        })
    }
}
