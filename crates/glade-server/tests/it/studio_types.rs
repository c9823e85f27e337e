//! The studio's types of what the server says are printed from the OpenAPI document: one line each.
//!
//! `cargo xtask types` writes them; here they are held to be current.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

const HEAD: &str =
    "// Made from the OpenAPI document by `cargo xtask types`. Not to be edited by hand.\n";

/// The schemas of a document as TypeScript, by name.
fn printed(document: &Value) -> String {
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut sorted: Vec<_> = schemas.iter().collect();
    sorted.sort_by_key(|(name, _)| name.as_str());
    let mut out = HEAD.to_owned();
    for (name, schema) in sorted {
        let about = schema["description"].as_str().map(one_line);
        let about = about.map_or(String::new(), |about| format!("/** {about} */\n"));
        write!(out, "\n{about}export type {name} = {};\n", type_of(schema)).unwrap();
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap().to_owned();
    }
    for (all, between) in [("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")] {
        if let Some(parts) = schema[all].as_array() {
            let mut parts: Vec<String> = parts.iter().map(type_of).collect();
            // A list of types ends with what is left out.
            parts.sort_by_key(|part| part == "null");
            return parts.join(between);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        return values.join(" | ");
    }
    match &schema["type"] {
        Value::Array(types) => {
            let types = types.iter().map(|one| plain(schema, one.as_str().unwrap()));
            types.collect::<Vec<_>>().join(" | ")
        }
        Value::String(one) => plain(schema, one),
        _ => "unknown".to_owned(),
    }
}

/// A schema of one of JSON's own types.
fn plain(schema: &Value, name: &str) -> String {
    match name {
        "integer" | "number" => "number".to_owned(),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => format!(
                "[{}]",
                items.iter().map(type_of).collect::<Vec<_>>().join(", ")
            ),
            None => list_of(&type_of(&schema["items"])),
        },
        "object" => object(schema),
        "string" | "boolean" | "null" => name.to_owned(),
        other => panic!("{other} is no type of JSON"),
    }
}

fn list_of(item: &str) -> String {
    if item.contains(' ') {
        format!("({item})[]")
    } else {
        format!("{item}[]")
    }
}

fn object(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object() else {
        let value = &schema["additionalProperties"];
        let value = if value.is_object() {
            type_of(value)
        } else {
            "unknown".to_owned()
        };
        return format!("Record<string, {value}>");
    };
    let required = schema["required"].as_array();
    let fields = properties.iter().map(|(name, schema)| {
        let is_required = required.is_some_and(|names| names.contains(&name.as_str().into()));
        format!(
            "{name}{}: {}",
            if is_required { "" } else { "?" },
            type_of(schema)
        )
    });
    format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
}

#[test]
fn the_studios_types_are_those_of_the_openapi_document() {
    let document = serde_json::to_value(glade_server::openapi()).unwrap();
    let printed = printed(&document);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/api/schema.ts");
    if std::env::var_os("GLADE_WRITE_TYPES").is_some() {
        std::fs::write(&file, &printed).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == printed,
        "web/src/api/schema.ts is not what the OpenAPI document says: run `cargo xtask types`"
    );
}

#[test]
fn every_kind_of_schema_is_printed() {
    let document = serde_json::json!({"components": {"schemas": {
        "Page": {"type": "object", "description": "One\npage.", "required": ["id", "at"], "properties": {
            "id": {"type": "string"},
            "at": {"type": ["integer", "null"]},
            "kind": {"$ref": "#/components/schemas/Kind"},
            "bounds": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Rect"}]},
            "sides": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "number"}], "items": false},
            "marks": {"type": "array", "items": {"type": ["string", "null"]}},
            "left": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "data": {"type": "object"},
            "before": {},
        }},
        "Kind": {"type": "string", "enum": ["canvas", "text"]},
        "Both": {"allOf": [{"$ref": "#/components/schemas/Page"}, {"type": "object", "properties": {"b": {"type": "null"}}}]},
    }}});
    assert_eq!(
        printed(&document).strip_prefix(HEAD),
        Some(
            r#"
export type Both = Page & { b?: null };

export type Kind = "canvas" | "text";

/** One page. */
export type Page = { id: string; at: number | null; kind?: Kind; bounds?: Rect | null; sides?: [number, number]; marks?: (string | null)[]; left?: Record<string, boolean>; data?: Record<string, unknown>; before?: unknown };
"#
        )
    );
}
