//! Cubic curves: the way of a rounded line, and how far a curve reaches.

use std::sync::LazyLock;

use crate::geometry::{Point, Rect};

/// From, two handles, to.
pub(crate) type Cubic = [Point; 4];

/// The way of a rounded line through its points: a Catmull-Rom spline, as the editor draws it before its hand shakes.
pub(crate) fn through(points: &[Point]) -> Vec<Cubic> {
    let last = points.len().saturating_sub(1);
    let at = |index: usize| points[index.min(last)];
    (0..last)
        .map(|index| {
            let (before, from) = (at(index.saturating_sub(1)), at(index));
            let (to, after) = (at(index + 1), at(index + 2));
            [
                from,
                from.translate((to.x - before.x) / 6.0, (to.y - before.y) / 6.0),
                to.translate((from.x - after.x) / 6.0, (from.y - after.y) / 6.0),
                to,
            ]
        })
        .collect()
}

/// The box around a curve by its true extremes.
pub(crate) fn bounds(cubic: Cubic) -> Rect {
    let (left, right) = extremes(cubic.map(|point| point.x));
    let (top, bottom) = extremes(cubic.map(|point| point.y));
    Rect::new(left, top, right - left, bottom - top)
}

/// The point a share of the way along.
pub(crate) fn at([p0, p1, p2, p3]: Cubic, t: f64) -> Point {
    Point::new(
        value([p0.x, p1.x, p2.x, p3.x], t),
        value([p0.y, p1.y, p2.y, p3.y], t),
    )
}

/// How long the curve is from its start to `t`, by the quadrature that the editor uses: a coarser or a finer one
/// would end its search elsewhere on the curve.
pub(crate) fn length_to(cubic: Cubic, t: f64) -> f64 {
    let [p0, p1, p2, p3] = cubic;
    let slope = |a: f64, b: f64, c: f64, d: f64, t: f64| {
        let s = 1.0 - t;
        3.0 * (s * s * (b - a) + 2.0 * s * t * (c - b) + t * t * (d - c))
    };
    let speed = |t: f64| slope(p0.x, p1.x, p2.x, p3.x, t).hypot(slope(p0.y, p1.y, p2.y, p3.y, t));
    let half = t / 2.0;
    let sum: f64 = GAUSS
        .iter()
        .map(|(node, weight)| weight * speed(half * node + half))
        .sum();
    sum * half
}

/// The nodes and weights of Gauss and Legendre of order 24: roots of the Legendre polynomial, found by Newton's method.
static GAUSS: LazyLock<Vec<(f64, f64)>> = LazyLock::new(|| {
    const ORDER: u32 = 24;
    let order = f64::from(ORDER);
    let polynomial = |x: f64| {
        let (mut before, mut value) = (1.0, x);
        for degree in 2..=ORDER {
            let degree = f64::from(degree);
            let next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree;
            (before, value) = (value, next);
        }
        (value, order * (x * value - before) / (x * x - 1.0))
    };
    let node = |at: u32| {
        let mut x = (std::f64::consts::PI * (f64::from(at) + 0.75) / (order + 0.5)).cos();
        for _ in 0..8 {
            let (value, slope) = polynomial(x);
            x -= value / slope;
        }
        let (_, slope) = polynomial(x);
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..ORDER).map(node).collect()
});

/// The point at a share of the curve's length, found as exactly as the editor finds it: to a ten-thousandth of it.
pub(crate) fn at_length(cubic: Cubic, share: f64) -> Point {
    let total = length_to(cubic, 1.0);
    let (mut low, mut high, mut t) = (0.0, 1.0, share.clamp(0.0, 1.0));
    for _ in 0..20 {
        let missing = total * share - length_to(cubic, t);
        if missing.abs() < total * 1e-4 {
            break;
        }
        if missing > 0.0 {
            low = t;
        } else {
            high = t;
        }
        t = (low + high) / 2.0;
    }
    at(cubic, t)
}

/// The least and the most that a cubic reaches on one axis.
fn extremes(axis: [f64; 4]) -> (f64, f64) {
    let [p0, p1, p2, p3] = axis;
    let (mut least, mut most) = (p0.min(p3), p0.max(p3));
    let (i, j, k) = (p1 - p0, p2 - p1, p3 - p2);
    let (a, b, c) = (3.0 * i - 6.0 * j + 3.0 * k, 6.0 * j - 6.0 * i, 3.0 * i);
    let root = (b * b - 4.0 * a * c).sqrt();
    let turns = if a == 0.0 {
        [-c / b, f64::NAN]
    } else {
        [(-b + root) / (2.0 * a), (-b - root) / (2.0 * a)]
    };
    for t in turns.into_iter().filter(|t| (0.0..=1.0).contains(t)) {
        let value = value(axis, t);
        least = least.min(value);
        most = most.max(value);
    }
    (least, most)
}

fn value([p0, p1, p2, p3]: [f64; 4], t: f64) -> f64 {
    let s = 1.0 - t;
    s.powi(3) * p0 + 3.0 * s * s * t * p1 + 3.0 * s * t * t * p2 + t.powi(3) * p3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_reaches_beyond_its_ends_and_not_as_far_as_its_handles() {
        let arch = [
            Point::new(0.0, 0.0),
            Point::new(0.0, -100.0),
            Point::new(100.0, -100.0),
            Point::new(100.0, 0.0),
        ];
        assert_eq!(bounds(arch), Rect::new(0.0, -75.0, 100.0, 75.0));
    }

    #[test]
    fn a_straight_curve_is_as_long_as_its_ends_are_apart() {
        let way = through(&[Point::new(0.0, 0.0), Point::new(30.0, 40.0)]);
        assert!((length_to(way[0], 1.0) - 50.0).abs() < 1e-9);
        assert_eq!(
            GAUSS.iter().map(|(_, weight)| weight).sum::<f64>().round(),
            2.0
        );
    }

    #[test]
    fn two_points_make_a_straight_way() {
        let way = through(&[Point::new(0.0, 0.0), Point::new(60.0, 30.0)]);
        assert_eq!(way.len(), 1);
        assert_eq!(bounds(way[0]), Rect::new(0.0, 0.0, 60.0, 30.0));
        assert_eq!(at(way[0], 0.5), Point::new(30.0, 15.0));
    }
}
