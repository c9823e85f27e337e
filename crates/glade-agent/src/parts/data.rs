//! What an action of the last step found out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Data {
    pub items: Vec<Value>,
}

pub struct DataPart;

static FACTS: PartFacts = PartFacts::new("data", Topic::Run, On::Any);

impl Part for DataPart {
    type Data = Data;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Data> {
        let items = view.request.data.to_vec();
        (!items.is_empty()).then_some(Data { items })
    }

    fn print(&self, data: &Data) -> Vec<PromptMessage> {
        told(format!("What you wanted to know:\n{}", fenced(&data.items)))
    }
}
