//! Where an element lies: its box before rotation and the upright box around it after.

use crate::element::Element;
use crate::geometry::{Point, Rect};

/// The unrotated box. A linear element's comes from its points, since its stored width and height can be stale.
pub fn local_rect(element: &Element) -> Rect {
    if element.kind().is_linear() {
        let (x, y) = (element.x(), element.y());
        if let Some(rect) = Rect::from_points(
            element
                .points()
                .into_iter()
                .map(|point| point.translate(x, y)),
        ) {
            return rect;
        }
    }
    element.rect()
}

/// The upright box around the element as drawn, without its stroke's thickness.
pub fn bounds(element: &Element) -> Rect {
    let angle = element.angle();
    if angle == 0.0 {
        return local_rect(element);
    }
    if element.kind().is_linear() {
        return Rect::from_points(page_points(element))
            .unwrap_or_else(|| local_rect(element).rotated_bounds(angle));
    }
    local_rect(element).rotated_bounds(angle)
}

/// A linear element's points on the page, rotation applied.
pub fn page_points(element: &Element) -> Vec<Point> {
    let (x, y, angle) = (element.x(), element.y(), element.angle());
    let center = local_rect(element).center();
    element
        .points()
        .into_iter()
        .map(|point| point.translate(x, y).rotate(center, angle).sane())
        .collect()
}
