//! What a person said to a chat, as it is kept: what we know of a message, and nothing else that came with it.

use serde_json::{Map, Value, json};

use super::fairies::LONGEST_MESSAGE;
use crate::edge::problem::Problem;

/// What a message may bring along of the page that a person looks at, as JSON.
const MOST_AROUND: usize = 256 << 10;
const LONGEST_ID: usize = 100;
const MOST_PARTS: usize = 100;

/// Which parts of a message a chat takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Words,
    /// Also attachments, and what the person points at in a browser.
    WordsAndFiles,
}

/// The message made anew of what is known in it.
pub fn kept(message: &Value, takes: Takes) -> Result<Value, Problem> {
    let given = message["parts"].as_array().map(Vec::as_slice);
    let parts: Vec<Value> = given
        .unwrap_or_default()
        .iter()
        .filter_map(|part| kept_part(part, takes))
        .collect();
    if parts.is_empty() {
        return Err(Problem::bad_request("The message says nothing."));
    }
    let words: usize = parts
        .iter()
        .filter_map(|part| part["text"].as_str())
        .map(str::len)
        .sum();
    if words > LONGEST_MESSAGE || parts.len() > MOST_PARTS {
        return Err(Problem::too_large(format!(
            "A message has at most {LONGEST_MESSAGE} bytes of words, in {MOST_PARTS} parts."
        )));
    }
    let mut kept = json!({ "role": "user", "parts": parts });
    let id = message["id"].as_str();
    if let Some(id) = id.filter(|id| !id.is_empty() && id.len() <= LONGEST_ID) {
        kept["id"] = json!(id);
    }
    if takes == Takes::WordsAndFiles {
        kept["metadata"] = around(&message["metadata"])?;
    }
    Ok(kept)
}

fn kept_part(part: &Value, takes: Takes) -> Option<Value> {
    let text = |key: &str| part[key].as_str();
    match text("type")? {
        "text" => Some(json!({ "type": "text", "text": text("text")? })),
        "file" if takes == Takes::WordsAndFiles => {
            let mut file = json!({ "type": "file", "url": text("url")? });
            for key in ["mediaType", "filename"] {
                if let Some(value) = text(key) {
                    file[key] = json!(value);
                }
            }
            Some(file)
        }
        _ => None,
    }
}

/// What the browser told of its page, and the elements that the person picked there.
fn around(metadata: &Value) -> Result<Value, Problem> {
    let mut kept = Map::new();
    for key in ["browserData", "selectedElements"] {
        if let Some(value) = metadata.get(key) {
            kept.insert(key.to_owned(), value.clone());
        }
    }
    let kept = Value::Object(kept);
    if kept.to_string().len() > MOST_AROUND {
        return Err(Problem::too_large(
            "What was picked in the browser is more than 256 KB: pick less.",
        ));
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_that_a_chat_does_not_know() {
        let message = json!({
            "id": "m1", "role": "user", "junk": [0, 0, 0],
            "parts": [
                {"type": "text", "text": "draw", "junk": {"a": 1}},
                {"type": "data-anything", "data": [0, 0, 0]},
                {"type": "file", "url": "data:,x", "mediaType": "text/plain", "filename": ["x"]},
            ],
            "metadata": {"browserData": {"url": "http://localhost"}, "asker": "somebody else"},
        });
        let words =
            json!({"id": "m1", "role": "user", "parts": [{"type": "text", "text": "draw"}]});
        assert_eq!(kept(&message, Takes::Words).ok(), Some(words));
        let all = json!({
            "id": "m1", "role": "user",
            "parts": [
                {"type": "text", "text": "draw"},
                {"type": "file", "url": "data:,x", "mediaType": "text/plain"},
            ],
            "metadata": {"browserData": {"url": "http://localhost"}},
        });
        assert_eq!(kept(&message, Takes::WordsAndFiles).ok(), Some(all));
    }

    #[test]
    fn too_much_is_refused() {
        let saying = |parts: Value| kept(&json!({"parts": parts}), Takes::Words);
        let words = |length: usize| json!({"type": "text", "text": "w".repeat(length)});
        assert!(saying(json!([words(60_000), words(60_000)])).is_err());
        assert!(saying(json!(vec![words(1); 101])).is_err());
        assert!(saying(json!([])).is_err());
        assert!(saying(json!([words(100_000)])).is_ok());
        let around = json!({"parts": [words(1)], "metadata": {"browserData": "x".repeat(300_000)}});
        assert!(kept(&around, Takes::WordsAndFiles).is_err());
    }
}
