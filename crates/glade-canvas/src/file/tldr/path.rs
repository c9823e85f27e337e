//! The lines, arrows and strokes of a tldraw file.

use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use super::look;
use super::packed;
use super::place::Placed;
use super::shape::Maker;
use super::{number, text};
use crate::binding::binding_owner;
use crate::element::{BindMode, Binding, BindingOwner, Element};
use crate::factory::{self, Style};
use crate::geometry::Point;
use crate::palette::Fill;

/// A stroke with more points is left out: nobody drew it.
pub(super) const MAX_POINTS: usize = 200_000;

/// A point as a record has it.
pub(super) fn point(value: &Value) -> Option<Point> {
    let axis = |key: &str| value.get(key)?.as_f64().filter(|number| number.is_finite());
    Some(Point::new(axis("x")?, axis("y")?).sane())
}

/// A freehand stroke, or a highlighter's.
pub(super) fn draw(maker: &mut Maker<'_>, one: &Placed) -> Option<Props> {
    let segments = one.props.get("segments").and_then(Value::as_array);
    let mut points = Vec::new();
    let mut pressures = Vec::new();
    let mut straight = true;
    // A stroke that was resized keeps its points and says by how much.
    let stretch = |key: &str| number(&one.props, key).unwrap_or(1.0);
    let stretch = (stretch("scaleX"), stretch("scaleY"));
    for segment in segments.into_iter().flatten() {
        straight &= segment.get("type").and_then(Value::as_str) == Some("straight");
        if points.len() > MAX_POINTS {
            break;
        }
        let Some(pen_points) = packed::pen_points(segment) else {
            maker.skip(one, "its points are packed in a way that is not known");
            return None;
        };
        for (at, pressure) in pen_points {
            points.push(one.at(at.x * stretch.0, at.y * stretch.1));
            pressures.push(pressure);
        }
    }
    if points.is_empty() || points.len() > MAX_POINTS {
        maker.skip(one, "it has no points, or too many");
        return None;
    }
    if let [only] = points[..] {
        points.push(only.translate(0.01, 0.01));
        pressures.push(pressures[0]);
    }
    let closed = one.props.get("isClosed") == Some(&Value::Bool(true));
    let style = if closed {
        look::style(&one.props)
    } else {
        Style::new(look::color(&one.props), Fill::None)
    };
    if closed {
        points.extend(points.first().copied());
        pressures.push(0.5);
    }
    let mut props = factory::line(&points, style, maker.seed(&one.id), "")?;
    if straight {
        props.insert("polygon".to_owned(), json!(closed));
        return Some(props);
    }
    for key in [
        "startBinding",
        "endBinding",
        "startArrowhead",
        "endArrowhead",
        "polygon",
    ] {
        props.shift_remove(key);
    }
    props.insert("type".to_owned(), json!("freedraw"));
    let is_pen = one.props.get("isPen") == Some(&Value::Bool(true));
    props.insert("simulatePressure".to_owned(), json!(!is_pen));
    props.insert(
        "pressures".to_owned(),
        if is_pen { json!(pressures) } else { json!([]) },
    );
    Some(props)
}

/// A line through handles.
pub(super) fn line(maker: &mut Maker<'_>, one: &Placed) -> Option<Props> {
    let points = one.props.get("points").or_else(|| one.props.get("handles"));
    let mut points: Vec<(String, Point)> = match points {
        Some(Value::Object(points)) => points
            .values()
            .filter_map(|value| {
                let index = value.get("index").and_then(Value::as_str).unwrap_or("");
                Some((index.to_owned(), point(value)?))
            })
            .collect(),
        Some(Value::Array(points)) => points
            .iter()
            .filter_map(|value| Some((String::new(), point(value)?)))
            .collect(),
        _ => Vec::new(),
    };
    points.sort_by(|(a, _), (b, _)| a.cmp(b));
    let points: Vec<Point> = points.iter().map(|(_, at)| one.at(at.x, at.y)).collect();
    let style = Style::new(look::color(&one.props), Fill::None);
    let Some(mut props) = factory::line(&points, style, maker.seed(&one.id), "") else {
        maker.skip(one, "it has fewer than two points");
        return None;
    };
    if text(&one.props, "spline") == "cubic" {
        props.insert("roundness".to_owned(), json!({ "type": 2 }));
    }
    Some(props)
}

