//! The outlines of the kinds that the editor lacks, and the room inside them.
//!
//! Every outline is given in a unit box, or for round ends in the box itself, walked clockwise, and then made to
//! touch all four sides, so that the box of what is drawn is the box that was asked for.

use std::f64::consts::{PI, SQRT_2, TAU};

use super::GeoKind;
use crate::geometry::{Point, Rect};

/// How finely a half circle is followed.
const ARC_STEPS: usize = 12;

pub(super) fn outline(kind: GeoKind, rect: Rect) -> Vec<Point> {
    let mut points = match kind {
        GeoKind::Pill => pill(rect),
        GeoKind::Cylinder => cylinder(rect),
        GeoKind::Person => person(rect),
        _ => unit_outline(kind)
            .into_iter()
            .map(|(x, y)| Point::new(x, y))
            .collect(),
    };
    fill_box(&mut points, rect);
    if let Some(first) = points.first().copied() {
        points.push(first);
    }
    points
}

/// Corners in a unit box, clockwise, not closed.
#[rustfmt::skip]
fn unit_outline(kind: GeoKind) -> Vec<(f64, f64)> {
    match kind {
        GeoKind::Triangle => vec![(0.5, 0.0), (1.0, 1.0), (0.0, 1.0)],
        GeoKind::Hexagon => vec![(0.25, 0.0), (0.75, 0.0), (1.0, 0.5), (0.75, 1.0), (0.25, 1.0), (0.0, 0.5)],
        GeoKind::Pentagon => regular(5, -PI / 2.0),
        GeoKind::Octagon => regular(8, -PI / 2.0 - PI / 8.0),
        GeoKind::Star => star(),
        GeoKind::ParallelogramRight => vec![(0.2, 0.0), (1.0, 0.0), (0.8, 1.0), (0.0, 1.0)],
        GeoKind::ParallelogramLeft => vec![(0.0, 0.0), (0.8, 0.0), (1.0, 1.0), (0.2, 1.0)],
        GeoKind::Trapezoid => vec![(0.2, 0.0), (0.8, 0.0), (1.0, 1.0), (0.0, 1.0)],
        GeoKind::FatArrowRight => fat_arrow(|along, across| (along, across)),
        GeoKind::FatArrowLeft => fat_arrow(|along, across| (1.0 - along, 1.0 - across)),
        GeoKind::FatArrowDown => fat_arrow(|along, across| (1.0 - across, along)),
        GeoKind::FatArrowUp => fat_arrow(|along, across| (across, 1.0 - along)),
        GeoKind::Heart => heart(),
        GeoKind::Cloud => cloud(),
        // There and back along each diagonal: strokes without an area, so that a fill fills the box.
        GeoKind::XBox => vec![
            (0.0, 0.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0),
        ],
        GeoKind::CheckBox => vec![
            (0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0),
            (0.0, 0.5), (0.38, 0.8), (0.85, 0.2), (0.38, 0.8), (0.0, 0.5),
        ],
        _ => vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
    }
}

fn regular(corners: usize, start: f64) -> Vec<(f64, f64)> {
    let corner = |at: usize| {
        let (sin, cos) = (start + TAU * at as f64 / corners as f64).sin_cos();
        (cos, sin)
    };
    (0..corners).map(corner).collect()
}

fn star() -> Vec<(f64, f64)> {
    // The inner corners of a five-pointed star drawn with five straight lines.
    let inner = (3.0 - 5.0_f64.sqrt()) / 2.0;
    let corner = |at: usize| {
        let radius = if at.is_multiple_of(2) { 1.0 } else { inner };
        let (sin, cos) = (-PI / 2.0 + PI * at as f64 / 5.0).sin_cos();
        (radius * cos, radius * sin)
    };
    (0..10).map(corner).collect()
}

