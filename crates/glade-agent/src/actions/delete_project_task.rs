//! Taking a task out of a project's plan.

use serde_json::{Value, json};

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::shapes::short;

/// For a project and for a duo.
pub struct DeleteProjectTask(&'static str);

pub static PROJECT: DeleteProjectTask = DeleteProjectTask("delete-project-task");
pub static DUO: DeleteProjectTask = DeleteProjectTask("delete-duo-task");

impl Action for DeleteProjectTask {
    type Clean = (String, String);

    fn name(&self) -> &'static str {
        self.0
    }

    fn icon(&self) -> &'static str {
        "✂️"
    }

    fn about(&self) -> &'static str {
        "take a task that is not done out of the plan; whoever works on it stops"
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

    fn interrupts(&self) -> bool {
        true
    }

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
