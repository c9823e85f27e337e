//! Giving a project up before it has a name and a plan.

use serde_json::{Value, json};

use crate::action::{Action, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::request::FairyCommand;
use crate::shapes::short;

/// For a project and for a duo.
pub struct AbortProject(&'static str);

pub static PROJECT: AbortProject = AbortProject("abort-project");
pub static DUO: AbortProject = AbortProject("abort-duo-project");

impl Action for AbortProject {
    type Clean = String;

    fn name(&self) -> &'static str {
        self.0
    }

    fn icon(&self) -> &'static str {
        "🛑"
    }

    fn about(&self) -> &'static str {
        "give the project up before it is started, because it makes no sense; your answer ends here"
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("reason", json!({"type": "string"}))]
    }

    fn interrupts(&self) -> bool {
        true
    }

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
