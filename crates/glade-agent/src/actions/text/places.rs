//! Where words stand in a block. Words that stand there several times are asked for, not guessed.

use std::ops::Range;

use glade_text::Styled;
use serde_json::{Value, json};

use super::taken::inline;
use crate::action::Refusal;
use crate::partial_object::PartialObject;

/// Letters shown on either side of words that stand several times.
const AROUND: usize = 24;

/// The fields that name words of a block.
pub fn fields(about: &str) -> [(&'static str, Value); 2] {
    [
        ("words", json!({"type": "string", "description": about})),
        (
            "which",
            json!({"anyOf": [{"type": "number"}, {"const": "all"}], "description": "if the words stand there several times: the first is 1"}),
        ),
    ]
}

/// The ranges, in characters, that an action means by words in `field` and perhaps `which`.
pub fn find(
    words: &str,
    given: PartialObject<'_>,
    block: &Styled,
    name: &str,
) -> Result<Vec<Range<usize>>, Refusal> {
    let mut found = all(&block.text, words);
    if found.is_empty() {
        // As they are shown, with their signs.
        found = all(&block.text, &inline(words).text);
    }
    if found.is_empty() {
        return Err(Refusal::new(format!(
            "the block \"{name}\" does not hold the words \"{words}\""
        )));
    }
    if given.word("which") == Some("all") || found.len() == 1 {
        return Ok(found);
    }
    let which = given.number("which").filter(|which| *which >= 1.0);
    let chosen = which.and_then(|which| found.get(which as usize - 1));
    chosen.map(|range| vec![range.clone()]).ok_or_else(|| {
        let places = found.iter().take(8).zip(1..);
        let places: Vec<String> = places
            .map(|(range, number)| format!("{number} (\"{}\")", around(&block.text, range)))
            .collect();
        Refusal::new(format!(
            "the words \"{words}\" stand {} times in the block \"{name}\": say which with \"which\": {}, or \"all\"",
            found.len(),
            places.join(", ")
        ))
    })
}

/// The first of these ranges as a reader of the block finds it again: its words, and how many stand before it.
pub fn named(text: &str, found: &[Range<usize>]) -> (Option<String>, usize) {
    let Some(range) = found.first() else {
        return (None, 0);
    };
    let words: String = text.chars().skip(range.start).take(range.len()).collect();
    let before = all(text, &words);
    let before = before.iter().filter(|other| other.start < range.start);
    (Some(words), before.count())
}

fn all(text: &str, words: &str) -> Vec<Range<usize>> {
    if words.is_empty() {
        return Vec::new();
    }
    let length = words.chars().count();
    let mut chars = (0, 0);
    let place = |(at, _): (usize, &str)| {
        chars = (chars.0 + text[chars.1..at].chars().count(), at);
        chars.0..chars.0 + length
    };
    text.match_indices(words).map(place).collect()
}

fn around(text: &str, range: &Range<usize>) -> String {
    let from = range.start.saturating_sub(AROUND);
    let piece = text.chars().skip(from).take(range.end + AROUND - from);
    piece.collect::<String>().replace('\n', " ")
}
