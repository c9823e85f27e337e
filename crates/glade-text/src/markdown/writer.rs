//! Blocks as Markdown.

use super::inline::{In, inline, longest_run, target};
use crate::page::{Block, Page, Table};

pub fn to_markdown(page: &Page) -> String {
    let mut lists = Lists::default();
    let mut out = String::new();
    let mut last: Option<&Block> = None;
    // For each level, the item that was written last.
    let mut items: Vec<&Block> = Vec::new();
    for block in page.blocks.iter().filter(|block| is_said(block)) {
        let owner = block.indent().checked_sub(1).and_then(|at| items.get(at));
        if let Some(last) = last {
            out.push_str(gap(last, block, owner.copied()));
        }
        out.push_str(&lists.write(block));
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

/// Whether a block is written at all: Markdown has no empty paragraphs.
pub fn is_said(block: &Block) -> bool {
    block.kind != "paragraph" || !block.text.trim().is_empty()
}

/// One block by itself.
pub fn block_to_markdown(block: &Block) -> String {
    Lists::default().write(block)
}

/// What stands between two blocks; `owner` is the item that the second is in.
fn gap(before: &Block, after: &Block, owner: Option<&Block>) -> &'static str {
    let is_item = |block: &Block| block.kind == "listItem";
    let loose = |block: &Block| block.props.get("loose").is_some_and(|loose| loose == true);
    let lines = |apart: bool| if apart { "\n\n" } else { "\n" };
    let (deep, deeper) = (before.indent(), after.indent());
    if is_item(after) && (is_item(before) || deep > deeper) {
        // Two lists in a row would read as one.
        let other = is_item(before) && deep == deeper && !same_list(before, after);
        return lines(match deeper > deep {
            true => loose(before) && !before.text.is_empty(),
            false => other || loose(after) || (deep == deeper && loose(before)),
        });
    }
    if let Some(owner) = owner.filter(|_| !is_item(after)) {
        let begins = std::ptr::eq(owner, before);
        // These begin a line of their own even right below words.
        let plain = ["blockquote", "codeBlock", "heading"].contains(&after.kind.as_str());
        if begins && before.text.is_empty() {
            return "\n";
        }
        return lines(!plain || loose(owner));
    }
    let quotes = before.kind == "blockquote" && after.kind == "blockquote";
    match quotes && deep == 0 && deeper == 0 {
        true => "\n>\n",
        false => "\n\n",
    }
}

fn same_list(a: &Block, b: &Block) -> bool {
    (a.word("list") == "ordered") == (b.word("list") == "ordered")
}

/// How far the lists that are open reach.
#[derive(Default)]
pub(super) struct Lists {
    /// For each level, how wide its mark is, and the number of its last item.
    levels: Vec<(usize, u64)>,
}

impl Lists {
    pub(super) fn write(&mut self, block: &Block) -> String {
        let depth = block.indent().min(self.levels.len());
        let pad: usize = self.levels[..depth].iter().map(|(width, _)| width).sum();
        let body = if block.kind == "listItem" {
            self.levels.truncate(depth + 1);
            let last = self.levels.get(depth).map_or(0, |(_, number)| *number);
            let ordered = block.word("list") == "ordered";
            let start = block.props.get("start").and_then(serde_json::Value::as_u64);
            let number = match (ordered, start) {
                (true, Some(start)) => start.min(999_999_999),
                (true, None) => last + 1,
                (false, _) => 0,
            };
            let sign = if ordered {
                format!("{number}. ")
            } else {
                "- ".to_owned()
            };
            self.levels.truncate(depth);
            self.levels.push((sign.len(), number));
            let boxed = match (block.word("list"), block.is_checked()) {
                ("task", true) => "[x] ",
                ("task", false) => "[ ] ",
                _ => "",
            };
            let words = inline(&block.text, &block.marks, In::Block);
            format!("{sign}{boxed}{}", indented(&words, sign.len()))
        } else {
            self.levels.truncate(depth);
            plain(block)
        };
        let body = indented(&body, pad);
        format!("{}{body}", " ".repeat(pad))
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

fn plain(block: &Block) -> String {
    let words = |within| inline(&block.text, &block.marks, within);
    match block.kind.as_str() {
        "heading" => format!("{} {}", "#".repeat(block.level()), words(In::Line))
            .trim_end()
            .to_owned(),
        "blockquote" => quoted(&words(In::Block)),
        "callout" => {
            let tone = Some(block.word("tone"))
                .filter(|tone| !tone.is_empty())
                .unwrap_or("note");
            quoted(&format!("[!{}]\n{}", tone.to_uppercase(), words(In::Block)))
        }
        "codeBlock" if block.props.get("raw").is_some_and(|raw| raw == true) => block.text.clone(),
        "codeBlock" => {
            // What a block is written in may hold backticks only where none are the fence.
            let sign = if block.word("lang").contains('`') {
                '~'
            } else {
                '`'
            };
            let longest = longest_run(&block.text, sign).max(2);
            let fence = sign.to_string().repeat(longest + 1);
            let inside = if block.text.is_empty() {
                String::new()
            } else {
                format!("{}\n", block.text)
            };
            format!("{fence}{}\n{inside}{fence}", block.word("lang"))
        }
        "formula" => format!("$$\n{}\n$$", block.text),
        "divider" => "---".to_owned(),
        "image" => {
            let src = match block.word("fileId") {
                "" => block.word("src").to_owned(),
                id => format!("/api/blobs/{id}"),
            };
            format!(
                "![{}]({})",
                inline(block.word("alt"), &[], In::Line),
                target(&src)
            )
        }
        "embed" => {
            let title = Some(block.word("title")).filter(|title| !title.is_empty());
            format!(
                "[{}]({})",
                inline(title.unwrap_or(block.word("href")), &[], In::Line),
                target(block.word("href"))
            )
        }
        "table" => block.table.as_ref().map(table).unwrap_or_default(),
        _ => words(In::Block),
    }
}

fn table(table: &Table) -> String {
    let mut lines = Vec::new();
    for (at, (_, cells)) in table.rows.iter().enumerate() {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| inline(cell.text.trim(), &cell.marks, In::Line))
            .collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if at == 0 {
            lines.push(format!("|{}", " --- |".repeat(table.columns.len())));
        }
    }
    lines.join("\n")
}
