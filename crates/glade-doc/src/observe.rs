//! Keeping the touch index right while updates are merged.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::inspect::TextWrite;
use crate::texts::{self, Deletions, Glyph, TextRow};
use crate::touch::{CharSpan, Dependent, Over, TouchKind};
use crate::touch_index::TouchIndex;
use crate::{
    Change, ElementId, PageDoc, PeerId, RunTag, Touch, TouchKey, Write, WriteKind, marks, text,
};

type Register = (ElementId, String);

/// What the document says, just before a merge, about all that the merge will write.
pub(crate) struct Before {
    existing: BTreeSet<ElementId>,
    registers: BTreeMap<Register, (Option<Value>, Option<PeerId>)>,
    /// Only of texts in which deleted characters matter.
    texts: BTreeMap<ElementId, Vec<Glyph>>,
    /// Of blocks whose words a run marks.
    marked: BTreeMap<ElementId, Vec<Glyph>>,
}

impl Before {
    pub(crate) fn read(changes: &[Change], doc: &PageDoc, touch_index: &TouchIndex) -> Self {
        let mut before = Self {
            existing: BTreeSet::new(),
            registers: BTreeMap::new(),
            texts: BTreeMap::new(),
            marked: BTreeMap::new(),
        };
        for (change, write) in writes(changes) {
            let element = &write.element;
            if doc.exists(element) {
                before.existing.insert(element.clone());
            }
            match write.kind {
                WriteKind::Created => {}
                WriteKind::Register => {
                    let register = (element.clone(), write.property.clone());
                    before.registers.entry(register).or_insert_with(|| {
                        (
                            doc.register(element, &write.property),
                            doc.last_editor(element, &write.property),
                        )
                    });
                }
                WriteKind::Text => {
                    if change.tag.is_some() && styles(write) {
                        before
                            .marked
                            .entry(element.clone())
                            .or_insert_with(|| texts::visible(doc.text(element).as_ref()));
                    }
                    let deletes = matches!(write.text, Some(TextWrite::Deleted { .. }));
                    let remembers = || {
                        touch_index
                            .text_rows(element)
                            .values()
                            .any(|row| !row.deleted.is_empty())
                    };
                    if (deletes && change.tag.is_some()) || remembers() {
                        before
                            .texts
                            .entry(element.clone())
                            .or_insert_with(|| texts::visible(doc.text(element).as_ref()));
                    }
                }
            }
        }
        before
    }
}

/// Enter `changes`, which `doc` has merged, into the index.
pub(crate) fn observe(
    touch_index: &mut TouchIndex,
    changes: &[Change],
    before: Before,
    doc: &PageDoc,
) {
    observe_creations(touch_index, changes, &before);
    observe_registers(touch_index, changes, &before, doc);
    marks::observe(touch_index, changes, &before.marked, doc);
    observe_texts(touch_index, changes, before, doc);
}

/// Whether a write marks words in a way that people see as an edit.
pub(crate) fn styles(write: &Write) -> bool {
    let mark = write.mark.as_deref();
    mark.is_some_and(|mark| ![text::PENDING, "comment-anchor"].contains(&mark))
}

/// Marks that say something about words leave them as they are.
fn is_aside(write: &Write) -> bool {
    let styled = matches!(write.text, Some(TextWrite::Marked | TextWrite::MarkEnd));
    styled && !styles(write)
}

fn writes(changes: &[Change]) -> impl Iterator<Item = (&Change, &Write)> {
    changes
        .iter()
        .flat_map(|change| change.writes.iter().map(move |write| (change, write)))
}

fn observe_creations(touch_index: &mut TouchIndex, changes: &[Change], before: &Before) {
    let mut made: BTreeSet<&ElementId> = BTreeSet::new();
    for (change, write) in writes(changes) {
        if write.kind != WriteKind::Created {
            continue;
        }
        if before.existing.contains(&write.element) || !made.insert(&write.element) {
            hold(touch_index, change, write);
            continue;
        }
        if let Some(tag) = &change.tag {
            let kind = TouchKind::Created {
                held: None,
                orphaned: false,
            };
            touch_index.put(touch(tag, change.peer, write, kind));
        }
    }
}

/// Somebody outside every pending run did something, on purpose, to an element that one made.
fn hold(touch_index: &mut TouchIndex, change: &Change, write: &Write) {
    if write.derived || change.tag.is_some() || is_aside(write) {
        return;
    }
    let Some(mut row) = touch_index.creation(&write.element).cloned() else {
        return;
    };
    if let TouchKind::Created { held, .. } = &mut row.kind {
        held.get_or_insert_with(|| Dependent {
            property: write.property.clone(),
            by: change.peer,
        });
        touch_index.put(row);
    }
}

fn observe_registers(
    touch_index: &mut TouchIndex,
    changes: &[Change],
    before: &Before,
    doc: &PageDoc,
) {
    let mut by_register: BTreeMap<Register, Vec<(u32, &Change, &Write)>> = BTreeMap::new();
    for (change, write) in writes(changes) {
        if write.kind == WriteKind::Register {
            by_register
                .entry((write.element.clone(), write.property.clone()))
                .or_default()
                .push((change.lamport_of(write), change, write));
        }
    }
    for (register, mut writes) in by_register {
        // The last of these writes is in force only if it beat what was there: late writes from
        // a slow line may all have lost.
        let editor = doc.last_editor(&register.0, &register.1);
        writes.sort_by_key(|(lamport, change, _)| (*lamport, change.peer));
        let winner = writes
            .iter()
            .rposition(|(_, change, _)| Some(change.peer) == editor);
        let mut now = before.registers.get(&register).cloned().unwrap_or_default();
        for (_, change, write) in writes.iter().take(winner.map_or(0, |at| at + 1)) {
            hold(touch_index, change, write);
            observe_register(touch_index, change, write, now);
            now = (write.value.clone(), Some(change.peer));
        }
    }
}

