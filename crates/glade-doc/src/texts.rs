//! The characters of one text, those included that an undo may bring back.
//!
//! Loro's span undo reverses operations one run at a time and so cannot know, when it retypes what
//! a run deleted, that those letters were another run's and are undone already. Rows therefore
//! name characters by id, and this list gives every character that could become visible again its
//! place among the others. It lives only while something is looked at: it is read from the rows and
//! the document, and written back to the rows.

use std::collections::{BTreeMap, BTreeSet};

use loro::{LoroText, cursor::Side};

use crate::text::pieces;
use crate::touch::{CharId, CharSpan, DeletedSpan, Marks};
use crate::{Counter, TouchKey};

/// The rows of one text.
pub(crate) type TextRows = BTreeMap<TouchKey, TextRow>;

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TextRow {
    pub inserted: Vec<CharSpan>,
    pub deleted: Vec<DeletedSpan>,
}

/// A character that can be seen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Glyph {
    pub id: CharId,
    pub ch: char,
    pub marks: Marks,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub id: CharId,
    pub ch: char,
    pub marks: Marks,
    /// The rows that deleted it; none: it is visible.
    pub deleted_by: BTreeSet<TouchKey>,
}

impl Item {
    fn seen(glyph: &Glyph) -> Self {
        Self {
            id: glyph.id,
            ch: glyph.ch,
            marks: glyph.marks.clone(),
            deleted_by: BTreeSet::new(),
        }
    }
}

/// The visible characters with their ids, in order.
pub(crate) fn visible(text: Option<&LoroText>) -> Vec<Glyph> {
    let Some(text) = text else {
        return Vec::new();
    };
    let mut glyphs = Vec::new();
    let mut at = 0;
    for (words, marks) in pieces(text) {
        for ch in words.chars() {
            if let Some(id) = text
                .get_cursor(at, Side::Middle)
                .and_then(|cursor| cursor.id)
            {
                glyphs.push(Glyph {
                    id: CharId {
                        peer: id.peer,
                        counter: id.counter,
                    },
                    ch,
                    marks: marks.clone(),
                });
            }
            at += 1;
        }
    }
    glyphs
}

/// Visible and recoverable characters in their common order.
pub(crate) fn weave(visible: &[Glyph], rows: &TextRows) -> Vec<Item> {
    let mut hidden: BTreeMap<CharId, Item> = BTreeMap::new();
    let mut after: BTreeMap<Option<CharId>, CharId> = BTreeMap::new();
    for (key, row) in rows {
        for span in &row.deleted {
            let mut left = span.left;
            for (counter, ch) in (span.from..).zip(span.text.chars()) {
                let id = CharId {
                    peer: span.peer,
                    counter,
                };
                let item = hidden.entry(id).or_insert_with(|| Item {
                    id,
                    ch,
                    marks: span.marks.clone(),
                    deleted_by: BTreeSet::new(),
                });
                item.deleted_by.insert(key.clone());
                after.insert(left, id);
                left = Some(id);
            }
        }
    }
    let mut items = Vec::with_capacity(visible.len() + hidden.len());
    let mut place = |at: Option<CharId>, items: &mut Vec<Item>| {
        let mut at = at;
        while let Some(item) = after.get(&at).and_then(|next| hidden.remove(next)) {
            at = Some(item.id);
            items.push(item);
        }
    };
    place(None, &mut items);
    for glyph in visible {
        items.push(Item::seen(glyph));
        place(Some(glyph.id), &mut items);
    }
    // Their neighbour is gone, which upkeep does not let happen; better last than lost.
    items.extend(hidden.into_values());
    items
}

/// Write places back into the rows, after the list has changed.
pub(crate) fn unweave(items: &[Item], rows: &mut TextRows) {
    for row in rows.values_mut() {
        row.deleted.clear();
    }
    let mut left = None;
    for item in items {
        for key in &item.deleted_by {
            let Some(row) = rows.get_mut(key) else {
                continue;
            };
            match row.deleted.last_mut() {
                Some(last) if left == Some(last_of(last)) && continues(last, item) => {
                    last.text.push(item.ch);
                }
                _ => row.deleted.push(DeletedSpan {
                    peer: item.id.peer,
                    from: item.id.counter,
                    text: item.ch.to_string(),
                    left,
                    marks: item.marks.clone(),
                }),
            }
        }
        left = Some(item.id);
    }
}

fn last_of(span: &DeletedSpan) -> CharId {
    CharId {
        peer: span.peer,
        counter: span.from + length(&span.text) - 1,
    }
}

fn continues(span: &DeletedSpan, item: &Item) -> bool {
    span.peer == item.id.peer
        && span.from + length(&span.text) == item.id.counter
        && span.marks == item.marks
}

fn length(text: &str) -> Counter {
    Counter::try_from(text.chars().count()).unwrap_or(Counter::MAX)
}

/// What an update did to the characters, beyond what can be seen in the text.
#[derive(Debug, Default)]
pub(crate) struct Deletions {
    /// By pending runs: can come back.
    pub by_rows: Vec<(TouchKey, CharSpan)>,
    /// By anybody else: gone for good, even where a run had deleted them first.
    pub for_good: Vec<CharSpan>,
}

