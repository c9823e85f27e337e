//! Whether an update stays in the region that its author may write in.
//!
//! What is touched must lie in the region before and after, as it is drawn: a text with its words,
//! whatever size it claims; a deleted element where it was. Only an arrow may lead out, to what it is
//! bound to, and its label with it. What lies outside keeps its order.

mod pins;

use std::collections::BTreeSet;

use glade_access::{Capability, Region};
use glade_canvas::bounds::{bounds, page_points};
use glade_canvas::label::{self, words_rect};
use glade_canvas::{Element, ElementKind, Point, Rect};
use glade_doc::{Change, ElementId, PageDoc, Props, Refusal, RunId, TouchKind};
use serde_json::{Value, json};

use crate::room::Room;
use crate::verdict::States;

/// An arrow stops this far from what it is bound to, at the most.
const GAP: f64 = 32.0;
/// The label of an arrow that leads out is so far from where it belongs, at the most, …
const LABEL: f64 = 60.0;
/// … and no larger: a note on a line, not a page of words over what others drew.
const LABEL_SIZE: (f64, f64) = (400.0, 200.0);
/// An arrow that leads out is no thicker than the thickest that the editor offers, …
const LEADS_OUT_WIDTH: f64 = 4.0;
/// … and an elbow has no more corners than a way around two boxes takes.
const ELBOW_POINTS: usize = 14;
/// Two points of an elbow are on a line with the axes when they differ by no more across it.
const SQUARE: f64 = 1.0;
/// Browsers measure words a little differently: so much more than the stored size is no lie.
const MEASURED: f64 = 0.15;
/// A line of ink is so many times as wide as its stroke width says.
const FREEHAND: f64 = 4.25;
/// The roughest that people can choose.
const ROUGH: f64 = 2.0;

pub(crate) fn check(
    capability: &Capability,
    changes: &[Change],
    states: States<'_>,
) -> Result<(), Refusal> {
    let Some(region) = capability.region() else {
        return Ok(());
    };
    let writes = || changes.iter().flat_map(|change| &change.writes);
    let comments = changes.iter().any(|change| !change.comments.is_empty());
    if writes().next().is_none() && !comments {
        return Ok(());
    }
    let before = states.before;
    if !before.surface().has_shapes() {
        return Err(outside("a text page has no regions: every block"));
    }
    let after = states
        .after
        .ok_or_else(|| outside("what is not compared with the page before it"))?;
    let repairs = |write: &&glade_doc::Write| write.derived && write.property == "index";
    let judged: BTreeSet<&ElementId> = writes()
        .filter(|write| !repairs(write))
        .map(|write| &write.element)
        .collect();
    for id in &judged {
        if [before, after].iter().any(|page| strays(region, page, id)) {
            return Err(outside(&format!("element {id}")));
        }
    }
    let repaired = writes().filter(repairs).map(|write| &write.element);
    let mut others = repaired.filter(|id| !judged.contains(id));
    if others.any(|id| strays(region, before, id)) && !same_order(before, after, &judged) {
        return Err(outside("the order of elements that"));
    }
    pins::check(region, changes, before, after)
}

/// Whether an element is on the page, deleted or not, and not in the region.
fn strays(region: &Region, page: &PageDoc, id: &ElementId) -> bool {
    let element = page
        .element(id)
        .map(|props| Element::new(id.clone(), props));
    element.is_some_and(|element| !lies_in(region, &element, &|id| live(page, id)))
}

/// Whether all elements but these lie over each other as before.
fn same_order(before: &PageDoc, after: &PageDoc, but: &BTreeSet<&ElementId>) -> bool {
    let order = |page: &PageDoc| {
        let index = |id: &ElementId| page.register(id, "index")?.as_str().map(str::to_owned);
        let shown = |(_, props): &(ElementId, Props)| props.get("isDeleted") != Some(&json!(true));
        let ids = before.elements().into_iter().filter(shown);
        let ids = ids.map(|(id, _)| id).filter(|id| !but.contains(id));
        let mut order: Vec<(bool, Option<String>, ElementId)> = ids
            .map(|id| {
                let index = index(&id);
                (index.is_none(), index, id)
            })
            .collect();
        order.sort();
        order.into_iter().map(|(_, _, id)| id).collect::<Vec<_>>()
    };
    order(before) == order(after)
}

