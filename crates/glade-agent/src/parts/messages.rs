//! What this step is told, last of all.

use serde::{Deserialize, Serialize};

use crate::event::Source;
use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Messages {
    pub messages: Vec<String>,
    /// False: the fairy's own host speaks, about an answer that could not be carried out.
    pub from_person: bool,
    /// The fairy asked itself to go on, rather than being told what was wrong.
    #[serde(default)]
    pub going_on: bool,
    /// The fairy's project speaks: its orchestrator, or what happened there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_fairy: bool,
}

pub struct MessagesPart;

static FACTS: PartFacts = PartFacts::new("messages", Topic::Run, On::Any);

impl Part for MessagesPart {
    type Data = Messages;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Messages> {
        let request = view.request;
        let from_person = request.source != Source::Own;
        let data = Messages {
            messages: request.messages.clone(),
            from_person,
            from_fairy: request.source == Source::OtherAgent,
            going_on: !from_person && !request.correction,
        };
        Some(data)
    }

    fn print(&self, data: &Messages) -> Vec<PromptMessage> {
        let words = data.messages.join("\n\n");
        if data.from_fairy {
            told(format!("From your project:\n\n{words}"))
        } else if data.from_person {
            told(format!("The person's message:\n\n{words}"))
        } else if data.going_on {
            told(format!("Go on:\n\n{words}"))
        } else {
            told(format!("About your last answer:\n\n{words}"))
        }
    }
}
