//! Arrows along a way that is planned: from border to border, tied so that their ends stay where they were planned.

use super::{ArrowGeometry, BoundEnd, Heads, binding_owner, end_point};
use crate::bounds::local_rect;
use crate::element::{BindMode, Binding, Element};
use crate::geometry::{Point, Rect};
use crate::outline::outline;

/// How an arrow runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Straight or smooth through its points.
    Free,
    /// At right angles, as the editor's elbow arrows.
    Elbow,
}

/// An arrow along these points of the page, the first and the last on the borders of the two. None for fewer than two.
pub fn along(
    points: &[Point],
    run: Run,
    from: Option<&Element>,
    to: Option<&Element>,
) -> Option<ArrowGeometry> {
    let (&first, &last) = (points.first()?, points.last()?);
    let (second, one_before) = (*points.get(1)?, points[points.len() - 2]);
    let start = from.and_then(|element| tie(element, first, second, run));
    let end = to.and_then(|element| tie(element, last, one_before, run));
    let mut points = points.to_vec();
    let count = points.len();
    if run == Run::Elbow {
        // The editor's own elbows keep the same distance, straight out of the side.
        if let Some(element) = from {
            points[0] = outside(element, first, second);
        }
        if let Some(element) = to {
            points[count - 1] = outside(element, last, one_before);
        }
        return ArrowGeometry::through(&points, start, end);
    }
    let heads = Heads {
        start: false,
        end: true,
    };
    let (tied_start, tied_end) = (
        BoundEnd::new(start.clone(), from),
        BoundEnd::new(end.clone(), to),
    );
    let place = |own: &Option<BoundEnd<'_>>, other: &Option<BoundEnd<'_>>, at_start: bool| {
        let own = own.as_ref()?;
        let other = other.as_ref().map(|tie| (tie.element, tie.aim));
        let tie = (own.element, own.aim);
        Some(end_point(&points, at_start, tie, own.mode, other, heads))
    };
    let ends = (
        place(&tied_start, &tied_end, true),
        place(&tied_end, &tied_start, false),
    );
    points[0] = ends.0.unwrap_or(first);
    points[count - 1] = ends.1.unwrap_or(last);
    ArrowGeometry::through(&points, start, end)
}

/// Aims at the middle of the chord that the line through this end cuts out of the box: the end stays where it is for
/// as long as the box does. Elbows aim at the end itself, which says on which side they arrive.
fn tie(element: &Element, end: Point, next: Point, run: Run) -> Option<Binding> {
    let rect = local_rect(element);
    let upright = element.angle() == 0.0;
    let aim = match run {
        Run::Elbow => Some(end),
        Run::Free => chord_middle(rect, end, next),
    };
    let fixed_point = aim
        .filter(|_| upright && rect.w > 0.0 && rect.h > 0.0)
        .map(|aim| ((aim.x - rect.x) / rect.w, (aim.y - rect.y) / rect.h));
    let center = Binding::to_center(element.id.clone());
    Some(Binding {
        owner: binding_owner(element)?,
        // As the editor writes it: it never aims at the very middle.
        fixed_point: fixed_point
            .map_or(center.fixed_point, |(x, y)| (off_middle(x), off_middle(y))),
        mode: BindMode::Orbit,
        ..center
    })
}

fn off_middle(share: f64) -> f64 {
    if (share - 0.5).abs() < 1e-4 {
        0.5001
    } else {
        share
    }
}

fn chord_middle(rect: Rect, end: Point, next: Point) -> Option<Point> {
    let (dx, dy) = (end.x - next.x, end.y - next.y);
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let spans = [
        (end.x, dx, rect.x, rect.right()),
        (end.y, dy, rect.y, rect.bottom()),
    ];
    for (at, change, near, far) in spans {
        if change.abs() < 1e-9 {
            if at < near - 1.0 || at > far + 1.0 {
                return None;
            }
            continue;
        }
        let (t, u) = ((near - at) / change, (far - at) / change);
        low = low.max(t.min(u));
        high = high.min(t.max(u));
    }
    let middle = (low + high) / 2.0;
    (low.is_finite() && high.is_finite() && low < high)
        .then(|| Point::new(end.x + dx * middle, end.y + dy * middle))
}

/// Where the way from `next` through this end of the box meets what is drawn in it, a gap away.
fn outside(element: &Element, end: Point, next: Point) -> Point {
    let length = end.distance(next);
    if length <= super::gap(element) {
        return end;
    }
    let rect = local_rect(element);
    let (dx, dy) = ((end.x - next.x) / length, (end.y - next.y) / length);
    let through = Point::new(end.x + dx * rect.w, end.y + dy * rect.h);
    let crossings = outline(element, super::gap(element)).crossings(next, through);
    super::nearest(crossings, next).unwrap_or(end)
}