fn outside(what: &str) -> Refusal {
    Refusal::Denied {
        code: "outside-region",
        reason: format!(
            "{what} lies, or would lie, outside of the part of the page that this token may change"
        ),
    }
}

fn live(page: &PageDoc, id: &ElementId) -> Option<Element> {
    page.element(id)
        .map(|props| Element::new(id.clone(), props))
        .filter(|element| !element.is_deleted())
}

type Find<'a> = dyn Fn(&ElementId) -> Option<Element> + 'a;

fn lies_in(region: &Region, element: &Element, find: &Find<'_>) -> bool {
    match element.kind() {
        ElementKind::Text => {
            let container = element.container_id().and_then(|id| find(&id));
            let drawn = words(element, container.as_ref());
            holds(region, &drawn)
                || container.is_some_and(|arrow| {
                    leads_out_well(region, &arrow, find) && is_label_of(element, &drawn, &arrow)
                })
        }
        _ => holds(region, &inked(element)) || leads_out_well(region, element, find),
    }
}

/// A text as it is drawn: what its words take, where that is more than it says.
fn words(element: &Element, container: Option<&Element>) -> Rect {
    // No arrow, text or frame wraps words by its box; who claims that one does is not believed.
    let container = container.filter(|it| it.kind() != ElementKind::Text);
    let (said, needed) = (element.rect(), words_rect(element, container));
    let fits = |said: f64, needed: f64| needed <= said * (1.0 + 2.0 * MEASURED) + 16.0;
    if fits(said.w, needed.w) && fits(said.h, needed.h) {
        return bounds(element);
    }
    let place = json!({"x": needed.x, "y": needed.y, "width": needed.w, "height": needed.h});
    let place: Props = serde_json::from_value(place).unwrap_or_default();
    bounds(&element.with(&place)).union(&bounds(element))
}

/// Whether words lie where the label of this arrow belongs, and are no more than one.
fn is_label_of(element: &Element, drawn: &Rect, arrow: &Element) -> bool {
    let place = element.with(&label::layout(arrow, element).label).rect();
    drawn.w <= LABEL_SIZE.0 && drawn.h <= LABEL_SIZE.1 && place.expand(LABEL).contains_rect(drawn)
}

/// A shape with its stroke, as far as that is thicker or rougher than a pen's.
fn inked(element: &Element) -> Rect {
    let shape = bounds(element);
    let width = match element.kind() {
        ElementKind::Freedraw => element.stroke_width() * FREEHAND,
        _ => element.stroke_width(),
    };
    let roughness = element.props.get("roughness").and_then(Value::as_f64);
    let wobble = (roughness.unwrap_or(1.0) - ROUGH).max(0.0) * (4.0 + shape.w.max(shape.h) / 50.0);
    shape.expand((width / 2.0 + wobble - GAP).max(0.0))
}

