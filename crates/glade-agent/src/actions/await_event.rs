//! Waiting for something that another member, a person or something outside says has happened.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::mode::Mode;
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::shapes::short;

pub struct AwaitEvent;

pub struct Wanted {
    name: String,
    matching: BTreeMap<String, Value>,
    within_ms: Option<i64>,
}

/// How long a fairy means to wait.
pub fn seconds() -> Value {
    json!({"type": "number", "description": "how long to wait at the most"})
}

pub fn read_seconds(given: PartialObject<'_>) -> Option<i64> {
    let seconds = given.number("seconds").filter(|seconds| *seconds > 0.0)?;
    Some((seconds.min(1e9) * 1000.0) as i64)
}

/// Facts of an event: a list, because not every provider takes an object of any keys.
pub fn facts(about: &str) -> Value {
    json!({
        "type": "array",
        "description": about,
        "items": {
            "type": "object",
            "required": ["field", "value"],
            "properties": {"field": {"type": "string"}, "value": {"type": "string"}},
            "additionalProperties": false,
        },
    })
}

static FACTS: Facts = Facts::new(
    "await-event",
    "⏳",
    "wait for an event that a member raises (tell it in its task's text which, and when) or that a person sends; your answer ends here, and you are woken then",
    On::Any,
    Work::Await,
    Impact::Own,
)
    .interrupts()
    .leads(&[(Mode::OrchestratingActive, Mode::OrchestratingWaiting), (Mode::DuoOrchestratingActive, Mode::DuoOrchestratingWaiting)]);

impl Described for AwaitEvent {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("eventName", json!({"type": "string"})),
            (
                "matching",
                facts("only an event whose data has all of these"),
            ),
            ("seconds", seconds()),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["matching", "seconds"]
    }
}

impl Action for AwaitEvent {
    type Clean = Wanted;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        Ok(given.word("eventName").map(|name| Wanted {
            name: name.to_owned(),
            matching: given.facts("matching"),
            within_ms: read_seconds(given),
        }))
    }

    fn apply(
        &self,
        clean: &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(ProjectCommand::AwaitEvent {
            name: clean.name.clone(),
            matching: clean.matching.clone(),
            within_ms: clean.within_ms,
        })?;
        ctx.rest_and_wait();
        let name = short(&clean.name);
        Ok(Shown {
            doing: format!("waiting for {name}"),
            done: format!("waits for {name}"),
            ..Shown::default()
        })
    }
}