/// Pointing right, then turned by `place`.
fn fat_arrow(place: impl Fn(f64, f64) -> (f64, f64)) -> Vec<(f64, f64)> {
    [
        (0.0, 0.25),
        (0.62, 0.25),
        (0.62, 0.0),
        (1.0, 0.5),
        (0.62, 1.0),
        (0.62, 0.75),
        (0.0, 0.75),
    ]
    .map(|(along, across)| place(along, across))
    .to_vec()
}

fn heart() -> Vec<(f64, f64)> {
    let steps = 4 * ARC_STEPS;
    let point = |at: usize| {
        let t = TAU * at as f64 / steps as f64;
        let y = 13.0 * t.cos() - 5.0 * (2.0 * t).cos() - 2.0 * (3.0 * t).cos() - (4.0 * t).cos();
        (16.0 * t.sin().powi(3), -y)
    };
    (0..steps).map(point).collect()
}

/// Bumps around an ellipse, each an arc outwards between two points on it.
fn cloud() -> Vec<(f64, f64)> {
    const BUMPS: usize = 9;
    const STEPS: usize = 7;
    let on_ellipse = |at: usize| {
        let (sin, cos) = (-PI / 2.0 + TAU * at as f64 / BUMPS as f64).sin_cos();
        Point::new(0.5 + 0.4 * cos, 0.5 + 0.36 * sin)
    };
    let mut points = Vec::with_capacity(BUMPS * STEPS);
    for bump in 0..BUMPS {
        let (from, to) = (on_ellipse(bump), on_ellipse(bump + 1));
        let (middle, radius) = (from.midpoint(to), from.distance(to) / 2.0);
        let start = (from.y - middle.y).atan2(from.x - middle.x);
        for step in 0..STEPS {
            let (sin, cos) = (start + PI * step as f64 / STEPS as f64).sin_cos();
            points.push((middle.x + radius * cos, middle.y + radius * sin));
        }
    }
    points
}

/// A box whose shorter sides are half circles.
fn pill(rect: Rect) -> Vec<Point> {
    let radius = rect.w.min(rect.h) / 2.0;
    let tall = rect.h > rect.w;
    let half = |center: Point, start: f64| {
        (0..=ARC_STEPS).map(move |at| {
            let (sin, cos) = (start + PI * at as f64 / ARC_STEPS as f64).sin_cos();
            center.translate(radius * cos, radius * sin)
        })
    };
    let middle = rect.center();
    let (first, second, start) = if tall {
        (
            Point::new(middle.x, rect.y + radius),
            Point::new(middle.x, rect.bottom() - radius),
            PI,
        )
    } else {
        (
            Point::new(rect.right() - radius, middle.y),
            Point::new(rect.x + radius, middle.y),
            -PI / 2.0,
        )
    };
    half(first, start).chain(half(second, start + PI)).collect()
}

/// The half height of a cylinder's lid.
fn lid(rect: Rect) -> f64 {
    (rect.h * 0.14).min(rect.w * 0.18)
}

/// Around the lid, back along its near edge, and down around the rest: one line, which fills like a body.
fn cylinder(rect: Rect) -> Vec<Point> {
    let (radius, flat) = (rect.w / 2.0, lid(rect));
    let arc = |y: f64, from: f64, to: f64| {
        (0..=ARC_STEPS).map(move |at| {
            let (sin, cos) = (from + (to - from) * at as f64 / ARC_STEPS as f64).sin_cos();
            Point::new(rect.center().x + radius * cos, y + flat * sin)
        })
    };
    let top = rect.y + flat;
    arc(top, PI, TAU)
        .chain(arc(top, 0.0, PI))
        .chain(arc(top, PI, 0.0))
        .chain(arc(rect.bottom() - flat, 0.0, PI))
        .collect()
}

/// The radius of a person's head.
fn head(rect: Rect) -> f64 {
    (rect.h * 0.2).min(rect.w * 0.3)
}

