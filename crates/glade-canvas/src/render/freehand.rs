//! Freehand strokes: the outline of a pen whose width follows its pressure, or its speed where there is none.
//!
//! The numbers are those of perfect-freehand 1.2.0 with the options that the editor passes.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::LazyLock;

use serde_json::Value;

use super::laser;
use super::look::StoredFreehand;
use super::rough::Segment;
use crate::geometry::Point;

/// How wide the pen is for a stroke width of one.
const SIZE_FACTOR: f64 = 4.25;
const THINNING: f64 = 0.6;
const SMOOTHING: f64 = 0.5;
const STREAMLINE: f64 = 0.5;
/// How fast pressure follows speed.
const RATE_OF_CHANGE: f64 = 0.275;
/// A hair more than half a turn, so that caps close.
const HALF_TURN: f64 = PI + 0.0001;
/// This near to the end of a stroke points only make it jitter.
const END_NOISE: f64 = 3.0;

/// How the pen was held.
#[derive(Debug)]
pub(crate) struct FreehandStyle {
    streamline: f64,
    /// Whether the stroke is as wide everywhere.
    is_constant: bool,
    simulates: bool,
    /// One for each of the stored points; none if they are simulated.
    pressures: Option<Vec<Option<f64>>>,
}

impl FreehandStyle {
    pub(super) fn of(stored: &StoredFreehand, points: usize) -> Self {
        let option = |key: &str| stored.stroke_options.and_then(|options| options.get(key));
        let streamline = option("streamline").and_then(Value::as_f64);
        let simulates = stored.simulate_pressure.and_then(Value::as_bool);
        let simulates = simulates.unwrap_or(true);
        let pressures = stored.pressures.and_then(Value::as_array);
        let pressure = |value: &Value| Some(value.as_f64()?.clamp(0.0, 1.0));
        Self {
            streamline: streamline.map_or(STREAMLINE, |value| value.clamp(0.0, 1.0)),
            is_constant: option("variability").and_then(Value::as_str) == Some("constant"),
            simulates,
            pressures: pressures
                .filter(|pressures| !simulates && pressures.len() == points)
                .map(|pressures| pressures.iter().map(pressure).collect()),
        }
    }
}

/// The stroke's outline as a closed path, to be filled.
pub(crate) fn outline(style: &FreehandStyle, points: &[Point], width: f64) -> Vec<Segment> {
    smooth(&corners(style, points, width))
}

/// The points around the stroke, before they are smoothed; `points` are those that are drawn.
pub(crate) fn corners(style: &FreehandStyle, points: &[Point], width: f64) -> Vec<Point> {
    if style.is_constant {
        return laser::outline(points, width, style.streamline);
    }
    let size = width * SIZE_FACTOR;
    let points = stroke_points(input_points(style, points), size, style.streamline);
    outline_points(&points, size, style.simulates)
}

/// A point and how hard the pen was pressed there, if that is known.
type Input = (Point, Option<f64>);

fn input_points(style: &FreehandStyle, points: &[Point]) -> Vec<Input> {
    if points.is_empty() && !style.simulates {
        return vec![(Point::default(), Some(0.5))];
    }
    // Thinned strokes are thinned evenly: the pressures with them.
    let count = points.len().max(1);
    let stride = style
        .pressures
        .as_ref()
        .map_or(1, |all| all.len().div_ceil(count).max(1));
    let pressure = |at: usize| *style.pressures.as_ref()?.get(at * stride)?;
    let points = points.iter().enumerate();
    points.map(|(at, point)| (*point, pressure(at))).collect()
}

struct StrokePoint {
    point: Point,
    pressure: f64,
    vector: Point,
    distance: f64,
    running_length: f64,
}

