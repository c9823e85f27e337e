//! The mode and what it allows. Data only: the system prompt words it.

use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::mode::Mode;
use crate::part::{Part, PartFacts, Topic, View};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModeData {
    pub mode: Mode,
    pub actions: Vec<String>,
}

pub struct ModePart;

static FACTS: PartFacts = PartFacts::new("mode", Topic::Run, On::Any);

impl Part for ModePart {
    type Data = ModeData;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<ModeData> {
        let actions = view.menu.names().into_iter().map(str::to_owned).collect();
        Some(ModeData {
            mode: view.row.mode,
            actions,
        })
    }

    fn print(&self, _data: &ModeData) -> Vec<PromptMessage> {
        Vec::new()
    }
}
