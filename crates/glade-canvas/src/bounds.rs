//! Where an element lies: its box before rotation and the upright box around it after.
//!
//! Two boxes answer two questions. [`bounds`] is where the shape is: curves by their true extremes, ellipses and
//! diamonds turned as what they are. [`drawn`] is what the editor measures, which differs for lines and arrows:
//! there it takes the strokes as its hand shook when it drew them, and the label of an arrow with it.

use crate::curve::{self, Cubic};
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect, Size};
use crate::label;
use crate::render::shaft;
use crate::scene::Scene;

/// No arrowhead is longer.
const HEAD: f64 = 25.0;
/// How far a stroke strays from its line, for each unit of roughness.
const STRAY: f64 = 4.0;

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

/// The upright box around the element as it lies on the page, without its stroke's thickness.
pub fn bounds(element: &Element) -> Rect {
    let angle = element.angle();
    match element.kind() {
        ElementKind::Line | ElementKind::Arrow if is_curved(element) => {
            let way = curve::through(&page_points(element));
            join(way.into_iter().map(curve::bounds)).unwrap_or_else(|| local_rect(element))
        }
        _ if angle == 0.0 => local_rect(element),
        kind if kind.is_linear() => Rect::from_points(page_points(element))
            .unwrap_or_else(|| local_rect(element).rotated_bounds(angle)),
        ElementKind::Ellipse => {
            let rect = element.rect();
            let (sin, cos) = angle.sin_cos();
            let size = Size::new(
                (rect.w * cos).hypot(rect.h * sin),
                (rect.h * cos).hypot(rect.w * sin),
            );
            Rect::centered(rect.center(), size)
        }
        ElementKind::Diamond => {
            let rect = element.rect();
            let middle = rect.center();
            let corners = [
                Point::new(middle.x, rect.y),
                Point::new(rect.right(), middle.y),
                Point::new(middle.x, rect.bottom()),
                Point::new(rect.x, middle.y),
            ];
            Rect::from_points(corners.map(|corner| corner.rotate(middle, angle))).unwrap_or(rect)
        }
        _ => local_rect(element).rotated_bounds(angle),
    }
}

/// The box that the editor measures, selects by and aligns by.
pub fn drawn(scene: &Scene, element: &Element) -> Rect {
    match element.kind() {
        ElementKind::Line | ElementKind::Arrow => {
            let (x, y, angle) = (element.x(), element.y(), element.angle());
            let pivot = pivot(element);
            let strokes = shaft(element)
                .into_iter()
                .map(|cubic| cubic.map(|point| point.translate(x, y).rotate(pivot, angle)));
            let own = join(strokes.map(curve::bounds)).unwrap_or_else(|| bounds(element));
            match scene.label_of(&element.id) {
                Some(text) if element.kind() == ElementKind::Arrow => {
                    let rect = label::rect_on_arrow(element, text);
                    let corners = rect.corners().map(|at| at.rotate(own.center(), -angle));
                    own.union(&Rect::from_points(corners).unwrap_or(rect))
                }
                _ => own,
            }
        }
        ElementKind::Text => match scene.container_of(&element.id) {
            Some(arrow) if arrow.kind() == ElementKind::Arrow => {
                label::rect_on_arrow(arrow, element).rotated_bounds(element.angle())
            }
            _ => bounds(element),
        },
        _ => bounds(element),
    }
}

/// A box that holds all the ink of the element: its strokes' thickness, how far they stray, arrowheads.
pub fn ink(element: &Element) -> Rect {
    let roughness = element.number("roughness").unwrap_or(1.0).clamp(0.0, 10.0);
    let head = match element.kind() {
        ElementKind::Arrow => HEAD,
        _ => 0.0,
    };
    bounds(element).expand(element.stroke_width() / 2.0 + STRAY * roughness + head)
}

/// The point that an element is turned about. A line turns about the middle of its strokes as drawn.
pub fn pivot(element: &Element) -> Point {
    match element.kind() {
        ElementKind::Line | ElementKind::Arrow => {
            let strokes = join(shaft(element).into_iter().map(curve::bounds));
            let strokes = strokes.map(|rect| rect.translate(element.x(), element.y()));
            strokes.unwrap_or_else(|| local_rect(element)).center()
        }
        _ => local_rect(element).center(),
    }
}

/// A linear element's points on the page, rotation applied.
pub fn page_points(element: &Element) -> Vec<Point> {
    let (x, y, angle) = (element.x(), element.y(), element.angle());
    let center = if angle == 0.0 {
        Point::default()
    } else {
        pivot(element)
    };
    element
        .points()
        .into_iter()
        .map(|point| point.translate(x, y).rotate(center, angle).sane())
        .collect()
}

/// Whether a line or arrow runs in curves from point to point.
pub(crate) fn is_curved(element: &Element) -> bool {
    let is_object = |value: &serde_json::Value| value.is_object();
    !element.is_elbowed()
        && (element.props.get("roundness").is_some_and(is_object)
            || element
                .props
                .get("strokeSharpness")
                .is_some_and(|sharpness| sharpness == "round"))
}

/// The curves of a line or arrow on the page; straight pieces are curves that do not bend.
pub(crate) fn page_way(element: &Element) -> Vec<Cubic> {
    let points = page_points(element);
    if is_curved(element) {
        return curve::through(&points);
    }
    let straight = |pair: &[Point]| {
        let (from, to) = (pair[0], pair[1]);
        let third = |share: f64| from.translate((to.x - from.x) * share, (to.y - from.y) * share);
        [from, third(1.0 / 3.0), third(2.0 / 3.0), to]
    };
    points.windows(2).map(straight).collect()
}

fn join(boxes: impl Iterator<Item = Rect>) -> Option<Rect> {
    boxes.reduce(|all, one| all.union(&one))
}
