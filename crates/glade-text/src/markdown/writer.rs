//! Blocks as Markdown.

use glade_doc::text::Link;
use pulldown_cmark::{Event, Parser};

use super::OPTIONS;
use super::inline::{Hand, In, inline, longest_run, target};
use crate::page::{Block, Page};
use crate::table::{Cell, Side, Table};
use crate::write::NewBlock;

pub fn to_markdown(page: &Page) -> String {
    let mut lists = Lists::default();
    let mut out = String::new();
    let mut last: Option<&Block> = None;
    // For each level, the item that was written last.
    let mut items: Vec<&Block> = Vec::new();
    for block in page.blocks.iter().filter(|block| is_said(block)) {
        let owner = block.indent().checked_sub(1).and_then(|at| items.get(at));
        if let Some(last) = last {
            out.push_str(&lists.gap(last, block, owner.copied()));
        }
        out.push_str(&lists.write(block, Hand::FILE));
        items.truncate(block.indent());
        if block.kind == "listItem" {
            items.push(block);
        }
        last = Some(block);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// The page as a file for elsewhere, which says what it does not hold.
pub fn to_markdown_file(page: &Page) -> String {
    let mut out = to_markdown(page);
    if let Some(note) = page.left_out() {
        out.push('\n');
        out.push_str(&note);
        out.push('\n');
    }
    out
}

/// Whether a block is written at all: Markdown has no empty paragraphs.
pub fn is_said(block: &Block) -> bool {
    let verbatim = || block.marks.iter().any(|mark| mark.name == "code");
    block.kind != "paragraph" || !block.text.trim().is_empty() || verbatim()
}

/// One block by itself.
pub fn block_to_markdown(block: &Block) -> String {
    block_in(block, Hand::FILE)
}

pub(super) fn block_in(block: &Block, hand: Hand<'_>) -> String {
    Lists::default().write(block, hand)
}

/// Whether there is an empty line between two blocks; `owner` is the item that the second is in.
fn apart(before: &Block, after: &Block, owner: Option<&Block>) -> bool {
    let is_item = |block: &Block| block.kind == "listItem";
    let loose = |block: &Block| block.is("loose");
    let (deep, deeper) = (before.indent(), after.indent());
    if quotes(before) != quotes(after) {
        return true;
    }
    if is_item(after) && (is_item(before) || deep > deeper) {
        // Two lists in a row would read as one.
        let other = is_item(before) && deep == deeper && !same_list(before, after);
        return if deeper > deep {
            // An empty item right below words would be their underline, and they a heading.
            !before.text.is_empty() && (loose(before) || after.text.is_empty())
        } else {
            other || after.is("anew") || loose(after) || (deep == deeper && loose(before))
        };
    }
    if let Some(owner) = owner.filter(|_| !is_item(after)) {
        // HTML goes on until an empty line.
        if before.is("raw") {
            return true;
        }
        let begins = std::ptr::eq(owner, before);
        // These begin a line of their own even right below words; not all HTML does.
        let plain = ["blockquote", "codeBlock", "heading"].contains(&after.kind.as_str())
            && !after.is("raw");
        let quoted = before.kind == "blockquote" && after.kind == "blockquote";
        if after.is("tight") && before.kind == "heading" {
            return false;
        }
        return !(begins && before.text.is_empty()) && (!plain || quoted || loose(owner));
    }
    true
}

/// The empty line between two blocks: it goes on with the quotes that both are in.
fn between(before: &Block, after: &Block, pad: usize) -> String {
    let paragraphs = before.kind == "blockquote" && after.kind == "blockquote";
    if paragraphs && before.indent() == after.indent() && quotes(before) == quotes(after) {
        let inner = if after.is("anew") { "" } else { ">" };
        let line = format!("{}{}{inner}", quotes(after), " ".repeat(pad));
        return line.trim_end().to_owned();
    }
    // A paragraph of a quote that is in no list is in one more than it says.
    let around = |block: &Block| {
        block.number("quote") + usize::from(block.kind == "blockquote" && block.indent() == 0)
    };
    let both = around(before).min(around(after));
    let both = both.saturating_sub(usize::from(after.is("anew")));
    "> ".repeat(both).trim_end().to_owned()
}

/// What every line of a block in quotes begins with.
fn quotes(block: &Block) -> String {
    "> ".repeat(block.number("quote"))
}

fn same_list(a: &Block, b: &Block) -> bool {
    (a.word("list") == "ordered") == (b.word("list") == "ordered")
}

/// How far the lists that are open reach.
#[derive(Clone, Default)]
pub(super) struct Lists {
    /// In how many quotes they are.
    quote: usize,
    levels: Vec<Level>,
}

/// A list that is open.
#[derive(Clone)]
struct Level {
    /// How wide its mark is.
    width: usize,
    /// Of its last item.
    number: u64,
    /// A bullet, or what stands behind its numbers.
    sign: char,
}

impl Lists {
    /// What stands between two blocks; `owner` is the item that the second is in.
    pub(super) fn gap(&self, last: &Block, block: &Block, owner: Option<&Block>) -> String {
        if apart(last, block, owner) {
            format!("\n{}\n", between(last, block, self.pad(block)))
        } else {
            "\n".to_owned()
        }
    }

    /// How far to the right a block stands.
    fn pad(&self, block: &Block) -> usize {
        if block.number("quote") != self.quote {
            return 0;
        }
        let above = self.levels.iter().take(block.indent());
        above.map(|level| level.width).sum()
    }

    pub(super) fn write(&mut self, block: &Block, hand: Hand<'_>) -> String {
        let pad = self.pad(block);
        if block.number("quote") != self.quote {
            self.quote = block.number("quote");
            self.levels.clear();
        }
        let depth = block.indent().min(self.levels.len());
        let body = if block.kind == "listItem" {
            let words = inline(&block.text, &block.marks, In::Block, hand);
            let sign = self.item(block, depth);
            let boxed = match (block.word("list"), block.is_checked()) {
                ("task", true) => "[x] ",
                ("task", false) => "[ ] ",
                _ => "",
            };
            format!("{sign}{boxed}{}", indented(&words, sign.len()))
        } else {
            self.levels.truncate(depth);
            plain(block, hand)
        };
        let body = indented(&body, pad);
        let body = format!("{}{body}", " ".repeat(pad));
        (0..self.quote).fold(body, |body, _| quoted(&body))
    }

    /// The mark of the next item.
    fn item(&mut self, block: &Block, depth: usize) -> String {
        let numbered = block.word("list") == "ordered";
        let (usual, other) = if numbered { ('.', ')') } else { ('-', '*') };
        let known = self.levels.get(depth);
        let known = known.filter(|level| numbered == ".)".contains(level.sign));
        let (last, sign) = known.map_or((0, usual), |level| (level.number, level.sign));
        let anew = block.is("anew");
        // A list right behind its like needs another sign.
        let sign = match anew {
            true if sign == usual => other,
            true => usual,
            false => sign,
        };
        let start = block.props.get("start").and_then(serde_json::Value::as_u64);
        let next = if anew { 1 } else { last + 1 };
        let number = start.unwrap_or(next).min(999_999_999);
        let written = if numbered {
            format!("{number}{sign} ")
        } else {
            format!("{sign} ")
        };
        self.levels.truncate(depth);
        self.levels.push(Level {
            width: written.len(),
            number: if numbered { number } else { 0 },
            sign,
        });
        written
    }

    /// The item that was written last stands in a file like this: those that follow are written alike.
    pub(super) fn learn(&mut self, line: &str) {
        let line = line.trim_start_matches([' ', '>', '\t']);
        let digits = line.len()
            - line
                .trim_start_matches(|ch: char| ch.is_ascii_digit())
                .len();
        let Some(sign) = line[digits..]
            .chars()
            .next()
            .filter(|ch| "-*+.)".contains(*ch))
        else {
            return;
        };
        let behind = &line[digits + 1..];
        let room = behind.len() - behind.trim_start_matches(' ').len();
        if let Some(level) = self.levels.last_mut() {
            level.sign = sign;
            level.width = digits + 1 + if (1..=4).contains(&room) { room } else { 1 };
            level.number = line[..digits].parse().unwrap_or(level.number);
        }
    }
}

/// Lines after the first moved to the right; empty ones stay empty.
fn indented(text: &str, by: usize) -> String {
    let pad = " ".repeat(by);
    let mut lines = text.split('\n');
    let mut out = lines.next().unwrap_or("").to_owned();
    for line in lines {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(&pad);
        }
        out.push_str(line);
    }
    out
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| format!("> {line}").trim_end().to_owned())
        .collect();
    lines.join("\n")
}

