//! Giving a project its name, its colour and its plan.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::projects::{COLORS, ProjectCommand};
use crate::shapes::short;

/// For a project and for a duo.
pub struct StartProject(Facts);

pub static PROJECT: StartProject = StartProject(facts("start-project", Work::Lead));
pub static DUO: StartProject = StartProject(facts("start-duo-project", Work::LeadDuo));

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "🎬",
        "give your project its name, its colour (one that no other project has) and its plan, before anything else",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for StartProject {
    fn facts(&self) -> &Facts {
        &self.0
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
}

impl Action for StartProject {
    type Clean = ProjectCommand;

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