/// A head on round shoulders, in one line.
fn person(rect: Rect) -> Vec<Point> {
    let radius = head(rect);
    let (middle, neck) = (rect.center().x, rect.y + 2.0 * radius);
    let shoulder = (rect.bottom() - neck).min(rect.w / 2.0) * 0.6;
    let arc = |center: Point, radius: f64, from: f64, turn: f64, steps: usize| {
        (0..=steps).map(move |at| {
            let (sin, cos) = (from + turn * at as f64 / steps as f64).sin_cos();
            center.translate(radius * cos, radius * sin)
        })
    };
    let around = Point::new(middle, rect.y + radius);
    let right = Point::new(rect.right() - shoulder, neck + shoulder);
    let left = Point::new(rect.x + shoulder, neck + shoulder);
    arc(around, radius, PI / 2.0, TAU, 3 * ARC_STEPS)
        .chain(arc(right, shoulder, -PI / 2.0, PI / 2.0, ARC_STEPS))
        .chain([
            Point::new(rect.right(), rect.bottom()),
            Point::new(rect.x, rect.bottom()),
        ])
        .chain(arc(left, shoulder, PI, PI / 2.0, ARC_STEPS))
        .collect()
}

fn fill_box(points: &mut [Point], rect: Rect) {
    let Some(own) = Rect::from_points(points.iter().copied()) else {
        return;
    };
    // Multiplied before divided, so that the far sides come out exact.
    let axis = |at: f64, from: f64, length: f64, to: f64, side: f64| {
        if length == 0.0 {
            to
        } else {
            to + (at - from) * side / length
        }
    };
    for point in points {
        *point = Point::new(
            axis(point.x, own.x, own.w, rect.x, rect.w),
            axis(point.y, own.y, own.h, rect.y, rect.h),
        );
    }
}

/// The largest plain box that sits well in the middle of the outline.
#[rustfmt::skip]
pub(super) fn inner_rect(kind: GeoKind, rect: Rect) -> Rect {
    let (x, y, w, h) = match kind {
        GeoKind::Triangle => (0.25, 0.5, 0.5, 0.5),
        GeoKind::Hexagon => (0.1875, 0.125, 0.625, 0.75),
        GeoKind::Pentagon => (0.2, 0.3, 0.6, 0.66),
        GeoKind::Octagon => (0.1465, 0.1465, 0.707, 0.707),
        GeoKind::Star => (0.32, 0.385, 0.36, 0.3),
        GeoKind::ParallelogramRight | GeoKind::ParallelogramLeft => (0.2, 0.0, 0.6, 1.0),
        GeoKind::Trapezoid => (0.15, 0.25, 0.7, 0.75),
        GeoKind::FatArrowRight => (0.0, 0.25, 0.8, 0.5),
        GeoKind::FatArrowLeft => (0.2, 0.25, 0.8, 0.5),
        GeoKind::FatArrowDown => (0.25, 0.0, 0.5, 0.8),
        GeoKind::FatArrowUp => (0.25, 0.2, 0.5, 0.8),
        GeoKind::Heart => (0.18, 0.2, 0.64, 0.36),
        GeoKind::Cloud => (0.17, 0.2, 0.66, 0.6),
        GeoKind::Pill => {
            let inset = rect.w.min(rect.h) / 2.0 * (1.0 - SQRT_2 / 2.0);
            return rect.expand(-inset);
        }
        GeoKind::Cylinder => {
            let flat = lid(rect);
            return Rect::new(
                rect.x + rect.w * 0.02,
                rect.y + 2.0 * flat,
                rect.w * 0.96,
                rect.h - 3.0 * flat,
            );
        }
        GeoKind::Person => {
            let neck = 2.0 * head(rect) + rect.h * 0.08;
            return Rect::new(
                rect.x + rect.w * 0.14,
                rect.y + neck,
                rect.w * 0.72,
                rect.h * 0.98 - neck,
            );
        }
        _ => (0.0, 0.0, 1.0, 1.0),
    };
    Rect::new(rect.x + x * rect.w, rect.y + y * rect.h, w * rect.w, h * rect.h)
}
