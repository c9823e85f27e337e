//! Whether an update stays in the region that its author may write in.
//!
//! What is touched must lie in the region before and after. Some things follow others: a label lies
//! where its container lies; an arrow that is bound to something may reach as far as that, in or
//! out of the region, as long as one of its ends is in. So an arrow can lead out, and nobody can
//! draw or drag anything else outside.

use std::collections::{BTreeMap, BTreeSet};

use glade_access::{Capability, Region};
use glade_canvas::bounds::{bounds, page_points};
use glade_canvas::{Element, Rect};
use glade_doc::schema::comment;
use glade_doc::{CanvasDoc, Change, CommentId, ElementId, Props, Refusal, Surface};
use serde_json::Value;

/// An arrow stops this far from what it is bound to, at the most.
const GAP: f64 = 32.0;

pub(super) fn check(
    capability: &Capability,
    changes: &[Change],
    before: &CanvasDoc,
) -> Result<(), Refusal> {
    let Some(region) = capability.region() else {
        return Ok(());
    };
    if before.surface() == Surface::Text && changes.iter().any(|one| !one.writes.is_empty()) {
        return Err(outside("a text page has no regions: every block"));
    }
    let mut after: BTreeMap<ElementId, Props> = BTreeMap::new();
    let mut judged = BTreeSet::new();
    for write in changes.iter().flat_map(|change| &change.writes) {
        let props = after
            .entry(write.element.clone())
            .or_insert_with(|| before.element(&write.element).unwrap_or_default());
        if let Some(value) = &write.value {
            props.insert(write.property.clone(), value.clone());
        }
        // A repaired order moves nothing.
        if !(write.derived && write.property == "index") {
            judged.insert(write.element.clone());
        }
    }
    let was = |id: &ElementId| live(id, before.element(id));
    let will = |id: &ElementId| match after.get(id) {
        Some(props) => live(id, Some(props.clone())),
        None => was(id),
    };
    for id in judged {
        let inside = was(&id).is_none_or(|element| lies_in(region, &element, &was))
            && will(&id).is_none_or(|element| lies_in(region, &element, &will));
        if !inside {
            return Err(outside(&format!("element {id}")));
        }
    }
    check_pins(region, changes, before, &will)
}

/// A comment that is put somewhere is put into the region.
fn check_pins(
    region: &Region,
    changes: &[Change],
    before: &CanvasDoc,
    will: &dyn Fn(&ElementId) -> Option<Element>,
) -> Result<(), Refusal> {
    let mut after: BTreeMap<&CommentId, Props> = BTreeMap::new();
    for write in changes.iter().flat_map(|change| &change.comments) {
        let Some(value) = &write.value else { continue };
        if [comment::X, comment::Y, comment::ELEMENT].contains(&write.property.as_str()) {
            after
                .entry(&write.comment)
                .or_insert_with(|| before.comment_of(&write.comment).unwrap_or_default())
                .insert(write.property.clone(), value.clone());
        }
    }
    for (id, props) in after {
        let number = |name| props.get(name).and_then(Value::as_f64).unwrap_or_default();
        let element = props.get(comment::ELEMENT).and_then(Value::as_str);
        let origin = element
            .and_then(|id| will(&id.into()))
            .map_or(Rect::new(0.0, 0.0, 0.0, 0.0), |element| bounds(&element));
        let (x, y) = (origin.x + number(comment::X), origin.y + number(comment::Y));
        if !holds(region, &Rect::new(x, y, 0.0, 0.0)) {
            return Err(outside(&format!("comment {id}")));
        }
    }
    Ok(())
}

fn outside(what: &str) -> Refusal {
    Refusal::Denied {
        code: "outside-region",
        reason: format!(
            "{what} lies, or would lie, outside of the part of the page that this token may change"
        ),
    }
}

fn live(id: &ElementId, props: Option<Props>) -> Option<Element> {
    props
        .map(|props| Element::new(id.clone(), props))
        .filter(|element| !element.is_deleted())
}

fn lies_in(
    region: &Region,
    element: &Element,
    find: &dyn Fn(&ElementId) -> Option<Element>,
) -> bool {
    if let Some(container) = element.container_id().and_then(|id| find(&id)) {
        // Containers have none themselves; should one claim to, it is taken for what it is drawn as.
        return holds(region, &bounds(&container))
            || (container.kind().is_linear() && lies_in_as_arrow(region, &container, find));
    }
    if element.kind().is_linear() {
        return lies_in_as_arrow(region, element, find);
    }
    holds(region, &bounds(element))
}

fn lies_in_as_arrow(
    region: &Region,
    arrow: &Element,
    find: &dyn Fn(&ElementId) -> Option<Element>,
) -> bool {
    let points = page_points(arrow);
    let ends = [
        (arrow.start_binding(), points.first()),
        (arrow.end_binding(), points.last()),
    ];
    let targets: Vec<Option<Rect>> = ends
        .iter()
        .map(|(binding, _)| Some(bounds(&find(&binding.as_ref()?.element_id)?)))
        .collect();
    if targets.iter().all(Option::is_none) {
        return holds(region, &bounds(arrow));
    }
    let an_end_is_in =
        ends.iter()
            .zip(&targets)
            .any(|((_, point), target)| match (target, point) {
                (Some(target), _) => holds(region, target),
                (None, Some(point)) => holds(region, &Rect::new(point.x, point.y, 0.0, 0.0)),
                (None, None) => false,
            });
    let reach = targets
        .iter()
        .flatten()
        .fold(rect(region), |reach, target| {
            reach.union(&target.expand(GAP))
        });
    an_end_is_in && reach.contains_rect(&bounds(arrow))
}

fn holds(region: &Region, rect: &Rect) -> bool {
    region.holds(&Region::around(rect.x, rect.y, rect.w, rect.h))
}

fn rect(region: &Region) -> Rect {
    Rect::new(
        region.left as f64,
        region.top as f64,
        (region.right - region.left) as f64,
        (region.bottom - region.top) as f64,
    )
}
