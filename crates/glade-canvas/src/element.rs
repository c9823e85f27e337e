//! One element as the document holds it, read through typed accessors.
//!
//! Properties stay as they came, unknown ones included; nothing is lost by passing through here. Whatever is
//! missing, of the wrong type or out of range reads as the editor's default, so the rest of the crate needs no
//! error paths for odd elements.

use glade_doc::{ElementId, Props};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::geometry::{COORDINATE_LIMIT, Point, Rect, sane};
use crate::text::FontFamily;

pub use crate::kind::ElementKind;

/// How a bound arrow end relates to the element's outline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BindMode {
    /// The end sits exactly on the fixed point.
    Inside,
    /// The end sits where the line to the fixed point meets the outline, a small gap away.
    #[default]
    Orbit,
    /// Read like orbit; the editor uses it while a person drags.
    Skip,
}

/// One end of an arrow tied to an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub element_id: ElementId,
    /// The point aimed at, in shares of the element's unrotated box.
    pub fixed_point: (f64, f64),
    pub mode: BindMode,
    pub owner: BindingOwner,
}

/// Who follows a binding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BindingOwner {
    /// The editor and we: `startBinding`, `endBinding`.
    #[default]
    Editor,
    /// We alone, since the editor cannot bind to what it is tied to: the same name in `customData`.
    Glade,
}

impl Binding {
    /// Aims at the middle. Not 0.5 itself: the editor rewrites that to 0.5001 to keep headings unambiguous.
    pub fn to_center(element_id: ElementId) -> Self {
        Self {
            element_id,
            fixed_point: (0.5001, 0.5001),
            mode: BindMode::Orbit,
            owner: BindingOwner::Editor,
        }
    }

    /// Aims at a place, in shares of the element's box.
    pub fn to_place(element_id: ElementId, place: (f64, f64)) -> Self {
        Self {
            fixed_point: normalize_fixed_point(place),
            ..Self::to_center(element_id)
        }
    }

    pub fn from_value(value: &Value) -> Option<Self> {
        let id = value
            .get("elementId")?
            .as_str()
            .filter(|id| !id.is_empty())?;
        // Files before the fixed point hold {focus, gap}: aiming at the middle is what they mostly meant.
        let fixed_point = value
            .get("fixedPoint")
            .and_then(read_pair)
            .unwrap_or((0.5, 0.5));
        let mode = match value.get("mode").and_then(Value::as_str) {
            Some("inside") => BindMode::Inside,
            Some("skip") => BindMode::Skip,
            _ => BindMode::Orbit,
        };
        Some(Self {
            element_id: ElementId::from(id),
            fixed_point: normalize_fixed_point(fixed_point),
            mode,
            owner: BindingOwner::Editor,
        })
    }

    pub fn to_value(&self) -> Value {
        serde_json::json!({
            "elementId": self.element_id.as_str(),
            "fixedPoint": [self.fixed_point.0, self.fixed_point.1],
            "mode": self.mode,
        })
    }
}

fn normalize_fixed_point((x, y): (f64, f64)) -> (f64, f64) {
    let axis = |ratio: f64| {
        let ratio = ratio.clamp(-10.0, 10.0);
        if (ratio - 0.5).abs() < 1e-4 {
            0.5001
        } else {
            ratio
        }
    };
    (axis(x), axis(y))
}

/// Points as they are stored.
pub(crate) fn read_points(value: &Value) -> Vec<Point> {
    let stored = value.as_array().map_or(&[][..], Vec::as_slice);
    let mut points = Vec::with_capacity(stored.len());
    points.extend(stored.iter().filter_map(read_point));
    points
}

/// Two numbers and no more: to the editor anything else is no point.
pub(crate) fn read_point(value: &Value) -> Option<Point> {
    let axis = |value: f64| value.clamp(-2.0 * COORDINATE_LIMIT, 2.0 * COORDINATE_LIMIT);
    let is_pair = value.as_array().is_some_and(|point| point.len() == 2);
    let (x, y) = read_pair(value).filter(|_| is_pair)?;
    Some(Point::new(axis(x), axis(y)))
}

pub(crate) fn read_pair(value: &Value) -> Option<(f64, f64)> {
    let pair = value.as_array()?;
    let axis = |at: usize| pair.get(at)?.as_f64().filter(|number| number.is_finite());
    Some((axis(0)?, axis(1)?))
}

/// How text lines up across.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextAlign {
    Left,
    Center,
    Right,
}

/// Where text sits in its container's height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerticalAlign {
    Top,
    Middle,
    Bottom,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    pub id: ElementId,
    pub props: Props,
}

impl Element {
    pub fn new(id: impl Into<ElementId>, props: Props) -> Self {
        Self {
            id: id.into(),
            props,
        }
    }

    pub fn kind(&self) -> ElementKind {
        ElementKind::parse(self.str_or("type", ""))
    }

    pub fn x(&self) -> f64 {
        self.number_or("x", 0.0)
    }

    pub fn y(&self) -> f64 {
        self.number_or("y", 0.0)
    }

    pub fn width(&self) -> f64 {
        self.number_or("width", 0.0)
    }

    pub fn height(&self) -> f64 {
        self.number_or("height", 0.0)
    }

    /// Radians, clockwise, about the middle of the box.
    pub fn angle(&self) -> f64 {
        self.number_or("angle", 0.0)
    }

    /// The box as stored, before rotation. For linear elements prefer [`crate::bounds::local_rect`].
    pub fn rect(&self) -> Rect {
        Rect::new(self.x(), self.y(), self.width(), self.height()).normalized()
    }

    pub fn is_deleted(&self) -> bool {
        self.bool_or("isDeleted", false)
    }

    pub fn is_locked(&self) -> bool {
        self.bool_or("locked", false)
    }

