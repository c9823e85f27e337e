//! Straight lines, drawn twice with a slight bow.

use super::{BOWING, MAX_OFFSET, Pen, Segment};
use crate::geometry::Point;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    Open,
    Closed,
}

/// Lines from point to point.
pub(crate) fn linear(points: &[Point], ends: Ends, pen: &mut Pen) -> Vec<Segment> {
    let lines = match ends {
        Ends::Open => points.len().saturating_sub(1),
        Ends::Closed => points.len(),
    };
    let mut ops = Vec::with_capacity(lines * 4);
    for pair in points.windows(2) {
        double_line(pair[0], pair[1], pen.options.single_stroke, pen, &mut ops);
    }
    if let (true, [first, _, .., last]) = (ends == Ends::Closed && points.len() > 2, points) {
        double_line(*last, *first, pen.options.single_stroke, pen, &mut ops);
    }
    ops
}

pub(crate) fn double_line(
    from: Point,
    to: Point,
    single: bool,
    pen: &mut Pen,
    ops: &mut Vec<Segment>,
) {
    let line = Line::new(from, to);
    ops.extend(line.stroke(line.reach, pen));
    if !single {
        // Strays half as far.
        ops.extend(line.stroke(line.reach / 2.0, pen));
    }
}

/// A straight line, and how far its strokes may stray.
struct Line {
    from: Point,
    to: Point,
    reach: f64,
    bow: Point,
    gain: f64,
}

impl Line {
    fn new(from: Point, to: Point) -> Self {
        let length_squared = (from.x - to.x).powi(2) + (from.y - to.y).powi(2);
        let length = length_squared.sqrt();
        let is_short = MAX_OFFSET * MAX_OFFSET * 100.0 > length_squared;
        Self {
            from,
            to,
            reach: if is_short { length / 10.0 } else { MAX_OFFSET },
            bow: Point::new(
                BOWING * MAX_OFFSET * (to.y - from.y) / 200.0,
                BOWING * MAX_OFFSET * (from.x - to.x) / 200.0,
            ),
            // Long lines are steadier.
            gain: if length < 200.0 {
                1.0
            } else if length > 500.0 {
                0.4
            } else {
                -0.001_666_8 * length + 1.233_334
            },
        }
    }

    fn stroke(&self, reach: f64, pen: &mut Pen) -> [Segment; 2] {
        let Self {
            from,
            to,
            bow,
            gain,
            ..
        } = *self;
        let diverge = 0.2 + pen.random.next() * 0.2;
        let bow_x = pen.between(-bow.x, bow.x, gain);
        let bow_y = pen.between(-bow.y, bow.y, gain);
        let keep = pen.options.preserve_vertices;
        let mut astray = |x: f64, y: f64, keep: bool| {
            if keep {
                return Point::new(x, y);
            }
            let x = x + pen.between(-reach, reach, gain);
            let y = y + pen.between(-reach, reach, gain);
            Point::new(x, y)
        };
        let start = astray(from.x, from.y, keep);
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let first = astray(
            bow_x + from.x + dx * diverge,
            bow_y + from.y + dy * diverge,
            false,
        );
        let second = astray(
            bow_x + from.x + 2.0 * dx * diverge,
            bow_y + from.y + 2.0 * dy * diverge,
            false,
        );
        let end = astray(to.x, to.y, keep);
        [Segment::Move(start), Segment::Cubic(first, second, end)]
    }
}
