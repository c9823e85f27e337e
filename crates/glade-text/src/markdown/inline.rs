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
    let spans = spans(marks, &chars);
    let code: Vec<(usize, usize)> = of(marks, "code", chars.len()).collect();
    let mut out = String::new();
    // The spans that are open, the innermost last: none ends before one inside of it.
    let mut open: Vec<&Span> = Vec::new();
    let mut at = 0;
    loop {
        while let Some(span) = open.pop_if(|span| span.to == at) {
            out.push_str(&span.end());
        }
        if at == chars.len() {
            return out;
        }
        for span in spans.iter().filter(|span| span.from == at) {
            out.push_str(span.begin());
            open.push(span);
        }
        if let Some((_, end)) = code.iter().find(|(from, to)| *from <= at && at < *to) {
            // A link ends where it ends.
            let end = open.iter().fold(*end, |end, span| end.min(span.to));
            let words: String = chars[at..end].iter().collect();
            out.push_str(&code_span(&words, within));
            at = end;
            continue;
        }
        escape(&chars, at, within, &mut out);
        at += 1;
    }
}

/// Words between two signs.
#[derive(Clone, Debug)]
struct Span {
    from: usize,
    to: usize,
    sign: Sign,
}

#[derive(Clone, Debug)]
enum Sign {
    Link(String),
    /// Its place in [`SIGNS`].
    Mark(usize),
}

impl Span {
    fn begin(&self) -> &'static str {
        match self.sign {
            Sign::Link(_) => "[",
            Sign::Mark(at) => SIGNS[at].1,
        }
    }

    fn end(&self) -> String {
        match &self.sign {
            Sign::Link(href) => format!("]({})", target(href)),
            Sign::Mark(at) => SIGNS[*at].2.to_owned(),
        }
    }

    fn is_link(&self) -> bool {
        matches!(self.sign, Sign::Link(_))
    }

    /// A sign must hug a letter: marks do not cover the spaces at their edges.
    fn hug(mut self, chars: &[char]) -> Option<Self> {
        if !self.is_link() {
            while self.from < self.to && chars[self.from].is_whitespace() {
                self.from += 1;
            }
            while self.from < self.to && chars[self.to - 1].is_whitespace() {
                self.to -= 1;
            }
        }
        (self.from < self.to).then_some(self)
    }
}

fn of<'m>(
    marks: &'m [Mark],
    name: &'m str,
    length: usize,
) -> impl Iterator<Item = (usize, usize)> + 'm {
    let named = marks.iter().filter(move |mark| mark.name == name);
    named.map(move |mark| (mark.from.min(length), mark.to.min(length)))
}

/// What is written as signs, in the order in which it begins, the longer first; no two cross each
/// other. Where they would, the later one is cut in two, but never a link.
fn spans(marks: &[Mark], chars: &[char]) -> Vec<Span> {
    let length = chars.len();
    let code: Vec<(usize, usize)> = of(marks, "code", length).collect();
    // What begins or ends inside of code takes all of it.
    let around = |from: usize, to: usize| {
        let whole = |(from, to): (usize, usize), &(a, b): &(usize, usize)| {
            let from = if a < from && from < b { a } else { from };
            let to = if a < to && to < b { b } else { to };
            (from, to)
        };
        code.iter().fold((from, to), whole)
    };
    let mut spans: Vec<Span> = Vec::new();
    for (at, (name, ..)) in SIGNS.iter().enumerate() {
        for (from, to) in of(marks, name, length) {
            let (from, to) = around(from, to);
            let sign = Sign::Mark(at);
            spans.extend(Span { from, to, sign }.hug(chars));
        }
    }
    for mark in marks.iter().filter(|mark| mark.name == "link") {
        if let Value::String(href) = &mark.value {
            let (from, to) = (mark.from.min(length), mark.to.min(length));
            let sign = Sign::Link(href.clone());
            spans.extend(Span { from, to, sign }.hug(chars));
        }
    }
    let crossing = |spans: &[Span]| {
        let pairs = (0..spans.len()).flat_map(|i| (0..spans.len()).map(move |j| (i, j)));
        pairs.into_iter().find(|(i, j)| {
            let (a, b) = (&spans[*i], &spans[*j]);
            a.from < b.from && b.from < a.to && a.to < b.to
        })
    };
    while let Some((i, j)) = crossing(&spans) {
        let (which, at) = match spans[j].is_link() {
            true => (i, spans[j].from),
            false => (j, spans[i].to),
        };
        let whole = spans.remove(which);
        let (mut left, mut right) = (whole.clone(), whole);
        (left.to, right.from) = (at, at);
        spans.extend([left, right].into_iter().filter_map(|part| part.hug(chars)));
    }
    let rank = |span: &Span| match span.sign {
        Sign::Link(_) => 0,
        Sign::Mark(at) => at + 1,
    };
    spans.sort_by_key(|span| (span.from, usize::MAX - span.to, rank(span)));
    spans
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
