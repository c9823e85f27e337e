//! Curves through points, ellipses and arcs.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::stroke::double_line;
use super::{Options, Pen, Random, STEP_COUNT, Segment};
use crate::geometry::Point;

/// A curve through the points, drawn twice; the second stroke has a seed of its own.
pub(crate) fn through(points: &[Point], pen: &mut Pen) -> Vec<Segment> {
    let roughness = pen.options.roughness;
    let mut ops = Vec::with_capacity(points.len() * 2 + 4);
    with_offset(points, 1.0 * (1.0 + roughness * 0.2), pen, &mut ops);
    if !pen.options.single_stroke {
        let seed = if pen.options.seed == 0.0 {
            0.0
        } else {
            pen.options.seed + 1.0
        };
        let options = Options {
            seed,
            ..pen.options.clone()
        };
        let mut random = Random::new(seed);
        let mut other = Pen {
            options: &options,
            random: &mut random,
        };
        let offset = 1.5 * (1.0 + roughness * 0.22);
        with_offset(points, offset, &mut other, &mut ops);
    }
    ops
}

fn with_offset(points: &[Point], offset: f64, pen: &mut Pen, ops: &mut Vec<Segment>) {
    let Some((first, last)) = points.first().zip(points.last()) else {
        return;
    };
    let mut strayed = Vec::with_capacity(points.len() + 2);
    strayed.push(pen.stray(*first, offset));
    strayed.push(pen.stray(*first, offset));
    for point in &points[1..] {
        strayed.push(pen.stray(*point, offset));
    }
    if points.len() > 1 {
        strayed.push(pen.stray(*last, offset));
    }
    spline(&strayed, pen, ops);
}

/// A Catmull-Rom spline from the second point to the last but one.
fn spline(points: &[Point], pen: &mut Pen, ops: &mut Vec<Segment>) {
    match points {
        [from, to] => double_line(*from, *to, pen.options.single_stroke, pen, ops),
        [_, from, to] => {
            ops.push(Segment::Move(*from));
            ops.push(Segment::Cubic(*from, *to, *to));
        }
        [_, from, _, _, ..] => {
            ops.push(Segment::Move(*from));
            for four in points.windows(4) {
                let [before, from, to, after] = [four[0], four[1], four[2], four[3]];
                ops.push(Segment::Cubic(
                    Point::new(
                        from.x + (to.x - before.x) / 6.0,
                        from.y + (to.y - before.y) / 6.0,
                    ),
                    Point::new(
                        to.x + (from.x - after.x) / 6.0,
                        to.y + (from.y - after.y) / 6.0,
                    ),
                    to,
                ));
            }
        }
        _ => {}
    }
}

pub(crate) struct EllipseParams {
    increment: f64,
    rx: f64,
    ry: f64,
}

pub(crate) fn ellipse_params(width: f64, height: f64, pen: &mut Pen) -> EllipseParams {
    let mean = (((width / 2.0).powi(2) + (height / 2.0).powi(2)) / 2.0).sqrt();
    let steps = (PI * 2.0 * mean).sqrt() * (STEP_COUNT / 200_f64.sqrt());
    let increment = TAU / STEP_COUNT.max(steps).ceil();
    let (mut rx, mut ry) = ((width / 2.0).abs(), (height / 2.0).abs());
    let looseness = 1.0 - pen.options.curve_fitting;
    rx += pen.offset(rx * looseness);
    ry += pen.offset(ry * looseness);
    EllipseParams { increment, rx, ry }
}

/// The outline, and the points it passes near: what a fill is cut to.
pub(crate) fn ellipse(
    center: Point,
    params: &EllipseParams,
    pen: &mut Pen,
) -> (Vec<Segment>, Vec<Point>) {
    let upper = pen.between(0.4, 1.0, 1.0);
    let overlap = params.increment * pen.between(0.1, upper, 1.0);
    let (all, core) = ellipse_points(center, params, 1.0, overlap, pen);
    let mut ops = Vec::with_capacity(all.len() * 2);
    spline(&all, pen, &mut ops);
    if !pen.options.single_stroke && pen.options.roughness != 0.0 {
        let (all, _) = ellipse_points(center, params, 1.5, 0.0, pen);
        spline(&all, pen, &mut ops);
    }
    (ops, core)
}

