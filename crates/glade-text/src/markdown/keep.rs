//! Writing a file back so that only what changed differs: blocks that are as they were read are
//! written as they stood.

use std::ops::Range;

use super::read::{Read, read};
use super::writer::{Lists, is_said};
use crate::page::{Block, Page};
use crate::write::NewBlock;

/// A Markdown file as it was read.
pub struct Source {
    text: String,
    blocks: Vec<Read>,
}

impl Source {
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            blocks: read(text),
        }
    }

    pub fn blocks(&self) -> Vec<NewBlock> {
        self.blocks.iter().map(|read| read.block.clone()).collect()
    }

    /// The file for a page that began as [`Source::blocks`].
    pub fn write(&self, page: &Page) -> String {
        let kept = self.kept(page);
        let mut lists = Lists::default();
        let mut out = String::new();
        let mut last: Option<usize> = None;
        for (block, kept) in page
            .blocks
            .iter()
            .zip(&kept)
            .filter(|(block, _)| is_said(block))
        {
            // The numbers of a list go on through what is written as it stood.
            let written = lists.write(block);
            match (kept, last) {
                (Some(at), Some(before)) if *at == before + 1 => {
                    let from = self.blocks[before].range.end;
                    out.push_str(&self.text[from.min(self.line(*at).end)..self.line(*at).end]);
                }
                (Some(at), _) => {
                    self.part(&mut out, block, last.is_none());
                    if *at == 0 && out.is_empty() {
                        out.push_str(&self.text[..self.line(0).start]);
                    }
                    out.push_str(&self.text[self.line(*at)]);
                }
                (None, _) => {
                    self.part(&mut out, block, false);
                    out.push_str(&written);
                }
            }
            last = *kept;
        }
        match (last, self.blocks.last()) {
            (Some(at), Some(end)) if at + 1 == self.blocks.len() => {
                out.push_str(&self.text[end.range.end..])
            }
            _ if !out.is_empty() => out.push('\n'),
            _ => {}
        }
        out
    }

    /// A block's part of the file, from the beginning of its line.
    fn line(&self, at: usize) -> Range<usize> {
        let Range { start, end } = self.blocks[at].range.clone();
        let floor = at
            .checked_sub(1)
            .map_or(0, |before| self.blocks[before].range.end.min(start));
        let start = self.text[floor..start]
            .rfind('\n')
            .map_or(floor, |found| floor + found + 1);
        start..end
    }

    fn part(&self, out: &mut String, block: &Block, tight: bool) {
        if out.is_empty() {
            return;
        }
        while out.ends_with('\n') {
            out.pop();
        }
        let item = block.kind == "listItem" && out.rsplit('\n').next().is_some_and(is_item);
        out.push_str(if item && !tight { "\n" } else { "\n\n" });
    }

    /// Which block of the file each block of the page still is.
    fn kept(&self, page: &Page) -> Vec<Option<usize>> {
        let mut next = 0;
        let mut kept = Vec::new();
        for block in &page.blocks {
            let found = (next..self.blocks.len()).find(|at| self.blocks[*at].block.is(block));
            if let Some(at) = found {
                next = at + 1;
            }
            kept.push(found);
        }
        kept
    }
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|ch: char| ch.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|sign| line.starts_with(sign))
        || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
}
