//! Waiting until another member is in some mode: the answer ends here, and the change wakes.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::shapes::short;

pub struct AwaitModeTransition;

pub struct Wanted {
    fairy: String,
    mode: Mode,
    within_ms: Option<i64>,
}

static FACTS: Facts = Facts::new(
    "await-mode-transition",
    "⏳",
    "wait until another member is in a mode (standing-by: it is free again); your answer ends here, and you are woken then",
    On::Any,
    Work::Await,
    Impact::Own,
)
    .interrupts()
    .leads(&[(Mode::OrchestratingActive, Mode::OrchestratingWaiting), (Mode::DuoOrchestratingActive, Mode::DuoOrchestratingWaiting)]);

impl Described for AwaitModeTransition {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("otherFairyId", json!({"type": "string"})),
            ("mode", json!({"type": "string"})),
            ("seconds", super::await_event::seconds()),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["seconds"]
    }
}

impl Action for AwaitModeTransition {
    type Clean = Wanted;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let (Some(fairy), Some(word)) = (given.word("otherFairyId"), given.word("mode")) else {
            return Ok(None);
        };
        let Some(mode) = Mode::parse(word) else {
            return Err(Refusal::new(format!(
                "there is no mode \"{word}\": a member at work is working-drone, a free one standing-by"
            )));
        };
        Ok(Some(Wanted {
            fairy: fairy.to_owned(),
            mode,
            within_ms: super::await_event::read_seconds(given),
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(ProjectCommand::AwaitMode {
            fairy: clean.fairy.clone(),
            mode: clean.mode,
            within_ms: clean.within_ms,
        })?;
        ctx.rest_and_wait();
        let board = ctx.board();
        let who = board.and_then(|board| Some(board.name(&board.member(&clean.fairy)?.fairy)));
        let who = short(who.unwrap_or(&clean.fairy));
        Ok(Shown {
            doing: format!("waiting for {who}"),
            done: format!("waits until {who} is {}", clean.mode.name()),
            ..Shown::default()
        })
    }
}
