//! What a call found, as a model reads it: plain text, and what comes from files between fences that
//! their own text cannot close.

use std::fmt::Write as _;

use glade_agent::for_model;
use serde_json::Value;

use crate::tool;

/// What a tool said, as text. What only people look at is left out.
pub fn print(tool: &str, output: &Value) -> String {
    let printed = tool::find(tool).and_then(|tool| tool.print(output));
    // Of a tool that is no more, or from before results had their form of today.
    printed.unwrap_or_else(|| for_model(output))
}

/// Between fences that are longer than any run of backticks inside.
pub fn fenced(text: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{fence}\n{text}{end}{fence}")
}

/// A line with its number before it, as a file is shown: no text of a file begins a line of its own.
pub fn numbered(out: &mut String, number: u64, sign: char, line: &str) {
    let line = line.trim_end_matches(['\n', '\r']);
    // Writing to a string does not fail. What a terminal or a reader takes for a new line is none here.
    let _ = write!(out, "{number}{sign}");
    out.extend(line.chars().map(|letter| match letter {
        '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\u{fffd}',
        letter => letter,
    }));
    out.push('\n');
}

/// A name as one line: file names may hold anything.
pub fn name(path: &str) -> String {
    if path.chars().any(char::is_control) {
        path.escape_debug().to_string()
    } else {
        path.to_owned()
    }
}

/// A field of what a tool found.
pub fn text<'a>(output: &'a Value, field: &str) -> Option<&'a str> {
    output.get(field)?.as_str()
}

pub fn number(output: &Value, field: &str) -> Option<u64> {
    output.get(field)?.as_u64()
}

pub fn list<'a>(output: &'a Value, field: &str) -> Option<&'a Vec<Value>> {
    output.get(field)?.as_array()
}

/// "1 line", "2 lines".
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_what_is_inside() {
        assert_eq!(fenced("a"), "```\na\n```");
        assert_eq!(fenced("```\nx\n```\n"), "````\n```\nx\n```\n````");
        assert_eq!(fenced("`````"), "``````\n`````\n``````");
        assert_eq!(fenced(""), "```\n```");
    }

    #[test]
    fn a_numbered_line_is_one_line() {
        let mut out = String::new();
        numbered(&mut out, 3, '\t', "a\u{2028}b\rc\r\n");
        assert_eq!(out, "3\ta\u{fffd}b\u{fffd}c\n");
    }
}
