//! What an edit was, in a few words.
//!
//! Every prompt shows what stands on the page: an edit is remembered as what was done to what, and not
//! with its coordinates, colours and texts a second time.

use serde_json::Value;

use crate::action;
use crate::facts::Work;

/// The longest text that is quoted, in characters.
const QUOTED: usize = 40;

/// A remembered action as history tells it: whole, unless the page shows what it did.
pub fn brief(json: &str) -> String {
    let Ok(Value::Object(fields)) = serde_json::from_str(json) else {
        return json.to_owned();
    };
    let name = fields
        .get("_type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let edits = action::find(name).is_some_and(|action| action.facts().work == Work::Edit);
    if !edits {
        return json.to_owned();
    }
    let mut words = vec![name.to_owned()];
    for (field, value) in fields.iter().filter(|(field, _)| *field != "_type") {
        tell(field, value, &mut words);
    }
    words.join(" ")
}

fn tell(field: &str, value: &Value, words: &mut Vec<String>) {
    let is_id = field.ends_with("Id") || field.ends_with("Ids");
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                tell(field, value, words);
            }
        }
        Value::Array(items) if is_id => {
            words.extend(items.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => match field {
            "intent" | "note" | "color" | "fill" => {}
            "_type" | "shapeId" | "blockId" => words.push(text.clone()),
            "text" => words.push(format!("\"{}\"", quoted(text))),
            _ => words.push(format!("{field} {}", quoted(text))),
        },
        Value::Array(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {}
    }
}

fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_told_by_what_was_done_to_what() {
        let cases = [
            (
                r#"{"_type":"create","intent":"a part","shape":{"_type":"rectangle","shapeId":"pay","x":80,"y":9,"w":200,"h":100,"color":"blue","text":"Pay by\ncard"}}"#,
                r#"create rectangle pay "Pay by card""#,
            ),
            (
                r#"{"_type":"create","shape":{"_type":"arrow","shapeId":"a1","fromId":"order","toId":"pay","bend":null}}"#,
                "create arrow a1 fromId order toId pay",
            ),
            (
                r#"{"_type":"align","alignment":"top","shapeIds":["a","b"],"gap":3}"#,
                "align alignment top a b",
            ),
            (
                r#"{"_type":"message","text":"All of it, with every word that was said to the person."}"#,
                r#"{"_type":"message","text":"All of it, with every word that was said to the person."}"#,
            ),
            (
                r#"{"_type":"nobody-knows","x":1}"#,
                r#"{"_type":"nobody-knows","x":1}"#,
            ),
            ("not json", "not json"),
        ];
        for (json, wanted) in cases {
            assert_eq!(brief(json), wanted);
        }
    }
}
