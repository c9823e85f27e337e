//! Blocks as Markdown.

use super::inline::{In, inline, longest_run, target};
use crate::page::{Block, Page, Table};

pub fn to_markdown(page: &Page) -> String {
    let mut lists = Lists::default();
    let mut out = String::new();
    let mut last: Option<&Block> = None;
    for block in page.blocks.iter().filter(|block| is_said(block)) {
        if let Some(last) = last {
            out.push_str(gap(last, block));
        }
        out.push_str(&lists.write(block));
        last = Some(block);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Markdown has no empty paragraphs.
pub(super) fn is_said(block: &Block) -> bool {
    block.kind != "paragraph" || !block.text.trim().is_empty()
}

/// One block by itself.
pub fn block_to_markdown(block: &Block) -> String {
    Lists::default().write(block)
}

/// What stands between two blocks.
fn gap(before: &Block, after: &Block) -> &'static str {
    let items = before.kind == "listItem" && after.kind == "listItem";
    let quotes = before.kind == "blockquote"
        && after.kind == "blockquote"
        && before.indent() == 0
        && after.indent() == 0;
    match (items, quotes) {
        (true, _) if same_list(before, after) || before.indent() != after.indent() => "\n",
        // Two lists in a row would read as one.
        (true, _) => "\n\n",
        (_, true) => "\n>\n",
        _ => "\n\n",
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
            let number = if ordered { last + 1 } else { 0 };
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
            let fence = "`".repeat(longest_run(&block.text, '`').max(2) + 1);
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
