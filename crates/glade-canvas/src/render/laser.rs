//! Freehand strokes of constant width: an outline that follows the pen at a fixed distance, round at corners and
//! ends. The numbers are those of the editor's laser pointer, which it draws such strokes with.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::geometry::Point;

const SIZE_FACTOR: f64 = 1.4;
/// A turn sharper than this is a corner.
const CORNER: f64 = 75.0 / 180.0 * PI;
/// Beyond this speed only half that sharp.
const FAST: f64 = 35.0;
const ARC_STEP: f64 = PI / 16.0;

/// The outline around a stroke through these points.
pub(super) fn outline(points: &[Point], stroke_width: f64, streamline: f64) -> Vec<Point> {
    let size = stroke_width * SIZE_FACTOR;
    let points = streamlined(points, streamline);
    match points.as_slice() {
        [] => Vec::new(),
        [only] if size < 0.5 => {
            let _ = only;
            Vec::new()
        }
        [only] => {
            let mut circle = arc(*only, Point::new(size, 0.0), 2.0 * PI);
            circle.push(only.translate(size, 0.0));
            circle
        }
        [_, _] if size < 0.5 => Vec::new(),
        [from, to] => pill(*from, *to, size),
        _ => stroke(&points, size),
    }
}

fn streamlined(points: &[Point], streamline: f64) -> Vec<Point> {
    let mut out: Vec<Point> = Vec::with_capacity(points.len());
    let mut original: Option<Point> = None;
    for point in points {
        if original == Some(*point) {
            continue;
        }
        original = Some(*point);
        out.push(match out.last() {
            Some(last) if streamline > 0.0 => Point::new(
                last.x + (point.x - last.x) * (1.0 - streamline),
                last.y + (point.y - last.y) * (1.0 - streamline),
            ),
            _ => *point,
        });
    }
    out
}

/// `arm` turned about `center` from nothing to `to`, in steps.
fn arc(center: Point, arm: Point, to: f64) -> Vec<Point> {
    let mut points = Vec::new();
    let mut angle = 0.0;
    while angle <= to {
        points.push(add(center, turn(arm, angle)));
        angle += ARC_STEP;
    }
    points
}

fn pill(from: Point, to: Point, size: f64) -> Vec<Point> {
    let up = Point::new(0.0, -100.0);
    let angle = (to.y - from.y).atan2(to.x - from.x) - up.y.atan2(up.x);
    let arm = turn(Point::new(size, 0.0), angle);
    let mut points = arc(from, arm, PI);
    points.extend(arc(to, turn(arm, PI), PI));
    points.extend(points.first().copied());
    points
}

fn stroke(points: &[Point], size: f64) -> Vec<Point> {
    let (mut forward, mut backward): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
    let mut speed_before = 0.0;
    for three in points.windows(3) {
        let [before, here, after] = [three[0], three[1], three[2]];
        let speed = speed_before + (before.distance(here) - speed_before) * 0.2;
        let (back, on) = (unit(sub(before, here)), unit(sub(after, here)));
        let (left_back, right_back) = (turn(back, FRAC_PI_2), turn(back, -FRAC_PI_2));
        let (left_on, right_on) = (turn(on, FRAC_PI_2), turn(on, -FRAC_PI_2));
        let at = |direction: Point| add(here, scale(direction, size));
        let mean = |one: Point, other: Point, none: Point| {
            let sum = add(one, other);
            at(if sum.x == 0.0 && sum.y == 0.0 {
                none
            } else {
                unit(sum)
            })
        };
        let ahead = mean(left_back, right_on, back);
        let behind = mean(right_back, left_on, on);
        let angle = normal(
            (after.y - here.y).atan2(after.x - here.x)
                - (before.y - here.y).atan2(before.x - here.x),
        );
        let corner = CORNER * if speed > FAST { 0.5 } else { 1.0 };
        if angle.abs() >= corner {
            forward.push(ahead);
            backward.push(behind);
            speed_before = speed;
            continue;
        }
        let bend = normal(PI - angle).abs();
        if bend == 0.0 {
            continue;
        }
        let steps = |sign: f64| -> Vec<Point> {
            let arm = scale(left_back, sign * size);
            // Four steps, the last only where rounding lets it be reached, as in the original.
            let mut all = Vec::new();
            let mut turned = 0.0;
            while turned <= bend {
                all.push(add(here, turn(arm, sign * turned)));
                turned += bend / 4.0;
            }
            all
        };
        let (inner, outer, near, far, middle, round) = if angle < 0.0 {
            (
                &mut backward,
                &mut forward,
                at(right_back),
                at(left_on),
                behind,
                steps(1.0),
            )
        } else {
            (
                &mut forward,
                &mut backward,
                at(left_back),
                at(right_on),
                ahead,
                steps(-1.0),
            )
        };
        inner.extend([near, middle]);
        outer.extend(round.iter().copied());
        inner.extend(round.into_iter().rev());
        inner.extend([middle, far]);
        speed_before = speed;
    }
    let (Some([first, second]), Some([.., penultimate, last])) =
        (points.first_chunk::<2>(), points.last_chunk::<2>())
    else {
        return Vec::new();
    };
    let start_arm = scale(turn(unit(sub(*second, *first)), -FRAC_PI_2), size);
    let end_arm = scale(turn(unit(sub(*penultimate, *last)), FRAC_PI_2), -size);
    let mut outline = vec![add(*first, scale(start_arm, -1.0))];
    outline.extend(reverse_arc(*first, start_arm, PI).into_iter().rev());
    let start = outline.first().copied();
    outline.extend(forward);
    outline.extend(reverse_arc(*last, end_arm, 3.0 * PI).into_iter().rev());
    outline.extend(backward.into_iter().rev());
    outline.extend(start);
    outline
}

fn reverse_arc(center: Point, arm: Point, to: f64) -> Vec<Point> {
    let mut points = Vec::new();
    let mut angle = 0.0;
    while angle <= to {
        points.push(add(center, turn(arm, -angle)));
        angle += ARC_STEP;
    }
    points
}

fn normal(angle: f64) -> f64 {
    angle.sin().atan2(angle.cos())
}

fn turn(point: Point, angle: f64) -> Point {
    point.rotate(Point::default(), angle)
}

fn add(a: Point, b: Point) -> Point {
    Point::new(a.x + b.x, a.y + b.y)
}

fn sub(a: Point, b: Point) -> Point {
    Point::new(a.x - b.x, a.y - b.y)
}

fn scale(a: Point, by: f64) -> Point {
    Point::new(a.x * by, a.y * by)
}

fn unit(a: Point) -> Point {
    let length = a.x.hypot(a.y);
    if length == 0.0 {
        return Point::default();
    }
    scale(a, 1.0 / length)
}
