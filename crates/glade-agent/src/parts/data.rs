//! What an action of the last step found out.

use glade_doc::ElementId;
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
        let mut items = view.request.data.to_vec();
        for item in &mut items {
            name_places(item, view);
        }
        (!items.is_empty()).then_some(Data { items })
    }

    fn print(&self, data: &Data) -> Vec<PromptMessage> {
        told(format!("What you wanted to know:\n{}", fenced(&data.items)))
    }
}

/// Places of this page go by the names that the model knows.
fn name_places(item: &mut Value, view: &mut View<'_, '_>) {
    let here = view.world.page.as_str();
    let places = item.get_mut("places").and_then(Value::as_array_mut);
    for place in places
        .into_iter()
        .flatten()
        .filter(|place| place["page"] == here)
    {
        let Some(id) = place["element"].as_str().map(ElementId::from) else {
            continue;
        };
        let name = view.ids.model_id(&id);
        place["element"] = Value::from(name);
    }
}
