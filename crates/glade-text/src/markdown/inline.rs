//! Words with marks, as Markdown.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use glade_doc::text::{HTML, Link, Mark, TEX};
use pulldown_cmark::{Event, Parser};

use super::OPTIONS;

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
    /// One line, as a heading is.
    Line,
    /// One line between bars.
    Cell,
}

/// For whom it is written.
#[derive(Clone, Copy)]
pub struct Hand<'s> {
    /// A line break in a block is a line break; in a file it has a backslash before it.
    pub plain_breaks: bool,
    /// Signs among words that get a backslash wherever they stand.
    pub escaped: &'s str,
}

impl Hand<'static> {
    /// For any reader: every sign that might be taken for a mark is escaped.
    pub const FILE: Self = Self {
        plain_breaks: false,
        escaped: "*_~`[]<|$&!",
    };
}

pub fn inline(text: &str, marks: &[Mark], within: In, hand: Hand<'_>) -> String {
    let chars: Vec<char> = text.chars().collect();
    let verbatim = verbatim(marks, &chars);
    let mut spans = spans(marks, &verbatim, &chars);
    let written = write(&chars, &verbatim, &spans, within, hand);
    let is_of_signs = |span: &Span| span.is_of('*') || span.is_of('~');
    if !spans.iter().any(is_of_signs) || signs_left(&written) == signs_in(text) {
        return written;
    }
    // Marks that lie across each other can be written so that no reader takes them for marks. The
    // words come first.
    spans.retain(|span| !is_of_signs(span));
    write(&chars, &verbatim, &spans, within, hand)
}

fn signs_in(text: &str) -> usize {
    text.chars().filter(|ch| matches!(ch, '*' | '~')).count()
}

/// How many signs a reader takes for words.
fn signs_left(written: &str) -> usize {
    // A word before it, so that it begins no block.
    let source = format!("x {written}");
    Parser::new_ext(&source, OPTIONS)
        .map(|event| match event {
            Event::Text(words)
            | Event::Code(words)
            | Event::InlineMath(words)
            | Event::InlineHtml(words) => signs_in(&words),
            _ => 0,
        })
        .sum()
}

fn write(
    chars: &[char],
    verbatim: &[Verbatim],
    spans: &[Span],
    within: In,
    hand: Hand<'_>,
) -> String {
    let mut out = String::new();
    // The spans that are open, the innermost last: none ends before one inside of it.
    let mut open: Vec<&Span> = Vec::new();
    let mut coming = spans.iter().peekable();
    let mut words_as_they_are = verbatim.iter().peekable();
    let links: HashSet<usize> = spans
        .iter()
        .filter(|span| span.is_link())
        .map(|span| span.from)
        .collect();
    let marks_at_end = chars
        .iter()
        .rev()
        .take_while(|ch| **ch == '#' || ch.is_whitespace());
    let tail = chars.len() - marks_at_end.count();
    let references = beside_signs(spans, verbatim, chars);
    let mut at = 0;
    loop {
        while let Some(span) = open.pop_if(|span| span.to == at) {
            out.push_str(&span.end());
        }
        if at == chars.len() {
            return out;
        }
        while let Some(span) = coming.next_if(|span| span.from <= at) {
            // What began inside of words that are written as they are has no sign.
            if span.from == at {
                out.push_str(span.begin());
                open.push(span);
            }
        }
        while words_as_they_are.next_if(|one| one.to <= at).is_some() {}
        if let Some(found) = words_as_they_are.peek().filter(|one| one.from <= at) {
            // A link ends where it ends.
            let end = open.iter().fold(found.to, |end, span| end.min(span.to));
            let words: String = chars[at..end].iter().collect();
            if let Some(written) = found.write(&words, within) {
                out.push_str(&written);
                at = end;
                continue;
            }
        }
        if chars[at] == '!' && links.contains(&(at + 1)) {
            // Or it would be a picture.
            out.push('\\');
        }
        match chars[at] {
            // Only signs behind it: those would close a heading.
            '#' if at >= tail => out.push_str("\\#"),
            letter if references.contains(&at) => {
                out.push_str(&format!("&#{};", u32::from(letter)));
            }
            _ => escape(chars, at, within, hand, &mut out),
        }
        at += 1;
    }
}

