//! Reading what a model gave: coercing, clamping, and telling what is settled from what still grows.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Farther from the origin than anybody scrolls.
pub const MAX_COORDINATE: f64 = 1_000_000.0;
pub const MAX_SIZE: f64 = 10_000.0;
/// The most that is written onto a text page at once: more than any answer has room for.
const MAX_PROSE: usize = 200_000;
/// The longest text of one shape.
pub const MAX_TEXT: usize = 10_000;

/// An object of an action, perhaps with its end still to come.
///
/// Strings stream letter by letter, so an open object's *last* key may hold half a word: `"light-"`
/// is no colour and `"ord"` is not the shape `order`. Everything but running text is read through
/// accessors that see only settled values.
#[derive(Debug, Clone, Copy)]
pub struct PartialObject<'a> {
    map: &'a Map<String, Value>,
    open: bool,
}

impl<'a> PartialObject<'a> {
    /// `complete`: nothing of it can change any more.
    pub fn new(value: &'a Value, complete: bool) -> Option<Self> {
        value.as_object().map(|map| Self {
            map,
            open: !complete,
        })
    }

    /// Nothing of this object can change any more.
    pub fn is_complete(&self) -> bool {
        !self.open
    }

    fn grows(&self, key: &str) -> bool {
        self.open && self.map.keys().next_back().is_some_and(|last| last == key)
    }

    pub fn child(&self, key: &str) -> Option<PartialObject<'a>> {
        let map = self.map.get(key)?.as_object()?;
        Some(PartialObject {
            map,
            open: self.grows(key),
        })
    }

    /// The objects of a list, as far as they are known.
    pub fn children(&self, key: &str) -> Vec<PartialObject<'a>> {
        let items = self.map.get(key).and_then(Value::as_array);
        let items = items.map_or(&[][..], Vec::as_slice);
        let open = self.grows(key);
        let last = items.len().saturating_sub(1);
        let item = |(at, item): (usize, &'a Value)| {
            Some(PartialObject {
                map: item.as_object()?,
                open: open && at == last,
            })
        };
        items.iter().enumerate().filter_map(item).collect()
    }

    /// The keys so far.
    pub fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// Text that may still grow.
    pub fn growing(&self, key: &str) -> Option<String> {
        let text = match self.map.get(key)? {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(word) => word.to_string(),
            _ => return None,
        };
        Some(clean_text(&text))
    }

    /// Words of a text page that may still grow: as much as a page takes at once.
    pub fn prose(&self, key: &str) -> Option<String> {
        let text = self.map.get(key)?.as_str()?;
        Some(plain(text).take(MAX_PROSE).collect())
    }

    /// A settled string, trimmed; empty reads as absent.
    pub fn word(&self, key: &str) -> Option<&'a str> {
        if self.grows(key) {
            return None;
        }
        self.map
            .get(key)?
            .as_str()
            .map(str::trim)
            .filter(|word| !word.is_empty())
    }

    /// A settled id, without the marks that models like to put before one.
    pub fn id(&self, key: &str) -> Option<&'a str> {
        let id = self.word(key)?;
        let id = id.strip_prefix("shape:").unwrap_or(id);
        Some(id.strip_prefix('#').unwrap_or(id)).filter(|id| !id.is_empty())
    }

    /// A finite number; `"12"` and `"12px"` are taken for 12.
    pub fn number(&self, key: &str) -> Option<f64> {
        let number = match self.map.get(key)? {
            Value::Number(number) => number.as_f64()?,
            Value::String(text) if !self.grows(key) => {
                let text = text.trim();
                text.strip_suffix("px")
                    .unwrap_or(text)
                    .trim()
                    .parse()
                    .ok()?
            }
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    /// A settled yes or no; `"false"`, `"no"` and 0 are no.
    pub fn flag(&self, key: &str) -> Option<bool> {
        if self.grows(key) && self.map.get(key)?.is_string() {
            return None;
        }
        match self.map.get(key)? {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) => number.as_f64().map(|number| number > 0.0),
            Value::String(word) => Some(!matches!(word.trim(), "false" | "no" | "")),
            _ => None,
        }
    }

    /// The settled ids of a list; a single id is taken for a list of one. Empty: none yet.
    pub fn ids(&self, key: &str) -> Vec<&'a str> {
        let strip = |id: &'a str| {
            let id = id.trim();
            let id = id.strip_prefix("shape:").unwrap_or(id);
            id.strip_prefix('#').unwrap_or(id)
        };
        let items = match self.map.get(key) {
            Some(Value::Array(items)) => items,
            Some(Value::String(_)) => return self.id(key).into_iter().collect(),
            _ => return Vec::new(),
        };
        // The last word of a list that still grows may be half a word.
        let settled = items.len() - usize::from(self.grows(key) && !items.is_empty());
        items[..settled]
            .iter()
            .filter_map(Value::as_str)
            .map(strip)
            .filter(|id| !id.is_empty())
            .collect()
    }

    /// The settled items of a list; a single one is taken for a list of one.
    pub fn items(&self, key: &str) -> &'a [Value] {
        match self.map.get(key) {
            Some(Value::Array(items)) => {
                // The last of a list that still grows may be half of it.
                let settled = items.len() - usize::from(self.grows(key) && !items.is_empty());
                &items[..settled]
            }
            Some(Value::Null) | None => &[],
            Some(_) if self.grows(key) => &[],
            Some(one) => std::slice::from_ref(one),
        }
    }

    /// The settled texts of a list.
    pub fn strings(&self, key: &str) -> Vec<String> {
        let items = self.map.get(key).and_then(Value::as_array);
        items.map(|items| texts(items)).unwrap_or_default()
    }

    /// The settled texts of a list of lists.
    pub fn rows(&self, key: &str) -> Vec<Vec<String>> {
        let rows = self.map.get(key).and_then(Value::as_array);
        let rows = rows.into_iter().flatten().filter_map(Value::as_array);
        rows.map(|items| texts(items))
            .filter(|row| !row.is_empty())
            .collect()
    }

    /// The settled facts of a list of `{field, value}`; an object of the same is taken for one.
    pub fn facts(&self, key: &str) -> BTreeMap<String, Value> {
        if self.grows(key) {
            return BTreeMap::new();
        }
        let plain = |value: &Value| !(value.is_null() || value.is_object() || value.is_array());
        let pair = |item: &Value| {
            let field = item.get("field")?.as_str()?.trim().to_owned();
            let value = item.get("value").filter(|value| plain(value))?.clone();
            Some((field, value))
        };
        match self.map.get(key) {
            Some(Value::Array(items)) => items.iter().filter_map(pair).collect(),
            Some(Value::Object(map)) => map
                .iter()
                .filter(|(_, value)| plain(value))
                .map(|(field, value)| (field.clone(), value.clone()))
                .collect(),
            _ => BTreeMap::new(),
        }
    }

    /// The points of a list, `{x, y}` or `[x, y]`; one that lacks a number is not there yet.
    pub fn points(&self, key: &str) -> Vec<(f64, f64)> {
        let Some(Value::Array(items)) = self.map.get(key) else {
            return Vec::new();
        };
        let number = |value: Option<&Value>| {
            value
                .and_then(Value::as_f64)
                .filter(|number| number.is_finite())
                .map(|number| number.clamp(-MAX_COORDINATE, MAX_COORDINATE))
        };
        items
            .iter()
            .filter_map(|item| match item {
                Value::Object(point) => Some((number(point.get("x"))?, number(point.get("y"))?)),
                Value::Array(pair) => Some((number(pair.first())?, number(pair.get(1))?)),
                _ => None,
            })
            .collect()
    }

    pub fn coordinate(&self, key: &str) -> Option<f64> {
        self.number(key)
            .map(|number| number.clamp(-MAX_COORDINATE, MAX_COORDINATE))
    }

    pub fn size(&self, key: &str) -> Option<f64> {
        self.number(key)
            .map(|number| number.abs().clamp(1.0, MAX_SIZE))
    }
}

