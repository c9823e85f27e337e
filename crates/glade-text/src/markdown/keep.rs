//! Writing a file back so that only what changed differs: blocks that are as they were read are
//! written as they stood.

use std::ops::Range;

use glade_doc::{Edit, ElementId, words};

use super::inline::Hand;
use super::read::{Read, read};
use super::writer::{Lists, is_said, to_markdown};
use crate::order;
use crate::page::{Block, Page};
use crate::write::{NewBlock, edits_of};

/// A Markdown file as it was read.
pub struct Source {
    text: String,
    blocks: Vec<Read>,
    /// All addresses for links in it, after an empty line.
    addresses: String,
}

/// How a block of the page is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As it stood: the block of the file at this place.
    Kept(usize),
    /// As it stood, but for the words that differ.
    Changed(usize),
    /// As every file is written.
    Anew,
}

impl Way {
    fn stood(self) -> Option<usize> {
        match self {
            Self::Kept(at) | Self::Changed(at) => Some(at),
            Self::Anew => None,
        }
    }
}

/// What the ids of the file's blocks begin with; what follows is their place in it.
const ID: &str = "line";

impl Source {
    pub fn new(text: &str) -> Self {
        let mut source = Self {
            text: text.to_owned(),
            blocks: read(text),
            addresses: String::new(),
        };
        let all = (0..=source.blocks.len()).filter_map(|at| source.addresses(at));
        source.addresses = all.map(|lines| format!("\n\n{lines}")).collect();
        source
    }

    /// The file's blocks, onto an empty page. By their ids they are known again, wherever they are moved.
    pub fn edits(&self) -> Vec<Edit> {
        let keys = order::row(None, None, self.blocks.len());
        let blocks = self.blocks.iter().zip(keys).enumerate();
        let edits = blocks.flat_map(|(at, (read, key))| {
            let own = ElementId(format!("{ID}{at}"));
            let mut part = 0;
            let mut id = || {
                part += 1;
                format!("{own}-{part}")
            };
            edits_of(&read.block, &own, &key, &mut id)
        });
        edits.collect()
    }

    fn place(&self, block: &Block) -> Option<usize> {
        let at = block.id.as_str().strip_prefix(ID)?.parse().ok()?;
        (at < self.blocks.len()).then_some(at)
    }

    /// The file for a page that began as [`Source::edits`]: as much as it stood as still says what the page says.
    pub fn write(&self, page: &Page) -> String {
        let said: Vec<&Block> = page.blocks.iter().filter(|block| is_said(block)).collect();
        let mut ways: Vec<Way> = said.iter().map(|block| self.way(block)).collect();
        // Of a file that is read otherwise again and again more and more is written anew: the work has a bound.
        for round in 1.. {
            let text = self.written(&said, &ways);
            let Some(wrong) = first_wrong(&text, &said) else {
                return text;
            };
            // What stands beside the place where it is read otherwise is written anew, no more than must be.
            for _ in 0..round {
                let Some(next) = next_anew(&ways, wrong) else {
                    return to_markdown(page);
                };
                ways[next] = Way::Anew;
            }
        }
        to_markdown(page)
    }

    fn way(&self, block: &Block) -> Way {
        match self.place(block) {
            Some(at) if self.blocks[at].block.is(block) => Way::Kept(at),
            Some(at) if self.blocks[at].block.kind == block.kind => Way::Changed(at),
            _ => Way::Anew,
        }
    }

    fn written(&self, said: &[&Block], ways: &[Way]) -> String {
        let mut lists = Lists::default();
        let mut out = String::new();
        let mut last: Option<(&Block, Option<usize>)> = None;
        // For each level, the item that was written last.
        let mut items: Vec<&Block> = Vec::new();
        // Between the blocks of the file stand addresses for links: the first place whose are not written yet.
        let mut gaps = 0;
        for (block, way) in said.iter().zip(ways) {
            let before = lists.clone();
            let owner = block.indent().checked_sub(1);
            let owner = owner.and_then(|at| items.get(at)).copied();
            let gap = last.map(|(last, _)| lists.gap(last, block, owner));
            let written = lists.write(block, Hand::FILE);
            let stood = way.stood();
            let follows = match (stood, last) {
                (Some(at), Some((_, Some(last)))) => at == last + 1,
                (Some(at), None) => at == 0,
                _ => false,
            };
            match (stood, gap) {
                (Some(at), _) if follows => {
                    out.push_str(self.gap(at));
                    gaps = gaps.max(at + 1);
                }
                (stood, gap) => {
                    trim_lines(&mut out);
                    let more = stood.map_or(gaps, |at| at + 1);
                    let between: Vec<String> =
                        (gaps..more).filter_map(|at| self.addresses(at)).collect();
                    gaps = gaps.max(more);
                    if between.is_empty() {
                        out.push_str(gap.as_deref().unwrap_or_default());
                    } else {
                        let room = if out.is_empty() { "" } else { "\n\n" };
                        out.push_str(&format!("{room}{}\n\n", between.join("\n\n")));
                    }
                }
            }
            match way {
                Way::Kept(at) => out.push_str(&self.text[self.line(*at)]),
                Way::Changed(at) => out.push_str(&self.changed(*at, before, &written)),
                Way::Anew => out.push_str(&written),
            }
            if let Some(at) = stood
                && block.kind == "listItem"
            {
                lists.learn(&self.text[self.line(at)]);
            }
            items.truncate(block.indent());
            if block.kind == "listItem" {
                items.push(block);
            }
            last = Some((block, stood));
        }
        let end = self.blocks.len();
        match last {
            Some((_, Some(at))) if at + 1 == end => out.push_str(self.gap(end)),
            None if end == 0 => out.push_str(&self.text),
            _ => {
                trim_lines(&mut out);
                for rest in (gaps..=end).filter_map(|at| self.addresses(at)) {
                    let room = if out.is_empty() { "" } else { "\n\n" };
                    out.push_str(&format!("{room}{rest}"));
                }
                if !out.is_empty() {
                    out.push('\n');
                }
            }
        }
        out
    }

