//! The blocks of a text page, in three tiers: what the work is about as Markdown, its neighbourhood
//! shortened, the rest by headings with counts. What the fairy read, found or changed last is in view.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use glade_doc::ElementId;
use glade_text::markdown::Shower;
use glade_text::{Block, Page, Styled};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::facts::On;
use crate::ids::IdMap;
use crate::part::{Part, PartFacts, Topic, View, told};
use crate::prompt::PromptMessage;
use crate::shapes::short;

/// Characters shown in full, and blocks shown shortened around them.
const FULL: usize = 24_000;
const NEAR: usize = 12;
/// What a block costs besides its words.
const FRAME: usize = 40;

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
    /// Its plain words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The block as it is shown, if that is not its plain words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// Only the beginning of its text is shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shortened: bool,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl SeenBlock {
    /// As it is shown.
    pub fn shown(&self) -> &str {
        self.markdown.as_deref().unwrap_or(&self.text)
    }
}

/// Blocks in a row that are not shown, from a heading on or from where what is shown ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    pub block_id: String,
    pub heading: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub level: usize,
    pub blocks: usize,
    pub words: usize,
    /// How many of the blocks that are shown stand before it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub at: usize,
}

pub struct TextBlocksPart;

static FACTS: PartFacts = PartFacts::new("text-blocks", Topic::InView, On::Text)
    .steady()
    .about("When the person says \"this\", \"these\" or \"it\", they mean the selected blocks, or else the page.");

impl Part for TextBlocksPart {
    type Data = TextBlocks;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<TextBlocks> {
        let world = view.world;
        let live = world.scene.live();
        let page = Page::read(live.map(|element| (&element.id, &element.props)));
        for changed in world.user_actions.iter().map(|action| &action.diff) {
            let updated = changed.updated.iter().map(|one| &one.id);
            for id in changed.added.iter().chain(updated) {
                view.reading.look_at(id.clone(), id.clone());
            }
        }
        for id in found(&view.request.data, world.page.as_str())
            .into_iter()
            .rev()
        {
            view.reading.look_at(id.clone(), id);
        }
        let looks = Looks::new(&page, view);
        let seen = looks.seen(&page, view.ids);
        let whole = looks.whole.iter().map(|at| &page.blocks[*at]);
        let known = whole.map(|block| (block.id.clone(), Styled::of(block)));
        view.reading.begin(known.collect());
        Some(seen)
    }

