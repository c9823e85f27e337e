//! The mode and what it allows. Data only: the system prompt words it.

use serde::{Deserialize, Serialize};

use crate::mode::Mode;
use crate::part::{Part, PartData, View};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModeData {
    pub mode: Mode,
    pub actions: Vec<String>,
}

pub struct ModePart;

impl Part for ModePart {
    fn name(&self) -> &'static str {
        "mode"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let actions = view.menu.names().into_iter().map(str::to_owned).collect();
        Some(PartData::Mode(ModeData {
            mode: view.row.mode,
            actions,
        }))
    }

    fn print(&self, _data: &PartData) -> Vec<PromptMessage> {
        Vec::new()
    }
}
