//! What was asked, said and done before, as far as the mode's memory and the budget reach.

use serde::{Deserialize, Serialize};

use crate::history::HistoryLine;
use crate::part::{Part, PartData, View};
use crate::prompt::{PromptMessage, Role};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatHistory {
    pub items: Vec<HistoryLine>,
}

pub struct ChatHistoryPart;

impl Part for ChatHistoryPart {
    fn name(&self) -> &'static str {
        "chat-history"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let (memory, visible) = (view.row.memory, view.world.visible_runs);
        let items = view.history.lines(memory, visible);
        (!items.is_empty()).then_some(PartData::ChatHistory(ChatHistory { items }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::ChatHistory(data) = data else {
            return Vec::new();
        };
        // A chat begins with the person's side, whoever spoke first.
        let opening = data
            .items
            .first()
            .filter(|line| line.role == Role::Assistant)
            .map(|_| PromptMessage {
                role: Role::User,
                content: "What was said and done so far:".to_owned(),
            });
        let lines = data.items.iter().map(|line| PromptMessage {
            role: line.role,
            content: line.text.clone(),
        });
        opening.into_iter().chain(lines).collect()
    }
}