/// Words in which no sign means anything.
struct Verbatim {
    from: usize,
    to: usize,
    /// A mark of [`VERBATIM`].
    name: &'static str,
}

/// Marks of words that are written as they are; where words wear several, the first counts.
const VERBATIM: [&str; 3] = ["code", TEX, HTML];

/// In order; no two cover the same words.
fn verbatim(marks: &[Mark], chars: &[char]) -> Vec<Verbatim> {
    let mut worn: Vec<Option<&'static str>> = vec![None; chars.len()];
    for name in VERBATIM {
        for (from, to) in of(marks, name, chars.len()) {
            let free = worn[from..to].iter_mut().filter(|worn| worn.is_none());
            free.for_each(|worn| *worn = Some(name));
        }
    }
    let mut all: Vec<Verbatim> = Vec::new();
    for (at, name) in worn.into_iter().enumerate() {
        let Some(name) = name else { continue };
        match all.last_mut() {
            Some(last) if last.name == name && last.to == at => last.to = at + 1,
            _ => all.push(Verbatim {
                from: at,
                to: at + 1,
                name,
            }),
        }
    }
    all
}

impl Verbatim {
    /// Nothing if it would not be read back as what it is.
    fn write(&self, words: &str, within: In) -> Option<String> {
        let in_line = |text: String| match within {
            In::Cell => text.replace('|', "\\|").replace('\n', " "),
            In::Line => text.replace('\n', " "),
            In::Block => text,
        };
        match self.name {
            "code" => Some(code_span(words, within)),
            TEX => {
                let written = format!("${words}$");
                let back = |events: Vec<Event<'_>>| match events.as_slice() {
                    [Event::InlineMath(back)] => back.as_ref() == words,
                    _ => false,
                };
                back(parts(&written)).then(|| in_line(written))
            }
            _ => {
                let html = |event: &Event<'_>| matches!(event, Event::InlineHtml(_));
                parts(words)
                    .iter()
                    .all(html)
                    .then(|| in_line(words.to_owned()))
            }
        }
    }
}

