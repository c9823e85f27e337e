//! A fairy's part of a text page: from one place in its words to another, held by the server as
//! cursors, so that it moves with the text.
//!
//! The ends are a block and a place in its words. A block that is gone still has its place among the
//! others: what follows it, or what it followed, is the end then. Nothing outside changes; at the ends
//! themselves only the words inside do. A block may be put right behind the last one, where that is
//! inside to its end, and what a run has put there is its own to write on.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glade_doc::text::{INDEX, MARKS, PARENT, from_value};
use glade_doc::words::{self, Splice};
use glade_doc::{Edit, ElementId, PageDoc, Props};
use glade_text::Page;
use loro::LoroValue;
use loro::cursor::{Cursor, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Cells are in rows, rows in tables.
const DEEPEST: usize = 4;

/// A part of a text page, as people set it and as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TextRange {
    pub page: String,
    pub from: Spot,
    pub to: Spot,
}

/// A place in the words of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Spot {
    pub block: String,
    /// In UTF-16 units, as it was when it was set. Left out: the block's beginning, or its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// Where that is now, kept by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// Where a fairy may write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum WritableRange {
    Range(TextRange),
    /// Its range is on another page.
    Elsewhere,
}

impl TextRange {
    /// Ties the ends to the characters that they are at.
    pub fn pin(mut self, doc: &PageDoc) -> Result<Self, String> {
        for (spot, side) in [(&mut self.from, Side::Left), (&mut self.to, Side::Right)] {
            let block = ElementId::from(spot.block.as_str());
            if doc.element(&block).is_none() {
                return Err(format!("there is no block {block} on the page"));
            }
            spot.at = None;
            let (Some(offset), Some(words)) = (spot.offset, doc.words(&block)) else {
                continue;
            };
            let text = words.to_string();
            let length = text.chars().count();
            let at = scalars(&text, offset);
            // The very ends of a block need no character to hold on to: they are what they are.
            let end = match side {
                Side::Left => at == 0,
                _ => at == length,
            };
            let cursor = words.get_cursor(at, side).filter(|_| !end);
            spot.at = cursor.map(|cursor| STANDARD.encode(cursor.encode()));
        }
        let page = Page::read(&doc.elements());
        match self.now(doc, &page, &BTreeSet::new()) {
            Some(_) => Ok(self),
            None => Err("the range ends before it begins".to_owned()),
        }
    }

    /// Where it is now; `own` are blocks that its fairy's run has made. `None`: nothing is left of it.
    fn now(&self, doc: &PageDoc, page: &Page, own: &BTreeSet<ElementId>) -> Option<Now> {
        let key = |spot: &Spot| {
            let id = ElementId::from(spot.block.as_str());
            let index = doc.element(&id)?.get(INDEX)?.as_str()?.to_owned();
            Some((index, id))
        };
        let (from, to) = (key(&self.from)?, key(&self.to)?);
        let of = |at: usize| (page.blocks[at].index.clone(), page.blocks[at].id.clone());
        let count = page.blocks.len();
        let first = (0..count).find(|at| of(*at) >= from)?;
        let mut last = (0..count).rfind(|at| of(*at) <= to)?;
        let start = if of(first) == from {
            place(doc, &self.from).unwrap_or(0)
        } else {
            0
        };
        let mut end = if of(last) == to {
            place(doc, &self.to)
        } else {
            None
        };
        if end.is_none() || end == Some(page.blocks[last].text.chars().count()) {
            while page
                .blocks
                .get(last + 1)
                .is_some_and(|next| own.contains(&next.id))
            {
                last += 1;
                end = None;
            }
        }
        let backwards = first > last || (first == last && end.is_some_and(|end| end < start));
        (!backwards).then_some(Now {
            first,
            last,
            start,
            end,
        })
    }

    /// The first and the last block of it.
    pub fn blocks(&self, doc: &PageDoc) -> Option<(ElementId, ElementId)> {
        let page = Page::read(&doc.elements());
        let now = self.now(doc, &page, &BTreeSet::new())?;
        let id = |at: usize| page.blocks[at].id.clone();
        Some((id(now.first), id(now.last)))
    }

