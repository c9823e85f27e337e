//! Plain JSON values in and out of Loro, and when two of them are the same.

use loro::LoroValue;
use serde_json::{Map, Number, Value};

/// Nothing a canvas element holds is nested deeper; hostile input may be.
pub(crate) const MAX_DEPTH: usize = 32;

/// The JSON view of a Loro value. Bytes and containers have none and read as null.
pub(crate) fn to_json(value: &LoroValue) -> Value {
    match value {
        LoroValue::Null | LoroValue::Binary(_) | LoroValue::Container(_) => Value::Null,
        LoroValue::Bool(b) => Value::Bool(*b),
        LoroValue::I64(n) => Value::Number((*n).into()),
        LoroValue::Double(n) => Number::from_f64(*n).map_or(Value::Null, Value::Number),
        LoroValue::String(s) => Value::String(s.to_string()),
        LoroValue::List(items) => Value::Array(items.iter().map(to_json).collect()),
        LoroValue::Map(entries) => {
            // Loro's maps are unordered; sorted keys make equal values print equally.
            let mut keys: Vec<&String> = entries.keys().collect();
            keys.sort();
            let mut out = Map::new();
            for key in keys {
                if let Some(value) = entries.get(key) {
                    out.insert(key.clone(), to_json(value));
                }
            }
            Value::Object(out)
        }
    }
}

pub(crate) fn from_json(value: &Value) -> LoroValue {
    match value {
        Value::Null => LoroValue::Null,
        Value::Bool(b) => LoroValue::Bool(*b),
        Value::Number(n) => match n.as_i64() {
            Some(int) => LoroValue::I64(int),
            None => LoroValue::Double(n.as_f64().unwrap_or_default()),
        },
        Value::String(s) => LoroValue::String(s.as_str().into()),
        Value::Array(items) => {
            LoroValue::List(items.iter().map(from_json).collect::<Vec<_>>().into())
        }
        // Not by way of a std map: the same object must become the same bytes.
        Value::Object(entries) => LoroValue::Map(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), from_json(value)))
                .collect(),
        ),
    }
}

/// Equality of property values: numbers numerically (1 is 1.0), objects whatever their key order.
pub fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same_value(a, b)))
        }
        _ => a == b,
    }
}

/// A plain JSON value: no bytes, no containers, no infinities, not absurdly deep.
pub(crate) fn is_plain(value: &LoroValue, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match value {
        LoroValue::Null | LoroValue::Bool(_) | LoroValue::I64(_) | LoroValue::String(_) => true,
        LoroValue::Double(n) => n.is_finite(),
        LoroValue::List(items) => items.iter().all(|item| is_plain(item, depth + 1)),
        LoroValue::Map(entries) => entries.values().all(|item| is_plain(item, depth + 1)),
        LoroValue::Binary(_) | LoroValue::Container(_) => false,
    }
}
