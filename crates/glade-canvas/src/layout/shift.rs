//! Carrying out moves: what goes along, what follows, what leaves its frame.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{Edit, ElementId, Props};
use serde_json::Value;

use super::unit::Unit;
use crate::bounds::bounds;
use crate::change;
use crate::derive::derive;
use crate::element::{Element, ElementKind};
use crate::scene::Scene;

/// Moves smaller than this are none: the last digits of sums over rotated boxes.
const STILL: f64 = 1e-6;

/// How far each unit goes.
pub(super) type Moves = Vec<(Unit, (f64, f64))>;

/// The edits that move these units.
pub(super) fn shift(scene: &Scene, moves: &Moves) -> Vec<Edit> {
    let mut by: BTreeMap<ElementId, (f64, f64)> = BTreeMap::new();
    for (unit, delta) in moves {
        for member in &unit.members {
            by.insert(member.clone(), *delta);
        }
    }
    for (frame, delta) in by.clone() {
        for child in scene.children_of_frame(&frame) {
            by.entry(child.id.clone()).or_insert(delta);
        }
    }
    for (arrow, delta) in carried_arrows(scene, &by) {
        by.insert(arrow, delta);
    }
    let mut changes = Changes::new(scene);
    for (id, (dx, dy)) in &by {
        let Some(element) = scene.get(id) else {
            continue;
        };
        let is_label = scene.container_of(id).is_some();
        if is_label || (dx.abs() <= STILL && dy.abs() <= STILL) {
            continue;
        }
        let mut props = Props::new();
        change::number(&mut props, element, "x", element.x() + dx, 0.0);
        change::number(&mut props, element, "y", element.y() + dy, 0.0);
        if leaves_frame(scene, element, &by, (*dx, *dy)) {
            props.insert("frameId".to_owned(), Value::Null);
        }
        changes.put(id, props);
    }
    changes.finish()
}

/// Arrows between two things that make the same move make it too, their middle points and corners with them.
fn carried_arrows(
    scene: &Scene,
    by: &BTreeMap<ElementId, (f64, f64)>,
) -> BTreeMap<ElementId, (f64, f64)> {
    let mut carried = BTreeMap::new();
    for (id, delta) in by {
        for arrow in scene.arrows_bound_to(id) {
            let Some(element) = scene.get(&arrow) else {
                continue;
            };
            let goes_along = |end: Option<crate::element::Binding>| {
                end.is_some_and(|end| by.get(&end.element_id) == Some(delta))
            };
            if goes_along(element.start_binding()) && goes_along(element.end_binding()) {
                carried.insert(arrow, *delta);
            }
        }
    }
    carried
}

/// A shape wholly outside the frame it belongs to would be clipped away.
fn leaves_frame(
    scene: &Scene,
    element: &Element,
    by: &BTreeMap<ElementId, (f64, f64)>,
    (dx, dy): (f64, f64),
) -> bool {
    let Some(frame) = element.frame_id().and_then(|id| scene.get(&id)) else {
        return false;
    };
    let (frame_dx, frame_dy) = by.get(&frame.id).copied().unwrap_or_default();
    frame.kind().is_frame()
        && !bounds(frame)
            .translate(frame_dx, frame_dy)
            .touches(&bounds(element).translate(dx, dy))
}

/// Edits by element, with what follows from them.
pub(super) struct Changes<'a> {
    scene: &'a Scene,
    by_id: BTreeMap<ElementId, Props>,
}

impl<'a> Changes<'a> {
    pub fn new(scene: &'a Scene) -> Self {
        Self {
            scene,
            by_id: BTreeMap::new(),
        }
    }

    pub fn put(&mut self, id: &ElementId, props: Props) {
        if !props.is_empty() {
            self.by_id.entry(id.clone()).or_default().extend(props);
        }
    }

    /// What was put so far, without what follows from it.
    pub fn so_far(&self) -> Vec<Edit> {
        edits(&self.by_id)
    }

    /// One edit an element, in id order.
    pub fn finish(mut self) -> Vec<Edit> {
        if self.by_id.is_empty() {
            return Vec::new();
        }
        self.labels_leave_with_their_containers();
        let touched: BTreeSet<ElementId> = self.by_id.keys().cloned().collect();
        let mut after = self.scene.around(&touched);
        after.apply(&edits(&self.by_id));
        for edit in derive(&after, &touched) {
            if let Edit::Put { id, props } = edit {
                self.by_id.entry(id).or_default().extend(props);
            }
        }
        edits(&self.by_id)
    }

    fn labels_leave_with_their_containers(&mut self) {
        let left: Vec<ElementId> = self
            .by_id
            .iter()
            .filter(|(_, props)| props.contains_key("frameId"))
            .filter_map(|(id, _)| self.scene.label_of(id))
            .filter(|label| label.kind() == ElementKind::Text)
            .map(|label| label.id.clone())
            .collect();
        for label in left {
            let out = Props::from_iter([("frameId".to_owned(), Value::Null)]);
            self.put(&label, out);
        }
    }
}

fn edits(by_id: &BTreeMap<ElementId, Props>) -> Vec<Edit> {
    by_id
        .iter()
        .map(|(id, props)| Edit::Put {
            id: id.clone(),
            props: props.clone(),
        })
        .collect()
}
