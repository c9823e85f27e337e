//! Who else needs an element that a run made.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::page::register_of;
use crate::schema::IS_DELETED;
use crate::text::PARENT;
use crate::touch::{Dependent, Over, TouchKind};
use crate::touch_index::TouchIndex;
use crate::{Change, ElementId, PageDoc, RunId};

/// The properties that name another element.
const REFERENCES: [&str; 5] = ["startBinding", "endBinding", CONTAINER, "frameId", PARENT];
/// Of a label: what it is the label of.
const CONTAINER: &str = "containerId";

/// For each element, those that ever referred to it. Built when first needed and kept from then on, so
/// that finding who needs an element reads a few elements rather than the page.
pub(crate) struct ReferenceIndex(BTreeMap<ElementId, BTreeSet<ElementId>>);

impl ReferenceIndex {
    pub(crate) fn find(doc: &PageDoc) -> Self {
        let mut found = Self(BTreeMap::new());
        doc.for_each_map(|id, map| {
            for property in REFERENCES {
                found.add(id, register_of(map, property));
            }
        });
        found
    }

    fn add(&mut self, referrer: &ElementId, value: Option<Value>) {
        if let Some(target) = value.and_then(target) {
            self.0.entry(target).or_default().insert(referrer.clone());
        }
    }

    /// The document has merged these changes.
    pub(crate) fn record(&mut self, changes: &[Change]) {
        for write in changes.iter().flat_map(|change| &change.writes) {
            if REFERENCES.contains(&write.property.as_str()) {
                self.add(&write.element, write.value.clone());
            }
        }
    }

    /// The document is about to have these values.
    fn record_planned(&mut self, planned: &Registers) {
        for ((element, property), value) in planned {
            if REFERENCES.contains(&property.as_str()) {
                self.add(element, Some(value.clone()));
            }
        }
    }
}

/// Values of properties.
pub(crate) type Registers = BTreeMap<(ElementId, String), Value>;

/// Which live elements refer to which, once planned writes are done.
pub(crate) struct LiveReferences<'a> {
    doc: &'a PageDoc,
    planned: Registers,
    index: &'a ReferenceIndex,
}

impl<'a> LiveReferences<'a> {
    pub(crate) fn new(doc: &'a PageDoc, planned: Registers, index: &'a mut ReferenceIndex) -> Self {
        index.record_planned(&planned);
        Self {
            doc,
            planned,
            index,
        }
    }

    /// The elements that refer to this one, and by which of their properties.
    fn to(&self, id: &ElementId) -> impl Iterator<Item = (&'a ElementId, &'static str)> {
        let referrers = self.index.0.get(id).into_iter().flatten();
        referrers.flat_map(move |referrer| {
            let live = self.is_live(referrer);
            let properties = REFERENCES.into_iter().filter(move |_| live);
            properties
                .filter(move |property| {
                    let named = self.value(referrer, property).and_then(target);
                    named.is_some_and(|named| named == *id)
                })
                .map(move |property| (referrer, property))
        })
    }

    fn is_live(&self, id: &ElementId) -> bool {
        self.value(id, IS_DELETED) != Some(Value::Bool(true))
    }

    fn value(&self, id: &ElementId, property: &str) -> Option<Value> {
        let planned = self.planned.get(&(id.clone(), property.to_owned()));
        planned.cloned().or_else(|| self.doc.register(id, property))
    }

    /// Where these stay, so does the element: its label, what lies in it, arrows at it; and what it labels.
    fn keepers(&self, id: &ElementId) -> impl Iterator<Item = ElementId> {
        let referrers = self.to(id).map(|(referrer, _)| referrer.clone());
        referrers.chain(self.value(id, CONTAINER).and_then(target))
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

/// Why an element that a run made stays.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub dependent: Dependent,
    /// Not just until another pending run is undone.
    pub for_good: bool,
    /// Nobody needs it but what it is the label of.
    pub is_only_a_label: bool,
}

/// Which of these elements, made by the run beside each, stay: somebody else needs them, or what they
/// belong to stays. Elements in `deleted` are about to go.
pub(crate) fn held_of(
    touch_index: &TouchIndex,
    doc: &PageDoc,
    references: &LiveReferences<'_>,
    made: &BTreeMap<ElementId, RunId>,
    deleted: &BTreeSet<ElementId>,
) -> BTreeMap<ElementId, Held> {
    let mut held = BTreeMap::new();
    for (id, run) in made {
        let needed = dependent_of(touch_index, doc, references, id, run, deleted);
        if let Some((dependent, for_good)) = needed {
            let is_only_a_label = false;
            let reason = Held {
                dependent,
                for_good,
                is_only_a_label,
            };
            held.insert(id.clone(), reason);
        }
    }
    let mut waiting: Vec<ElementId> = held.keys().cloned().collect();
    let mut belongings: BTreeMap<ElementId, Vec<&ElementId>> = BTreeMap::new();
    for (id, run) in made {
        for keeper in references.keepers(id) {
            if made.get(&keeper) == Some(run) && references.is_live(&keeper) {
                belongings.entry(keeper).or_default().push(id);
            }
        }
    }
    while let Some(keeper) = waiting.pop() {
        let Some(reason) = held.get(&keeper).cloned() else {
            continue;
        };
        for id in belongings.get(&keeper).into_iter().flatten() {
            let known = held.get(*id);
            if known.is_some_and(|known| known.for_good || !reason.for_good) {
                continue;
            }
            let labels = references.value(id, CONTAINER).and_then(target) == Some(keeper.clone());
            let is_only_a_label = labels && known.is_none_or(|known| known.is_only_a_label);
            let reason = Held {
                is_only_a_label,
                ..reason.clone()
            };
            held.insert((*id).clone(), reason);
            waiting.push((*id).clone());
        }
    }
    held
}

/// What depends on an element that `run` made, and whether for good: not just until another pending
/// run is undone. Elements in `deleted` are about to go.
fn dependent_of(
    touch_index: &TouchIndex,
    doc: &PageDoc,
    references: &LiveReferences<'_>,
    id: &ElementId,
    run: &RunId,
    deleted: &BTreeSet<ElementId>,
) -> Option<(Dependent, bool)> {
    if let Some(TouchKind::Created {
        held: Some(held), ..
    }) = touch_index.creation(id).map(|row| &row.kind)
    {
        return Some((held.clone(), true));
    }
    let mut waiting = touch_index
        .of_element(id)
        .find(|row| row.run != *run && !row.derived)
        .map(|row| Dependent {
            property: row.property.clone(),
            by: row.peer,
        });
    for (referrer, property) in references.to(id) {
        if referrer == id || deleted.contains(referrer) || touch_index.made_by(referrer, run) {
            continue;
        }
        let dependent = |by| Dependent {
            property: property.to_owned(),
            by,
        };
        // A reference counts because somebody made it, or because somebody restored its referrer.
        let writer = pending_writer(touch_index, referrer, property)
            .or_else(|| pending_writer(touch_index, referrer, IS_DELETED));
        match writer {
            Some((writer, _)) if writer == run => {}
            Some((_, by)) => {
                waiting.get_or_insert_with(|| dependent(by));
            }
            None => {
                let by = doc.last_editor(referrer, property).unwrap_or_default();
                return Some((dependent(by), true));
            }
        }
    }
    waiting.map(|dependent| (dependent, false))
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