fn stroke_points(mut points: Vec<Input>, size: f64, streamline: f64) -> Vec<StrokePoint> {
    let Some(first) = points.first().copied() else {
        return Vec::new();
    };
    let follow = 0.15 + (1.0 - streamline) * 0.85;
    if let [from, to] = *points {
        points = vec![from];
        points.extend((1..5_u8).map(|step| (lerp(from.0, to.0, f64::from(step) / 4.0), None)));
    }
    if points.len() == 1 {
        points.push((first.0.translate(1.0, 1.0), first.1));
    }
    let mut stroke = Vec::with_capacity(points.len());
    stroke.push(StrokePoint {
        point: first.0,
        pressure: first.1.unwrap_or(0.25),
        vector: Point::new(1.0, 1.0),
        distance: 0.0,
        running_length: 0.0,
    });
    let last = points.len() - 1;
    let (mut previous, mut running_length, mut started) = (first.0, 0.0, false);
    for (at, (target, pressure)) in points.iter().enumerate().skip(1) {
        let point = if at == last {
            *target
        } else {
            lerp(previous, *target, follow)
        };
        if point == previous {
            continue;
        }
        let distance = squared_distance(point, previous).sqrt();
        running_length += distance;
        if at < last && !started {
            if running_length < size {
                continue;
            }
            started = true;
        }
        stroke.push(StrokePoint {
            point,
            pressure: pressure.unwrap_or(0.5),
            vector: unit(minus(previous, point)),
            distance,
            running_length,
        });
        previous = point;
    }
    stroke[0].vector = stroke.get(1).map_or(Point::default(), |next| next.vector);
    stroke
}

/// Half the pen's width at this pressure.
fn radius(size: f64, pressure: f64) -> f64 {
    let eased = (0.5 - THINNING * (0.5 - pressure)) * FRAC_PI_2;
    size * eased.sin()
}

fn simulated(before: f64, distance: f64, size: f64) -> f64 {
    let speed = (distance / size).min(1.0);
    let rate = (1.0 - speed).min(1.0);
    (before + (rate - before) * (speed * RATE_OF_CHANGE)).min(1.0)
}

fn outline_points(stroke: &[StrokePoint], size: f64, simulate: bool) -> Vec<Point> {
    let (Some(first), Some(last)) = (stroke.first(), stroke.last()) else {
        return Vec::new();
    };
    if size <= 0.0 {
        return Vec::new();
    }
    let total = last.running_length;
    let min_distance = (size * SMOOTHING).powi(2);
    // The left side is joined by the right one and the caps.
    let mut left: Vec<Point> = Vec::with_capacity(stroke.len() * 2 + 64);
    let mut right: Vec<Point> = Vec::with_capacity(stroke.len() + 16);
    let mut pressure_before = stroke.iter().take(10).fold(first.pressure, |before, at| {
        let pressure = if simulate {
            simulated(before, at.distance, size)
        } else {
            at.pressure
        };
        (before + pressure) / 2.0
    });
    let mut width = radius(size, last.pressure);
    let mut first_width = None;
    let mut vector_before = first.vector;
    let (mut left_before, mut right_before) = (first.point, first.point);
    let mut was_sharp = false;
    for (at, here) in stroke.iter().enumerate() {
        let is_last = at == stroke.len() - 1;
        if !is_last && total - here.running_length < END_NOISE {
            continue;
        }
        let pressure = if simulate {
            simulated(pressure_before, here.distance, size)
        } else {
            here.pressure
        };
        width = radius(size, pressure).max(0.01);
        first_width.get_or_insert(width);
        let next_vector = stroke.get(at + 1).unwrap_or(here).vector;
        let next_dot = if is_last {
            1.0
        } else {
            dot(here.vector, next_vector)
        };
        let turns_back = dot(here.vector, vector_before) < 0.0 && !was_sharp;
        if turns_back || next_dot < 0.0 {
            // A sharp corner: go round it on both sides.
            let offset = times(perpendicular(vector_before), width);
            let mut turn = 0.0;
            while turn <= 1.0 {
                left_before = minus(here.point, offset).rotate(here.point, HALF_TURN * turn);
                left.push(left_before);
                right_before = plus(here.point, offset).rotate(here.point, -HALF_TURN * turn);
                right.push(right_before);
                turn += 1.0 / 13.0;
            }
            was_sharp = was_sharp || next_dot < 0.0;
            continue;
        }
        was_sharp = false;
        if is_last {
            let offset = times(perpendicular(here.vector), width);
            left.push(minus(here.point, offset));
            right.push(plus(here.point, offset));
            continue;
        }
        let offset = times(
            perpendicular(lerp(next_vector, here.vector, next_dot)),
            width,
        );
        let side = minus(here.point, offset);
        if at <= 1 || squared_distance(left_before, side) > min_distance {
            left.push(side);
            left_before = side;
        }
        let side = plus(here.point, offset);
        if at <= 1 || squared_distance(right_before, side) > min_distance {
            right.push(side);
            right_before = side;
        }
        pressure_before = pressure;
        vector_before = here.vector;
    }
    if stroke.len() == 1 {
        return dot_outline(first.point, first_width.unwrap_or(width));
    }
    let mut outline = left;
    let tip = plus(
        last.point,
        times(perpendicular(minus(Point::default(), last.vector)), width),
    );
    outline.extend(cap(tip, last.point, &CAPS.end));
    let start = right.first().copied();
    outline.extend(right.into_iter().rev());
    if let Some(start) = start {
        outline.extend(cap(start, first.point, &CAPS.start));
    }
    outline
}