    /// What others see of it.
    pub fn shown(&self) -> LoroValue {
        let spot = |spot: &Spot| {
            let mut value = vec![("block".to_owned(), LoroValue::from(spot.block.clone()))];
            if let Some(at) = &spot.at {
                value.push(("at".to_owned(), LoroValue::from(at.clone())));
            }
            map(value)
        };
        map(vec![
            ("from".to_owned(), spot(&self.from)),
            ("to".to_owned(), spot(&self.to)),
        ])
    }
}

fn map(entries: Vec<(String, LoroValue)>) -> LoroValue {
    let entries: std::collections::HashMap<String, LoroValue> = entries.into_iter().collect();
    LoroValue::Map(entries.into())
}

/// Where a spot is in its block's words, if it is at a character.
fn place(doc: &PageDoc, spot: &Spot) -> Option<usize> {
    let bytes = STANDARD.decode(spot.at.as_ref()?).ok()?;
    let cursor = Cursor::decode(&bytes).ok()?;
    // A history that is gone took the character with it: the end of the block is as good.
    let found = doc.loro().get_cursor_pos(&cursor).ok()?;
    Some(found.current.pos)
}

/// An offset in UTF-16 units, in characters.
fn scalars(text: &str, offset: usize) -> usize {
    let mut units = 0;
    text.chars()
        .take_while(|ch| {
            units += ch.len_utf16();
            units <= offset
        })
        .count()
}

/// A range on a page as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Now {
    first: usize,
    last: usize,
    /// Where it begins in the first block, in characters.
    start: usize,
    /// Where it ends in the last; `None`: at its end.
    end: Option<usize>,
}

impl Now {
    /// The characters of a block that are inside.
    fn inside(&self, at: usize, length: usize) -> (usize, usize) {
        let from = if at == self.first { self.start } else { 0 };
        let end = self.end.filter(|_| at == self.last);
        (from.min(length), end.map_or(length, |end| end.min(length)))
    }

    /// Whether something may be put there: behind so many blocks.
    fn takes(&self, behind: usize, page: &Page) -> bool {
        let open_end = || {
            let length = page.blocks[self.last].text.chars().count();
            self.inside(self.last, length).1 == length
        };
        (self.first + 1..=self.last).contains(&behind) || (behind == self.last + 1 && open_end())
    }
}

/// Whether edits stay inside; `own` are the elements that their run has touched.
pub fn check(
    part: &WritableRange,
    doc: &PageDoc,
    own: &BTreeSet<ElementId>,
    edits: &[Edit],
) -> Result<(), String> {
    let WritableRange::Range(range) = part else {
        return Err("what this fairy may change is on another page".to_owned());
    };
    let page = Page::read(&doc.elements());
    let Some(now) = range.now(doc, &page, own) else {
        return Err("nothing is left of what this fairy may change".to_owned());
    };
    let mut new: BTreeMap<&ElementId, &Props> = BTreeMap::new();
    for edit in edits {
        if let Edit::Put { id, props } = edit
            && doc.element(id).is_none()
        {
            new.insert(id, props);
        }
    }
    for edit in edits {
        let top = top_of(edit.id(), doc, &new);
        let outside = || {
            format!(
                "{} lies outside of what this fairy may change",
                call(&page, &top)
            )
        };
        if let Edit::Put { id, props } = edit
            && *id == top
            && let Some(index) = props.get(INDEX).and_then(Value::as_str)
        {
            let before = |block: &&glade_text::Block| {
                block.id != top && (block.index.as_str(), &block.id) < (index, &top)
            };
            let mut behind = page.blocks.iter().filter(before).count();
            // The block itself, on its way down, leaves a gap that the range still counts.
            if page.position(&top).is_some_and(|own| own <= behind) {
                behind += 1;
            }
            if !now.takes(behind, &page) {
                return Err(outside());
            }
        }
        let Some(at) = page.position(&top) else {
            // New, and its place was looked at; or gone, and then nothing comes of it.
            continue;
        };
        if !(now.first..=now.last).contains(&at) {
            return Err(outside());
        }
        let block = &page.blocks[at];
        let length = block.text.chars().count();
        let (from, to) = now.inside(at, length);
        if (from, to) == (0, length) {
            continue;
        }
        if !words_stay(edit, &block.text, &block.props, from, to) {
            return Err(format!(
                "only a part of {} is what this fairy may change",
                call(&page, &top)
            ));
        }
    }
    Ok(())
}

