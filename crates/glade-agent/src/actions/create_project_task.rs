//! Planning a task of a project: what, where, and by whom.

use glade_canvas::Rect;
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::shapes::{area, read_area, short};

/// For a project and for a duo.
pub struct CreateProjectTask(Facts);

pub static PROJECT: CreateProjectTask = CreateProjectTask(facts("create-project-task", Work::Lead));
pub static DUO: CreateProjectTask = CreateProjectTask(facts("create-duo-task", Work::LeadDuo));

pub struct NewTask {
    handle: String,
    title: String,
    text: String,
    bounds: Rect,
    assigned_to: Option<String>,
}

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "📋",
        "plan a task of the project: what to do, the area of the page where it is done, and whose it is",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for CreateProjectTask {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = vec![
            ("taskId", json!({"type": "string"})),
            ("title", json!({"type": "string"})),
            (
                "text",
                json!({"type": "string", "description": "what to do, in full: its owner sees no more than this"}),
            ),
            (
                "assignedTo",
                json!({"type": "string", "description": "a fairyId of a member"}),
            ),
        ];
        fields.extend(area());
        fields
    }
}

impl Action for CreateProjectTask {
    type Clean = NewTask;

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
        Ok(Some(NewTask {
            handle: id.to_owned(),
            title: title.to_owned(),
            text: given.word("text").unwrap_or(title).to_owned(),
            bounds,
            assigned_to: given.word("assignedTo").map(str::to_owned),
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let command = ProjectCommand::CreateTask {
            id: ctx.task_id(),
            handle: clean.handle.clone(),
            title: clean.title.clone(),
            text: clean.text.clone(),
            bounds: clean.bounds,
            assigned_to: clean.assigned_to.clone(),
        };
        ctx.act(command)?;
        Ok(Shown {
            doing: "planning".to_owned(),
            done: format!("planned: {}", short(&clean.title)),
            place: Some(clean.bounds),
            ..Shown::default()
        })
    }
}
