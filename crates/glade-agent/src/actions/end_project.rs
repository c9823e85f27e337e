//! Ending a project whose tasks are done: the answer ends here, and everyone is free again.

use serde_json::Value;

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::request::FairyCommand;

/// For a project and for a duo.
pub struct EndProject(&'static str);

pub static PROJECT: EndProject = EndProject("end-project");
pub static DUO: EndProject = EndProject("end-duo-project");

impl Action for EndProject {
    type Clean = ();

    fn name(&self) -> &'static str {
        self.0
    }

    fn icon(&self) -> &'static str {
        "🏁"
    }

    fn about(&self) -> &'static str {
        "end the project when all of its tasks are done; your answer ends here, so tell the person before"
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