/// What is read between two words of one paragraph.
fn parts(source: &str) -> Vec<Event<'static>> {
    // A letter before it, so that it begins no block.
    let source = format!("x{source}");
    let events = Parser::new_ext(&source, OPTIONS).map(Event::into_static);
    let mut inner: Vec<Event<'static>> = events
        .filter(|event| !matches!(event, Event::Start(_) | Event::End(_)))
        .collect();
    match inner.first_mut() {
        Some(Event::Text(text)) if text.as_ref() == "x" => drop(inner.remove(0)),
        _ => inner.insert(0, Event::SoftBreak),
    }
    inner
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
    /// Where it leads, as it is written.
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
            Sign::Link(target) => format!("]({target})"),
            Sign::Mark(at) => SIGNS[*at].2.to_owned(),
        }
    }

    fn is_link(&self) -> bool {
        matches!(self.sign, Sign::Link(_))
    }

    /// Whether its signs are of this character.
    fn is_of(&self, sign: char) -> bool {
        matches!(self.sign, Sign::Mark(at) if SIGNS[at].1.starts_with(sign))
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
fn spans(marks: &[Mark], verbatim: &[Verbatim], chars: &[char]) -> Vec<Span> {
    let length = chars.len();
    // What begins or ends inside of code takes all of it.
    let around = |from: usize, to: usize| {
        let inside = |at: usize| {
            let one = verbatim.get(verbatim.partition_point(|one| one.to <= at))?;
            (one.from < at).then_some(one)
        };
        let whole = |at: usize, edge: fn(&Verbatim) -> usize| inside(at).map_or(at, edge);
        (whole(from, |one| one.from), whole(to, |one| one.to))
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
        if let Some(link) = Link::read(&mark.value) {
            let (from, to) = (mark.from.min(length), mark.to.min(length));
            let sign = Sign::Link(target(link));
            spans.extend(Span { from, to, sign }.hug(chars));
        }
    }
    nested(spans, chars)
}

/// In the order in which they are written: what begins first, of those the longest.
fn place(span: &Span) -> (usize, Reverse<usize>, usize) {
    let rank = match span.sign {
        Sign::Link(_) => 0,
        Sign::Mark(at) => at + 1,
    };
    (span.from, Reverse(span.to), rank)
}

/// Cuts spans so that none crosses another: of two that would, the later one where the other ends, but a link never.
fn nested(spans: Vec<Span>, chars: &[char]) -> Vec<Span> {
    // Far more cuts than marks: the rest goes without signs.
    let most = 4 * spans.len() + 64;
    let mut made = 0;
    let mut coming = BTreeMap::new();
    let mut add = |coming: &mut BTreeMap<_, Span>, span: Option<Span>| {
        if let Some(span) = span.filter(|_| made < most) {
            made += 1;
            coming.insert((place(&span), made), span);
        }
    };
    for span in spans {
        add(&mut coming, Some(span));
    }
    let mut done: Vec<Span> = Vec::new();
    // Those that the next one begins in, as places in `done`; the innermost last.
    let mut open: Vec<usize> = Vec::new();
    while let Some((_, mut span)) = coming.pop_first() {
        while open.pop_if(|at| done[*at].to <= span.from).is_some() {}
        if span.is_link() {
            while let Some(at) = open.pop_if(|at| done[*at].to < span.to) {
                let rest = Span {
                    from: span.from,
                    ..done[at].clone()
                };
                add(&mut coming, rest.hug(chars));
                done[at].to = span.from;
            }
        } else if let Some(end) = open.last().map(|at| done[*at].to)
            && end < span.to
        {
            let rest = Span {
                from: end,
                ..span.clone()
            };
            add(&mut coming, rest.hug(chars));
            span.to = end;
        }
        open.push(done.len());
        done.push(span);
    }
    let mut done: Vec<Span> = done
        .into_iter()
        .filter_map(|span| span.hug(chars))
        .collect();
    done.sort_by_key(place);
    done
}

/// Letters that are written by their numbers: where a `*` or `~` has a letter on its outer side and a
/// sign on its inner one, it would neither open nor close anything.
fn beside_signs(spans: &[Span], verbatim: &[Verbatim], chars: &[char]) -> HashSet<usize> {
    let mut is_letter: Vec<bool> = chars.iter().map(|ch| ch.is_alphanumeric()).collect();
    for one in verbatim {
        is_letter[one.from..one.to].fill(false);
    }
    let others = || spans.iter().filter(|span| !span.is_of('*'));
    let begins: HashSet<usize> = others().map(|span| span.from).collect();
    let ends: HashSet<usize> = others().map(|span| span.to).collect();
    // Each sign: the place on its inner side, the one on its outer side, if another sign is between.
    let signs: Vec<(usize, usize, bool)> = spans
        .iter()
        .filter(|span| span.is_of('*') || span.is_of('~'))
        .flat_map(|span| {
            let first = (
                span.from,
                span.from.wrapping_sub(1),
                begins.contains(&span.from),
            );
            [first, (span.to - 1, span.to, ends.contains(&span.to))]
        })
        .collect();
    let mut by_inner: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, (inner, ..)) in signs.iter().enumerate() {
        by_inner.entry(*inner).or_default().push(number);
    }
    let mut letters = HashSet::new();
    let mut coming: Vec<usize> = (0..signs.len()).collect();
    while let Some((inner, outer, beside_sign)) = coming.pop().map(|number| signs[number]) {
        let on_letter = is_letter.get(outer).is_some_and(|letter| *letter);
        if on_letter && (beside_sign || !is_letter[inner]) {
            is_letter[outer] = false;
            letters.insert(outer);
            // What is written as a number is a sign for those that it is inside of.
            coming.extend(by_inner.get(&outer).into_iter().flatten());
        }
    }
    letters
}

