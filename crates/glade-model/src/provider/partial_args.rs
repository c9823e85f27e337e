//! Arguments of a Gemini call that come in pieces: each a value, or more of a text, at a JSON path.

use serde_json::{Map, Value};

#[derive(Debug)]
pub struct PartialArgs {
    args: Value,
    /// A piece could not be understood: these are not all of them.
    broken: bool,
}

#[derive(Debug, PartialEq)]
enum Step {
    Field(String),
    Item(usize),
}

impl PartialArgs {
    /// `begun`: what is whole already.
    pub fn new(begun: &Value) -> Self {
        let args = match begun {
            Value::Object(_) => begun.clone(),
            _ => Value::Object(Map::new()),
        };
        Self {
            args,
            broken: false,
        }
    }

    pub fn add(&mut self, pieces: &Value) {
        for piece in pieces.as_array().into_iter().flatten() {
            self.broken |= self.put(piece).is_none();
        }
    }

    /// All of them, if they were understood.
    pub fn whole(self) -> Option<Value> {
        (!self.broken).then_some(self.args)
    }

    fn put(&mut self, piece: &Value) -> Option<()> {
        let mut slot = &mut self.args;
        for step in steps(piece["jsonPath"].as_str()?)? {
            slot = step.into(slot)?;
        }
        let given = ["numberValue", "boolValue"]
            .iter()
            .find_map(|kind| piece.get(*kind));
        match (slot, piece["stringValue"].as_str()) {
            (Value::String(text), Some(more)) => text.push_str(more),
            (slot @ Value::Null, Some(text)) => *slot = text.into(),
            (slot, None) if given.is_some() || piece.get("nullValue").is_some() => {
                *slot = given.cloned().unwrap_or_default();
            }
            _ => return None,
        }
        Some(())
    }
}

impl Step {
    /// One step down, made if it is not there; never past the end of a list.
    fn into(self, value: &mut Value) -> Option<&mut Value> {
        match (self, value) {
            (Self::Field(name), value @ (Value::Null | Value::Object(_))) => {
                if value.is_null() {
                    *value = Value::Object(Map::new());
                }
                Some(value.as_object_mut()?.entry(name).or_insert(Value::Null))
            }
            (Self::Item(at), value @ (Value::Null | Value::Array(_))) => {
                if value.is_null() {
                    *value = Value::Array(Vec::new());
                }
                let list = value.as_array_mut()?;
                if at == list.len() {
                    list.push(Value::Null);
                }
                list.get_mut(at)
            }
            _ => None,
        }
    }
}

/// `$.a.b[0]['c']`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            steps.push(Step::Field(name[..end].to_owned()));
            rest = &name[end..];
            continue;
        }
        let inside = rest.strip_prefix('[')?;
        let quote = inside
            .chars()
            .next()
            .filter(|letter| matches!(letter, '\'' | '"'));
        let (inner, after) = match quote {
            Some(quote) => inside[1..].split_once(&format!("{quote}]"))?,
            None => inside.split_once(']')?,
        };
        steps.push(match quote {
            Some(_) => Step::Field(inner.to_owned()),
            None => Step::Item(inner.parse().ok()?),
        });
        rest = after;
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn whole(pieces: &Value) -> Option<Value> {
        let mut args = PartialArgs::new(&json!({"kept": true}));
        args.add(pieces);
        args.whole()
    }

    #[test]
    fn pieces_are_put_where_they_belong_and_texts_grow() {
        let pieces = json!([
            {"jsonPath": "$.title", "stringValue": "Ti", "willContinue": true},
            {"jsonPath": "$.title", "stringValue": "des"},
            {"jsonPath": "$.marks[0].at", "numberValue": 1.5},
            {"jsonPath": "$.marks[1]['a b']", "boolValue": false},
            {"jsonPath": "$.none", "nullValue": "NULL_VALUE"},
        ]);
        assert_eq!(
            whole(&pieces),
            Some(
                json!({"kept": true, "title": "Tides", "marks": [{"at": 1.5}, {"a b": false}], "none": null})
            )
        );
    }

    #[test]
    fn a_piece_that_is_not_understood_leaves_nothing_whole() {
        for piece in [
            json!({"jsonPath": "$.a[5]", "numberValue": 1}),
            json!({"jsonPath": "$.a[99999999999]", "numberValue": 1}),
            json!({"jsonPath": "$.kept.a", "numberValue": 1}),
            json!({"jsonPath": "a", "numberValue": 1}),
            json!({"jsonPath": "$.a[", "numberValue": 1}),
            json!({"jsonPath": "$.a", "laterValue": 1}),
            json!({"numberValue": 1}),
        ] {
            assert_eq!(whole(&json!([piece])), None, "{piece}");
        }
    }
}
