//! A member has done its task: the answer ends here. A drone stands by, the leader of a duo goes back
//! to leading, and whoever waits for the task wakes.

use serde_json::Value;

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::{Job, ProjectCommand};
use crate::request::{FairyCommand, Request};
use crate::shapes::short;

/// For a drone and for the leader of a duo.
pub struct MarkMyTaskDone(&'static str);

pub static DRONE: MarkMyTaskDone = MarkMyTaskDone("mark-my-task-done");
pub static DUO: MarkMyTaskDone = MarkMyTaskDone("mark-duo-task-done");

impl Action for MarkMyTaskDone {
    type Clean = Job;

    fn name(&self) -> &'static str {
        self.0
    }

    fn icon(&self) -> &'static str {
        "✅"
    }

    fn about(&self) -> &'static str {
        "say that the task you work on is done; your answer ends here"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    fn interrupts(&self) -> bool {
        true
    }

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
