//! Writing a file back so that only what changed differs: blocks that are as they were read are
//! written as they stood.

use std::collections::HashMap;
use std::ops::Range;

use glade_doc::words;

use super::read::{Read, read};
use super::writer::{Lists, is_said, to_markdown};
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

    /// The file for a page that began as [`Source::blocks`]: as much as it stood as still says what the page says.
    pub fn write(&self, page: &Page) -> String {
        // A file of blank lines or of addresses for links holds no block, and is no empty file.
        if self.blocks.is_empty() && !page.blocks.iter().any(is_said) {
            return self.text.clone();
        }
        let kept = self.kept(page);
        let origins = self.origins(page, &kept);
        let unknown = vec![None; kept.len()];
        let mut ways = [&origins, &unknown].map(|origins| self.written(page, &kept, origins));
        let fits = ways.iter_mut().find(|text| says(text, page));
        fits.map_or_else(|| to_markdown(page), std::mem::take)
    }

    /// `kept`: which block of the file each block still is; `origins`: which it was.
    fn written(&self, page: &Page, kept: &[Option<usize>], origins: &[Option<usize>]) -> String {
        let mut lists = Lists::default();
        let mut out = String::new();
        let mut last: Option<usize> = None;
        for ((block, kept), origin) in page
            .blocks
            .iter()
            .zip(kept.iter().copied())
            .zip(origins.iter().copied())
            .filter(|((block, _), _)| is_said(block))
        {
            let before = lists.clone();
            // The numbers of a list go on through what is written as it stood.
            let written = lists.write(block);
            let body = match (kept, origin) {
                (Some(at), _) => self.text[self.line(at)].to_owned(),
                (None, Some(origin)) => self.changed(origin, before, &written),
                (None, None) => written,
            };
            let stood = kept.or(origin);
            match (stood, last) {
                (Some(at), Some(before)) if at == before + 1 => {
                    let from = self.blocks[before].range.end;
                    out.push_str(&self.text[from..self.line(at).start.max(from)]);
                }
                (Some(at), _) => {
                    self.part(&mut out, block, last.is_none() && kept.is_some());
                    if at == 0 && out.is_empty() {
                        out.push_str(&self.text[..self.line(0).start]);
                    }
                }
                (None, _) => self.part(&mut out, block, false),
            }
            out.push_str(&body);
            last = stood;
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

    /// A block's part of the file with no more changed than its words: signs and ends of lines stay.
    fn changed(&self, origin: usize, mut lists: Lists, written: &str) -> String {
        let whole = &self.text[self.line(origin)];
        let stood = whole.trim_end_matches('\n');
        let base = lists.write(&self.blocks[origin].block.as_block());
        let changed = words::apply(stood, &words::rebase(&base, stood, written));
        let blocks = |text: &str| -> Vec<NewBlock> {
            let pad = text.len() - text.trim_start_matches(' ').len();
            let lines = text.split('\n').map(|line| {
                let spaces = line.len() - line.trim_start_matches(' ').len();
                &line[spaces.min(pad)..]
            });
            let blocks = read(&lines.collect::<Vec<_>>().join("\n"));
            blocks.into_iter().map(|read| read.block).collect()
        };
        // Only if it says the same.
        let says = if blocks(&changed) == blocks(written) {
            &changed
        } else {
            written
        };
        format!("{says}{}", &whole[stood.len()..])
    }

    /// Of the blocks that are no longer what they were, which they may have been: those that stood
    /// between the same neighbours.
    fn origins(&self, page: &Page, kept: &[Option<usize>]) -> Vec<Option<usize>> {
        // For each block, the next that is kept.
        let mut ahead: Vec<Option<usize>> = kept.to_vec();
        for at in (0..kept.len().saturating_sub(1)).rev() {
            ahead[at] = ahead[at].or(ahead[at + 1]);
        }
        let mut next = 0;
        let mut origins = Vec::new();
        for (at, here) in kept.iter().enumerate() {
            if let Some(here) = here {
                next = here + 1;
                origins.push(None);
                continue;
            }
            let end = ahead[at].unwrap_or(self.blocks.len());
            let alike = |old: &usize| self.blocks[*old].block.kind == page.blocks[at].kind;
            origins.push(Some(next).filter(|next| *next < end).filter(alike));
            next = (next + 1).min(end);
        }
        origins
    }

    /// Which block of the file each block of the page still is.
    fn kept(&self, page: &Page) -> Vec<Option<usize>> {
        let mut said: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, read) in self.blocks.iter().enumerate() {
            said.entry(&read.block.text).or_default().push(at);
        }
        let mut next = 0;
        let mut kept = Vec::new();
        for block in &page.blocks {
            let alike = said.get(block.text.as_str()).map_or(&[][..], Vec::as_slice);
            let rest = &alike[alike.partition_point(|at| *at < next)..];
            let mut rest = rest.iter().copied();
            let found = rest.find(|at| self.blocks[*at].block.is(block));
            if let Some(at) = found {
                next = at + 1;
            }
            kept.push(found);
        }
        kept
    }
}

/// Whether a file has the blocks of a page.
fn says(text: &str, page: &Page) -> bool {
    let blocks: Vec<&Block> = page.blocks.iter().filter(|block| is_said(block)).collect();
    let read = read(text);
    let alike = |(read, block): (&Read, &&Block)| {
        let found = read.block.as_block();
        (found.kind.as_str(), found.text.trim(), found.indent())
            == (block.kind.as_str(), block.text.trim(), block.indent())
    };
    read.len() == blocks.len() && read.iter().zip(&blocks).all(alike)
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|ch: char| ch.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|sign| line.starts_with(sign))
        || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
}