/// The block of the page that an element is, or is in.
fn top_of(id: &ElementId, doc: &PageDoc, new: &BTreeMap<&ElementId, &Props>) -> ElementId {
    let mut at = id.clone();
    for _ in 0..DEEPEST {
        let known = doc.element(&at);
        let props = known.as_ref().or_else(|| new.get(&at).copied());
        let parent = props
            .and_then(|props| props.get(PARENT))
            .and_then(Value::as_str);
        match parent {
            Some(parent) => at = ElementId::from(parent),
            None => break,
        }
    }
    at
}

/// Whether an edit changes only words of a block between two places, and what they wear.
fn words_stay(edit: &Edit, text: &str, props: &Props, from: usize, to: usize) -> bool {
    let (splices, marks): (Vec<Splice>, Option<&Value>) = match edit {
        Edit::Delete { .. } => return false,
        Edit::Put { props, .. } => {
            let only = |name: &String| ["originalText", MARKS].contains(&name.as_str());
            if !props.keys().all(only) {
                return false;
            }
            let new = props.get("originalText").and_then(Value::as_str);
            let splices = new.map_or_else(Vec::new, |new| words::diff(text, new));
            (splices, props.get(MARKS))
        }
        Edit::Rewrite {
            base,
            text: new,
            marks,
            ..
        } => (words::rebase(base, text, new), marks.as_ref()),
    };
    let inside = |splice: &Splice| splice.at >= from && splice.at + splice.delete <= to;
    if !splices.iter().all(inside) {
        return false;
    }
    let Some(marks) = marks else { return true };
    let grown: usize = splices.iter().map(|one| one.insert.chars().count()).sum();
    let gone: usize = splices.iter().map(|one| one.delete).sum();
    let length = text.chars().count();
    let wear = |value: Option<&Value>| value.map(from_value).unwrap_or_default();
    let (before, after) = (wear(props.get(MARKS)), wear(Some(marks)));
    let worn = |marks: &[glade_doc::text::Mark], at: usize| -> BTreeSet<(String, String)> {
        let here = marks.iter().filter(|mark| mark.from <= at && at < mark.to);
        here.map(|mark| (mark.name.clone(), mark.value.to_string()))
            .collect()
    };
    (0..from).all(|at| worn(&before, at) == worn(&after, at))
        && (to..length).all(|at| worn(&before, at) == worn(&after, at + grown - gone))
}

