//! The words of a tldraw shape: plain in older files, rich in newer ones.

use glade_doc::Props;
use serde_json::Value;

/// Lists in lists: deeper words are left out.
const MAX_DEPTH: usize = 32;

/// What is written on a shape.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub text: String,
    /// Whether there was bold, a link or the like, which plain text has not.
    pub marked: bool,
}

pub(super) fn words(props: &Props) -> Words {
    if let Some(Value::String(text)) = props.get("text")
        && !text.is_empty()
    {
        return Words {
            text: text.trim_end().to_owned(),
            marked: false,
        };
    }
    let mut words = Words::default();
    if let Some(rich) = props.get("richText") {
        collect(rich, "", MAX_DEPTH, &mut words);
    }
    words.text.truncate(words.text.trim_end().len());
    words
}

fn collect(node: &Value, bullet: &str, left: usize, words: &mut Words) {
    let kind = node.get("type").and_then(Value::as_str).unwrap_or("");
    if let Some(text) = node.get("text").and_then(Value::as_str) {
        words.text.push_str(text);
        let marks = node.get("marks").and_then(Value::as_array);
        words.marked |= marks.is_some_and(|marks| !marks.is_empty());
    }
    if kind == "hardBreak" {
        words.text.push('\n');
    }
    if kind == "listItem" {
        words.text.push_str(bullet);
    }
    let inside = node.get("content").and_then(Value::as_array);
    for (at, child) in inside
        .into_iter()
        .flatten()
        .enumerate()
        .take_while(|_| left > 0)
    {
        let bullet = match kind {
            "bulletList" => "• ".to_owned(),
            "orderedList" => format!("{}. ", at + 1),
            _ => String::new(),
        };
        collect(child, &bullet, left - 1, words);
    }
    if matches!(kind, "paragraph" | "heading" | "codeBlock") {
        words.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Words {
        words(value.as_object().unwrap())
    }

    #[test]
    fn paragraphs_are_lines_and_lists_have_their_marks() {
        let paragraph =
            |text: &str| json!({"type": "paragraph", "content": [{"type": "text", "text": text}]});
        let item = |text: &str| json!({"type": "listItem", "content": [paragraph(text)]});
        let rich = json!({"richText": {"type": "doc", "content": [
            paragraph("Plan"), {"type": "paragraph"},
            {"type": "orderedList", "content": [item("one"), item("two")]},
        ]}});
        assert_eq!(read(rich).text, "Plan\n\n1. one\n2. two");
        assert_eq!(
            read(json!({"text": "plain"})),
            Words {
                text: "plain".to_owned(),
                marked: false
            }
        );
    }

    #[test]
    fn bold_is_noticed() {
        let bold = json!({"richText": {"type": "doc", "content": [{"type": "paragraph", "content": [
            {"type": "text", "text": "now", "marks": [{"type": "bold"}]}]}]}});
        assert_eq!(
            read(bold),
            Words {
                text: "now".to_owned(),
                marked: true
            }
        );
    }
}
