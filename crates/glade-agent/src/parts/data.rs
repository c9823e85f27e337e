//! What an action of the last step found out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::part::{Part, PartData, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Data {
    pub items: Vec<Value>,
}

pub struct DataPart;

impl Part for DataPart {
    fn name(&self) -> &'static str {
        "data"
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData> {
        let items = view.request.data.to_vec();
        (!items.is_empty()).then_some(PartData::Data(Data { items }))
    }

    fn print(&self, data: &PartData) -> Vec<PromptMessage> {
        let PartData::Data(data) = data else {
            return Vec::new();
        };
        told(format!("What you wanted to know:\n{}", fenced(&data.items)))
    }
}
