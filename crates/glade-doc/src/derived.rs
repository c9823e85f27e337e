//! Which writes merely follow from others.
//!
//! When somebody moves a box, their editor also rewrites every arrow bound to it, the label inside
//! it and perhaps the order of its neighbours. Those writes carry no wish of their own: they never
//! keep a fairy's work alive, and never count as "someone wrote here after the fairy".

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::page::register_of;
use crate::schema::{NOT_STORED, TEXT};
use crate::{Change, ElementId, PageDoc, Write, WriteKind};

const BOUND_ARROW: [&str; 6] = ["x", "y", "width", "height", "points", "angle"];
const BOUND_LABEL: [&str; 5] = ["x", "y", "width", "height", "angle"];
const TEXT_SIZE: [&str; 2] = ["width", "height"];
const GROWTH: [&str; 2] = ["height", "y"];
/// What makes a container grow around its label.
const WORDS_SIZE: [&str; 3] = [TEXT, "fontSize", "fontFamily"];
const SIZE: [&str; 2] = ["width", "height"];
const BINDINGS: [&str; 2] = ["startBinding", "endBinding"];

/// Writing one of these may change which writes are derived.
pub(crate) const DECIDING: [&str; 6] = [
    "type",
    "startBinding",
    "endBinding",
    "containerId",
    "autoResize",
    "index",
];

/// Mark the derived writes of `changes`, judged by `after`, a replica that has merged them.
pub(crate) fn mark(changes: &mut [Change], before: &PageDoc, after: &PageDoc) {
    if !after.surface().has_shapes() {
        return; // nothing about a block follows from another
    }
    let mut facts = Facts {
        before,
        after,
        kinds: BTreeMap::new(),
        orders: None,
    };
    for change in changes {
        let grown: BTreeSet<ElementId> = change
            .writes
            .iter()
            .filter(|write| WORDS_SIZE.contains(&write.property.as_str()))
            .filter_map(|write| facts.kind(&write.element).container.clone())
            .collect();
        let resized: BTreeSet<ElementId> = change
            .writes
            .iter()
            .filter(|write| SIZE.contains(&write.property.as_str()))
            .map(|write| write.element.clone())
            .collect();
        for write in &mut change.writes {
            if write.kind != WriteKind::Register {
                continue;
            }
            let property = write.property.as_str();
            let kind = facts.kind(&write.element);
            write.derived = NOT_STORED.contains(&property)
                || (kind.bound && BOUND_ARROW.contains(&property))
                || (kind.container.is_some() && BOUND_LABEL.contains(&property))
                || (kind.fits_its_words && TEXT_SIZE.contains(&property))
                || (property == "fontSize" && is_in(&kind.container, &resized))
                || (GROWTH.contains(&property) && grown.contains(&write.element))
                || (property == "index" && facts.repairs_order(&write.element))
                || (BINDINGS.contains(&property) && facts.stays_bound(write));
        }
    }
}

fn is_in(container: &Option<ElementId>, elements: &BTreeSet<ElementId>) -> bool {
    container.as_ref().is_some_and(|id| elements.contains(id))
}

/// What about an element decides which of its properties are derived.
struct Kind {
    bound: bool,
    container: Option<ElementId>,
    fits_its_words: bool,
}

struct Facts<'a> {
    before: &'a PageDoc,
    after: &'a PageDoc,
    kinds: BTreeMap<ElementId, Kind>,
    /// How many live elements had each `index` before; counted only when needed.
    orders: Option<BTreeMap<String, usize>>,
}

impl Facts<'_> {
    fn kind(&mut self, id: &ElementId) -> &Kind {
        self.kinds.entry(id.clone()).or_insert_with(|| {
            let map = self.after.map(id);
            let get = |property| register_of(map.as_ref()?, property);
            let is_text = get("type").is_some_and(|kind| kind == "text");
            Kind {
                bound: ["startBinding", "endBinding"]
                    .iter()
                    .any(|side| get(side).is_some_and(|binding| binding.is_object())),
                container: match get("containerId") {
                    Some(Value::String(id)) if is_text => Some(ElementId(id)),
                    _ => None,
                },
                fits_its_words: is_text && get("autoResize") != Some(Value::Bool(false)),
            }
        })
    }

    /// The arrow's end is where it was bound: only the place along the same element is another.
    fn stays_bound(&self, write: &Write) -> bool {
        let bound_to = |binding: Option<&Value>| {
            let id = binding?.get("elementId")?;
            id.as_str().map(str::to_owned)
        };
        let before = self.before.register(&write.element, &write.property);
        let now = bound_to(write.value.as_ref());
        now.is_some() && now == bound_to(before.as_ref())
    }

    /// A new `index` for an element that had none, or that shared one with another.
    fn repairs_order(&mut self, id: &ElementId) -> bool {
        let Some(Value::String(index)) = self.before.register(id, "index") else {
            return true;
        };
        let before = self.before;
        let orders = self.orders.get_or_insert_with(|| {
            let mut orders = BTreeMap::new();
            before.for_each_map(|id, map| {
                if let Some(Value::String(index)) = register_of(map, "index")
                    && !before.is_deleted(id)
                {
                    *orders.entry(index).or_default() += 1;
                }
            });
            orders
        });
        orders.get(&index).is_some_and(|count| *count > 1)
    }
}
