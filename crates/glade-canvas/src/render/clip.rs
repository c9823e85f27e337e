//! Which of a frame's elements the frame cuts, as the editor decides it.

use super::prepare::Prepared;
use super::rough::Segment;
use crate::bounds;
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect};
use crate::outline::{Outline, outline};

/// How finely a curve is followed.
const STEPS: u32 = 10;

/// What crosses a frame's edge or lies around it is cut there, and so is a group's part outside of it. What merely
/// belongs to a frame that it does not reach is shown whole.
/// A line's or arrow's strokes come with it.
pub(super) fn needs_clip(one: &Prepared, ops: &[Segment], frame: &Element) -> bool {
    let rect = frame.rect();
    if rect.contains_rect(&one.bounds) {
        return false;
    }
    if !one.element.group_ids().is_empty() || one.bounds.contains_rect(&rect) {
        return true;
    }
    one.bounds.touches(&rect) && crosses(one, ops, &rect)
}

fn crosses(one: &Prepared, ops: &[Segment], rect: &Rect) -> bool {
    let corners = rect.corners();
    let sides = [0, 1, 2, 3].map(|at| (corners[at], corners[(at + 1) % 4]));
    match one.style.kind {
        ElementKind::Line | ElementKind::Arrow => {
            path(one, ops).iter().any(|stroke| meets(stroke, &sides))
        }
        ElementKind::Freedraw => meets(&bounds::page_points(one.element), &sides),
        _ => {
            let outline = outline(one.element, 0.0);
            let cut = |(from, to): &(Point, Point)| !outline.crossings(*from, *to).is_empty();
            sides.iter().any(cut)
        }
    }
}

/// A linear element's strokes on the page, each as points.
fn path(one: &Prepared, ops: &[Segment]) -> Vec<Vec<Point>> {
    let (element, center) = (one.element, one.local.center());
    let place = |point: Point| {
        point
            .translate(element.x(), element.y())
            .rotate(center, element.angle())
    };
    let mut strokes: Vec<Vec<Point>> = Vec::new();
    let mut current = Point::default();
    for op in ops {
        match *op {
            Segment::Move(to) => {
                strokes.push(vec![place(to)]);
                current = to;
            }
            Segment::Line(to) => {
                if let Some(stroke) = strokes.last_mut() {
                    stroke.push(place(to));
                }
                current = to;
            }
            Segment::Cubic(one, two, to) => {
                let points = (1..=STEPS).map(|step| {
                    let t = f64::from(step) / f64::from(STEPS);
                    place(on_curve([current, one, two, to], t))
                });
                if let Some(stroke) = strokes.last_mut() {
                    stroke.extend(points);
                }
                current = to;
            }
            Segment::Quadratic(..) | Segment::Close => {}
        }
    }
    strokes
}

fn on_curve([p0, p1, p2, p3]: [Point; 4], t: f64) -> Point {
    let s = 1.0 - t;
    let [a, b, c, d] = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    Point::new(
        a * p0.x + b * p1.x + c * p2.x + d * p3.x,
        a * p0.y + b * p1.y + c * p2.y + d * p3.y,
    )
}

fn meets(points: &[Point], sides: &[(Point, Point); 4]) -> bool {
    // An open path: a closed outline would add the way back.
    points.windows(2).any(|two| {
        let [from, to] = [two[0], two[1]];
        let segment = Outline::Polygon(vec![from, to]);
        sides
            .iter()
            .any(|(start, end)| !segment.crossings(*start, *end).is_empty())
    })
}
