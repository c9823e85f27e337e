//! Curved routes: smooth through every point, as the editor draws a curved arrow (uniform Catmull-Rom, ends doubled).

use crate::geometry::{Point, at};

/// Four points of a cubic Bézier curve for each piece between two points.
pub fn beziers(points: &[Point]) -> Vec<[Point; 4]> {
    let last = points.len().saturating_sub(1);
    let point = |at: usize| points[at.min(last)];
    (0..last)
        .map(|i| {
            let (before, from, to, after) = (
                point(i.saturating_sub(1)),
                point(i),
                point(i + 1),
                point(i + 2),
            );
            let one = at(
                from.x + (to.x - before.x) / 6.0,
                from.y + (to.y - before.y) / 6.0,
            );
            let two = at(
                to.x - (after.x - from.x) / 6.0,
                to.y - (after.y - from.y) / 6.0,
            );
            [from, one, two, to]
        })
        .collect()
}

/// The curve as short straight pieces.
pub(crate) fn flat(points: &[Point]) -> Vec<Point> {
    const PIECES: usize = 8;
    if points.len() < 3 {
        return points.to_vec();
    }
    let mut flat = vec![points[0]];
    for [a, b, c, d] in beziers(points) {
        for piece in 1..=PIECES {
            let t = piece as f64 / PIECES as f64;
            let (ab, bc, cd) = (a.toward(b, t), b.toward(c, t), c.toward(d, t));
            flat.push(ab.toward(bc, t).toward(bc.toward(cd, t), t));
        }
    }
    flat
}

/// A point of an S from one end to the other, that leaves and arrives along the flow.
pub(crate) fn bend(from: Point, to: Point, part: f64, sideways: bool) -> Point {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (t, left) = (part, 1.0 - part);
    let slow = t * t * (3.0 - 2.0 * t);
    let fast = 1.5 * t * left + t * t * t;
    if sideways {
        at(from.x + dx * fast, from.y + dy * slow)
    } else {
        at(from.x + dx * slow, from.y + dy * fast)
    }
}
