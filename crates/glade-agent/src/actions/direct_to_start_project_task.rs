//! Setting another fairy on a task: it stops what it does and works within the task's bounds.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::shapes::short;

/// For a project and for a duo.
pub struct DirectToStart(Facts);

pub static PROJECT: DirectToStart =
    DirectToStart(facts("direct-to-start-project-task", Work::Lead));
pub static DUO: DirectToStart = DirectToStart(facts("direct-to-start-duo-task", Work::LeadDuo));

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "👉",
        "set another member on one of the tasks; it begins at once",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for DirectToStart {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("otherFairyId", json!({"type": "string"})),
            ("taskId", json!({"type": "string"})),
        ]
    }
}

impl Action for DirectToStart {
    type Clean = (String, String);

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let (Some(fairy), Some(task)) = (given.word("otherFairyId"), given.word("taskId")) else {
            return Ok(None);
        };
        Ok(Some((fairy.to_owned(), task.to_owned())))
    }

    fn apply(
        &self,
        (fairy, task): &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(ProjectCommand::Direct {
            fairy: fairy.clone(),
            task: task.clone(),
        })?;
        let who = ctx.board().map_or(fairy.as_str(), |board| {
            board
                .member(fairy)
                .map_or(fairy, |one| board.name(&one.fairy))
        });
        let (who, job) = (short(who), ctx.board().and_then(|board| board.job(task)));
        let what = job.map_or_else(|| short(task), |job| short(&job.title));
        Ok(Shown {
            doing: format!("directing {who}"),
            done: format!("set {who} on {what}"),
            place: job.and_then(|job| job.bounds),
            ..Shown::default()
        })
    }
}
