//! Plain text on the page: `write "Hello" in blue`, `add a title: Plans`.

use std::collections::BTreeSet;

use glade_canvas::Rect;
use glade_canvas::text::{FontFamily, measure};
use serde_json::{Value, json};

use super::answer::{put_down, say};
use super::names::{color, slug, unquote};
use super::sight::Sight;

#[derive(Debug, Clone, PartialEq)]
pub struct Words {
    text: String,
    color: &'static str,
    size: f64,
}

const PLAIN: f64 = 28.0;
const TITLE: f64 = 40.0;

pub fn parse(message: &str) -> Option<Words> {
    let text = message.trim();
    let lower = text.to_ascii_lowercase();
    let leads = [
        ("add a title: ", TITLE),
        ("add the title ", TITLE),
        ("add a title ", TITLE),
        ("title: ", TITLE),
        ("add text: ", PLAIN),
        ("add the text ", PLAIN),
        ("add text ", PLAIN),
        ("write ", PLAIN),
    ];
    let (lead, size) = leads.iter().find(|(lead, _)| lower.starts_with(lead))?;
    let rest = text[lead.len()..].trim().trim_start_matches(':').trim();
    let (words, color) = match rest.rsplit_once(" in ") {
        Some((words, name)) if color(name).is_some() => (words.trim(), color(name)),
        _ => (rest, None),
    };
    let quoted = unquote(words);
    // "write a poem" asks for more than writing down.
    let asks = ["a ", "an ", "me ", "something", "some ", "about "];
    let beyond = quoted == words
        && asks
            .iter()
            .any(|word| lower[lead.len()..].starts_with(word));
    (!quoted.is_empty() && !beyond).then(|| Words {
        text: quoted.to_owned(),
        color: color.unwrap_or("black"),
        size: *size,
    })
}

pub fn draw(words: &Words, sight: &Sight) -> Vec<Value> {
    let size = measure(&words.text, FontFamily::Excalifont, words.size);
    let (x, y) = put_down(Rect::new(0.0, 0.0, size.w.ceil(), size.h.ceil()), sight);
    let id = slug(&words.text, "text", &mut BTreeSet::new(), sight);
    vec![
        json!({"_type": "create", "intent": "text", "shape": {
            "_type": "text", "shapeId": id, "x": x, "y": y, "anchor": "top-left", "fontSize": words.size,
            "color": words.color, "text": words.text,
        }}),
        say("Written.".to_owned()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_they_are_given() {
        let words = |text: &str, color, size| {
            Some(Words {
                text: text.to_owned(),
                color,
                size,
            })
        };
        assert_eq!(
            parse("Write \"Hello world\" in blue"),
            words("Hello world", "blue", PLAIN)
        );
        assert_eq!(parse("write Hello"), words("Hello", "black", PLAIN));
        assert_eq!(
            parse("Add a title: Plans for May"),
            words("Plans for May", "black", TITLE)
        );
        for message in ["write a poem", "write me a letter", "write", "hello"] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