pub(super) fn arrow(maker: &mut Maker<'_>, one: &Placed) -> Option<Props> {
    let start = maker.end(one, "start");
    let end = maker.end(one, "end");
    let mut points = vec![start.0, end.0];
    let bend = number(&one.props, "bend").unwrap_or(0.0);
    let length = start.0.distance(end.0);
    if text(&one.props, "kind") == "elbow" {
        maker.map(
            one,
            "a straight arrow, since its corners are routed differently",
        );
    } else if bend.abs() > 1.0 && length > 0.0 {
        let middle = start.0.midpoint(end.0);
        let (ux, uy) = (
            (end.0.x - start.0.x) / length,
            (end.0.y - start.0.y) / length,
        );
        points.insert(1, middle.translate(-uy * bend, ux * bend).sane());
    }
    let style = Style::new(look::color(&one.props), Fill::None);
    let mut props = factory::line(&points, style, maker.seed(&one.id), "")?;
    props.shift_remove("polygon");
    props.insert("type".to_owned(), json!("arrow"));
    props.insert("elbowed".to_owned(), json!(false));
    props.insert("roundness".to_owned(), json!({ "type": 2 }));
    for (key, word) in [
        ("startArrowhead", "arrowheadStart"),
        ("endArrowhead", "arrowheadEnd"),
    ] {
        let (head, same) = look::arrowhead(text(&one.props, word));
        if !same {
            maker.map(one, "an arrow with the nearest head there is");
        }
        props.insert(key.to_owned(), head);
    }
    let mut ours = Props::new();
    for (key, (_, binding)) in [("startBinding", start), ("endBinding", end)] {
        match binding {
            Some(binding) if binding.owner == BindingOwner::Editor => {
                props.insert(key.to_owned(), binding.to_value());
            }
            Some(binding) => {
                ours.insert(key.to_owned(), binding.to_value());
            }
            None => {}
        }
    }
    if !ours.is_empty() {
        props.insert("customData".to_owned(), Value::Object(ours));
    }
    Some(props)
}

impl Maker<'_> {
    /// Where an end of an arrow lies, and what it is tied to.
    fn end(&self, arrow: &Placed, end: &str) -> (Point, Option<Binding>) {
        let stored = arrow.props.get(end).and_then(point).unwrap_or_default();
        let free = arrow.at(stored.x, stored.y);
        let Some(binding) = self.store.binding(arrow, end) else {
            return (free, None);
        };
        let Some(target) = self.placed.shapes.get(text(&binding, "to")) else {
            return (free, None);
        };
        let precise = binding.get("isPrecise") != Some(&Value::Bool(false));
        let anchor = binding
            .get("normalizedAnchor")
            .and_then(point)
            .filter(|_| precise);
        let anchor = anchor.map_or((0.5001, 0.5001), |at| {
            (at.x.clamp(0.0, 1.0), at.y.clamp(0.0, 1.0))
        });
        let aim = target.at(target.size.w * anchor.0, target.size.h * anchor.1);
        // What it will be on the canvas decides who can tie an arrow to it.
        let made = self.preview(target);
        let owner = made.and_then(|props| binding_owner(&Element::new(target.id.as_str(), props)));
        let tie = owner.map(|owner| Binding {
            element_id: ElementId::from(target.id.as_str()),
            fixed_point: anchor,
            mode: match binding.get("isExact") {
                Some(Value::Bool(true)) => BindMode::Inside,
                _ => BindMode::Orbit,
            },
            owner,
        });
        (aim, tie)
    }
}
