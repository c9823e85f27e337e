//! The form of an answer, as its schema has it: printed short, for who reads it.
//!
//! A maker's own server shows its model the schema that an answer is held to; there it goes once, with
//! what occurs several times defined once ([`shared`]). Other servers hold an answer to it without
//! telling the model: those get it as a [`notation`] in the text.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// Shorter parts are no longer than a reference to them.
const SHORTEST: usize = 48;

/// The same schema with its repeated parts under `$defs`, each named after the field that has it.
pub fn shared(schema: &Value) -> Value {
    let mut seen: BTreeMap<String, (usize, String)> = BTreeMap::new();
    count(schema, "part", &mut seen);
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (print, (times, field)) in seen {
        if times < 2 || print.len() < SHORTEST {
            continue;
        }
        let numbered = (2..).map(|number| format!("{field}{number}"));
        let name = std::iter::once(field.clone())
            .chain(numbered)
            .find(|name| taken.insert(name.clone()));
        names.extend(name.map(|name| (print, name)));
    }
    let mut defs = BTreeMap::new();
    let Value::Object(mut short) = with_refs(schema, &names, &mut defs, true) else {
        return schema.clone();
    };
    if !defs.is_empty() {
        short.insert(
            "$defs".to_owned(),
            defs.into_iter().collect::<Map<_, _>>().into(),
        );
    }
    Value::Object(short)
}

/// Counts the schemas of fields, by their print, with the field where each was met first.
fn count(schema: &Value, field: &str, seen: &mut BTreeMap<String, (usize, String)>) {
    let known = seen.entry(schema.to_string());
    let (times, _) = known.or_insert_with(|| (0, field.to_owned()));
    *times += 1;
    if *times > 1 {
        // What is inside was counted with the first.
        return;
    }
    for (name, part) in parts(schema) {
        count(part, name.unwrap_or(field), seen);
    }
}

/// The schemas inside of a schema, with the names of fields.
fn parts(schema: &Value) -> Vec<(Option<&str>, &Value)> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let fields = fields.map(|(name, part)| (Some(name.as_str()), part));
    let items = schema.get("items").map(|items| (None, items));
    let either = schema["anyOf"].as_array().into_iter().flatten();
    let either = either.map(|part| (None, part));
    fields.chain(items).chain(either).collect()
}

fn with_refs(
    schema: &Value,
    names: &BTreeMap<String, String>,
    defs: &mut BTreeMap<String, Value>,
    root: bool,
) -> Value {
    let print = schema.to_string();
    if let Some(name) = names.get(&print).filter(|_| !root) {
        if !defs.contains_key(name) {
            defs.insert(name.clone(), Value::Null);
            let whole = inside(schema, names, defs);
            defs.insert(name.clone(), whole);
        }
        return json!({"$ref": format!("#/$defs/{name}")});
    }
    inside(schema, names, defs)
}

/// The schema itself, what it holds made short.
fn inside(
    schema: &Value,
    names: &BTreeMap<String, String>,
    defs: &mut BTreeMap<String, Value>,
) -> Value {
    let Value::Object(fields) = schema else {
        return schema.clone();
    };
    let mut short = Map::new();
    for (key, value) in fields {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties
                .iter()
                .map(|(name, part)| (name.clone(), with_refs(part, names, defs, false)))
                .collect::<Map<_, _>>()
                .into(),
            ("items", part) => with_refs(part, names, defs, false),
            ("anyOf", Value::Array(parts)) => parts
                .iter()
                .map(|part| with_refs(part, names, defs, false))
                .collect(),
            (_, value) => value.clone(),
        };
        short.insert(key.clone(), value);
    }
    short.into()
}

