//! Fills: solid areas and the patterns of lines.

use super::hachure::hachure_lines;
use super::stroke::double_line;
use super::{FillStyle, MAX_OFFSET, OpSet, Pen, Segment, SetKind};
use crate::geometry::Point;

/// Areas with slightly strayed corners.
pub(crate) fn solid_polygons(polygons: &[Vec<Point>], pen: &mut Pen) -> OpSet {
    let mut ops = Vec::with_capacity(polygons.iter().map(Vec::len).sum());
    for points in polygons.iter().filter(|points| points.len() > 2) {
        for (at, point) in points.iter().enumerate() {
            let corner = pen.stray(*point, MAX_OFFSET);
            ops.push(if at == 0 {
                Segment::Move(corner)
            } else {
                Segment::Line(corner)
            });
        }
    }
    OpSet {
        kind: SetKind::Area,
        ops,
    }
}

/// One area from an outline's strokes: the pen stays down.
pub(crate) fn merged(ops: Vec<Segment>) -> Vec<Segment> {
    let first = ops.first().copied();
    let rest = ops
        .into_iter()
        .skip(1)
        .filter(|op| !matches!(op, Segment::Move(_)));
    first.into_iter().chain(rest).collect()
}

/// The lines of a pattern. The polygons are turned and turned back on the way, as rough.js does it: a second set of
/// lines starts from what rounding left.
pub(crate) fn pattern(mut polygons: Vec<Vec<Point>>, style: FillStyle, pen: &mut Pen) -> OpSet {
    let angle = pen.options.hachure_angle;
    let mut ops = Vec::new();
    match style {
        FillStyle::Zigzag => zigzag(&mut polygons, angle, pen, &mut ops),
        FillStyle::CrossHatch => {
            hachure(&mut polygons, angle, pen, &mut ops);
            hachure(&mut polygons, angle + 90.0, pen, &mut ops);
        }
        FillStyle::Hachure | FillStyle::Solid => hachure(&mut polygons, angle, pen, &mut ops),
    }
    OpSet {
        kind: SetKind::Sketch,
        ops,
    }
}

fn hachure(polygons: &mut [Vec<Point>], angle: f64, pen: &mut Pen, ops: &mut Vec<Segment>) {
    let lines = lines(polygons, angle, pen);
    ops.reserve(lines.len() * 4);
    for (from, to) in lines {
        double_line(from, to, false, pen, ops);
    }
}

fn zigzag(polygons: &mut [Vec<Point>], angle: f64, pen: &mut Pen, ops: &mut Vec<Segment>) {
    let gap = pen.options.hachure_gap.max(0.1);
    let turn = std::f64::consts::PI / 180.0 * angle;
    let (dx, dy) = (gap * 0.5 * turn.cos(), gap * 0.5 * turn.sin());
    let lines = lines(polygons, angle, pen);
    ops.reserve(lines.len() * 8);
    for (from, to) in lines {
        if from == to {
            continue;
        }
        double_line(Point::new(from.x - dx, from.y + dy), to, false, pen, ops);
        double_line(Point::new(from.x + dx, from.y - dy), to, false, pen, ops);
    }
}

fn lines(polygons: &mut [Vec<Point>], angle: f64, pen: &mut Pen) -> Vec<(Point, Point)> {
    let gap = pen.options.hachure_gap.max(0.1);
    // Some fills step by whole gaps, others by pixels: it decides where the lines fall.
    let step = if pen.options.roughness >= 1.0 && pen.random.next() > 0.7 {
        gap
    } else {
        1.0
    };
    hachure_lines(polygons, gap, angle + 90.0, step)
}
