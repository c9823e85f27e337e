//! Small scenes for tests.

use glade_canvas::factory::{self, Style};
use glade_canvas::{Element, Rect, Scene, ShapeKind};
use glade_doc::{ElementId, Props};
use serde_json::Value;

pub fn id(name: &str) -> ElementId {
    ElementId::from(name)
}

/// Properties from a JSON object.
pub fn props(value: Value) -> Props {
    match value {
        Value::Object(props) => props,
        other => panic!("not an object: {other}"),
    }
}

pub fn element(name: &str, value: Value) -> Element {
    Element::new(name, props(value))
}

pub fn shape(name: &str, kind: ShapeKind, rect: Rect) -> Element {
    Element::new(name, factory::shape(kind, rect, Style::default(), 1, "a0"))
}

pub fn scene(elements: impl IntoIterator<Item = Element>) -> Scene {
    elements.into_iter().collect()
}
