//! What a picture needs to know of an element, read from its properties once.
//!
//! Looking each up by its name takes longer than drawing most elements does, and after a rest it is the properties'
//! names and values, scattered over the memory, that a processor waits for. A scene keeps this beside each element.

use glade_doc::ElementId;
use serde_json::Value;

use super::freehand::FreehandStyle;
use super::lettering::Lettering;
use super::style::Style;
use crate::element::{Element, read_points};
use crate::geometry::{Point, Rect, sane};

#[derive(Debug)]
pub(crate) struct Look {
    /// Its colours as they are stored: a theme may change them.
    pub style: Style,
    /// Where it starts.
    pub origin: Point,
    /// As stored: a side can be negative.
    pub size: (f64, f64),
    pub angle: f64,
    pub points: Vec<Point>,
    pub frame: Option<ElementId>,
    pub is_deleted: bool,
    pub is_elbowed: bool,
    /// The names of an arrow's heads.
    pub heads: Heads,
    pub freehand: FreehandStyle,
    /// Only of a text.
    pub lettering: Option<Box<Lettering>>,
}

#[derive(Debug, Default)]
pub(crate) struct Heads {
    pub start: Option<String>,
    pub end: Option<String>,
}

/// The properties that pictures depend on, as they are stored.
#[derive(Default)]
pub(super) struct Stored<'a> {
    kind: Option<&'a Value>,
    frame_id: Option<&'a Value>,
    is_deleted: Option<&'a Value>,
    placement: StoredPlacement<'a>,
    arrow: StoredArrow<'a>,
    pub freehand: StoredFreehand<'a>,
    pub style: StoredStyle<'a>,
}

#[derive(Default)]
struct StoredPlacement<'a> {
    x: Option<&'a Value>,
    y: Option<&'a Value>,
    width: Option<&'a Value>,
    height: Option<&'a Value>,
    angle: Option<&'a Value>,
    points: Option<&'a Value>,
}

#[derive(Default)]
struct StoredArrow<'a> {
    elbowed: Option<&'a Value>,
    start_arrowhead: Option<&'a Value>,
    end_arrowhead: Option<&'a Value>,
}

#[derive(Default)]
pub(super) struct StoredFreehand<'a> {
    pub stroke_options: Option<&'a Value>,
    pub simulate_pressure: Option<&'a Value>,
    pub pressures: Option<&'a Value>,
}

#[derive(Default)]
pub(super) struct StoredStyle<'a> {
    pub seed: Option<&'a Value>,
    pub roughness: Option<&'a Value>,
    pub stroke_width: Option<&'a Value>,
    pub stroke_style: Option<&'a Value>,
    pub stroke_sharpness: Option<&'a Value>,
    pub roundness: Option<&'a Value>,
    pub fill_style: Option<&'a Value>,
    pub stroke_color: Option<&'a Value>,
    pub background_color: Option<&'a Value>,
    pub opacity: Option<&'a Value>,
}

impl<'a> Stored<'a> {
    fn of(element: &'a Element) -> Self {
        let mut stored = Self::default();
        for (key, value) in &element.props {
            // Bytes, since those are told apart by their number and then one by one.
            let place = match key.as_bytes() {
                b"type" => &mut stored.kind,
                b"x" => &mut stored.placement.x,
                b"y" => &mut stored.placement.y,
                b"width" => &mut stored.placement.width,
                b"height" => &mut stored.placement.height,
                b"angle" => &mut stored.placement.angle,
                b"points" => &mut stored.placement.points,
                b"frameId" => &mut stored.frame_id,
                b"isDeleted" => &mut stored.is_deleted,
                b"elbowed" => &mut stored.arrow.elbowed,
                b"startArrowhead" => &mut stored.arrow.start_arrowhead,
                b"endArrowhead" => &mut stored.arrow.end_arrowhead,
                b"strokeOptions" => &mut stored.freehand.stroke_options,
                b"simulatePressure" => &mut stored.freehand.simulate_pressure,
                b"pressures" => &mut stored.freehand.pressures,
                b"seed" => &mut stored.style.seed,
                b"roughness" => &mut stored.style.roughness,
                b"strokeWidth" => &mut stored.style.stroke_width,
                b"strokeStyle" => &mut stored.style.stroke_style,
                b"strokeSharpness" => &mut stored.style.stroke_sharpness,
                b"roundness" => &mut stored.style.roundness,
                b"fillStyle" => &mut stored.style.fill_style,
                b"strokeColor" => &mut stored.style.stroke_color,
                b"backgroundColor" => &mut stored.style.background_color,
                b"opacity" => &mut stored.style.opacity,
                _ => continue,
            };
            *place = Some(value);
        }
        stored
    }
}

impl Look {
    pub fn at(element: &Element) -> Self {
        let stored = Stored::of(element);
        let is_set = |value: Option<&Value>| value.and_then(Value::as_bool) == Some(true);
        let length = |value| number(value).unwrap_or(0.0);
        let points = stored.placement.points.map(read_points).unwrap_or_default();
        // An arrow that says nothing of its end has a head there.
        let end = stored
            .arrow
            .end_arrowhead
            .map_or(Some("arrow"), Value::as_str);
        Self {
            style: Style::of(text(stored.kind), &stored.style),
            origin: Point::new(length(stored.placement.x), length(stored.placement.y)),
            size: (
                length(stored.placement.width),
                length(stored.placement.height),
            ),
            angle: length(stored.placement.angle),
            frame: text(stored.frame_id)
                .filter(|id| !id.is_empty())
                .map(ElementId::from),
            is_deleted: is_set(stored.is_deleted),
            is_elbowed: is_set(stored.arrow.elbowed),
            heads: Heads {
                start: text(stored.arrow.start_arrowhead).map(str::to_owned),
                end: end.map(str::to_owned),
            },
            freehand: FreehandStyle::of(&stored.freehand, points.len()),
            points,
            lettering: (text(stored.kind) == Some("text"))
                .then(|| Box::new(Lettering::of(element))),
        }
    }

    pub fn rect(&self) -> Rect {
        let (Point { x, y }, (w, h)) = (self.origin, self.size);
        Rect::new(x, y, w, h).normalized()
    }
}

/// A finite number, clamped to what geometry can bear.
pub(crate) fn number(value: Option<&Value>) -> Option<f64> {
    let number = value?.as_f64().filter(|number| number.is_finite())?;
    Some(sane(number, 0.0))
}

pub(crate) fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_found_in_one_go_is_what_is_looked_up() {
        let props = json!({"type": "arrow", "x": 3, "y": -4.5, "width": -20, "height": 1e300, "angle": 0.5,
            "points": [[0, 0], [1, "x"], [5, 6]], "frameId": "f", "seed": 7, "index": "a1",
            "isDeleted": true, "elbowed": true});
        let Value::Object(props) = props else {
            unreachable!("an object")
        };
        let element = Element::new("one", props);
        let look = Look::at(&element);
        assert_eq!(look.style.kind, element.kind());
        assert_eq!(look.rect(), element.rect());
        assert_eq!(look.size, (element.width(), element.height()));
        assert_eq!(look.angle, element.angle());
        assert_eq!(look.points, element.points());
        assert_eq!(look.frame, element.frame_id());
        assert!(look.is_deleted && element.is_deleted());
        assert!(look.is_elbowed && element.is_elbowed());
    }
}
