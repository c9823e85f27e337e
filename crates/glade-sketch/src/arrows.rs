//! Finding arrows in text: `->`, `-->`, `=>`, `→`, with labels as `-yes->`, `-- yes -->`, `-->|yes|`.

use super::names::unquote;

/// A name, or the arrow between two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece<'a> {
    Name(&'a str),
    Arrow(Option<&'a str>),
}

/// Names and arrows, in turn; a text without an arrow is one name.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match arrow(text, at, c) {
            Some((end, label)) => {
                out.push(Piece::Name(&text[from..at]));
                out.push(Piece::Arrow(label));
                (from, at) = (end, end);
            }
            None => at += c.len_utf8(),
        }
    }
    out.push(Piece::Name(&text[from..]));
    out
}

fn is_shaft(c: char) -> bool {
    matches!(c, '-' | '=' | '–' | '—')
}

/// The end of the arrow that begins here, and its label.
fn arrow(text: &str, at: usize, c: char) -> Option<(usize, Option<&str>)> {
    if matches!(c, '→' | '⟶' | '⇒' | '➜' | '➔') {
        return Some(piped(text, at + c.len_utf8(), None));
    }
    if !is_shaft(c) {
        return None;
    }
    let shaft: usize = text[at..]
        .chars()
        .take_while(|c| is_shaft(*c))
        .map(char::len_utf8)
        .sum();
    let head = at + shaft;
    if let Some(end) = tip(text, head) {
        return Some(piped(text, end, None));
    }
    // `A -label-> B`, `A -- label --> B`: a dash within a word is not the beginning of an arrow.
    if !text[..at]
        .chars()
        .next_back()
        .is_none_or(char::is_whitespace)
    {
        return None;
    }
    let rest = &text[head..];
    let (label_end, end) =
        rest.char_indices()
            .filter(|(_, c)| is_shaft(*c))
            .find_map(|(start, _)| {
                let shaft: usize = rest[start..]
                    .chars()
                    .take_while(|c| is_shaft(*c))
                    .map(char::len_utf8)
                    .sum();
                Some((start, tip(text, head + start + shaft)?))
            })?;
    let label = &rest[..label_end];
    let tight = !label.starts_with(char::is_whitespace) && !label.ends_with(char::is_whitespace);
    let long = text[at..head].chars().count() > 1;
    if label.trim().is_empty() || !(tight || long) {
        return None;
    }
    let label = label.trim();
    let label = label
        .strip_prefix('[')
        .and_then(|label| label.strip_suffix(']'))
        .unwrap_or(label);
    Some((end, Some(unquote(label.trim()))))
}

fn tip(text: &str, at: usize) -> Option<usize> {
    let heads = text[at..].chars().take_while(|c| *c == '>').count();
    (heads > 0).then_some(at + heads)
}

/// Mermaid's `-->|label|`.
fn piped<'a>(text: &'a str, end: usize, label: Option<&'a str>) -> (usize, Option<&'a str>) {
    let rest = &text[end..];
    let gap = rest.len() - rest.trim_start_matches(' ').len();
    let Some(inner) = rest[gap..].strip_prefix('|') else {
        return (end, label);
    };
    match inner.find('|') {
        Some(close) => (end + gap + close + 2, Some(inner[..close].trim())),
        None => (end, label),
    }
}