/// Whether an arrow leads from the region to what it is bound to: each end is in the region or at its
/// target, one of them is in, and what is between is the region or the way of an elbow.
fn leads_out_well(region: &Region, arrow: &Element, find: &Find<'_>) -> bool {
    if arrow.kind() != ElementKind::Arrow {
        return false;
    }
    let points = page_points(arrow);
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return false;
    };
    let in_region = |at: &Point| holds(region, &Rect::new(at.x, at.y, 0.0, 0.0));
    let ends =
        [(arrow.start_binding(), first), (arrow.end_binding(), last)].map(|(binding, at)| {
            let target = binding.and_then(|binding| find(&binding.element_id));
            (target.map(|target| bounds(&target)), at)
        });
    let well = |(target, at): &(Option<Rect>, &Point)| match target {
        Some(target) => target.expand(GAP).contains(**at),
        None => in_region(at),
    };
    let is_in = |(target, at): &(Option<Rect>, &Point)| match target {
        Some(target) => holds(region, target),
        None => in_region(at),
    };
    let targets = ends.iter().filter_map(|(target, _)| target.as_ref());
    let reach = targets.fold(rect(region), |reach, target| {
        reach.union(&target.expand(GAP))
    });
    let between = points.get(1..points.len() - 1).unwrap_or_default();
    ends.iter().all(well)
        && ends.iter().any(is_in)
        && arrow.stroke_width() <= LEADS_OUT_WIDTH
        && (between.iter().all(in_region) || is_square_way(arrow, &points))
        && reach.contains_rect(&inked(arrow))
}

/// Whether an arrow is an elbow whose way is one: a few pieces along the axes.
fn is_square_way(arrow: &Element, points: &[Point]) -> bool {
    let along_an_axis = |piece: &[Point]| match piece {
        [a, b] => (a.x - b.x).abs() <= SQUARE || (a.y - b.y).abs() <= SQUARE,
        _ => false,
    };
    arrow.is_elbowed() && points.len() <= ELBOW_POINTS && points.windows(2).all(along_an_axis)
}

fn holds(region: &Region, rect: &Rect) -> bool {
    let sides = [rect.x, rect.y, rect.w, rect.h];
    sides.iter().all(|side| side.is_finite())
        && region.holds(&Region::around(rect.x, rect.y, rect.w, rect.h))
}

fn rect(region: &Region) -> Rect {
    Rect::new(
        region.left as f64,
        region.top as f64,
        (region.right - region.left) as f64,
        (region.bottom - region.top) as f64,
    )
}

impl Room {
    /// Whether all that a run changed here lies in a region, as it is and as undoing, or taking an undo
    /// back, would leave it.
    pub(crate) fn run_lies_in(&self, run: &RunId, region: &Region) -> bool {
        let doc = self.document.doc();
        let find = |id: &ElementId| live(doc, id);
        let before = |id: &ElementId| {
            let mut props = doc.element(id)?;
            for touch in self
                .document
                .guarded
                .all_touches_of(run)
                .filter(|it| it.element == *id)
            {
                if let TouchKind::Register { before, .. } = &touch.kind {
                    let before = before.clone().unwrap_or_default();
                    props.insert(touch.property.clone(), before);
                }
            }
            Some(Element::new(id.clone(), props))
        };
        let touches = self.document.guarded.all_touches_of(run);
        let touched: BTreeSet<ElementId> = touches.map(|touch| touch.element.clone()).collect();
        doc.surface().has_shapes()
            && touched.into_iter().all(|id| {
                let was = before(&id);
                !strays(region, doc, &id) && was.is_none_or(|was| lies_in(region, &was, &find))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_counts_as_far_as_it_is_drawn() {
        let region = Region {
            left: 0,
            top: 0,
            right: 400,
            bottom: 400,
        };
        let lies_in = |props: serde_json::Value| {
            let props = props.as_object().unwrap().clone();
            lies_in(&region, &Element::new(ElementId::from("a"), props), &|_| {
                None
            })
        };
        let freehand = |width: f64, at: f64| {
            lies_in(json!({
                "type": "freedraw", "x": at, "y": at, "width": 20, "height": 20,
                "points": [[0, 0], [20, 0], [20, 20], [0, 20]], "strokeWidth": width,
            }))
        };
        assert!(freehand(4.0, 5.0));
        assert!(freehand(64.0, 190.0));
        assert!(!freehand(64.0, 10.0));
        assert!(!freehand(400.0, 190.0));
        let rough = |roughness: f64| {
            lies_in(json!({
                "type": "rectangle", "x": 5, "y": 5, "width": 390, "height": 390,
                "roughness": roughness,
            }))
        };
        assert!(rough(2.0));
        assert!(!rough(10.0));
    }
}
