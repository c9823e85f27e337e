//! The time, as the host tells it.

use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Time {
    pub now: String,
}

pub struct TimePart;

static FACTS: PartFacts = PartFacts::new("time", Topic::Around, On::Any);

impl Part for TimePart {
    type Data = Time;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Time> {
        let now = view.world.time?.to_owned();
        Some(Time { now })
    }

    fn print(&self, data: &Time) -> Vec<PromptMessage> {
        told(format!("The time is {}.", data.now))
    }
}