fn ellipse_points(
    center: Point,
    params: &EllipseParams,
    offset: f64,
    overlap: f64,
    pen: &mut Pen,
) -> (Vec<Point>, Vec<Point>) {
    // Of those few that are drawn exactly there are four times as many.
    let count = (TAU / params.increment) as usize + 6;
    let (mut all, mut core) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let on_rim = |angle: f64, share: f64| {
        Point::new(
            share * params.rx * angle.cos(),
            share * params.ry * angle.sin(),
        )
    };
    if pen.options.roughness == 0.0 {
        let exact = |angle: f64| {
            let rim = on_rim(angle, 1.0);
            Point::new(center.x + rim.x, center.y + rim.y)
        };
        let increment = params.increment / 4.0;
        all.push(exact(-increment));
        let mut angle = 0.0;
        while angle <= TAU {
            core.push(exact(angle));
            all.push(exact(angle));
            angle += increment;
        }
        all.push(exact(0.0));
        all.push(exact(increment));
        return (all, core);
    }
    let start = pen.offset(0.5) - FRAC_PI_2;
    let mut astray_by = |(sin, cos): (f64, f64), share: f64| {
        let x = pen.offset(offset) + center.x + share * params.rx * cos;
        let y = pen.offset(offset) + center.y + share * params.ry * sin;
        Point::new(x, y)
    };
    all.push(astray_by((start - params.increment).sin_cos(), 0.9));
    let end = TAU + start - 0.01;
    let mut angle = start;
    // Each from the one before, a step further: sines are dear.
    let (mut sin, mut cos) = start.sin_cos();
    let (step_sin, step_cos) = params.increment.sin_cos();
    while angle < end {
        let point = astray_by((sin, cos), 1.0);
        core.push(point);
        all.push(point);
        angle += params.increment;
        (sin, cos) = (
            sin * step_cos + cos * step_sin,
            cos * step_cos - sin * step_sin,
        );
    }
    let mut astray = |angle: f64, share: f64| astray_by(angle.sin_cos(), share);
    all.push(astray(start + TAU + overlap * 0.5, 1.0));
    all.push(astray(start + overlap, 0.98));
    all.push(astray(start + overlap * 0.5, 0.9));
    (all, core)
}

/// How an arc's ends meet its middle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    None,
    Rough,
    Straight,
}

pub(crate) fn arc(
    center: Point,
    width: f64,
    height: f64,
    angles: (f64, f64),
    joint: Joint,
    pen: &mut Pen,
) -> Vec<Segment> {
    let (rx, ry) = arc_radii(width, height, pen);
    let (start, stop) = turned(angles);
    let increment = (TAU / STEP_COUNT / 2.0).min((stop - start) / 2.0);
    let mut ops = Vec::new();
    let mut stroke = |offset: f64, pen: &mut Pen| {
        let points = arc_points(increment, center, (rx, ry), (start, stop), offset, pen);
        spline(&points, pen, &mut ops);
    };
    stroke(1.0, pen);
    if !pen.options.single_stroke {
        stroke(1.5, pen);
    }
    let rim = |angle: f64| Point::new(center.x + rx * angle.cos(), center.y + ry * angle.sin());
    match joint {
        Joint::None => {}
        Joint::Rough => {
            let single = pen.options.single_stroke;
            double_line(center, rim(start), single, pen, &mut ops);
            double_line(center, rim(stop), single, pen, &mut ops);
        }
        Joint::Straight => ops.extend([Segment::Line(center), Segment::Line(rim(start))]),
    }
    ops
}

/// The slice under an arc as a polygon.
pub(crate) fn arc_polygon(
    center: Point,
    width: f64,
    height: f64,
    angles: (f64, f64),
    pen: &mut Pen,
) -> Vec<Point> {
    let (rx, ry) = arc_radii(width, height, pen);
    let (start, stop) = turned(angles);
    let increment = (stop - start) / STEP_COUNT;
    let rim = |angle: f64| Point::new(center.x + rx * angle.cos(), center.y + ry * angle.sin());
    let mut points = Vec::new();
    let mut angle = start;
    while angle <= stop && increment > 0.0 {
        points.push(rim(angle));
        angle += increment;
    }
    points.extend([rim(stop), center]);
    points
}

fn arc_radii(width: f64, height: f64, pen: &mut Pen) -> (f64, f64) {
    let (mut rx, mut ry) = ((width / 2.0).abs(), (height / 2.0).abs());
    rx += pen.offset(rx * 0.01);
    ry += pen.offset(ry * 0.01);
    (rx, ry)
}

/// The same angles, started at or after zero and spanning a turn at most.
fn turned((mut start, mut stop): (f64, f64)) -> (f64, f64) {
    while (-1e6..0.0).contains(&start) {
        start += TAU;
        stop += TAU;
    }
    if stop - start > TAU {
        return (0.0, TAU);
    }
    (start, stop)
}

fn arc_points(
    increment: f64,
    center: Point,
    (rx, ry): (f64, f64),
    (start, stop): (f64, f64),
    offset: f64,
    pen: &mut Pen,
) -> Vec<Point> {
    let first = start + pen.offset(0.1);
    let mut points = Vec::new();
    let mut astray = |angle: f64, share: f64| {
        let x = pen.offset(offset) + center.x + share * rx * angle.cos();
        let y = pen.offset(offset) + center.y + share * ry * angle.sin();
        Point::new(x, y)
    };
    points.push(astray(first - increment, 0.9));
    let mut angle = first;
    while angle <= stop && increment > 0.0 {
        points.push(astray(angle, 1.0));
        angle += increment;
    }
    let end = Point::new(center.x + rx * stop.cos(), center.y + ry * stop.sin());
    points.extend([end, end]);
    points
}