fn observe_register(
    touch_index: &mut TouchIndex,
    change: &Change,
    write: &Write,
    (before, before_by): (Option<Value>, Option<PeerId>),
) {
    let (element, property) = (&write.element, write.property.as_str());
    let Some(tag) = change
        .tag
        .as_ref()
        .filter(|tag| !made_in(touch_index, element, tag))
    else {
        cover(touch_index, change.peer, write);
        return;
    };
    let mut layers = touch_index.layers(element, property);
    let row = touch(
        tag,
        change.peer,
        write,
        TouchKind::Register {
            // Both come back as null, and a stored row cannot tell them apart.
            before: before.filter(|value| !value.is_null()),
            before_by,
            order: touch_index.next_order(),
            over: Over::Nobody,
        },
    );
    let key = row.key();
    match layers.layers.last_mut() {
        // Still the same action's turn: what it goes back to stays.
        Some(top) if top.key == key => {
            top.derived &= write.derived;
            top.peer = change.peer;
            layers.derived_over = false;
            touch_index.set_layers(element, property, layers);
        }
        _ => {
            // Written again after another's write: from now on it lies on top of that.
            layers.undo_covered(&key);
            layers.derived_over = false;
            touch_index.set_layers(element, property, layers);
            touch_index.put(row);
        }
    }
}

/// A write that is nobody's pending row lies over all the rows of its register.
fn cover(touch_index: &mut TouchIndex, peer: PeerId, write: &Write) {
    let mut layers = touch_index.layers(&write.element, &write.property);
    if layers.layers.is_empty() {
        return;
    }
    if write.derived {
        layers.derived_over = true;
        touch_index.set_layers(&write.element, &write.property, layers);
    } else {
        for layer in layers.layers {
            touch_index.cover(&layer.key, peer);
        }
    }
}

fn observe_texts(touch_index: &mut TouchIndex, changes: &[Change], before: Before, doc: &PageDoc) {
    let mut deletions: BTreeMap<&ElementId, Deletions> = BTreeMap::new();
    for (change, write) in writes(changes) {
        let Some(text) = write.text else {
            continue;
        };
        hold(touch_index, change, write);
        if matches!(text, TextWrite::Marked | TextWrite::MarkEnd) {
            continue;
        }
        // A block that others need stays without the words that the run typed: they have rows.
        let whole = !doc.surface().has_styled_words();
        let row = change
            .tag
            .as_ref()
            .filter(|tag| !(whole && made_in(touch_index, &write.element, tag)))
            .map(|tag| text_row(touch_index, tag, change.peer, write));
        match (text, row) {
            (TextWrite::Inserted { length, .. }, Some(key)) => {
                let mut rows = touch_index.text_rows(&write.element);
                let span = CharSpan {
                    peer: change.peer,
                    from: write.counter,
                    to: write.counter + length,
                };
                texts::add_span(&mut rows.entry(key).or_default().inserted, span);
                touch_index.set_text_rows(&write.element, rows);
            }
            (TextWrite::Deleted { peer, from, to }, row) => {
                let span = CharSpan { peer, from, to };
                let deletions = deletions.entry(&write.element).or_default();
                match row {
                    Some(key) => deletions.by_rows.push((key, span)),
                    None => deletions.for_good.push(span),
                }
            }
            _ => {}
        }
    }
    for (element, was) in before.texts {
        let mut rows = touch_index.text_rows(&element);
        let now = texts::visible(doc.text(&element).as_ref());
        let none = Deletions::default();
        let items = texts::follow(
            texts::weave(&was, &rows),
            &now,
            deletions.get(&element).unwrap_or(&none),
        );
        texts::unweave(&items, &mut rows);
        touch_index.set_text_rows(&element, rows);
    }
}

/// Find or make the row of an action that edits a text.
fn text_row(touch_index: &mut TouchIndex, tag: &RunTag, peer: PeerId, write: &Write) -> TouchKey {
    let TextRow { inserted, deleted } = TextRow::default();
    let row = touch(tag, peer, write, TouchKind::Text { inserted, deleted });
    let key = row.key();
    if touch_index.get(&key).is_none() {
        touch_index.put(row);
    }
    key
}

/// The action that made an element needs no further rows for it.
pub(crate) fn made_in(touch_index: &TouchIndex, element: &ElementId, tag: &RunTag) -> bool {
    touch_index
        .creation(element)
        .is_some_and(|row| row.run == tag.run && row.action == tag.action && !row.is_orphaned())
}

fn touch(tag: &RunTag, peer: PeerId, write: &Write, kind: TouchKind) -> Touch {
    Touch {
        run: tag.run.clone(),
        step: tag.step,
        action: tag.action,
        element: write.element.clone(),
        property: write.property.clone(),
        peer,
        derived: write.derived,
        kind,
    }
}
