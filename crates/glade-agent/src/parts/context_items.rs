//! What the person picked for the fairy to look at: shapes in full, areas, points.

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::facts::On;
use crate::format::full;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;
use crate::request::ContextItem;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextItems {
    pub items: Vec<Value>,
}

pub struct ContextItemsPart;

static FACTS: PartFacts = PartFacts::new("context-items", Topic::Pages, On::Any)
    .about("What the person points at is what their message is about.");

impl Part for ContextItemsPart {
    type Data = ContextItems;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<ContextItems> {
        let mut items = Vec::new();
        for item in &view.input.context_items {
            match item {
                ContextItem::Shape { shape_id } => {
                    let ids = std::slice::from_ref(shape_id);
                    items.extend(full(view.world.scene, ids, view.ids, view.coords));
                }
                ContextItem::Shapes { shape_ids } => {
                    items.extend(full(view.world.scene, shape_ids, view.ids, view.coords));
                }
                ContextItem::Area { bounds } => {
                    items.push(json!({"area": view.coords.show_rect(*bounds)}));
                }
                ContextItem::Point { point } => {
                    let shown = view.coords.show_rect(Rect::new(point.x, point.y, 0.0, 0.0));
                    items.push(json!({"point": {"x": shown.x, "y": shown.y}}));
                }
            }
        }
        (!items.is_empty()).then_some(ContextItems { items })
    }

    fn print(&self, data: &ContextItems) -> Vec<PromptMessage> {
        told(format!(
            "The person points at these:\n{}",
            fenced(&data.items)
        ))
    }
}
