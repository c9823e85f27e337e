//! The blocks of a text page, in three tiers: what the work is about in full, its neighbourhood
//! shortened, the rest as an outline with counts.

use glade_text::{Block, Page};
use serde::{Deserialize, Serialize};

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;
use crate::shapes::short;

/// Characters shown in full, and blocks shown shortened around them.
const FULL: usize = 24_000;
const NEAR: usize = 60;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextBlocks {
    pub blocks: Vec<SeenBlock>,
    /// What is farther away, heading by heading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<Section>,
    /// What the person has selected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<String>,
    /// The first and the last block that it may change, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenBlock {
    pub block_id: String,
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub indent: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<Vec<String>>>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Only the beginning of its text is shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shortened: bool,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    pub block_id: String,
    pub heading: String,
    pub blocks: usize,
    pub words: usize,
}

pub struct TextBlocksPart;

static FACTS: PartFacts = PartFacts::new("text-blocks", Topic::InView, On::Text)
    .about("When the person says \"this\", \"these\" or \"it\", they mean the selected blocks, or else the page.");

impl Part for TextBlocksPart {
    type Data = TextBlocks;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<TextBlocks> {
        let page = Page::read(
            view.world
                .scene
                .live()
                .map(|element| (&element.id, &element.props)),
        );
        let selected: Vec<String> = view
            .input
            .selection
            .iter()
            .map(ToString::to_string)
            .collect();
        let part = view
            .world
            .part
            .map(|(first, last)| (first.to_string(), last.to_string()));
        Some(look(&page, selected, part))
    }

    fn print(&self, data: &TextBlocks) -> Vec<PromptMessage> {
        let mut text = match data.blocks.as_slice() {
            [] => "The page is empty.".to_owned(),
            blocks => format!("The blocks of the page, in order:\n{}", fenced(blocks)),
        };
        if !data.outline.is_empty() {
            text.push_str(&format!(
                "\n\nThe rest of the page, by headings:\n{}",
                fenced(&data.outline)
            ));
        }
        if !data.selected.is_empty() {
            text.push_str(&format!(
                "\n\nThe person has selected: {}",
                data.selected.join(", ")
            ));
        }
        match &data.part {
            Some((first, last)) if first == last => {
                text.push_str(&format!("\n\nYou may change only the block {first}."));
            }
            Some((first, last)) => text.push_str(&format!(
                "\n\nYou may change only the blocks from {first} to {last}."
            )),
            None => {}
        }
        told(text)
    }
}

/// The three tiers, around what may be changed, what is selected, or from the top.
pub fn look(page: &Page, selected: Vec<String>, part: Option<(String, String)>) -> TextBlocks {
    let count = page.blocks.len();
    let chosen = |block: &Block| selected.iter().any(|id| *id == block.id.as_str());
    let at = |id: &String| page.blocks.iter().position(|one| one.id.as_str() == id);
    let scope = part.as_ref().and_then(|(a, b)| Some((at(a)?, at(b)?)));
    let first = page.blocks.iter().position(chosen).unwrap_or(0);
    let last = page.blocks.iter().rposition(chosen).unwrap_or(first);
    let (first, last) = scope.unwrap_or((first, last));
    let (mut from, mut to) = (first, (last + 1).min(count));
    let size = |at: usize| page.blocks[at].all_text().len() + 40;
    let mut spent: usize = (from..to).map(size).sum();
    while spent < FULL && (from > 0 || to < count) {
        if to < count {
            spent += size(to);
            to += 1;
        }
        if from > 0 && spent < FULL {
            from -= 1;
            spent += size(from);
        }
    }
    let near = from.saturating_sub(NEAR)..(to + NEAR).min(count);
    let blocks = near
        .clone()
        .map(|at| seen(&page.blocks[at], (from..to).contains(&at)));
    TextBlocks {
        blocks: blocks.collect(),
        outline: outline(page, &near),
        selected,
        part,
    }
}

fn seen(block: &Block, whole: bool) -> SeenBlock {
    let kind = crate::actions::text::block_insert::KINDS;
    let name = kind
        .iter()
        .find(|(_, long)| *long == block.kind)
        .map(|(name, _)| *name);
    let rows = block.table.as_ref().map(|table| {
        let rows = table.words();
        rows.map(|cells| cells.into_iter().map(str::to_owned).collect())
            .collect()
    });
    SeenBlock {
        block_id: block.id.to_string(),
        kind: name.unwrap_or(&block.kind).to_owned(),
        level: (block.kind == "heading").then(|| block.level()),
        list: (block.kind == "listItem").then(|| block.word("list").to_owned()),
        indent: block.indent(),
        rows: rows.filter(|_| whole),
        text: if whole {
            block.text.clone()
        } else {
            short(&block.text)
        },
        shortened: !whole,
    }
}

fn outline(page: &Page, near: &std::ops::Range<usize>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (at, block) in page.blocks.iter().enumerate() {
        if near.contains(&at) {
            continue;
        }
        if block.kind == "heading" || sections.is_empty() {
            sections.push(Section {
                block_id: block.id.to_string(),
                heading: if block.kind == "heading" {
                    short(&block.text)
                } else {
                    String::new()
                },
                blocks: 0,
                words: 0,
            });
        }
        if let Some(section) = sections.last_mut() {
            section.blocks += 1;
            section.words += block.all_text().split_whitespace().count();
        }
    }
    sections
}
