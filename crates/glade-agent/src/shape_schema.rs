//! The schemas of shapes that a model may ask for.

use glade_canvas::geo::GeoKind;
use glade_canvas::palette::Color;
use serde_json::{Map, Value, json};

use crate::shapes::ANCHORS;

/// What a model may ask for, field by field in the order that lets partials be drawn early.
pub fn schemas() -> Vec<Value> {
    let word = || json!({"type": "string"});
    let number = || json!({"type": "number"});
    let maybe = || json!({"type": ["string", "null"]});
    let colors: Vec<&str> = Color::ALL.iter().map(|color| color.name()).collect();
    let color = || json!({"type": "string", "enum": colors});
    let geo: Vec<&str> = GeoKind::ALL.iter().map(|kind| kind.name()).collect();
    let fills =
        json!({"type": "string", "enum": ["none", "tint", "background", "solid", "pattern"]});
    let kind = |name: &str| json!({"const": name});
    vec![
        object(&[
            ("_type", json!({"type": "string", "enum": geo})),
            ("shapeId", word()),
            ("note", word()),
            ("x", number()),
            ("y", number()),
            ("w", number()),
            ("h", number()),
            ("color", color()),
            ("fill", fills),
            ("text", word()),
        ]),
        object(&[
            ("_type", kind("note")),
            ("shapeId", word()),
            ("note", word()),
            ("x", number()),
            ("y", number()),
            ("color", color()),
            ("text", word()),
        ]),
        object(&[
            ("_type", kind("text")),
            ("shapeId", word()),
            ("note", word()),
            ("x", number()),
            ("y", number()),
            ("anchor", json!({"type": "string", "enum": ANCHORS})),
            ("maxWidth", json!({"type": ["number", "null"]})),
            ("fontSize", number()),
            ("color", color()),
            ("text", word()),
        ]),
        object(&[
            ("_type", kind("arrow")),
            ("shapeId", word()),
            ("note", word()),
            ("fromId", maybe()),
            ("toId", maybe()),
            ("x1", number()),
            ("y1", number()),
            ("x2", number()),
            ("y2", number()),
            ("bend", json!({"type": ["number", "null"]})),
            ("color", color()),
            ("text", word()),
        ]),
        object(&[
            ("_type", kind("line")),
            ("shapeId", word()),
            ("note", word()),
            ("x1", number()),
            ("y1", number()),
            ("x2", number()),
            ("y2", number()),
            ("color", color()),
        ]),
    ]
}

fn object(fields: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    let required: Vec<&str> = ["_type", "shapeId", "x", "y", "w", "h"]
        .into_iter()
        .filter(|name| properties.contains_key(*name))
        .collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}
