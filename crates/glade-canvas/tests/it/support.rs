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

/// One pixel.
pub const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 10, b'I', b'D', b'A', b'T',
    0x78, 0x9c, 0x63, 0, 1, 0, 0, 5, 0, 1, 0x0d, 0x0a, 0x2d, 0xb4, 0, 0, 0, 0, b'I', b'E', b'N',
    b'D', 0xae, 0x42, 0x60, 0x82,
];
