//! How what was done differs from what the model asked for: it is told, or it would plan with what is not there.

use glade_canvas::bounds::local_rect;
use serde_json::Value;

use crate::action::{AnyAction, Shown};
use crate::draft::Draft;

/// A difference in size that nobody sees.
const SAME: f64 = 1.0;
/// So many dropped fields are named.
const MOST_NAMED: usize = 6;

/// What is to be told of an action that is done.
pub fn adjustments(
    shown: &Shown,
    value: &Value,
    action: &dyn AnyAction,
    draft: &Draft<'_>,
) -> Vec<String> {
    let mut told = shown.adjusted.clone();
    told.extend(resized(shown, draft));
    let mut dropped = Vec::new();
    collect_unknown(value, &action.schema(), &mut dropped);
    dropped.truncate(MOST_NAMED);
    if !dropped.is_empty() {
        told.push(format!(
            "left out, for there is no such field: {}",
            dropped.join(", ")
        ));
    }
    told
}

/// The size that a shape has, if it is not the one that was asked for.
fn resized(shown: &Shown, draft: &Draft<'_>) -> Option<String> {
    let (id, asked) = shown.asked.as_ref()?;
    let now = local_rect(draft.get(id)?);
    let same = (now.w - asked.w).abs() <= SAME && (now.h - asked.h).abs() <= SAME;
    (!same).then(|| {
        format!(
            "it is {} x {}, not {} x {}: its text needs that",
            now.w.round(),
            now.h.round(),
            asked.w.round(),
            asked.h.round()
        )
    })
}

/// The shape that an action is about, as in ` on "order"`.
pub fn subject(value: &Value) -> String {
    let inner = ["update", "shape"].iter().find_map(|key| value.get(key));
    let of = |value: &Value| {
        let one = value.get("shapeId").or_else(|| value.get("blockId"));
        let several = || {
            let ids = value.get("shapeIds")?.as_array()?;
            let ids: Vec<&str> = ids.iter().filter_map(Value::as_str).take(3).collect();
            (!ids.is_empty()).then(|| ids.join("\", \""))
        };
        one.and_then(Value::as_str)
            .map(str::to_owned)
            .or_else(several)
    };
    let name = of(value).or_else(|| inner.and_then(of));
    name.map(|name| format!(" on \"{}\"", crate::shapes::short(&name)))
        .unwrap_or_default()
}

/// The fields that a schema does not know. Of what says nothing of its fields, none.
fn collect_unknown(value: &Value, schema: &Value, found: &mut Vec<String>) {
    let Some(fields) = value.as_object() else {
        return;
    };
    let variants = schema.get("anyOf").and_then(Value::as_array);
    let schema = match variants {
        Some(variants) => variants.iter().find(|one| is_of(value, one)),
        None => Some(schema),
    };
    let Some(known) = schema.and_then(|schema| schema.get("properties")) else {
        return;
    };
    // What is in an envelope is sometimes given without it.
    let envelopes: Vec<&Value> = known
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, own)| !fields.contains_key(*name) && own.get("properties").is_some())
        .filter_map(|(_, own)| own.get("properties"))
        .collect();
    for (name, field) in fields {
        match known.get(name) {
            Some(schema) => collect_unknown(field, schema, found),
            None if envelopes.iter().any(|own| own.get(name).is_some()) => {}
            None if found.contains(name) => {}
            None => found.push(name.clone()),
        }
    }
}

/// Whether a value is of the kind that this schema is for.
fn is_of(value: &Value, schema: &Value) -> bool {
    let kind = value.get("_type");
    let tag = &schema["properties"]["_type"];
    let listed = tag["enum"].as_array();
    kind.is_some()
        && (tag.get("const") == kind
            || listed.is_some_and(|all| all.iter().any(|one| Some(one) == kind)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::action::find;

    fn unknown(value: &Value) -> Vec<String> {
        let action = find(value["_type"].as_str().unwrap()).unwrap();
        let mut found = Vec::new();
        collect_unknown(value, &action.schema(), &mut found);
        found
    }

    #[test]
    fn fields_that_no_schema_has_are_named() {
        let create = json!({"_type": "create", "intent": "x", "shape": {
            "_type": "rectangle", "shapeId": "a", "x": 0, "y": 0, "w": 9, "h": 9, "shadow": true}});
        assert_eq!(unknown(&create), ["shadow"]);
        let bare = json!({"_type": "update", "shapeId": "a", "x": 3, "blink": 1});
        assert_eq!(unknown(&bare), ["blink"]);
        let plain = json!({"_type": "message", "text": "hello"});
        assert_eq!(unknown(&plain), [""; 0]);
    }

    #[test]
    fn the_shape_is_named() {
        let update = json!({"_type": "update", "update": {"shapeId": "order"}});
        assert_eq!(subject(&update), " on \"order\"");
        let several = json!({"_type": "stack", "shapeIds": ["a", "b"]});
        assert_eq!(subject(&several), " on \"a\", \"b\"");
        assert_eq!(subject(&json!({"_type": "clear"})), "");
    }
}
