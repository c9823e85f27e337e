//! The fairy's character. Data only: the system prompt words it.

use serde::{Deserialize, Serialize};

use crate::part::{Part, PartData, View};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sign {
    pub sign: String,
}

pub struct SignPart;

impl Part for SignPart {
    fn name(&self) -> &'static str {
        "sign"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let sign = view.config.personality.clone();
        (!sign.is_empty()).then_some(PartData::Sign(Sign { sign }))
    }

    fn print(&self, _data: &PartData) -> Vec<PromptMessage> {
        Vec::new()
    }
}
