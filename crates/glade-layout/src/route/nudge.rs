//! Searched ways that lie on others are moved beside them.

use crate::geometry::{Point, at};

use super::Course;
use super::field::{Field, span};

/// Beyond this many, it is not worth the wait.
const MOST: usize = 300;

pub(crate) fn apart(field: &Field, step: f64, searched: &[usize], ways: &mut [Option<Course>]) {
    if searched.len() > MOST {
        return;
    }
    for &link in searched {
        let Some(Course {
            routing,
            points: mut way,
        }) = ways[link].take()
        else {
            continue;
        };
        for piece in 0..way.len().saturating_sub(1) {
            if !lies_on_another(&way, piece, link, ways) {
                continue;
            }
            let offsets = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0];
            let moved = offsets
                .into_iter()
                .filter_map(|times| moved(&way, piece, step * times));
            let mut free = moved
                .filter(|it| field.is_path_clear(it) && !lies_on_another(it, piece, link, ways));
            if let Some(found) = free.next() {
                way = found;
            }
        }
        ways[link] = Some(Course {
            routing,
            points: way,
        });
    }
}

fn lies_on_another(way: &[Point], piece: usize, link: usize, ways: &[Option<Course>]) -> bool {
    let (a, b) = (way[piece], way[piece + 1]);
    let others = ways.iter().enumerate().filter(|(at, _)| *at != link);
    let mut pieces = others
        .filter_map(|(_, it)| it.as_ref())
        .flat_map(|it| it.points.windows(2));
    pieces.any(|other| share(a, b, other[0], other[1]))
}

fn share(a: Point, b: Point, c: Point, d: Point) -> bool {
    let upright = |a: Point, b: Point| (a.x - b.x).abs() < 1e-6;
    let (one, other) = (span(a, b), span(c, d));
    if upright(a, b) != upright(c, d) {
        return false;
    }
    let overlap = |low: f64, high: f64, from: f64, to: f64| high.min(to) - low.max(from) > 1.0;
    if upright(a, b) {
        (a.x - c.x).abs() < 2.0 && overlap(one.y, one.bottom(), other.y, other.bottom())
    } else {
        (a.y - c.y).abs() < 2.0 && overlap(one.x, one.right(), other.x, other.right())
    }
}

/// The way with one inner piece moved aside.
fn moved(way: &[Point], piece: usize, by: f64) -> Option<Vec<Point>> {
    if piece == 0 || piece + 2 >= way.len() {
        return None;
    }
    let (a, b) = (way[piece], way[piece + 1]);
    let by = if (a.x - b.x).abs() < 1e-6 {
        at(by, 0.0)
    } else {
        at(0.0, by)
    };
    let mut way = way.to_vec();
    way[piece] = a.moved(by);
    way[piece + 1] = b.moved(by);
    Some(way)
}
