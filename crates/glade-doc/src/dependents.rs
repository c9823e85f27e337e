//! Who else needs an element that a run made.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::page::register_of;
use crate::schema::IS_DELETED;
use crate::text::PARENT;
use crate::touch::{Hold, Over, TouchKind};
use crate::touch_index::TouchIndex;
use crate::{Change, ElementId, PageDoc, RunId};

const TIES: [&str; 4] = ["startBinding", "endBinding", "containerId", PARENT];

/// Which elements were ever bound to, or labelled, which others. Looked for once, when first needed,
/// and kept from then on: who needs an element is then asked of a few, not of the page.
pub(crate) struct Bearers(BTreeMap<ElementId, BTreeSet<ElementId>>);

impl Bearers {
    pub(crate) fn find(doc: &PageDoc) -> Self {
        let mut found = Self(BTreeMap::new());
        doc.for_each_map(|id, map| {
            for property in TIES {
                found.tie(id, register_of(map, property));
            }
        });
        found
    }

    fn tie(&mut self, bearer: &ElementId, value: Option<Value>) {
        if let Some(target) = value.and_then(target) {
            self.0.entry(target).or_default().insert(bearer.clone());
        }
    }

    /// The document has merged these changes.
    pub(crate) fn note(&mut self, changes: &[Change]) {
        for write in changes.iter().flat_map(|change| &change.writes) {
            if TIES.contains(&write.property.as_str()) {
                self.tie(&write.element, write.value.clone());
            }
        }
    }

    /// The document is about to have these values.
    fn expect(&mut self, planned: &Registers) {
        for ((element, property), value) in planned {
            if TIES.contains(&property.as_str()) {
                self.tie(element, Some(value.clone()));
            }
        }
    }
}

/// Values of properties.
pub(crate) type Registers = BTreeMap<(ElementId, String), Value>;

/// Which live elements are bound to, or label, which, once planned writes are done.
pub(crate) struct Ties<'a> {
    doc: &'a PageDoc,
    planned: Registers,
    bearers: &'a Bearers,
}

impl<'a> Ties<'a> {
    pub(crate) fn new(doc: &'a PageDoc, planned: Registers, bearers: &'a mut Bearers) -> Self {
        bearers.expect(&planned);
        Self {
            doc,
            planned,
            bearers,
        }
    }

    /// The elements tied to this one, and by which of their properties.
    fn of(&self, id: &ElementId) -> impl Iterator<Item = (&'a ElementId, &'static str)> {
        let bearers = self.bearers.0.get(id).into_iter().flatten();
        bearers.flat_map(move |bearer| {
            let live = self.value(bearer, IS_DELETED) != Some(Value::Bool(true));
            let ties = TIES.into_iter().filter(move |_| live);
            ties.filter(move |property| {
                let tied = self.value(bearer, property).and_then(target);
                tied.is_some_and(|tied| tied == *id)
            })
            .map(move |property| (bearer, property))
        })
    }

    fn value(&self, id: &ElementId, property: &str) -> Option<Value> {
        let planned = self.planned.get(&(id.clone(), property.to_owned()));
        planned.cloned().or_else(|| self.doc.register(id, property))
    }

    pub(crate) fn labels(&self, id: &ElementId) -> impl Iterator<Item = &'a ElementId> {
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
    touch_index: &TouchIndex,
    doc: &PageDoc,
    ties: &Ties<'_>,
    id: &ElementId,
    run: &RunId,
    deleted: &BTreeSet<ElementId>,
) -> Option<(Hold, bool)> {
    if let Some(TouchKind::Created {
        held: Some(held), ..
    }) = touch_index.creation(id).map(|row| &row.kind)
    {
        return Some((held.clone(), true));
    }
    let mut waiting = touch_index
        .of_element(id)
        .find(|row| row.run != *run && !row.derived)
        .map(|row| Hold {
            property: row.property.clone(),
            by: row.peer,
        });
    for (tied, property) in ties.of(id) {
        if tied == id || deleted.contains(tied) || touch_index.made_by(tied, run) {
            continue;
        }
        let hold = |by| Hold {
            property: property.to_owned(),
            by,
        };
        // A tie binds because somebody made it, or because somebody brought its bearer back.
        let writer = pending_writer(touch_index, tied, property)
            .or_else(|| pending_writer(touch_index, tied, IS_DELETED));
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
fn pending_writer<'a>(
    touch_index: &'a TouchIndex,
    id: &ElementId,
    property: &str,
) -> Option<(&'a RunId, u64)> {
    let mut rows: Vec<_> = touch_index
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
        None => touch_index.creation(id).map(|row| (&row.run, row.peer)),
    }
}
