//! Giving a project its name, its colour and its plan.

use serde_json::{Value, json};

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::projects::{COLORS, ProjectCommand};
use crate::shapes::short;

/// For a project and for a duo.
pub struct StartProject(&'static str);

pub static PROJECT: StartProject = StartProject("start-project");
pub static DUO: StartProject = StartProject("start-duo-project");

impl Action for StartProject {
    type Clean = ProjectCommand;

    fn name(&self) -> &'static str {
        self.0
    }

    fn icon(&self) -> &'static str {
        "🎬"
    }

    fn about(&self) -> &'static str {
        "give your project its name, its colour (one that no other project has) and its plan, before anything else"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("projectName", json!({"type": "string"})),
            ("projectColor", json!({"enum": COLORS})),
            ("projectDescription", json!({"type": "string"})),
            (
                "projectPlan",
                json!({"type": "string", "description": "who does what, in what order"}),
            ),
        ]
    }

    fn interrupts(&self) -> bool {
        true
    }

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let Some(name) = given.word("projectName") else {
            return Ok(None);
        };
        let text = |key: &str| given.word(key).unwrap_or_default().to_owned();
        Ok(Some(ProjectCommand::StartProject {
            name: name.to_owned(),
            description: text("projectDescription"),
            color: text("projectColor"),
            plan: text("projectPlan"),
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(clean.clone())?;
        let name = match clean {
            ProjectCommand::StartProject { name, .. } => short(name),
            _ => String::new(),
        };
        Ok(Shown {
            doing: "starting a project".to_owned(),
            done: format!("started the project {name}"),
            ..Shown::default()
        })
    }
}
