//! Edges and ways as points close to each other: what crosses what.

use crate::bounds::page_way;
use crate::curve;
use crate::element::{Element, ElementKind};
use crate::geo::polygon_kind;
use crate::geometry::Point;
use crate::outline::{Outline, outline};
use crate::scene::Scene;

/// How finely a round edge is followed.
const ROUND: usize = 48;
/// How far apart two points of a way are at most, and how many there are.
const STEP: f64 = 6.0;
const MOST: f64 = 400.0;

/// The edge of a closed shape; none for what has no edge of its own.
pub(super) fn of(element: &Element) -> Option<Outline> {
    let closed = matches!(
        element.kind(),
        ElementKind::Rectangle
            | ElementKind::Diamond
            | ElementKind::Ellipse
            | ElementKind::StickyNote
    ) || polygon_kind(element).is_some();
    closed.then(|| outline(element, 0.0))
}

/// Whether two edges cross: neither shape lies in the other, and they are not apart.
pub(super) fn cross(one: &Outline, other: &Outline) -> bool {
    let points = points(one);
    let next = points.iter().skip(1).chain(points.first());
    points
        .iter()
        .zip(next)
        .any(|(from, to)| !other.crossings(*from, *to).is_empty())
}

fn points(edge: &Outline) -> Vec<Point> {
    match edge {
        Outline::Polygon(points) => points.clone(),
        Outline::Ellipse {
            center,
            rx,
            ry,
            angle,
        } => (0..ROUND)
            .map(|at| {
                let (sin, cos) = (std::f64::consts::TAU * at as f64 / ROUND as f64).sin_cos();
                let own = Point::new(center.x + rx * cos, center.y + ry * sin);
                own.rotate(*center, *angle)
            })
            .collect(),
    }
}

/// A way as points at equal steps, and the length of a step.
pub(super) fn walk(arrow: &Element) -> (Vec<Point>, f64) {
    let way = page_way(arrow);
    let lengths: Vec<f64> = way
        .iter()
        .map(|piece| curve::length_to(*piece, 1.0))
        .collect();
    let all: f64 = lengths.iter().sum();
    let step = (all / MOST).max(STEP);
    let mut found = Vec::new();
    for (piece, length) in way.iter().zip(lengths) {
        let steps = (length / step).ceil().max(1.0) as usize;
        let at = |number: usize| curve::at(*piece, (number as f64 + 0.5) / steps as f64);
        found.extend((0..steps).map(at));
    }
    let share = all / (found.len() as f64).max(1.0);
    (found, share)
}

/// Whether something is written on this shape, or it is for writing on: a drawing's lines may cross, a diagram's
/// boxes may not.
pub(super) fn has_words(scene: &Scene, element: &Element) -> bool {
    let label = scene.label_of(&element.id);
    element.kind() == ElementKind::StickyNote
        || label.is_some_and(|label| !label.original_text().trim().is_empty())
}

/// Whether two shapes were put together on purpose.
pub(super) fn are_grouped(one: &Element, other: &Element) -> bool {
    let outermost = one.group_ids().last().copied();
    outermost.is_some() && outermost == other.group_ids().last().copied()
}