fn call(page: &Page, id: &ElementId) -> String {
    match page.position(id) {
        Some(at) => format!("block {} ({id})", at + 1),
        None => "the new block".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glade_doc::Surface;
    use serde_json::json;

    fn put(id: &str, props: Value) -> Edit {
        Edit::Put {
            id: id.into(),
            props: props.as_object().unwrap().clone(),
        }
    }

    fn paragraph(id: &str, index: &str, text: &str) -> Edit {
        put(
            id,
            json!({"nodeName": "paragraph", "parent": null, "index": index, "originalText": text}),
        )
    }

    fn page() -> PageDoc {
        let doc = PageDoc::blank(Surface::Text);
        let blocks = [
            paragraph("a", "B", "One two."),
            paragraph("b", "D", "Three four five."),
            paragraph("c", "F", "Six."),
            paragraph("d", "H", "Seven."),
        ];
        doc.commit(1, None, &blocks).unwrap();
        doc
    }

    fn spot(block: &str, offset: Option<usize>) -> Spot {
        Spot {
            block: block.to_owned(),
            offset,
            at: None,
        }
    }

    fn range(doc: &PageDoc, from: Spot, to: Spot) -> WritableRange {
        let page = "pg".to_owned();
        WritableRange::Range(TextRange { page, from, to }.pin(doc).unwrap())
    }

    fn rewrite(doc: &PageDoc, id: &str, text: &str) -> Edit {
        Edit::Rewrite {
            id: id.into(),
            base: doc.words(&id.into()).unwrap().to_string(),
            text: text.to_owned(),
            marks: None,
        }
    }

    fn allowed(part: &WritableRange, doc: &PageDoc, edit: Edit) -> bool {
        check(part, doc, &BTreeSet::new(), &[edit]).is_ok()
    }

    #[test]
    fn whole_blocks_are_changed_inside_and_nowhere_else() {
        let doc = page();
        let part = range(&doc, spot("b", None), spot("c", None));
        assert!(allowed(&part, &doc, rewrite(&doc, "b", "3")));
        assert!(allowed(&part, &doc, Edit::Delete { id: "c".into() }));
        assert!(!allowed(&part, &doc, rewrite(&doc, "a", "1")));
        assert!(!allowed(&part, &doc, Edit::Delete { id: "d".into() }));
        for (index, fate) in [("C", false), ("E", true), ("G", true), ("I", false)] {
            let new = paragraph("new", index, "New.");
            assert_eq!(allowed(&part, &doc, new), fate, "a new one at {index}");
        }
        // As long as it stays the first of them, it has not moved.
        for (index, fate) in [("A", false), ("C", true), ("G", true), ("I", false)] {
            let moved = put("b", json!({"index": index}));
            assert_eq!(allowed(&part, &doc, moved), fate, "b to {index}");
        }
        assert!(!allowed(&part, &doc, put("c", json!({"index": "C"}))));
        assert!(!allowed(&part, &doc, put("d", json!({"index": "E"}))));
    }

    #[test]
    fn at_its_ends_only_the_words_inside_change() {
        let doc = page();
        let part = range(&doc, spot("b", Some(6)), spot("b", Some(10)));
        assert!(allowed(&part, &doc, rewrite(&doc, "b", "Three 4 five.")));
        assert!(!allowed(&part, &doc, rewrite(&doc, "b", "3 four five.")));
        assert!(!allowed(&part, &doc, rewrite(&doc, "b", "Three four 5.")));
        assert!(!allowed(&part, &doc, Edit::Delete { id: "b".into() }));
        let heading = put("b", json!({"nodeName": "heading"}));
        assert!(!allowed(&part, &doc, heading));
        let bold = |from: usize, to: usize| put("b", json!({"marks": [[from, to, "bold", true]]}));
        assert!(allowed(&part, &doc, bold(6, 10)));
        assert!(!allowed(&part, &doc, bold(6, 12)));
        assert!(!allowed(&part, &doc, paragraph("new", "E", "New.")));
    }

    #[test]
    fn it_moves_with_the_text() {
        let doc = page();
        let part = range(&doc, spot("b", Some(6)), spot("b", Some(10)));
        let before = rewrite(&doc, "b", "Two and a half, three four five.");
        doc.commit(2, None, &[before]).unwrap();
        let inside = rewrite(&doc, "b", "Two and a half, three 4 five.");
        assert!(allowed(&part, &doc, inside));
        let outside = rewrite(&doc, "b", "Two, three four five.");
        assert!(!allowed(&part, &doc, outside));
        let whole = range(&doc, spot("b", None), spot("c", None));
        doc.commit(
            2,
            None,
            &[
                Edit::Delete { id: "c".into() },
                put("a", json!({"index": "E"})),
            ],
        )
        .unwrap();
        assert!(allowed(&whole, &doc, rewrite(&doc, "a", "moved in")));
        assert!(!allowed(&whole, &doc, rewrite(&doc, "d", "still out")));
    }

    #[test]
    fn what_a_run_puts_behind_the_last_block_is_its_own() {
        let doc = page();
        let part = range(&doc, spot("b", None), spot("b", None));
        doc.commit(2, None, &[paragraph("new", "E", "New.")])
            .unwrap();
        let more = rewrite(&doc, "new", "Newer.");
        assert!(!allowed(&part, &doc, more.clone()), "somebody else's");
        let own = BTreeSet::from(["new".into()]);
        assert_eq!(check(&part, &doc, &own, &[more]), Ok(()));
        let next = paragraph("next", "EV", "Next.");
        assert_eq!(check(&part, &doc, &own, &[next]), Ok(()));
        let far = paragraph("far", "G", "Far.");
        assert!(check(&part, &doc, &own, &[far]).is_err());
    }

    #[test]
    fn a_range_that_is_no_range_is_refused() {
        let doc = page();
        let bad = |from: Spot, to: Spot| {
            let page = "pg".to_owned();
            TextRange { page, from, to }.pin(&doc).unwrap_err()
        };
        assert!(bad(spot("x", None), spot("b", None)).contains("no block x"));
        assert!(bad(spot("c", None), spot("b", None)).contains("before it begins"));
        assert!(bad(spot("b", Some(5)), spot("b", Some(2))).contains("before it begins"));
        assert!(check(&WritableRange::Elsewhere, &doc, &BTreeSet::new(), &[]).is_err());
    }
}