/// Where a link leads and what it is called, between its parentheses.
pub fn target(Link { href, title }: Link<'_>) -> String {
    let plain = !href.is_empty()
        && !href
            .contains(|ch: char| ch.is_whitespace() || "<>()\\".contains(ch) || ch.is_control());
    let href = if plain {
        href.to_owned()
    } else {
        format!(
            "<{}>",
            href.replace('\\', "\\\\")
                .replace('<', "\\<")
                .replace('>', "\\>")
                .replace('\n', " ")
        )
    };
    match title {
        Some(title) => format!("{href} \"{}\"", title_words(title)),
        None => href,
    }
}

fn title_words(title: &str) -> String {
    let mut out = String::new();
    for ch in title.chars() {
        match ch {
            // An empty line would end the paragraph.
            '\n' => out.push_str("&#10;"),
            '"' | '\\' | '&' | '|' | '`' | '<' => out.extend(['\\', ch]),
            _ => out.push(ch),
        }
    }
    out
}

pub fn code_span(code: &str, within: In) -> String {
    let longest = longest_run(code, '`');
    let fence = "`".repeat(longest + 1);
    let padded = code.starts_with('`')
        || code.ends_with('`')
        || (code.starts_with(' ') && code.ends_with(' ') && !code.trim().is_empty());
    let code = code.replace('\n', " ");
    let code = match within {
        In::Cell => code.replace('|', "\\|"),
        In::Line | In::Block => code,
    };
    if padded {
        format!("{fence} {code} {fence}")
    } else {
        format!("{fence}{code}{fence}")
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

fn escape(chars: &[char], at: usize, within: In, hand: Hand<'_>, out: &mut String) {
    let ch = chars[at];
    let next = chars.get(at + 1).copied();
    // What stands in a heading or a cell begins no block.
    let line_start = within == In::Block && (at == 0 || chars[at - 1] == '\n');
    let is_sign = |sign: char| hand.escaped.contains(sign);
    let escaped = match ch {
        '\n' => {
            out.push_str(match within {
                In::Block if hand.plain_breaks => "\n",
                In::Block => "\\\n",
                In::Line | In::Cell => "<br>",
            });
            return;
        }
        '\\' => true,
        '|' if within == In::Cell => true,
        '_' => {
            let word = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
            is_sign(ch) && !(word(at.checked_sub(1).map(|at| chars[at])) && word(next))
        }
        '&' => is_sign(ch) && next.is_some_and(|ch| ch.is_alphanumeric() || ch == '#'),
        '!' => is_sign(ch) && next == Some('['),
        '*' | '`' | '[' | ']' | '<' | '|' | '$' | '~' if is_sign(ch) => true,
        '#' | '>' | '+' | '-' | '=' | '*' | '~' | '`' | '|' if line_start => true,
        // A sign of a list has a space or nothing behind it.
        '.' | ')' if within == In::Block && next.is_none_or(char::is_whitespace) => {
            // The number of a list has at most nine digits.
            let before = chars[at.saturating_sub(10)..at].iter().rev();
            let number = before.take_while(|ch| **ch != '\n');
            let number: Vec<&char> = number.collect();
            (1..10).contains(&number.len()) && number.iter().all(|ch| ch.is_ascii_digit())
        }
        ' ' | '\t' if at == 0 || chars[at - 1] == '\n' || next.is_none() || next == Some('\n') => {
            out.push_str(if ch == ' ' { "&#32;" } else { "&#9;" });
            return;
        }
        // Spaces and ends of lines that no reader gives back as they are.
        '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
            out.push_str(&format!("&#{};", u32::from(ch)));
            return;
        }
        _ => false,
    };
    if escaped {
        out.push('\\');
    }
    out.push(ch);
}
