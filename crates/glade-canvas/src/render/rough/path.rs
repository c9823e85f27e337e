//! Paths of lines and curves: stroked, and flattened to polygons for fills.

use super::stroke::double_line;
use super::{MAX_OFFSET, Pen};
use crate::geometry::Point;

/// One part of a path, in absolute coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(Point),
    Line(Point),
    /// Control point and end.
    Quadratic(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

impl Segment {
    /// Where it ends; a closing ends where its path began.
    pub fn end(&self) -> Option<Point> {
        match *self {
            Segment::Move(to) | Segment::Line(to) => Some(to),
            Segment::Quadratic(_, to) | Segment::Cubic(_, _, to) => Some(to),
            Segment::Close => None,
        }
    }
}

/// No polygon is flattened to more points than this.
const MAX_POINTS: usize = 20_000;

/// Only moves, lines, cubics and closings: quadratics raised.
fn normalized(segments: &[Segment]) -> Vec<Segment> {
    let (mut current, mut start) = (Point::default(), Point::default());
    let mut out = Vec::with_capacity(segments.len());
    for segment in segments {
        let (plain, end) = match *segment {
            Segment::Move(to) => {
                start = to;
                (*segment, to)
            }
            Segment::Line(to) | Segment::Cubic(_, _, to) => (*segment, to),
            Segment::Quadratic(control, to) => {
                let toward = |from: Point| {
                    Point::new(
                        from.x + 2.0 * (control.x - from.x) / 3.0,
                        from.y + 2.0 * (control.y - from.y) / 3.0,
                    )
                };
                (Segment::Cubic(toward(current), toward(to), to), to)
            }
            Segment::Close => (*segment, start),
        };
        out.push(plain);
        current = end;
    }
    out
}

/// The path's outline, drawn twice.
pub(crate) fn stroked(segments: &[Segment], pen: &mut Pen) -> Vec<Segment> {
    let (mut first, mut current) = (Point::default(), Point::default());
    let mut ops = Vec::with_capacity(segments.len() * 4);
    let single = pen.options.single_stroke;
    for segment in normalized(segments) {
        match segment {
            Segment::Move(to) => {
                first = to;
                current = to;
            }
            Segment::Line(to) => {
                double_line(current, to, single, pen, &mut ops);
                current = to;
            }
            Segment::Cubic(one, two, to) => {
                bezier(current, one, two, to, pen, &mut ops);
                current = to;
            }
            Segment::Close => {
                double_line(current, first, single, pen, &mut ops);
                current = first;
            }
            Segment::Quadratic(..) => {}
        }
    }
    ops
}

fn bezier(from: Point, one: Point, two: Point, to: Point, pen: &mut Pen, ops: &mut Vec<Segment>) {
    let reaches = [MAX_OFFSET, MAX_OFFSET + 0.3];
    let passes = if pen.options.single_stroke { 1 } else { 2 };
    let keep = pen.options.preserve_vertices;
    for (pass, reach) in reaches.into_iter().enumerate().take(passes) {
        ops.push(Segment::Move(if pass == 0 || keep {
            from
        } else {
            pen.stray(from, MAX_OFFSET)
        }));
        let end = if keep { to } else { pen.stray(to, reach) };
        let one = pen.stray(one, reach);
        let two = pen.stray(two, reach);
        ops.push(Segment::Cubic(one, two, end));
    }
}

/// Whether the path is a single polygon: one that starts where it starts, and nothing else.
pub(crate) fn is_one_part(segments: &[Segment]) -> bool {
    let is_move = |segment: &Segment| matches!(segment, Segment::Move(_));
    segments.first().is_some_and(is_move) && !segments[1..].iter().any(is_move)
}

/// The path as polygons, one for each part that starts with a move, simplified.
pub(crate) fn points_on_path(
    segments: &[Segment],
    tolerance: f64,
    distance: f64,
) -> Vec<Vec<Point>> {
    let mut sets: Vec<Vec<Point>> = Vec::new();
    let mut points: Vec<Point> = Vec::new();
    let mut curve: Vec<Point> = Vec::new();
    let mut start = Point::default();
    let flush_curve = |curve: &mut Vec<Point>, points: &mut Vec<Point>| {
        if curve.len() >= 4 {
            points.extend(points_on_beziers(curve, tolerance, None));
        }
        curve.clear();
    };
    for segment in normalized(segments) {
        match segment {
            Segment::Move(to) => {
                flush_curve(&mut curve, &mut points);
                if !points.is_empty() {
                    sets.push(std::mem::take(&mut points));
                }
                start = to;
                points.push(to);
            }
            Segment::Line(to) => {
                flush_curve(&mut curve, &mut points);
                points.push(to);
            }
            Segment::Cubic(one, two, to) => {
                if curve.is_empty() {
                    curve.push(points.last().copied().unwrap_or(start));
                }
                curve.extend([one, two, to]);
            }
            Segment::Close => {
                flush_curve(&mut curve, &mut points);
                points.push(start);
            }
            Segment::Quadratic(..) => {}
        }
    }
    flush_curve(&mut curve, &mut points);
    if !points.is_empty() {
        sets.push(points);
    }
    sets.iter().map(|set| simplify(set, distance)).collect()
}

/// The control points of a spline through points: first point, then two controls and an end for each stretch.
pub(crate) fn curve_to_bezier(points: &[Point]) -> Vec<Point> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    if let [one, two, three] = points {
        return vec![*one, *two, *three, *three];
    }
    let mut padded = vec![*first];
    padded.extend(points);
    padded.push(*last);
    let mut out = vec![*first];
    for four in padded.windows(4) {
        let [before, from, to, after] = [four[0], four[1], four[2], four[3]];
        out.push(Point::new(
            from.x + (to.x - before.x) / 6.0,
            from.y + (to.y - before.y) / 6.0,
        ));
        out.push(Point::new(
            to.x + (from.x - after.x) / 6.0,
            to.y + (from.y - after.y) / 6.0,
        ));
        out.push(to);
    }
    out
}

