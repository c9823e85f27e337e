//! Words with marks, as Markdown.

use glade_doc::text::Mark;
use serde_json::Value;

/// Marks with a sign, outermost first.
const SIGNS: [(&str, &str, &str); 5] = [
    ("bold", "**", "**"),
    ("italic", "*", "*"),
    ("strike", "~~", "~~"),
    ("underline", "<u>", "</u>"),
    ("highlight", "<mark>", "</mark>"),
];

/// Where words stand decides how a line break is written, and whether `|` means something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum In {
    Block,
    /// A heading or a cell: one line.
    Line,
}

pub fn inline(text: &str, marks: &[Mark], within: In) -> String {
    let chars: Vec<char> = text.chars().collect();
    // A link's words are written whole; everything else char by char.
    let mut out = String::new();
    let mut open: Vec<&str> = Vec::new();
    let mut link: Option<(usize, String)> = None;
    let mut at = 0;
    let has = |name: &str, at: usize| {
        marks
            .iter()
            .any(|mark| mark.name == name && mark.from <= at && at < mark.to)
    };
    while at <= chars.len() {
        // A sign must hug a letter: marks do not cover the spaces at their edges.
        let wanted: Vec<&str> = SIGNS
            .iter()
            .map(|(name, ..)| *name)
            .filter(|name| at < chars.len() && hugged(marks, name, at, &chars))
            .collect();
        let here = link_at(marks, at, chars.len());
        let link_ends = link.as_ref().is_some_and(|(end, _)| *end == at);
        let mut keep = open.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
        if link_ends || (link.is_none() && here.is_some()) {
            keep = 0;
        }
        while open.len() > keep {
            let name = open.pop().unwrap_or_default();
            out.push_str(
                SIGNS
                    .iter()
                    .find(|(sign, ..)| *sign == name)
                    .map_or("", |(_, _, end)| end),
            );
        }
        if link_ends && let Some((_, href)) = link.take() {
            out.push_str(&format!("]({})", target(&href)));
        }
        if at == chars.len() {
            break;
        }
        if let (None, Some((end, href))) = (&link, here) {
            out.push('[');
            link = Some((end, href));
        }
        for name in &wanted[open.len()..] {
            out.push_str(
                SIGNS
                    .iter()
                    .find(|(sign, ..)| sign == name)
                    .map_or("", |(_, begin, _)| begin),
            );
            open.push(name);
        }
        if has("code", at) {
            let end = (at..chars.len())
                .find(|at| !has("code", *at))
                .unwrap_or(chars.len());
            let end = link
                .as_ref()
                .map_or(end, |(link_end, _)| end.min(*link_end));
            let code: String = chars[at..end].iter().collect();
            out.push_str(&code_span(&code, within));
            at = end;
            continue;
        }
        escape(&chars, at, within, &mut out);
        at += 1;
    }
    out
}

fn hugged(marks: &[Mark], name: &str, at: usize, chars: &[char]) -> bool {
    marks.iter().filter(|mark| mark.name == name).any(|mark| {
        let (mut from, mut to) = (mark.from, mark.to.min(chars.len()));
        while from < to && chars[from].is_whitespace() {
            from += 1;
        }
        while from < to && chars[to - 1].is_whitespace() {
            to -= 1;
        }
        from <= at && at < to
    })
}

fn link_at(marks: &[Mark], at: usize, length: usize) -> Option<(usize, String)> {
    let link = marks
        .iter()
        .find(|mark| mark.name == "link" && mark.from <= at && at < mark.to)?;
    let Value::String(href) = &link.value else {
        return None;
    };
    Some((link.to.min(length), href.clone()))
}

pub fn target(href: &str) -> String {
    let plain = !href.is_empty()
        && !href
            .contains(|ch: char| ch.is_whitespace() || "<>()\\".contains(ch) || ch.is_control());
    match plain {
        true => href.to_owned(),
        false => format!(
            "<{}>",
            href.replace('\\', "\\\\")
                .replace('<', "\\<")
                .replace('>', "\\>")
                .replace('\n', " ")
        ),
    }
}

pub fn code_span(code: &str, within: In) -> String {
    let longest = longest_run(code, '`');
    let fence = "`".repeat(longest + 1);
    let padded = code.starts_with('`')
        || code.ends_with('`')
        || (code.starts_with(' ') && code.ends_with(' ') && !code.trim().is_empty());
    let code = code.replace('\n', " ");
    let code = match within {
        In::Line => code.replace('|', "\\|"),
        In::Block => code,
    };
    match padded {
        true => format!("{fence} {code} {fence}"),
        false => format!("{fence}{code}{fence}"),
    }
}

pub fn longest_run(text: &str, sign: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for ch in text.chars() {
        run = if ch == sign { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

fn escape(chars: &[char], at: usize, within: In, out: &mut String) {
    let ch = chars[at];
    let next = chars.get(at + 1).copied();
    let line_start = at == 0 || chars[at - 1] == '\n';
    let escaped = match ch {
        '\n' => {
            out.push_str(if within == In::Line { "<br>" } else { "\\\n" });
            return;
        }
        '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '$' => true,
        '_' => {
            let word = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
            !(word(at.checked_sub(1).map(|at| chars[at])) && word(next))
        }
        '~' => true,
        '&' => next.is_some_and(|ch| ch.is_alphanumeric() || ch == '#'),
        '!' => next == Some('['),
        '#' | '>' | '+' | '-' | '=' if line_start => true,
        '#' => chars[at..]
            .iter()
            .all(|ch| *ch == '#' || ch.is_whitespace()),
        '.' | ')' => {
            let before = &chars[..at];
            let start = before
                .iter()
                .rposition(|ch| *ch == '\n')
                .map_or(0, |at| at + 1);
            let number = &before[start..];
            !number.is_empty() && number.len() <= 9 && number.iter().all(char::is_ascii_digit)
        }
        ' ' | '\t' if line_start || next.is_none() || next == Some('\n') => {
            out.push_str(if ch == ' ' { "&#32;" } else { "&#9;" });
            return;
        }
        _ => false,
    };
    if escaped {
        out.push('\\');
    }
    out.push(ch);
}
