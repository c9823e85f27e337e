//! Who else needs an element that a run made.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::book::Book;
use crate::page::register_of;
use crate::schema::IS_DELETED;
use crate::text::PARENT;
use crate::touch::{Hold, Over, TouchKind};
use crate::{CanvasDoc, Change, ElementId, RunId};

const TIES: [&str; 4] = ["startBinding", "endBinding", "containerId", PARENT];

/// The elements that were ever bound to, or labelled, another. Looked for once, when first needed,
/// and kept from then on: a page has many elements and few of these.
pub(crate) struct Bearers(BTreeSet<ElementId>);

impl Bearers {
    pub(crate) fn find(doc: &CanvasDoc) -> Self {
        let mut found = BTreeSet::new();
        doc.for_each_map(|id, map| {
            if TIES.iter().any(|property| map.get(property).is_some()) {
                found.insert(id.clone());
            }
        });
        Self(found)
    }

    /// The document has merged these changes.
    pub(crate) fn note(&mut self, changes: &[Change]) {
        let writes = changes.iter().flat_map(|change| &change.writes);
        let tying = writes.filter(|write| TIES.contains(&write.property.as_str()));
        self.0.extend(tying.map(|write| write.element.clone()));
    }
}

/// Which live elements are bound to, or label, which, once planned writes are done.
pub(crate) struct Ties {
    to: BTreeMap<ElementId, Vec<(ElementId, &'static str)>>,
}

impl Ties {
    pub(crate) fn read(
        doc: &CanvasDoc,
        planned: &BTreeMap<(ElementId, String), Value>,
        bearers: &Bearers,
    ) -> Self {
        let mut to: BTreeMap<ElementId, Vec<(ElementId, &'static str)>> = BTreeMap::new();
        for id in &bearers.0 {
            let Some(map) = doc.map(id) else {
                continue;
            };
            let get = |property: &str| {
                planned
                    .get(&(id.clone(), property.to_owned()))
                    .cloned()
                    .or_else(|| register_of(&map, property))
            };
            if get(IS_DELETED) == Some(Value::Bool(true)) {
                continue;
            }
            for property in TIES {
                if let Some(target) = get(property).and_then(target) {
                    to.entry(target).or_default().push((id.clone(), property));
                }
            }
        }
        Self { to }
    }

    fn of(&self, id: &ElementId) -> impl Iterator<Item = &(ElementId, &'static str)> {
        self.to.get(id).into_iter().flatten()
    }

    pub(crate) fn labels(&self, id: &ElementId) -> impl Iterator<Item = &ElementId> {
        self.of(id)
            .filter(|(_, property)| ["containerId", PARENT].contains(property))
            .map(|(label, _)| label)
    }
}

fn target(value: Value) -> Option<ElementId> {
    match value {
        Value::String(id) => Some(ElementId(id)),
        Value::Object(binding) => match binding.get("elementId") {
            Some(Value::String(id)) => Some(ElementId(id.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Who holds an element that `run` made, and whether for good: not just until another pending run
/// is undone. Elements in `deleted` are about to go.
pub(crate) fn holder(
    book: &Book,
    doc: &CanvasDoc,
    ties: &Ties,
    id: &ElementId,
    run: &RunId,
    deleted: &BTreeSet<ElementId>,
) -> Option<(Hold, bool)> {
    if let Some(TouchKind::Created {
        held: Some(held), ..
    }) = book.creation(id).map(|row| &row.kind)
    {
        return Some((held.clone(), true));
    }
    let mut waiting = book
        .of_element(id)
        .find(|row| row.run != *run && !row.derived)
        .map(|row| Hold {
            property: row.property.clone(),
            by: row.peer,
        });
    for (tied, property) in ties.of(id) {
        if tied == id || deleted.contains(tied) || book.made_by(tied, run) {
            continue;
        }
        let hold = |by| Hold {
            property: (*property).to_owned(),
            by,
        };
        // A tie binds because somebody made it, or because somebody brought its bearer back.
        let writer =
            pending_writer(book, tied, property).or_else(|| pending_writer(book, tied, IS_DELETED));
        match writer {
            Some((writer, _)) if writer == run => {}
            Some((_, by)) => {
                waiting.get_or_insert_with(|| hold(by));
            }
            None => {
                let by = doc.last_editor(tied, property).unwrap_or_default();
                return Some((hold(by), true));
            }
        }
    }
    waiting.map(|hold| (hold, false))
}

/// The pending run whose doing it is that this property has its value.
fn pending_writer<'a>(book: &'a Book, id: &ElementId, property: &str) -> Option<(&'a RunId, u64)> {
    let mut rows: Vec<_> = book
        .of_register(id, property)
        .filter_map(|row| match row.kind {
            TouchKind::Register { order, over, .. } => Some((order, over, row)),
            _ => None,
        })
        .collect();
    rows.sort_by_key(|(order, ..)| *order);
    match rows.last() {
        Some((_, Over::Peer(_), _)) => None,
        Some((_, _, row)) => Some((&row.run, row.peer)),
        None => book.creation(id).map(|row| (&row.run, row.peer)),
    }
}
