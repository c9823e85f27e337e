//! Taking a task out of a project's plan.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::shapes::short;

/// For a project and for a duo.
pub struct DeleteProjectTask(Facts);

pub static PROJECT: DeleteProjectTask = DeleteProjectTask(facts("delete-project-task", Work::Lead));
pub static DUO: DeleteProjectTask = DeleteProjectTask(facts("delete-duo-task", Work::LeadDuo));

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "✂️",
        "take a task that is not done out of the plan; whoever works on it stops",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for DeleteProjectTask {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("taskId", json!({"type": "string"})),
            ("reason", json!({"type": "string"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["reason"]
    }
}

impl Action for DeleteProjectTask {
    type Clean = (String, String);

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(task) = given.word("taskId") else {
            return Ok(None);
        };
        let reason = given.word("reason").unwrap_or_default();
        Ok(Some((task.to_owned(), reason.to_owned())))
    }

    fn apply(
        &self,
        (task, reason): &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(ProjectCommand::DeleteTask {
            task: task.clone(),
            reason: reason.clone(),
        })?;
        Ok(Shown {
            doing: "changing the plan".to_owned(),
            done: format!("took {} out of the plan", short(task)),
            ..Shown::default()
        })
    }
}