    pub fn is_elbowed(&self) -> bool {
        self.bool_or("elbowed", false)
    }

    /// The shape whose label this text is: the editor's `containerId`, or for a polygon of ours
    /// `customData.labelOf`.
    pub fn container_id(&self) -> Option<ElementId> {
        self.id_at("containerId")
            .or_else(|| self.custom_str("labelOf").map(ElementId::from))
    }

    /// Whether this is the label of a polygon of ours: to the editor a text in the same group.
    pub fn is_grouped_label(&self) -> bool {
        self.id_at("containerId").is_none() && self.custom_str("labelOf").is_some()
    }

    pub fn frame_id(&self) -> Option<ElementId> {
        self.id_at("frameId")
    }

    pub fn start_binding(&self) -> Option<Binding> {
        self.binding_at("startBinding")
    }

    pub fn end_binding(&self) -> Option<Binding> {
        self.binding_at("endBinding")
    }

    fn binding_at(&self, key: &str) -> Option<Binding> {
        let editors = self.props.get(key).and_then(Binding::from_value);
        editors.or_else(|| {
            let ours = Binding::from_value(self.props.get("customData")?.get(key)?)?;
            Some(Binding {
                owner: BindingOwner::Glade,
                ..ours
            })
        })
    }

    /// Whether a text can sit inside as the label.
    pub fn holds_label(&self) -> bool {
        self.kind().holds_label() || crate::geo::polygon_kind(self).is_some()
    }

    pub fn has_arrowhead(&self, key: &str) -> bool {
        // An arrow that says nothing of its end has a head there.
        let missing = key == "endArrowhead";
        self.props.get(key).map_or(missing, |head| !head.is_null())
    }

    /// Relative to (x, y), so up to twice as far as a coordinate. Points that are not two finite
    /// numbers are left out.
    pub fn points(&self) -> Vec<Point> {
        let points = self.props.get("points");
        points.map(read_points).unwrap_or_default()
    }

    /// The text as typed, before wrapping. Files that hold only the wrapped `text` read as that.
    pub fn original_text(&self) -> &str {
        let text = self.props.get("originalText").and_then(Value::as_str);
        text.or_else(|| self.props.get("text").and_then(Value::as_str))
            .unwrap_or("")
    }

    pub fn font_size(&self) -> f64 {
        self.number_or("fontSize", 20.0).clamp(1.0, 2000.0)
    }

    pub fn font_family(&self) -> FontFamily {
        FontFamily::from_number(
            self.props
                .get("fontFamily")
                .and_then(Value::as_i64)
                .unwrap_or(5),
        )
    }

    pub fn line_height(&self) -> f64 {
        let own = self.props.get("lineHeight").and_then(Value::as_f64);
        own.filter(|height| (0.001..=1000.0).contains(height))
            .unwrap_or_else(|| self.font_family().line_height())
    }

    pub fn auto_resize(&self) -> bool {
        self.bool_or("autoResize", true)
    }

    pub fn text_align(&self) -> TextAlign {
        match self.str_or("textAlign", "left") {
            "center" => TextAlign::Center,
            "right" => TextAlign::Right,
            _ => TextAlign::Left,
        }
    }

    pub fn vertical_align(&self) -> VerticalAlign {
        match self.str_or("verticalAlign", "top") {
            "middle" => VerticalAlign::Middle,
            "bottom" => VerticalAlign::Bottom,
            _ => VerticalAlign::Top,
        }
    }

    pub fn stroke_color(&self) -> &str {
        self.str_or("strokeColor", "#1e1e1e")
    }

    pub fn background_color(&self) -> &str {
        self.str_or("backgroundColor", "transparent")
    }

    pub fn fill_style(&self) -> &str {
        self.str_or("fillStyle", "solid")
    }

    pub fn stroke_width(&self) -> f64 {
        self.number_or("strokeWidth", 2.0).clamp(0.0, 1000.0)
    }

    /// The fractional order key; none when missing or empty.
    pub fn index(&self) -> Option<&str> {
        self.props
            .get("index")
            .and_then(Value::as_str)
            .filter(|index| !index.is_empty())
    }

    /// Innermost group first.
    pub fn group_ids(&self) -> Vec<&str> {
        let Some(ids) = self.props.get("groupIds").and_then(Value::as_array) else {
            return Vec::new();
        };
        ids.iter().filter_map(Value::as_str).collect()
    }

    /// A string kept in `customData` under `key`.
    pub fn custom_str(&self, key: &str) -> Option<&str> {
        self.props.get("customData")?.get(key)?.as_str()
    }

    /// A finite number, clamped to what geometry can bear.
    pub fn number(&self, key: &str) -> Option<f64> {
        let number = self
            .props
            .get(key)?
            .as_f64()
            .filter(|number| number.is_finite())?;
        Some(sane(number, 0.0))
    }

    /// The element with these properties written over its own.
    pub fn with(&self, changes: &Props) -> Element {
        let mut props = self.props.clone();
        props.extend(
            changes
                .iter()
                .map(|(key, value)| (key.clone(), value.clone())),
        );
        Element {
            id: self.id.clone(),
            props,
        }
    }

    fn number_or(&self, key: &str, default: f64) -> f64 {
        self.number(key).unwrap_or(default)
    }

    fn bool_or(&self, key: &str, default: bool) -> bool {
        self.props
            .get(key)
            .and_then(Value::as_bool)
            .unwrap_or(default)
    }

    fn str_or<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.props
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or(default)
    }

    fn id_at(&self, key: &str) -> Option<ElementId> {
        self.props
            .get(key)
            .and_then(Value::as_str)
            .filter(|id| !id.is_empty())
            .map(ElementId::from)
    }
}
