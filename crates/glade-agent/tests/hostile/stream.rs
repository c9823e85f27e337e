//! An answer through the stream parser, at once and letter by letter. The tests do it with answers that say something, the
//! fuzzer with whatever it comes to.

use glade_agent::parser::{Parsed, Parser};
use serde_json::Value;

/// Feeds the pieces; answers the complete actions and every state of the open one.
pub fn feed<'a>(
    pieces: impl IntoIterator<Item = &'a str>,
) -> (Vec<Value>, Vec<(usize, Value)>, Vec<String>) {
    let mut parser = Parser::new();
    let (mut whole, mut partial, mut broken) = (Vec::new(), Vec::new(), Vec::new());
    for piece in pieces {
        for parsed in parser.push(piece) {
            match parsed {
                Parsed::Complete { index, value } => {
                    assert_eq!(index, whole.len(), "actions complete in order");
                    whole.push(value);
                }
                Parsed::Partial { index } => {
                    let (open, value) = parser.current().expect("a partial can be read");
                    assert_eq!(open, index);
                    partial.push((index, value.clone()));
                }
                Parsed::Broken { reason, .. } => broken.push(reason),
            }
        }
    }
    (whole, partial, broken)
}

pub fn whole(text: &str) -> Vec<Value> {
    let (together, _, broken) = feed([text]);
    let mut letters = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let (head, tail) = rest.split_at(letter.len_utf8());
        letters.push(head);
        rest = tail;
    }
    let (by_letters, _, broken_by_letters) = feed(letters);
    assert_eq!(
        (&by_letters, broken_by_letters),
        (&together, broken),
        "letter by letter is the same as at once"
    );
    together
}
