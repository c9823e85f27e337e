//! What follows from a change: the derived properties of the design.
//!
//! In this order, each step seeing the one before: texts take their size, labels their place, containers grow;
//! then arrows follow the elements they are bound to; then labels follow their arrows. Nothing here leads back
//! to an earlier step, so one pass is enough: deriving again after applying finds nothing.
//!
//! Elements that are not near a change are not looked at, and what is already right (within what two font
//! engines or curve routines may differ by) is not rewritten.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{Edit, ElementId, Props};

use crate::binding;
use crate::bounds::page_points;
use crate::change::{self, POSITION_TOLERANCE};
use crate::element::{Element, ElementKind, TextAlign, VerticalAlign};
use crate::geometry::Point;
use crate::label;
use crate::scene::Scene;
use crate::text;

/// The edits that follow from a change to these elements, as the scene holds them now. In id order.
pub fn derive(scene: &Scene, changed: &BTreeSet<ElementId>) -> Vec<Edit> {
    let mut work = Work {
        scene,
        patches: BTreeMap::new(),
    };
    let (texts, arrow_labels) = work.texts_near(changed);
    for text in &texts {
        work.lay_out(text);
    }
    let arrows = work.arrows_near(changed);
    for arrow in &arrows {
        work.follow(arrow);
    }
    let followed = arrows
        .iter()
        .filter_map(|arrow| scene.label_of(arrow))
        .map(|label| label.id.clone());
    for text in arrow_labels
        .into_iter()
        .chain(followed)
        .collect::<BTreeSet<_>>()
    {
        work.lay_out(&text);
    }
    work.patches
        .into_iter()
        .map(|(id, patch)| Edit::Put {
            id,
            props: patch.changes,
        })
        .collect()
}

/// An element with what was derived for it so far.
struct Patch {
    element: Element,
    changes: Props,
}

/// The scene with the patches over it.
struct Work<'a> {
    scene: &'a Scene,
    patches: BTreeMap<ElementId, Patch>,
}

impl Work<'_> {
    fn get(&self, id: &ElementId) -> Option<&Element> {
        self.patches
            .get(id)
            .map(|patch| &patch.element)
            .or_else(|| self.scene.get(id))
    }

    fn write(&mut self, id: &ElementId, changes: Props) {
        if changes.is_empty() {
            return;
        }
        let Some(element) = self.get(id).map(|element| element.with(&changes)) else {
            return;
        };
        let patch = self.patches.entry(id.clone()).or_insert_with(|| Patch {
            element: element.clone(),
            changes: Props::new(),
        });
        patch.element = element;
        patch.changes.extend(changes);
    }

    /// The texts that a change may move: changed ones and labels of changed containers. Those on arrows are told
    /// apart, since they wait for the arrow.
    fn texts_near(
        &self,
        changed: &BTreeSet<ElementId>,
    ) -> (BTreeSet<ElementId>, BTreeSet<ElementId>) {
        let (mut texts, mut arrow_labels) = (BTreeSet::new(), BTreeSet::new());
        for element in changed.iter().filter_map(|id| self.scene.get(id)) {
            let text = match element.kind() {
                ElementKind::Text => Some(element),
                _ => self.scene.label_of(&element.id),
            };
            let Some(text) = text else { continue };
            let on_arrow = self
                .scene
                .container_of(&text.id)
                .is_some_and(|own| own.kind() == ElementKind::Arrow);
            let set = if on_arrow {
                &mut arrow_labels
            } else {
                &mut texts
            };
            set.insert(text.id.clone());
        }
        (texts, arrow_labels)
    }

    /// The arrows that a change may move: changed ones and those bound to what changed or was just derived.
    fn arrows_near(&self, changed: &BTreeSet<ElementId>) -> BTreeSet<ElementId> {
        let is_arrow = |id: &&ElementId| {
            self.scene
                .get(id)
                .is_some_and(|own| own.kind() == ElementKind::Arrow)
        };
        let mut arrows: BTreeSet<ElementId> = changed.iter().filter(is_arrow).cloned().collect();
        for id in changed.iter().chain(self.patches.keys()) {
            arrows.extend(self.scene.arrows_bound_to(id));
        }
        arrows
    }

    fn lay_out(&mut self, id: &ElementId) {
        let Some(text) = self.get(id) else { return };
        match self
            .scene
            .container_of(id)
            .and_then(|container| self.get(&container.id))
        {
            Some(container) => {
                let container_id = container.id.clone();
                let layout = label::layout(container, text);
                self.write(&container_id, layout.container);
                self.write(id, layout.label);
            }
            None => {
                let changes = free_text_changes(text);
                self.write(id, changes);
            }
        }
    }

    fn follow(&mut self, id: &ElementId) {
        let Some(arrow) = self.get(id) else { return };
        let end = |binding: Option<crate::element::Binding>| {
            binding.and_then(|end| self.get(&end.element_id))
        };
        let Some(route) =
            binding::reroute(arrow, end(arrow.start_binding()), end(arrow.end_binding()))
        else {
            return;
        };
        if same_path(&page_points(arrow), &route.page_points()) {
            return;
        }
        let mut changes = route.shape_props();
        if arrow.angle() == 0.0 {
            changes.remove("angle");
        }
        self.write(id, changes);
    }
}

/// The size of text that stands alone. Its anchor stays, turned as it is: the middle of centred text, the right edge of
/// right aligned text, the upper edge of most.
fn free_text_changes(element: &Element) -> Props {
    let mut changes = Props::new();
    let fixed_width = (!element.auto_resize()).then(|| element.width().max(0.0));
    let words = match fixed_width {
        Some(width) => label::wrap_in(element, element.font_size(), width),
        None => element.original_text().to_owned(),
    };
    let measured = text::measure_with(
        &words,
        element.font_family(),
        element.font_size(),
        element.line_height(),
    );
    let size = label::kept_size(element, measured);
    change::number(&mut changes, element, "height", size.h, 0.0);
    if fixed_width.is_none() {
        change::number(&mut changes, element, "width", size.w, 0.0);
    }
    let shrunk = |key: &str| changes.get(key).and(element.number(key));
    let half = |before: Option<f64>, now: f64| before.map_or(0.0, |before| (before - now) / 2.0);
    let (dw, dh) = (
        half(shrunk("width"), size.w),
        half(shrunk("height"), size.h),
    );
    // Text turns about its middle, which moves as it grows: along its own lines, not along the page.
    let (sin, cos) = element.angle().sin_cos();
    let (dx, dy) = match element.text_align() {
        TextAlign::Left => (dw * (1.0 - cos), -dw * sin),
        TextAlign::Center => (dw, 0.0),
        TextAlign::Right => (dw * (1.0 + cos), dw * sin),
    };
    let (down_x, down_y) = match element.vertical_align() {
        VerticalAlign::Top => (dh * sin, dh * (1.0 - cos)),
        VerticalAlign::Middle => (0.0, dh),
        VerticalAlign::Bottom => (-dh * sin, dh * (1.0 + cos)),
    };
    for (key, at, by) in [
        ("x", element.x(), dx + down_x),
        ("y", element.y(), dy + down_y),
    ] {
        if by != 0.0 {
            change::number(&mut changes, element, key, at + by, 0.0);
        }
    }
    changes
}

fn same_path(before: &[Point], after: &[Point]) -> bool {
    before.len() == after.len()
        && before
            .iter()
            .zip(after)
            .all(|(a, b)| a.distance(*b) <= POSITION_TOLERANCE)
}
