//! The fairy's character. Data only: the system prompt words it.

use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sign {
    pub sign: String,
}

pub struct SignPart;

static FACTS: PartFacts = PartFacts::new("sign", Topic::Run, On::Any);

impl Part for SignPart {
    type Data = Sign;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Sign> {
        let sign = view.config.personality.clone();
        (!sign.is_empty()).then_some(Sign { sign })
    }

    fn print(&self, _data: &Sign) -> Vec<PromptMessage> {
        Vec::new()
    }
}
