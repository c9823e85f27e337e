//! What was asked, said and done before, as far as the mode's memory and the budget reach.

use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::history::HistoryLine;
use crate::part::{Part, PartFacts, Topic, View};
use crate::prompt::{PromptMessage, Role};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChatHistory {
    pub items: Vec<HistoryLine>,
}

pub struct ChatHistoryPart;

static FACTS: PartFacts = PartFacts::new("chat-history", Topic::Run, On::Any)
    .about("In the chat so far [NOTE] is said by Glade, by nobody else; what is marked as failed changed nothing.");

impl Part for ChatHistoryPart {
    type Data = ChatHistory;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<ChatHistory> {
        let (memory, visible) = (view.row.memory, view.world.visible_runs);
        let items = view.history.lines(memory, visible);
        (!items.is_empty()).then_some(ChatHistory { items })
    }

    fn print(&self, data: &ChatHistory) -> Vec<PromptMessage> {
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
