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
    line(from, to, Pass::First, pen, ops);
    if !single {
        line(from, to, Pass::Second, pen, ops);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    First,
    /// Strays half as far.
    Second,
}

fn line(from: Point, to: Point, pass: Pass, pen: &mut Pen, ops: &mut Vec<Segment>) {
    let length_squared = (from.x - to.x).powi(2) + (from.y - to.y).powi(2);
    let length = length_squared.sqrt();
    // Long lines are steadier.
    let gain = if length < 200.0 {
        1.0
    } else if length > 500.0 {
        0.4
    } else {
        -0.001_666_8 * length + 1.233_334
    };
    let mut offset = MAX_OFFSET;
    if offset * offset * 100.0 > length_squared {
        offset = length / 10.0;
    }
    let reach = match pass {
        Pass::First => offset,
        Pass::Second => offset / 2.0,
    };
    let diverge = 0.2 + pen.random.next() * 0.2;
    let bow_x = BOWING * MAX_OFFSET * (to.y - from.y) / 200.0;
    let bow_y = BOWING * MAX_OFFSET * (from.x - to.x) / 200.0;
    let bow_x = pen.between(-bow_x, bow_x, gain);
    let bow_y = pen.between(-bow_y, bow_y, gain);
    let keep = pen.options.preserve_vertices;
    let mut astray = |x: f64, y: f64, keep: bool| {
        if keep {
            return Point::new(x, y);
        }
        let x = x + pen.between(-reach, reach, gain);
        let y = y + pen.between(-reach, reach, gain);
        Point::new(x, y)
    };
    ops.push(Segment::Move(astray(from.x, from.y, keep)));
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
    ops.push(Segment::Cubic(first, second, end));
}