/// Points along a run of cubics, near enough to be a polygon of it; simplified when a distance is given.
pub(crate) fn points_on_beziers(
    controls: &[Point],
    tolerance: f64,
    distance: Option<f64>,
) -> Vec<Point> {
    let mut points = Vec::new();
    let mut at = 0;
    while let Some(four) = controls.get(at..at + 4) {
        flatten(
            [four[0], four[1], four[2], four[3]],
            tolerance,
            0,
            &mut points,
        );
        at += 3;
    }
    match distance {
        Some(distance) if distance > 0.0 => simplify(&points, distance),
        _ => points,
    }
}

/// Halvings of one cubic: a curve ten million pixels long is flat to a pixel long before.
const MAX_DEPTH: u32 = 16;

fn flatten(cubic: [Point; 4], tolerance: f64, depth: u32, out: &mut Vec<Point>) {
    let [from, one, two, to] = cubic;
    if flatness(&cubic) < tolerance || depth >= MAX_DEPTH || out.len() >= MAX_POINTS {
        match out.last() {
            Some(last) if last.distance(from) <= 1.0 => {}
            _ => out.push(from),
        }
        out.push(to);
        return;
    }
    let half = |a: Point, b: Point| Point::new(a.x + (b.x - a.x) * 0.5, a.y + (b.y - a.y) * 0.5);
    let (q1, q2, q3) = (half(from, one), half(one, two), half(two, to));
    let (r1, r2) = (half(q1, q2), half(q2, q3));
    let middle = half(r1, r2);
    flatten([from, q1, r1, middle], tolerance, depth + 1, out);
    flatten([middle, r2, q3, to], tolerance, depth + 1, out);
}

fn flatness([from, one, two, to]: &[Point; 4]) -> f64 {
    let axis = |from: f64, one: f64, two: f64, to: f64| {
        let ahead = 3.0 * one - 2.0 * from - to;
        let back = 3.0 * two - 2.0 * to - from;
        (ahead * ahead).max(back * back)
    };
    axis(from.x, one.x, two.x, to.x) + axis(from.y, one.y, two.y, to.y)
}

/// Ramer, Douglas and Peucker's: drops points closer than `epsilon` to what is left. With a stack of its own, since
/// a spiral would exhaust the thread's.
pub(crate) fn simplify(points: &[Point], epsilon: f64) -> Vec<Point> {
    let Some(last) = points.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut out = vec![points[0]];
    let mut stretches = vec![(0, last)];
    while let Some((start, end)) = stretches.pop() {
        let (mut farthest, mut most) = (1, 0.0);
        for at in start + 1..end {
            let distance = distance_to_segment_squared(points[at], points[start], points[end]);
            if distance > most {
                most = distance;
                farthest = at;
            }
        }
        if most.sqrt() > epsilon {
            stretches.push((farthest, end));
            stretches.push((start, farthest));
        } else {
            out.push(points[end]);
        }
    }
    out
}

fn distance_to_segment_squared(point: Point, from: Point, to: Point) -> f64 {
    let squared = |a: Point, b: Point| (a.x - b.x).powi(2) + (a.y - b.y).powi(2);
    let length = squared(from, to);
    if length == 0.0 {
        return squared(point, from);
    }
    let along =
        ((point.x - from.x) * (to.x - from.x) + (point.y - from.y) * (to.y - from.y)) / length;
    let along = along.clamp(0.0, 1.0);
    let nearest = Point::new(
        from.x + (to.x - from.x) * along,
        from.y + (to.y - from.y) * along,
    );
    squared(point, nearest)
}