/// Carry the list over an update, after which `now` is visible.
pub(crate) fn follow(items: Vec<Item>, now: &[Glyph], deletions: &Deletions) -> Vec<Item> {
    let still: BTreeSet<CharId> = now.iter().map(|glyph| glyph.id).collect();
    let mut carried = items.into_iter().filter_map(|mut item| {
        let was_hidden = !item.deleted_by.is_empty();
        if still.contains(&item.id) {
            return Some(item);
        }
        if deletions.for_good.iter().any(|span| span.contains(item.id)) {
            return None;
        }
        for (key, span) in &deletions.by_rows {
            if span.contains(item.id) {
                item.deleted_by.insert(key.clone());
            }
        }
        (was_hidden || !item.deleted_by.is_empty()).then_some(item)
    });
    let mut items: Vec<Item> = Vec::new();
    let mut waiting = carried.next();
    for glyph in now {
        // Deleted characters keep to their left neighbour; what is typed there comes after them.
        while let Some(item) = waiting.take() {
            if item.deleted_by.is_empty() {
                waiting = Some(item);
                break;
            }
            items.push(item);
            waiting = carried.next();
        }
        match waiting.take() {
            Some(item) if item.id == glyph.id => {
                items.push(item);
                waiting = carried.next();
            }
            other => {
                waiting = other;
                items.push(Item::seen(glyph));
            }
        }
    }
    items.extend(waiting);
    items.extend(carried);
    items
}

/// One step of changing the text, positions as they are when its turn comes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TextOp {
    /// With the marks that it is to have.
    Insert(usize, String, Marks),
    Delete(usize, usize),
}

/// How to take some rows back.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TextPlan {
    pub steps: Vec<TextOp>,
    /// The list afterwards; retyped characters still have the ids they had.
    items: Vec<Item>,
    retyped: BTreeSet<CharId>,
}

/// Characters that the chosen rows typed go; those that only they deleted come back.
pub(crate) fn plan_undo(
    items: Vec<Item>,
    rows: &TextRows,
    chosen: &BTreeSet<TouchKey>,
) -> TextPlan {
    let typed: Vec<CharSpan> = chosen
        .iter()
        .filter_map(|key| rows.get(key))
        .flat_map(|row| row.inserted.iter().copied())
        .collect();
    let mut plan = TextPlan::default();
    let mut at = 0;
    for mut item in items {
        let visible = item.deleted_by.is_empty();
        if typed.iter().any(|span| span.contains(item.id)) {
            if visible {
                match plan.steps.last_mut() {
                    Some(TextOp::Delete(from, length)) if *from == at => *length += 1,
                    _ => plan.steps.push(TextOp::Delete(at, 1)),
                }
            }
            continue;
        }
        item.deleted_by.retain(|key| !chosen.contains(key));
        if !visible && item.deleted_by.is_empty() {
            match plan.steps.last_mut() {
                Some(TextOp::Insert(from, text, marks))
                    if *from + text.chars().count() == at && *marks == item.marks =>
                {
                    text.push(item.ch);
                }
                _ => plan
                    .steps
                    .push(TextOp::Insert(at, item.ch.to_string(), item.marks.clone())),
            }
            plan.retyped.insert(item.id);
        }
        if item.deleted_by.is_empty() {
            at += 1;
        }
        plan.items.push(item);
    }
    plan
}

/// Bring the remaining rows up to date, after the steps were done and `now` is visible. Retyped
/// characters have new ids; whoever had typed them still has.
pub(crate) fn finish_undo(mut plan: TextPlan, now: &[Glyph], rows: &mut TextRows) {
    let mut visible = now.iter();
    for item in &mut plan.items {
        if !item.deleted_by.is_empty() {
            continue;
        }
        let Some(Glyph { id, .. }) = visible.next() else {
            break;
        };
        if plan.retyped.contains(&item.id) {
            for row in rows.values_mut() {
                if row.inserted.iter().any(|span| span.contains(item.id)) {
                    add_char(&mut row.inserted, *id);
                }
            }
            item.id = *id;
        }
    }
    unweave(&plan.items, rows);
}

/// Forget for good whatever the chosen rows deleted; the others cannot bring it back any more.
pub(crate) fn keep(mut items: Vec<Item>, rows: &mut TextRows, chosen: &BTreeSet<TouchKey>) {
    items.retain(|item| item.deleted_by.is_disjoint(chosen));
    rows.retain(|key, _| !chosen.contains(key));
    unweave(&items, rows);
}

pub(crate) fn add_char(spans: &mut Vec<CharSpan>, id: CharId) {
    add_span(
        spans,
        CharSpan {
            peer: id.peer,
            from: id.counter,
            to: id.counter + 1,
        },
    );
}

pub(crate) fn add_span(spans: &mut Vec<CharSpan>, span: CharSpan) {
    match spans.last_mut() {
        Some(last) if last.peer == span.peer && last.to == span.from => last.to = span.to,
        _ => spans.push(span),
    }
}
