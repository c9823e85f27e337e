//! Bindings of older files: `{elementId, focus, gap}`, or with a fixed point and no mode.
//!
//! What they aimed at shows in how the arrow lies. An end beside the middle of a side aims at that middle; else the line
//! that the arrow comes along, led on into the element, meets one of its diagonals. That is where the newer editor aims
//! too when it opens such a file.

use std::collections::BTreeMap;

use glade_doc::ElementId;
use serde_json::Value;

use super::load::Note;
use crate::binding::{aimed_at, gap, is_bindable};
use crate::bounds::{local_rect, page_points};
use crate::element::{BindMode, Binding, Element, ElementKind};
use crate::geometry::Point;
use crate::outline::{outline, side_middles};

pub(super) fn convert(elements: &mut [Element], notes: &mut Vec<Note>) {
    let is_old = |element: &Element, key: &str| {
        // An elbow arrow's fixed points always were what they are now.
        let since = if element.is_elbowed() {
            "fixedPoint"
        } else {
            "mode"
        };
        let binding = element.props.get(key).filter(|binding| binding.is_object());
        binding.is_some_and(|binding| binding.get(since).is_none_or(Value::is_null))
    };
    let mut converted: BTreeMap<(usize, &str), Value> = BTreeMap::new();
    let at: BTreeMap<ElementId, usize> = elements
        .iter()
        .enumerate()
        .map(|(at, element)| (element.id.clone(), at))
        .collect();
    for (place, arrow) in elements.iter().enumerate() {
        if arrow.kind() != ElementKind::Arrow {
            continue;
        }
        let tie = |key: &str| {
            let binding = arrow.props.get(key).and_then(Binding::from_value)?;
            let target = &elements[*at.get(&binding.element_id)?];
            is_bindable(target).then_some((binding, target))
        };
        for (key, other) in [
            ("startBinding", "endBinding"),
            ("endBinding", "startBinding"),
        ] {
            if !is_old(arrow, key) {
                continue;
            }
            let value = match tie(key) {
                Some((binding, _)) if arrow.is_elbowed() => binding.to_value(),
                Some(own) => aimed(arrow, key == "startBinding", own, tie(other)).to_value(),
                None => Value::Null,
            };
            converted.insert((place, key), value);
        }
    }
    for ((place, key), value) in converted {
        let arrow = &mut elements[place];
        notes.push(Note::Rebound {
            arrow: arrow.id.clone(),
        });
        arrow.props.insert(key.to_owned(), value);
    }
}

/// An arrow with no side this long is too short to say where it comes from.
const SHORT: f64 = 3.0;
/// An end this near to the middle of a side, and half the stroke, was meant for it.
const NEAR_MIDDLE: f64 = 15.0;
/// Nobody aims at the very corners of a rectangle.
const CORNER: f64 = 15.0;

fn aimed(
    arrow: &Element,
    at_start: bool,
    (binding, target): (Binding, &Element),
    other: Option<(Binding, &Element)>,
) -> Binding {
    let points = page_points(arrow);
    let (end, before) = match (points.as_slice(), at_start) {
        ([first, second, ..], true) => (*first, *second),
        ([.., before, last], false) => (*last, *before),
        _ => return binding,
    };
    let inside = outline(target, 0.0).contains(end);
    let from = match other {
        Some((other, element)) if points.len() == 2 => aimed_at(&other, element),
        _ => before,
    };
    let size = local_rect(arrow);
    let led_on = || {
        let long_enough = size.w >= SHORT || size.h >= SHORT;
        let aim = || near_middle(target, end).or_else(|| on_diagonal(target, from, end));
        long_enough.then(aim).flatten()
    };
    let (aim, mode) = if inside {
        (end, BindMode::Inside)
    } else {
        (led_on().unwrap_or(end), BindMode::Orbit)
    };
    let rect = local_rect(target);
    let local = aim.rotate(rect.center(), -target.angle());
    let share = |at: f64, from: f64, side: f64| (at - from) / side.max(gap(target));
    let fixed_point = if rect.w < 1.0 || rect.h < 1.0 {
        (0.5, 0.5)
    } else {
        (
            share(local.x, rect.x, rect.w),
            share(local.y, rect.y, rect.h),
        )
    };
    let moved = Binding {
        fixed_point,
        mode,
        ..binding
    };
    // Read back as it will be: the editor keeps aims off the very middle.
    Binding::from_value(&moved.to_value()).unwrap_or(moved)
}

fn near_middle(target: &Element, end: Point) -> Option<Point> {
    let reach = NEAR_MIDDLE + target.stroke_width() / 2.0;
    let mut middles = side_middles(target).into_iter();
    middles.find(|middle| middle.distance(end) <= reach)
}

/// Where the ray first crosses a line through the middle: a rectangle's diagonals, of the others what parts them in
/// halves.
fn on_diagonal(target: &Element, from: Point, through: Point) -> Option<Point> {
    let rect = local_rect(target);
    let ends = match target.kind() {
        ElementKind::Ellipse | ElementKind::Diamond => {
            let middle = rect.center();
            [
                (
                    Point::new(middle.x, rect.y),
                    Point::new(middle.x, rect.bottom()),
                ),
                (
                    Point::new(rect.x, middle.y),
                    Point::new(rect.right(), middle.y),
                ),
            ]
        }
        kind => {
            let [top_left, top_right, bottom_right, bottom_left] = rect.corners();
            let cut = match kind {
                ElementKind::Rectangle => CORNER,
                _ => 0.0,
            };
            [(top_left, bottom_right), (top_right, bottom_left)].map(|ends| shortened(ends, cut))
        }
    };
    let edge = outline(target, 0.0);
    ends.into_iter()
        .filter_map(|(a, b)| {
            let turn = |point: Point| point.rotate(rect.center(), target.angle());
            ray_meets(from, through, turn(a), turn(b))
        })
        .min_by(|a, b| a.distance(from).total_cmp(&b.distance(from)))
        .filter(|aim| edge.contains(*aim))
}

fn shortened((a, b): (Point, Point), by: f64) -> (Point, Point) {
    let length = a.distance(b);
    if length == 0.0 {
        return (a, b);
    }
    let (dx, dy) = ((b.x - a.x) / length * by, (b.y - a.y) / length * by);
    (a.translate(dx, dy), b.translate(-dx, -dy))
}

/// Where the ray from `from` through `through` crosses the segment.
fn ray_meets(from: Point, through: Point, a: Point, b: Point) -> Option<Point> {
    let (rx, ry) = (through.x - from.x, through.y - from.y);
    let (sx, sy) = (b.x - a.x, b.y - a.y);
    let cross = rx * sy - ry * sx;
    if cross == 0.0 {
        return None;
    }
    let (qx, qy) = (a.x - from.x, a.y - from.y);
    let along = (qx * sy - qy * sx) / cross;
    let across = (qx * ry - qy * rx) / cross;
    let meets = along >= 0.0 && (0.0..=1.0).contains(&across);
    meets.then(|| Point::new(from.x + rx * along, from.y + ry * along))
}