fn dot_outline(center: Point, width: f64) -> Vec<Point> {
    let away = unit(perpendicular(Point::new(-1.0, -1.0)));
    let start = plus(center, times(away, -width));
    cap(start, center, &CAPS.dot).collect()
}

/// Whether a cap's last step, which ends where the next part starts, is made.
#[derive(PartialEq, Eq)]
enum Edge {
    Included,
    Excluded,
}

/// `start` turned about `center` in steps, over so many half turns.
fn cap(start: Point, center: Point, turns: &[(f64, f64)]) -> impl Iterator<Item = Point> {
    let (dx, dy) = (start.x - center.x, start.y - center.y);
    turns.iter().map(move |(sin, cos)| {
        Point::new(
            center.x + dx * cos - dy * sin,
            center.y + dx * sin + dy * cos,
        )
    })
}

/// The caps of all strokes turn by the same angles: their sines and cosines, worked out once.
struct Caps {
    start: Vec<(f64, f64)>,
    end: Vec<(f64, f64)>,
    dot: Vec<(f64, f64)>,
}

static CAPS: LazyLock<Caps> = LazyLock::new(|| Caps {
    start: turns(13.0, 1.0, Edge::Included),
    end: turns(29.0, 3.0, Edge::Excluded),
    dot: turns(13.0, 2.0, Edge::Included),
});

fn turns(steps: f64, half_turns: f64, edge: Edge) -> Vec<(f64, f64)> {
    let step = 1.0 / steps;
    let mut turns = Vec::new();
    let mut turn = step;
    while turn < 1.0 || (edge == Edge::Included && turn <= 1.0) {
        turns.push((HALF_TURN * half_turns * turn).sin_cos());
        turn += step;
    }
    turns
}

/// The outline with its corners made curves: each point pulls, the middles between them are passed.
fn smooth(points: &[Point]) -> Vec<Segment> {
    let Some(first) = points.first() else {
        return Vec::new();
    };
    // The editor writes two decimals. No point lies so far out that its hundredths would not fit.
    let cut = |value: f64| f64::from((value * 100.0) as i32) * 0.01;
    let cut = |point: Point| Point::new(cut(point.x), cut(point.y));
    let mut path = Vec::with_capacity(points.len() + 3);
    path.push(Segment::Move(cut(*first)));
    for (at, point) in points.iter().enumerate() {
        let next = points.get(at + 1).unwrap_or(first);
        path.push(Segment::Quadratic(cut(*point), cut(point.midpoint(*next))));
    }
    path.extend([Segment::Line(cut(*first)), Segment::Close]);
    path
}

fn plus(a: Point, b: Point) -> Point {
    Point::new(a.x + b.x, a.y + b.y)
}

fn minus(a: Point, b: Point) -> Point {
    Point::new(a.x - b.x, a.y - b.y)
}

fn times(a: Point, by: f64) -> Point {
    Point::new(a.x * by, a.y * by)
}

fn dot(a: Point, b: Point) -> f64 {
    a.x * b.x + a.y * b.y
}

fn perpendicular(a: Point) -> Point {
    Point::new(a.y, -a.x)
}

fn unit(a: Point) -> Point {
    let length = dot(a, a).sqrt();
    if length == 0.0 {
        return Point::default();
    }
    times(a, 1.0 / length)
}

fn lerp(a: Point, b: Point, by: f64) -> Point {
    plus(a, times(minus(b, a), by))
}

fn squared_distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).powi(2) + (a.y - b.y).powi(2)
}
