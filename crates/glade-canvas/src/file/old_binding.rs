//! Bindings of files before the fixed point: `{elementId, focus, gap}`.
//!
//! What they aimed at shows in how the arrow lies: the line of its last segment, led on into the element, meets
//! one of the diagonals of its box. That is where the newer editor aims too when it opens such a file.

use std::collections::BTreeMap;

use glade_doc::ElementId;
use serde_json::Value;

use super::load::Note;
use crate::binding::is_bindable;
use crate::bounds::{local_rect, page_points};
use crate::element::{BindMode, Binding, Element, ElementKind};
use crate::geometry::Point;
use crate::outline::outline;

pub(super) fn convert(elements: &mut [Element], notes: &mut Vec<Note>) {
    let is_old = |element: &Element, key: &str| {
        let binding = element.props.get(key).filter(|binding| binding.is_object());
        binding.is_some_and(|binding| binding.get("fixedPoint").is_none_or(Value::is_null))
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
        for key in ["startBinding", "endBinding"] {
            if !is_old(arrow, key) {
                continue;
            }
            let binding = arrow.props.get(key).and_then(Binding::from_value);
            let target = binding
                .as_ref()
                .and_then(|binding| at.get(&binding.element_id))
                .map(|at| &elements[*at])
                .filter(|target| is_bindable(target));
            let value = match (binding, target) {
                (Some(binding), Some(target)) => {
                    aimed(arrow, key == "startBinding", binding, target).to_value()
                }
                _ => Value::Null,
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

fn aimed(arrow: &Element, at_start: bool, binding: Binding, target: &Element) -> Binding {
    let points = page_points(arrow);
    let ends = match (points.as_slice(), at_start) {
        ([first, second, ..], true) => Some((*first, *second)),
        ([.., before, last], false) => Some((*last, *before)),
        _ => None,
    };
    let Some((end, before)) = ends else {
        return binding;
    };
    let inside = outline(target, 0.0).contains(end);
    let rect = local_rect(target);
    let (center, angle) = (rect.center(), target.angle());
    let [top_left, top_right, bottom_right, bottom_left] =
        rect.corners().map(|corner| corner.rotate(center, angle));
    let aim = if inside {
        end
    } else {
        [(top_left, bottom_right), (top_right, bottom_left)]
            .into_iter()
            .filter_map(|(from, to)| ray_meets(before, end, from, to))
            .min_by(|a, b| a.distance(end).total_cmp(&b.distance(end)))
            .unwrap_or(center)
    };
    let local = aim.rotate(center, -angle);
    let share = |at: f64, from: f64, side: f64| if side > 0.0 { (at - from) / side } else { 0.5 };
    let fixed_point = (
        share(local.x, rect.x, rect.w),
        share(local.y, rect.y, rect.h),
    );
    let mode = if inside {
        BindMode::Inside
    } else {
        BindMode::Orbit
    };
    let moved = Binding {
        fixed_point,
        mode,
        ..binding
    };
    // Read back as it will be: the editor keeps aims off the very middle.
    Binding::from_value(&moved.to_value()).unwrap_or(moved)
}

/// Where the ray from `from` through `through`, beyond it, crosses the segment.
fn ray_meets(from: Point, through: Point, a: Point, b: Point) -> Option<Point> {
    let (rx, ry) = (through.x - from.x, through.y - from.y);
    let (sx, sy) = (b.x - a.x, b.y - a.y);
    let cross = rx * sy - ry * sx;
    if cross == 0.0 {
        return None;
    }
    let (qx, qy) = (a.x - through.x, a.y - through.y);
    let along = (qx * sy - qy * sx) / cross;
    let across = (qx * ry - qy * rx) / cross;
    let meets = along >= 0.0 && (0.0..=1.0).contains(&across);
    meets.then(|| Point::new(through.x + rx * along, through.y + ry * along))
}
