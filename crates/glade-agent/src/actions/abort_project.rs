//! Giving a project up before it has a name and a plan.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::request::FairyCommand;
use crate::shapes::short;

/// For a project and for a duo.
pub struct AbortProject(Facts);

pub static PROJECT: AbortProject = AbortProject(facts("abort-project", Work::Lead));
pub static DUO: AbortProject = AbortProject(facts("abort-duo-project", Work::LeadDuo));

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "🛑",
        "give the project up before it is started, because it makes no sense; your answer ends here",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for AbortProject {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("reason", json!({"type": "string"}))]
    }
}

impl Action for AbortProject {
    type Clean = String;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let reason = given.word("reason").unwrap_or("it makes no sense");
        Ok(Some(reason.trim_end_matches('.').to_owned()))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        let reason = clean.clone();
        ctx.act(ProjectCommand::AbortProject { reason })?;
        ctx.command(FairyCommand::Rest(Mode::Idling));
        Ok(Shown {
            doing: "giving the project up".to_owned(),
            done: format!("gave the project up: {}", short(clean)),
            ..Shown::default()
        })
    }
}