    /// What stands before a block, from the end of the one before it.
    fn gap(&self, at: usize) -> &str {
        let start = at
            .checked_sub(1)
            .map_or(0, |before| self.blocks[before].range.end);
        let end = if at < self.blocks.len() {
            self.line(at).start
        } else {
            self.text.len()
        };
        &self.text[start.min(end)..end]
    }

    /// The addresses for links in it.
    fn addresses(&self, at: usize) -> Option<String> {
        let lines = self.gap(at).lines();
        let lines: Vec<&str> = lines.filter(|line| is_address(line)).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
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

    /// A block's part of the file with no more changed than its words: signs and ends of lines stay.
    fn changed(&self, origin: usize, mut lists: Lists, written: &str) -> String {
        let whole = &self.text[self.line(origin)];
        let stood = whole.trim_end_matches('\n');
        let base = lists.write(&self.blocks[origin].block.as_block(), Hand::FILE);
        let rebased = |base: &str, stood: &str, written: &str| {
            words::apply(stood, &words::rebase(base, stood, written))
        };
        // The sign of the block by itself, if it is the same; or all of it.
        let (sign, rest) = signed(stood);
        let [(was, own), (is, new)] = [signed(&base), signed(written)];
        let mut ways = Vec::new();
        if was == is {
            ways.push(format!("{sign}{}", rebased(own, rest, new)));
        }
        ways.push(rebased(&base, stood, written));
        let blocks = |text: &str| -> Vec<NewBlock> {
            let read = read(&format!("{text}{}", self.addresses));
            read.into_iter().map(|read| read.block).collect()
        };
        let unpadded = |text: &str| -> Vec<NewBlock> {
            let pad = text.len() - text.trim_start_matches(' ').len();
            let lines = text.split('\n').map(|line| {
                let spaces = line.len() - line.trim_start_matches(' ').len();
                &line[spaces.min(pad)..]
            });
            blocks(&lines.collect::<Vec<_>>().join("\n"))
        };
        let wanted = unpadded(written);
        // Only if it says the same: in a list, say, or as indented code.
        let says = |way: &&String| unpadded(way) == wanted || blocks(way) == wanted;
        let says = ways.iter().find(says).map_or(written, String::as_str);
        format!("{says}{}", &whole[stood.len()..])
    }
}

/// A block's sign, with what stands before it, and its words.
fn signed(text: &str) -> (&str, &str) {
    let words = text.trim_start_matches([' ', '\t', '>', '#']);
    let number = words.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let signs: &[char] = if number.len() < words.len() {
        &['.', ')']
    } else {
        &['-', '*', '+']
    };
    let behind = number.strip_prefix(signs);
    let words = match behind {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start_matches([' ', '\t']),
        _ => words,
    };
    text.split_at(text.len() - words.len())
}

/// Whether a line says where links of a name lead.
fn is_address(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '>']);
    let name = line
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]:"));
    name.is_some_and(|(name, _)| !name.is_empty() && !name.contains(']'))
}

fn trim_lines(out: &mut String) {
    out.truncate(out.trim_end_matches(['\n', '\r']).len());
}

/// The first block that a file does not say as the page does.
fn first_wrong(text: &str, said: &[&Block]) -> Option<usize> {
    let read = read(text);
    let alike = |(read, block): (&Read, &&Block)| {
        let found = read.block.as_block();
        (found.kind.as_str(), found.text.trim(), found.indent())
            == (block.kind.as_str(), block.text.trim(), block.indent())
    };
    let same = read
        .iter()
        .zip(said)
        .take_while(|both| alike(*both))
        .count();
    (same < said.len() || same < read.len()).then_some(same)
}

/// The block nearest to a place that is not written anew yet: of two as near, one that changed.
fn next_anew(ways: &[Way], place: usize) -> Option<usize> {
    let left = ways
        .iter()
        .enumerate()
        .filter(|(_, way)| **way != Way::Anew);
    let far = |at: usize| 2 * at.abs_diff(place) + usize::from(matches!(ways[at], Way::Kept(_)));
    left.map(|(at, _)| at).min_by_key(|at| far(*at))
}
