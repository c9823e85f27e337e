//! Arrows that seem to lead from or to a shape, and are not tied to it. One that is tied nowhere and has nothing near
//! its ends is a drawing of its own: an axis, a pointer at a place.

use super::{Lint, LintKind};
use crate::binding::{End, is_bindable, route};
use crate::bounds::{bounds, page_points};
use crate::diagram::mark::Mark;
use crate::element::{Binding, Element, ElementKind};
use crate::geometry::{Point, Rect};
use crate::scene::Scene;

/// An end this near to a shape was meant for it.
pub(super) const NEAR: f64 = 40.0;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    among
        .iter()
        .filter(|element| element.kind() == ElementKind::Arrow)
        // An axis and the messages of a sequence lie where their diagram has them.
        .filter(|element| Mark::of(element).is_none_or(|mark| !mark.is_tied_to_nothing()))
        .filter_map(|arrow| loose(scene, arrow))
        .collect()
}

fn loose(scene: &Scene, arrow: &Element) -> Option<Lint> {
    let tied = |end: Option<Binding>| {
        end.is_some_and(|end| scene.get(&end.element_id).is_some_and(is_bindable))
    };
    let points = page_points(arrow);
    let start = (!tied(arrow.start_binding()))
        .then(|| points.first().copied())
        .flatten();
    let end = (!tied(arrow.end_binding()))
        .then(|| points.last().copied())
        .flatten();
    let which = match (start, end) {
        (None, None) => return None,
        (Some(_), None) => "its start is",
        (None, Some(_)) => "its end is",
        (Some(_), Some(_)) => "both its ends are",
    };
    let near: Vec<&Element> = [start, end]
        .into_iter()
        .flatten()
        .filter_map(|point| nearest(scene, point))
        .collect();
    if near.is_empty() && start.is_some() && end.is_some() {
        return None;
    }
    if would_shrink(scene, arrow, &points) {
        return None; // it was drawn where it should be
    }
    let mut ids = vec![&arrow.id];
    for shape in near {
        if !ids.contains(&&shape.id) {
            ids.push(&shape.id);
        }
    }
    let how = match ids.len() {
        1 => "bind it to a shape, or leave it if it points at nothing on purpose",
        _ => "bind it to the shape next to it",
    };
    Some(Lint::new(
        LintKind::LooseArrowEnd,
        &ids,
        format!("{which} not tied to a shape; {how}"),
    ))
}

/// Whether little would be left of the arrow if both its ends were tied to what is next to them.
fn would_shrink(scene: &Scene, arrow: &Element, points: &[Point]) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return false;
    };
    let end = |binding: Option<Binding>, point: Point| {
        let tied = binding.and_then(|tie| scene.get(&tie.element_id));
        let shape = tied.filter(|shape| is_bindable(shape));
        let shape = shape.or_else(|| nearest(scene, point));
        shape.map_or(End::Point(point), End::Element)
    };
    let way = route(
        end(arrow.start_binding(), *first),
        end(arrow.end_binding(), *last),
    );
    let length = |points: &[Point]| match (points.first(), points.last()) {
        (Some(first), Some(last)) => first.distance(*last),
        _ => 0.0,
    };
    length(&way.points) < length(points) / 2.0
}

/// The smallest of the shapes at the point, or else the nearest one close by.
fn nearest(scene: &Scene, point: Point) -> Option<&Element> {
    let distance = |element: &Element| {
        let rect = bounds(element);
        let nearest = Point::new(
            point.x.clamp(rect.x, rect.right()),
            point.y.clamp(rect.y, rect.bottom()),
        );
        (point.distance(nearest), rect.area())
    };
    let spot = Rect::new(point.x, point.y, 0.0, 0.0).expand(NEAR);
    scene
        .shapes_touching(&spot)
        .into_iter()
        .filter(|element| is_bindable(element) && !element.kind().is_frame())
        // Words beside an arrow are its caption, not its end.
        .filter(|element| element.kind() != ElementKind::Text)
        .map(|element| (distance(element), element))
        .filter(|((distance, _), _)| *distance <= NEAR)
        .min_by(|((a, area_a), _), ((b, area_b), _)| a.total_cmp(b).then(area_a.total_cmp(area_b)))
        .map(|(_, element)| element)
}