    fn print(&self, data: &TextBlocks) -> Vec<PromptMessage> {
        let mut text = match (data.blocks.as_slice(), data.outline.as_slice()) {
            ([], []) => "The page is empty.".to_owned(),
            _ => format!(
                "The page: each block's id, and the block as Markdown.\n{}",
                listed(data)
            ),
        };
        let front = |block: &SeenBlock| {
            ["---\n", "+++\n"]
                .iter()
                .any(|fence| block.text.starts_with(fence))
        };
        if let Some(first) = data
            .blocks
            .first()
            .filter(|first| first.kind == "code" && front(first))
        {
            text.push_str(&format!(
                "\n\n{} is the file's front matter, for programs: leave it as it is unless you are asked to change it.",
                first.block_id
            ));
        }
        if data.blocks.iter().any(|block| block.shortened) || !data.outline.is_empty() {
            text.push_str(
                "\n\nWhat has \"…\" behind its id is not shown whole: read-blocks shows it, and only then can it be rewritten.",
            );
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

/// The blocks of this page that a search has found.
fn found(data: &[Value], page: &str) -> Vec<ElementId> {
    let places = data
        .iter()
        .filter_map(|item| item.get("places")?.as_array());
    let here = places.flatten().filter(|place| place["page"] == page);
    here.filter_map(|place| place["element"].as_str().map(ElementId::from))
        .collect()
}

/// Which blocks are shown, and how.
struct Looks {
    selected: Vec<ElementId>,
    part: Option<(ElementId, ElementId)>,
    whole: BTreeSet<usize>,
}

impl Looks {
    fn new(page: &Page, view: &View<'_, '_>) -> Self {
        let places: BTreeMap<&ElementId, usize> =
            page.blocks.iter().map(|block| &block.id).zip(0..).collect();
        let range = |first: &ElementId, last: &ElementId| -> Option<Range<usize>> {
            let (a, b) = (*places.get(first)?, *places.get(last)?);
            Some(a.min(b)..a.max(b) + 1)
        };
        let part = view.world.part.cloned();
        let selected = view.input.selection.clone();
        let chosen = selected.iter().filter_map(|id| range(id, id));
        let read = view.reading.places();
        let mut windows: Vec<Range<usize>> = Vec::new();
        windows.extend(part.iter().filter_map(|(first, last)| range(first, last)));
        windows.extend(chosen);
        windows.extend(read.filter_map(|place| range(&place.first, &place.last)));
        Self {
            whole: whole(page, &windows),
            selected,
            part,
        }
    }

    fn seen(&self, page: &Page, ids: &mut IdMap) -> TextBlocks {
        let mut id = |at: usize| ids.block_id(&page.blocks[at].id, at + 1);
        let mut blocks: Vec<SeenBlock> = Vec::new();
        let mut outline: Vec<Section> = Vec::new();
        let mut shower = Shower::default();
        let mut last_hidden = None;
        for (at, block) in page.blocks.iter().enumerate() {
            if self.whole.contains(&at) {
                let shown = shower.show(block);
                blocks.push(seen(block, id(at), Some(shown)));
                continue;
            }
            shower.pass(block);
            let around = at.saturating_sub(NEAR)..=at + NEAR;
            if self.whole.range(around).next().is_some() {
                blocks.push(seen(block, id(at), None));
                continue;
            }
            let goes_on = last_hidden == at.checked_sub(1) && last_hidden.is_some();
            let heading = block.kind == "heading";
            if heading || !goes_on {
                outline.push(Section {
                    block_id: id(at),
                    heading: if heading {
                        short(&block.text)
                    } else {
                        String::new()
                    },
                    level: if heading { block.level() } else { 0 },
                    blocks: 0,
                    words: 0,
                    at: blocks.len(),
                });
            }
            if let Some(section) = outline.last_mut() {
                section.blocks += 1;
                section.words += block.all_text().split_whitespace().count();
            }
            last_hidden = Some(at);
        }
        let mut name = |wanted: &ElementId| {
            let place = page.position(wanted).map_or(0, |at| at + 1);
            ids.block_id(wanted, place)
        };
        TextBlocks {
            blocks,
            outline,
            selected: self.selected.iter().map(&mut name).collect(),
            part: self
                .part
                .as_ref()
                .map(|(first, last)| (name(first), name(last))),
        }
    }
}

/// The blocks that are shown whole: the windows, the first of them first, then what is around the first.
fn whole(page: &Page, windows: &[Range<usize>]) -> BTreeSet<usize> {
    let count = page.blocks.len();
    let size = |at: usize| page.blocks[at].all_text().len() + FRAME;
    let mut whole = BTreeSet::new();
    let mut spent = 0;
    let mut take = |at: usize| {
        if whole.contains(&at) {
            return true;
        }
        let fits = spent == 0 || spent + size(at) <= FULL;
        if fits {
            spent += size(at);
            whole.insert(at);
        }
        fits
    };
    for window in windows {
        // As much of it as there is room for.
        window.clone().all(&mut take);
    }
    let (mut from, mut to) = windows
        .first()
        .map_or((0, 0), |first| (first.start, first.end.min(count)));
    let (mut below, mut above) = (true, true);
    while (below && to < count) || (above && from > 0) {
        if below && to < count {
            below = take(to);
            to += 1;
        }
        if above && from > 0 {
            from -= 1;
            above = take(from);
        }
        below &= to < count;
        above &= from > 0;
    }
    whole
}

fn seen(block: &Block, block_id: String, shown: Option<String>) -> SeenBlock {
    let kinds = crate::actions::text::kinds::KINDS;
    let mut named = kinds.iter();
    let name = named.find(|(_, long)| *long == block.kind);
    let rows = block.table.as_ref().map(|table| {
        let rows = table.words();
        rows.map(|cells| cells.into_iter().map(str::to_owned).collect())
            .collect()
    });
    let text = match (&shown, &block.table) {
        (Some(_), _) => block.text.clone(),
        (None, Some(_)) => short(&block.all_text()),
        (None, None) => short(&block.text),
    };
    SeenBlock {
        block_id,
        kind: name
            .map_or(block.kind.as_str(), |(name, _)| *name)
            .to_owned(),
        level: (block.kind == "heading").then(|| block.level()),
        list: (block.kind == "listItem").then(|| block.word("list").to_owned()),
        indent: block.indent(),
        rows: rows.filter(|_| shown.is_some()),
        shortened: shown.is_none(),
        markdown: shown.filter(|shown| *shown != text),
        text,
    }
}

/// Blocks and what is left out between them, fenced as data: what stands in a document never speaks to the model, and
/// cannot close the fence.
fn listed(data: &TextBlocks) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut hidden = data.outline.iter().peekable();
    for number in 0..=data.blocks.len() {
        while let Some(section) = hidden.next_if(|section| section.at <= number) {
            lines.push(left_out(section));
        }
        lines.extend(data.blocks.get(number).map(line));
    }
    let body = lines.join("\n");
    let mut ticks = 3;
    while body.contains(&"`".repeat(ticks)) {
        ticks += 1;
    }
    let fence = "`".repeat(ticks);
    format!("{fence}data\n{body}\n{fence}")
}

fn line(block: &SeenBlock) -> String {
    let id = &block.block_id;
    if block.shortened {
        return format!("{id} … {}", block.text.replace('\n', " "));
    }
    // Nothing in a block begins a line as an id does.
    let pad = format!("\n{}", " ".repeat(id.len() + 2));
    format!("{id}  {}", block.shown().replace('\n', &pad))
        .trim_end()
        .to_owned()
}

fn left_out(section: &Section) -> String {
    let Section {
        block_id,
        heading,
        level,
        blocks,
        words,
        ..
    } = section;
    let what = match level {
        0 => "more".to_owned(),
        level => format!("{} {heading}", "#".repeat(*level)),
    };
    let s = if *blocks == 1 { "" } else { "s" };
    format!("{block_id} … {what} ({blocks} block{s}, {words} words)")
}
