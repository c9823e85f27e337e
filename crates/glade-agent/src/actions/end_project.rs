//! Ending a project whose tasks are done: the answer ends here, and everyone is free again.

use serde_json::Value;

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::request::FairyCommand;

/// For a project and for a duo.
pub struct EndProject(Facts);

pub static PROJECT: EndProject = EndProject(
    facts("end-project", Work::Lead).leads(&[(Mode::OrchestratingActive, Mode::Idling)]),
);
pub static DUO: EndProject = EndProject(
    facts("end-duo-project", Work::LeadDuo).leads(&[(Mode::DuoOrchestratingActive, Mode::Idling)]),
);

const fn facts(name: &'static str, work: Work) -> Facts {
    Facts::new(
        name,
        "🏁",
        "end the project when all of its tasks are done; your answer ends here, so tell the person before",
        On::Any,
        work,
        Impact::Own,
    )
    .interrupts()
}

impl Described for EndProject {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

impl Action for EndProject {
    type Clean = ();

    fn sanitise(
        &self,
        _given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        Ok(Some(()))
    }

    fn apply(
        &self,
        _clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(ProjectCommand::EndProject)?;
        ctx.command(FairyCommand::Rest(Mode::Idling));
        Ok(Shown {
            doing: "ending the project".to_owned(),
            done: "ended the project".to_owned(),
            ..Shown::default()
        })
    }
}
