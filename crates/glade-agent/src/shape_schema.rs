//! The schemas of shapes that a model may ask for.

use glade_canvas::geo::GeoKind;
use glade_canvas::palette::Color;
use serde_json::{Map, Value, json};

use crate::new_shape::style::DASHES;
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
    let look = || {
        vec![
            ("color", color()),
            ("dash", json!({"type": "string", "enum": DASHES})),
            ("strokeWidth", number()),
            ("opacity", number()),
            ("like", word()),
            ("link", word()),
        ]
    };
    let letters = || {
        vec![
            ("fontSize", number()),
            (
                "textAlign",
                json!({"type": "string", "enum": ["left", "center", "right"]}),
            ),
        ]
    };
    let box_ = |rest: Vec<(&'static str, Value)>| {
        let place = ["x", "y", "w", "h"].map(|name| (name, number()));
        place.into_iter().chain(rest).collect::<Vec<_>>()
    };
    let ends = || ["x1", "y1", "x2", "y2"].map(|name| (name, number()));
    let named = |tag: Value, rest: Vec<(&'static str, Value)>| {
        let head = [("_type", tag), ("shapeId", word()), ("note", word())];
        object(&head.into_iter().chain(rest).collect::<Vec<_>>())
    };
    let text = || ("text", word());
    vec![
        named(
            json!({"type": "string", "enum": geo}),
            box_(join([
                look(),
                vec![("fill", fills)],
                letters(),
                vec![
                    (
                        "verticalAlign",
                        json!({"type": "string", "enum": ["top", "middle", "bottom"]}),
                    ),
                    text(),
                ],
            ])),
        ),
        named(
            kind("note"),
            vec![
                ("x", number()),
                ("y", number()),
                ("color", color()),
                ("fontSize", number()),
                text(),
            ],
        ),
        named(
            kind("text"),
            join([
                vec![
                    ("x", number()),
                    ("y", number()),
                    ("anchor", json!({"type": "string", "enum": ANCHORS})),
                    ("maxWidth", json!({"type": ["number", "null"]})),
                    ("color", color()),
                    ("opacity", number()),
                    ("like", word()),
                    ("link", word()),
                ],
                letters(),
                vec![text()],
            ]),
        ),
        named(
            kind("arrow"),
            join([
                vec![("fromId", maybe()), ("toId", maybe())],
                ends().into(),
                vec![("bend", json!({"type": ["number", "null"]}))],
                look(),
                vec![("fontSize", number()), text()],
            ]),
        ),
        named(kind("line"), join([ends().into(), look()])),
        named(kind("frame"), box_(vec![text()])),
    ]
}

fn join<const N: usize>(parts: [Vec<(&'static str, Value)>; N]) -> Vec<(&'static str, Value)> {
    parts.into_iter().flatten().collect()
}

fn object(fields: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    let required: Vec<&str> = ["_type", "shapeId", "x", "y"]
        .into_iter()
        .filter(|name| properties.contains_key(*name))
        .collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}
