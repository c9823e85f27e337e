//! Where each shape is, label and all: worked out when somebody asks and kept until it may have changed.
//!
//! Whether a text is a shape of its own or a label, and how far an arrow's label stands out, takes several lookups
//! an element. A prompt wants that of the whole page, and most of the page has not changed since the last one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use glade_doc::ElementId;

use crate::geometry::Rect;

#[derive(Debug, Default)]
pub(super) struct Boxes(Mutex<Known>);

#[derive(Clone, Debug, Default)]
struct Known {
    boxes: BTreeMap<ElementId, Rect>,
    stale: BTreeSet<ElementId>,
}

impl Boxes {
    /// What is known of this element may be wrong from now on.
    pub fn doubt(&mut self, id: &ElementId) {
        let known = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !known.stale.contains(id) {
            known.stale.insert(id.clone());
        }
    }

    /// The boxes of all shapes, in the order of their ids; `measure` says where one is, none where it is no shape.
    pub fn all(&self, measure: impl Fn(&ElementId) -> Option<Rect>) -> Vec<Rect> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for id in std::mem::take(&mut known.stale) {
            match measure(&id) {
                Some(rect) => known.boxes.insert(id, rect),
                None => known.boxes.remove(&id),
            };
        }
        known.boxes.values().copied().collect()
    }
}

impl Clone for Boxes {
    fn clone(&self) -> Self {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Self(Mutex::new(known.clone()))
    }
}

/// It follows from the elements: nothing that two scenes could differ in.
impl PartialEq for Boxes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