/// Texts of a list; numbers are taken for theirs.
fn texts(items: &[Value]) -> Vec<String> {
    let text = |item: &Value| match item {
        Value::String(text) => clean_text(text),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    items.iter().map(text).collect()
}

/// Control characters out (but line breaks and tabs), length bounded.
fn clean_text(text: &str) -> String {
    plain(text).take(MAX_TEXT).collect()
}

/// Control characters out, but line breaks and tabs.
fn plain(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_last_word_of_an_open_object_is_not_settled() {
        let value = json!({"color": "red", "fill": "so"});
        let open = PartialObject::new(&value, false).unwrap();
        let whole = PartialObject::new(&value, true).unwrap();
        assert_eq!(
            [open.word("color"), open.word("fill"), whole.word("fill")],
            [Some("red"), None, Some("so")]
        );
    }

    #[test]
    fn a_child_is_open_only_while_it_is_the_last() {
        let value = json!({"shape": {"text": "a"}});
        let open = PartialObject::new(&value, false).unwrap();
        assert!(!open.child("shape").unwrap().is_complete());
        let value = json!({"shape": {"text": "a"}, "intent": ""});
        let open = PartialObject::new(&value, false).unwrap();
        assert!(open.child("shape").unwrap().is_complete());
    }

    #[test]
    fn numbers_are_coerced_and_clamped() {
        let value =
            json!({"a": "12px", "b": 1e300, "c": -40, "d": 0, "e": "x", "f": null, "g": "7"});
        let given = PartialObject::new(&value, true).unwrap();
        let read: Vec<_> = ["a", "b", "c", "d", "e", "f", "g"]
            .iter()
            .map(|key| given.size(key))
            .collect();
        assert_eq!(
            read,
            [
                Some(12.0),
                Some(MAX_SIZE),
                Some(40.0),
                Some(1.0),
                None,
                None,
                Some(7.0)
            ]
        );
        assert_eq!(given.coordinate("b"), Some(MAX_COORDINATE));
    }

    #[test]
    fn the_last_id_of_a_growing_list_is_not_settled() {
        let value = json!({"intent": "", "shapeIds": ["shape:a", "b", "c"]});
        let open = PartialObject::new(&value, false).unwrap();
        let whole = PartialObject::new(&value, true).unwrap();
        assert_eq!(open.ids("shapeIds"), ["a", "b"]);
        assert_eq!(whole.ids("shapeIds"), ["a", "b", "c"]);
    }

    #[test]
    fn points_are_read_once_both_numbers_are_there() {
        let value = json!({"points": [{"x": 1, "y": 2}, [3, 4], {"x": 5}, "no"]});
        let open = PartialObject::new(&value, false).unwrap();
        assert_eq!(open.points("points"), [(1.0, 2.0), (3.0, 4.0)]);
    }

    #[test]
    fn ids_lose_the_prefixes_that_models_add() {
        let value = json!({"a": "shape:order", "b": "#order", "c": " order "});
        let given = PartialObject::new(&value, true).unwrap();
        assert_eq!(["a", "b", "c"].map(|key| given.id(key)), [Some("order"); 3]);
    }
}
