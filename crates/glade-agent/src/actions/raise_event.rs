//! Saying that something has happened, to whoever waits for it. The answer goes on.

use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::projects::ProjectCommand;
use crate::shapes::short;

pub struct RaiseEvent;

static FACTS: Facts = Facts::new(
    "raise-event",
    "🔔",
    "let your orchestrator know that something has happened, if your task says that it waits for that",
    On::Any,
    Work::ProjectTask,
    Impact::Own,
);

impl Described for RaiseEvent {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("eventName", json!({"type": "string"})),
            (
                "data",
                super::await_event::facts("what there is to know of it"),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["data"]
    }
}

impl Action for RaiseEvent {
    type Clean = (String, Value);

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        _ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal> {
        let name = given.word("eventName");
        let data = Value::Object(given.facts("data").into_iter().collect());
        Ok(name.map(|name| (name.to_owned(), data)))
    }

    fn apply(
        &self,
        (name, data): &Self::Clean,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Shown, Refusal> {
        ctx.act(ProjectCommand::Raise {
            name: name.clone(),
            data: data.clone(),
        })?;
        let name = short(name);
        Ok(Shown {
            doing: format!("telling: {name}"),
            done: format!("told: {name}"),
            ..Shown::default()
        })
    }
}