/// The form in words, for a model that is not shown the schema.
pub fn notation(schema: &Value) -> String {
    let mut out = String::from(
        "Answer with one JSON object {\"actions\": [...]} and nothing else. The actions, with their fields (`?`: may be left out):\n",
    );
    // What is long and written several times is named.
    let mut seen: BTreeMap<String, (usize, String)> = BTreeMap::new();
    count(schema, "part", &mut seen);
    let mut names = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (print, (times, field)) in seen {
        let is_words = |part: &Value| part["enum"].is_array() || part["description"].is_string();
        let part: Value = serde_json::from_str(&print).unwrap_or_default();
        let name = capital(&field);
        if times > 1
            && is_words(&part)
            && line(&part, &BTreeMap::new()).len() > 24
            && taken.insert(name.clone())
        {
            names.insert(print, name);
        }
    }
    let actions = schema.pointer("/properties/actions/items/anyOf");
    for action in actions.and_then(Value::as_array).into_iter().flatten() {
        let about = action["description"].as_str().unwrap_or_default();
        let name = constant(&action["properties"]["_type"]).unwrap_or("any");
        let fields = fields(action, &names);
        out.push_str(&format!("- {{\"_type\":\"{name}\"{fields}}}: {about}\n"));
    }
    if !names.is_empty() {
        out.push_str("where\n");
        for (print, name) in &names {
            let part: Value = serde_json::from_str(print).unwrap_or_default();
            out.push_str(&format!("{name} = {}\n", line(&part, &BTreeMap::new())));
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn capital(field: &str) -> String {
    let mut letters = field.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn constant(schema: &Value) -> Option<&str> {
    schema["const"].as_str()
}

/// The fields of an object but its tag, each with a comma before it.
fn fields(object: &Value, names: &BTreeMap<String, String>) -> String {
    let required = object["required"].as_array();
    let needed = |name: &str| required.is_some_and(|list| list.iter().any(|one| one == name));
    let properties = object["properties"].as_object().into_iter().flatten();
    let fields = properties.filter(|(_, part)| constant(part).is_none());
    let told = fields.map(|(name, part)| {
        let mark = if needed(name) { "" } else { "?" };
        format!(",{name}{mark}:{}", line(part, names))
    });
    told.collect()
}

/// A schema in one line, as TypeScript writes types.
fn line(schema: &Value, names: &BTreeMap<String, String>) -> String {
    if let Some(name) = names.get(&schema.to_string()) {
        return name.clone();
    }
    let mut text = bare_line(schema, names);
    if let Some(about) = schema["description"].as_str() {
        text.push_str(&format!(" /*{about}*/"));
    }
    text
}

fn bare_line(schema: &Value, names: &BTreeMap<String, String>) -> String {
    if let Some(only) = constant(schema) {
        return format!("\"{only}\"");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(Value::to_string).collect();
        return words.join("|");
    }
    if let Some(parts) = schema["anyOf"].as_array() {
        let parts: Vec<String> = parts.iter().map(|part| line(part, names)).collect();
        return parts.join("|");
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let kind = |kind: &&str| match *kind {
        "array" => {
            let items = line(&schema["items"], names);
            if items.contains('|') {
                format!("({items})[]")
            } else {
                format!("{items}[]")
            }
        }
        "object" if schema["properties"].is_object() => {
            let tag = constant(&schema["properties"]["_type"]);
            let tag = tag
                .map(|tag| format!(",_type:\"{tag}\""))
                .unwrap_or_default();
            let all = format!("{tag}{}", fields(schema, names));
            format!("{{{}}}", all.trim_start_matches(','))
        }
        "object" => "{…}".to_owned(),
        "integer" => "number".to_owned(),
        other => other.to_owned(),
    };
    match kinds.as_slice() {
        [] => "any".to_owned(),
        kinds => kinds.iter().map(kind).collect::<Vec<_>>().join("|"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Value {
        let color =
            json!({"type": "string", "enum": ["black", "light-blue", "light-green", "light-red"]});
        let action = |name: &str, fields: Value, required: &[&str]| {
            let mut properties = Map::from_iter([("_type".to_owned(), json!({"const": name}))]);
            properties.extend(fields.as_object().cloned().unwrap_or_default());
            json!({"description": format!("to {name}"), "type": "object", "required": required, "properties": properties, "additionalProperties": false})
        };
        let actions = [
            action(
                "paint",
                json!({"shapeIds": {"type": "array", "items": {"type": "string"}}, "color": color}),
                &["_type", "shapeIds", "color"],
            ),
            action(
                "draw",
                json!({"x": {"type": ["number", "null"]}, "color": color, "why": {"type": "string", "description": "in a few words"}}),
                &["_type"],
            ),
        ];
        json!({"type": "object", "properties": {"actions": {"type": "array", "items": {"anyOf": actions}}}, "required": ["actions"], "additionalProperties": false})
    }

    /// The schema with every reference written out again.
    fn whole(schema: &Value, defs: &Value) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            return whole(&defs[name.trim_start_matches("#/$defs/")], defs);
        }
        match schema {
            Value::Array(parts) => parts.iter().map(|part| whole(part, defs)).collect(),
            Value::Object(fields) => {
                let fields = fields.iter().filter(|(key, _)| *key != "$defs");
                let fields = fields.map(|(key, part)| (key.clone(), whole(part, defs)));
                fields.collect::<Map<_, _>>().into()
            }
            other => other.clone(),
        }
    }

    #[test]
    fn what_occurs_twice_is_defined_once_and_means_the_same() {
        let short = shared(&schema());
        assert_eq!(
            short["$defs"],
            json!({"color": {"type": "string", "enum": ["black", "light-blue", "light-green", "light-red"]}})
        );
        let color = "/properties/actions/items/anyOf/1/properties/color";
        assert_eq!(
            short.pointer(color),
            Some(&json!({"$ref": "#/$defs/color"}))
        );
        assert_eq!(whole(&short, &short["$defs"]), schema());
    }

    #[test]
    fn the_notation_has_every_field() {
        assert_eq!(
            notation(&schema()),
            "Answer with one JSON object {\"actions\": [...]} and nothing else. The actions, with their fields (`?`: may be left out):\n\
             - {\"_type\":\"paint\",shapeIds:string[],color:Color}: to paint\n\
             - {\"_type\":\"draw\",x?:number|null,color?:Color,why?:string /*in a few words*/}: to draw\n\
             where\n\
             Color = \"black\"|\"light-blue\"|\"light-green\"|\"light-red\""
        );
    }
}