fn plain(block: &Block, hand: Hand<'_>) -> String {
    let words = |within| inline(&block.text, &block.marks, within, hand);
    match block.kind.as_str() {
        "heading" => format!("{} {}", "#".repeat(block.level()), words(In::Line))
            .trim_end()
            .to_owned(),
        "blockquote" => quoted(&words(In::Block)),
        "callout" => {
            // Anything but a word would be read as more than a tone.
            let is_word = |tone: &&str| {
                !tone.is_empty() && tone.bytes().all(|byte| byte.is_ascii_alphabetic())
            };
            let tone = Some(block.word("tone")).filter(is_word).unwrap_or("note");
            quoted(&format!("[!{}]\n{}", tone.to_uppercase(), words(In::Block)))
        }
        "codeBlock" if block.is("raw") => block.text.clone(),
        "codeBlock" => fenced(&block.text, block.word("lang")),
        "formula" => formula(&block.text),
        "divider" => "---".to_owned(),
        "image" => {
            let src = match block.word("fileId") {
                "" => block.word("src").to_owned(),
                id => format!("/api/blobs/{id}"),
            };
            let title = block.word("title");
            let link = Link::new(&src, title);
            let picture = format!(
                "![{}]({})",
                inline(block.word("alt"), &[], In::Line, hand),
                target(link)
            );
            match block.word("href") {
                "" => picture,
                href => format!("[{picture}]({})", target(Link::new(href, ""))),
            }
        }
        "embed" => {
            let title = Some(block.word("title")).filter(|title| !title.is_empty());
            format!(
                "[{}]({})",
                inline(title.unwrap_or(block.word("href")), &[], In::Line, hand),
                target(Link::new(block.word("href"), ""))
            )
        }
        "table" => block
            .table
            .as_ref()
            .map(|own| table(own, hand))
            .unwrap_or_default(),
        _ => words(In::Block),
    }
}

