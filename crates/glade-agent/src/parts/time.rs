//! The time, as the host tells it.

use serde::{Deserialize, Serialize};

use crate::part::{Part, PartData, View, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Time {
    pub now: String,
}

pub struct TimePart;

impl Part for TimePart {
    fn name(&self) -> &'static str {
        "time"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let now = view.world.time?.to_owned();
        Some(PartData::Time(Time { now }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::Time(data) = data else {
            return Vec::new();
        };
        told(format!("The time is {}.", data.now))
    }
}
