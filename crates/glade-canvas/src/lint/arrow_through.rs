//! Arrows that run through a shape, or over words, that they have nothing to do with.

use super::{Lint, LintKind, edge};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::geometry::Point;
use crate::scene::Scene;

/// Less than this inside is a corner that is grazed.
const GRAZED: f64 = 14.0;
/// Of so many shapes it is told.
const FEW: usize = 4;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    let arrows = among
        .iter()
        .filter(|element| element.kind() == ElementKind::Arrow);
    arrows.flat_map(|arrow| through(scene, arrow)).collect()
}

fn through(scene: &Scene, arrow: &Element) -> Vec<Lint> {
    let ends: Vec<&Element> = [arrow.start_binding(), arrow.end_binding()]
        .into_iter()
        .flatten()
        .filter_map(|end| scene.get(&end.element_id))
        .collect();
    let (way, step) = edge::walk(arrow);
    let (Some(first), Some(last)) = (way.first(), way.last()) else {
        return Vec::new();
    };
    let around = "it runs through a shape that it does not belong to; give it a bend, or move the shape aside";
    let crossed = scene
        .shapes_touching(&bounds(arrow))
        .into_iter()
        .filter(|shape| {
            !ends.iter().any(|end| belongs(end, shape)) && !edge::are_grouped(arrow, shape)
        })
        .filter(|shape| {
            let Some(inside) = inside(scene, shape) else {
                return false;
            };
            let length = way.iter().filter(|at| inside(**at)).count() as f64 * step;
            length > GRAZED && !inside(*first) && !inside(*last)
        });
    crossed
        .take(FEW)
        .map(|shape| Lint::new(LintKind::ArrowThroughShape, &[&arrow.id, &shape.id], around))
        .collect()
}

/// An arrow may cross what its end lies in or on, and what lies in that.
fn belongs(end: &Element, shape: &Element) -> bool {
    let (own, other) = (bounds(end), bounds(shape));
    end.id == shape.id || own.contains_rect(&other) || other.contains_rect(&own)
}

/// What tells whether a point is in this shape, if an arrow through it would be a flaw.
fn inside(scene: &Scene, shape: &Element) -> Option<Box<dyn Fn(Point) -> bool>> {
    if shape.kind() == ElementKind::Text {
        let area = bounds(shape);
        return Some(Box::new(move |at| area.contains(at)));
    }
    let edge = edge::of(shape).filter(|_| edge::has_words(scene, shape))?;
    Some(Box::new(move |at| edge.contains(at)))
}
