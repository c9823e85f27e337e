//! What a picture needs to know of an element, found in one go through its properties.
//!
//! Looking each up by its name takes longer than drawing most elements does.

use glade_doc::ElementId;
use serde_json::Value;

use crate::element::{Element, ElementKind, read_points};
use crate::geometry::{Point, Rect, sane};

/// The properties that pictures depend on, as they are stored.
#[derive(Default)]
pub(crate) struct Look<'a> {
    kind: Option<&'a Value>,
    x: Option<&'a Value>,
    y: Option<&'a Value>,
    width: Option<&'a Value>,
    height: Option<&'a Value>,
    angle: Option<&'a Value>,
    points: Option<&'a Value>,
    frame_id: Option<&'a Value>,
    is_deleted: Option<&'a Value>,
    elbowed: Option<&'a Value>,
    pub start_arrowhead: Option<&'a Value>,
    pub end_arrowhead: Option<&'a Value>,
    pub stroke_options: Option<&'a Value>,
    pub simulate_pressure: Option<&'a Value>,
    pub pressures: Option<&'a Value>,
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

impl<'a> Look<'a> {
    pub fn at(element: &'a Element) -> Self {
        let mut look = Self::default();
        for (key, value) in &element.props {
            // Bytes, since those are told apart by their number and then one by one.
            let place = match key.as_bytes() {
                b"type" => &mut look.kind,
                b"x" => &mut look.x,
                b"y" => &mut look.y,
                b"width" => &mut look.width,
                b"height" => &mut look.height,
                b"angle" => &mut look.angle,
                b"points" => &mut look.points,
                b"frameId" => &mut look.frame_id,
                b"isDeleted" => &mut look.is_deleted,
                b"elbowed" => &mut look.elbowed,
                b"startArrowhead" => &mut look.start_arrowhead,
                b"endArrowhead" => &mut look.end_arrowhead,
                b"strokeOptions" => &mut look.stroke_options,
                b"simulatePressure" => &mut look.simulate_pressure,
                b"pressures" => &mut look.pressures,
                b"seed" => &mut look.seed,
                b"roughness" => &mut look.roughness,
                b"strokeWidth" => &mut look.stroke_width,
                b"strokeStyle" => &mut look.stroke_style,
                b"strokeSharpness" => &mut look.stroke_sharpness,
                b"roundness" => &mut look.roundness,
                b"fillStyle" => &mut look.fill_style,
                b"strokeColor" => &mut look.stroke_color,
                b"backgroundColor" => &mut look.background_color,
                b"opacity" => &mut look.opacity,
                _ => continue,
            };
            *place = Some(value);
        }
        look
    }

    pub fn kind(&self) -> ElementKind {
        ElementKind::parse(text(self.kind).unwrap_or(""))
    }

    pub fn is_deleted(&self) -> bool {
        self.is_deleted.and_then(Value::as_bool) == Some(true)
    }

    pub fn is_elbowed(&self) -> bool {
        self.elbowed.and_then(Value::as_bool) == Some(true)
    }

    /// Where it starts.
    pub fn origin(&self) -> Point {
        Point::new(number(self.x).unwrap_or(0.0), number(self.y).unwrap_or(0.0))
    }

    /// As stored: a side can be negative.
    pub fn size(&self) -> (f64, f64) {
        (
            number(self.width).unwrap_or(0.0),
            number(self.height).unwrap_or(0.0),
        )
    }

    pub fn rect(&self) -> Rect {
        let (Point { x, y }, (w, h)) = (self.origin(), self.size());
        Rect::new(x, y, w, h).normalized()
    }

    pub fn angle(&self) -> f64 {
        number(self.angle).unwrap_or(0.0)
    }

    pub fn points(&self) -> Vec<Point> {
        self.points.map(read_points).unwrap_or_default()
    }

    pub fn frame_id(&self) -> Option<ElementId> {
        text(self.frame_id)
            .filter(|id| !id.is_empty())
            .map(ElementId::from)
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
        assert_eq!(look.kind(), element.kind());
        assert_eq!(look.rect(), element.rect());
        assert_eq!(look.size(), (element.width(), element.height()));
        assert_eq!(look.angle(), element.angle());
        assert_eq!(look.points(), element.points());
        assert_eq!(look.frame_id(), element.frame_id());
        assert!(look.is_deleted() && element.is_deleted());
        assert!(look.is_elbowed() && element.is_elbowed());
    }
}