/// Words between two fences.
fn fenced(text: &str, lang: &str) -> String {
    // What follows on another line would be no part of the language.
    let lang = lang.split(['\n', '\r']).next().unwrap_or_default();
    // What a block is written in may hold backticks only where none are the fence.
    let sign = if lang.contains('`') { '~' } else { '`' };
    let longest = longest_run(text, sign).max(2);
    let fence = sign.to_string().repeat(longest + 1);
    let inside = if text.is_empty() {
        String::new()
    } else {
        format!("{text}\n")
    };
    format!("{fence}{lang}\n{inside}{fence}")
}

/// A formula between its signs; one that would end before its end is written between fences.
fn formula(text: &str) -> String {
    let written = format!("$$\n{text}\n$$");
    let mut parts = Parser::new_ext(&written, OPTIONS)
        .filter(|event| !matches!(event, Event::Start(_) | Event::End(_)));
    let whole = matches!(
        (parts.next(), parts.next()),
        (Some(Event::DisplayMath(_)), None)
    );
    if whole { written } else { fenced(text, "math") }
}

impl NewBlock {
    /// A table that is too large to be one is kept as it is written: as words, and in files as the table it was.
    pub(super) fn or_source(self) -> Self {
        match self.as_block().table {
            Some(large) if !large.has_room(0, 0) => {
                Self::new("codeBlock", table(&large, Hand::FILE)).with("raw", true)
            }
            _ => self,
        }
    }
}

fn table(table: &Table, hand: Hand<'_>) -> String {
    let mut lines = Vec::new();
    let words = |cell: &Cell| inline(cell.text.trim_end(), &cell.marks, In::Cell, hand);
    for (at, row) in table.rows.iter().enumerate() {
        let cells = table.across(row);
        let cells: Vec<String> = cells
            .map(|cell| cell.map(words).unwrap_or_default())
            .collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if at == 0 {
            let rules = table.sides.iter().map(|side| match side {
                Side::Own => "---",
                Side::Left => ":--",
                Side::Center => ":-:",
                Side::Right => "--:",
            });
            lines.push(format!("| {} |", rules.collect::<Vec<_>>().join(" | ")));
        }
    }
    lines.join("\n")
}
