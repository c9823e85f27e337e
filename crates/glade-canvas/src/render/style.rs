//! How an element is to look, read once with the editor's defaults.

use std::borrow::Cow;
use std::ops::Deref;

use serde_json::Value;

use super::Theme;
use super::color::Rgba;
use super::look::{StoredStyle, number, text};
use super::rough::FillStyle;
use crate::element::{Element, ElementKind};
use crate::geometry::Point;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StrokeStyle {
    Solid,
    Dashed,
    Dotted,
}

/// How corners are rounded: by a share of the side, or by a fixed radius where there is room for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Roundness {
    Proportional,
    Adaptive(f64),
}

#[derive(Clone, Debug)]
pub(crate) struct Style {
    pub kind: ElementKind,
    pub seed: f64,
    pub roughness: f64,
    pub stroke_width: f64,
    pub stroke_style: StrokeStyle,
    pub roundness: Option<Roundness>,
    pub fill_style: FillStyle,
    pub stroke: Rgba,
    pub background: Rgba,
    pub has_background: bool,
    pub opacity: f64,
}

const PROPORTIONAL_RADIUS: f64 = 0.25;
const ADAPTIVE_RADIUS: f64 = 32.0;
/// Beyond this a stroke is a scribble over the whole page.
const MAX_ROUGHNESS: f64 = 10.0;

impl Style {
    pub(super) fn of(kind: Option<&str>, stored: &StoredStyle) -> Self {
        let color = |value: Option<&Value>, missing| Rgba::parse(word(value).unwrap_or(missing));
        Self {
            kind: ElementKind::parse(kind.unwrap_or("")),
            seed: stored.seed.and_then(Value::as_f64).unwrap_or(1.0),
            roughness: number(stored.roughness)
                .unwrap_or(1.0)
                .clamp(0.0, MAX_ROUGHNESS),
            stroke_width: number(stored.stroke_width)
                .filter(|width| *width != 0.0)
                .unwrap_or(2.0)
                .clamp(0.0, 1000.0),
            stroke_style: match text(stored.stroke_style) {
                Some("dashed") => StrokeStyle::Dashed,
                Some("dotted") => StrokeStyle::Dotted,
                _ => StrokeStyle::Solid,
            },
            roundness: roundness(stored),
            fill_style: match word(stored.fill_style) {
                Some("solid") | None => FillStyle::Solid,
                Some("cross-hatch") => FillStyle::CrossHatch,
                Some("zigzag") => FillStyle::Zigzag,
                _ => FillStyle::Hachure,
            },
            stroke: color(stored.stroke_color, "#1e1e1e"),
            background: color(stored.background_color, "transparent"),
            // By its word: a colour that cannot be seen is one still.
            has_background: word(stored.background_color).unwrap_or("transparent") != "transparent",
            opacity: opacity_of(stored.opacity),
        }
    }

    /// The radius of a corner on a side of this length.
    pub fn corner_radius(&self, side: f64) -> f64 {
        match self.roundness {
            None => 0.0,
            Some(Roundness::Proportional) => side * PROPORTIONAL_RADIUS,
            Some(Roundness::Adaptive(fixed)) if side <= fixed / PROPORTIONAL_RADIUS => {
                side * PROPORTIONAL_RADIUS
            }
            Some(Roundness::Adaptive(fixed)) => fixed,
        }
    }

    /// The roughness for a shape of this size: small ones are drawn more carefully.
    pub fn roughness_for(&self, width: f64, height: f64) -> f64 {
        let (most, least) = (width.max(height), width.min(height));
        let linear = matches!(self.kind, ElementKind::Line | ElementKind::Arrow);
        let rounds = matches!(
            self.kind,
            ElementKind::Rectangle
                | ElementKind::Iframe
                | ElementKind::Embeddable
                | ElementKind::Line
                | ElementKind::Diamond
        );
        if (least >= 20.0 && most >= 50.0)
            || (least >= 15.0 && self.roundness.is_some() && rounds)
            || (linear && most >= 50.0)
        {
            return self.roughness;
        }
        (self.roughness / if most < 10.0 { 3.0 } else { 2.0 }).min(2.5)
    }

    pub fn dash(&self) -> Option<[f64; 2]> {
        match self.stroke_style {
            StrokeStyle::Solid => None,
            StrokeStyle::Dashed => Some([8.0, 8.0 + self.stroke_width]),
            StrokeStyle::Dotted => Some([1.5, 6.0 + self.stroke_width]),
        }
    }
}

impl Theme {
    pub(crate) fn apply(self, color: Rgba) -> Rgba {
        match self {
            Theme::Light => color,
            Theme::Dark => color.dark(),
        }
    }

    /// With its colours.
    pub(crate) fn style(self, style: &Style) -> Themed<'_> {
        match self {
            Theme::Light => Themed::Stored(style),
            Theme::Dark => Themed::Own(Box::new(Style {
                stroke: style.stroke.dark(),
                background: style.background.dark(),
                ..style.clone()
            })),
        }
    }
}

/// A style in the colours of a theme. Small: thousands are held at a time.
pub(crate) enum Themed<'a> {
    Stored(&'a Style),
    Own(Box<Style>),
}

impl Deref for Themed<'_> {
    type Target = Style;

    fn deref(&self) -> &Style {
        match self {
            Themed::Stored(style) => style,
            Themed::Own(style) => style,
        }
    }
}

/// From 0 to 1.
pub(crate) fn opacity(element: &Element) -> f64 {
    opacity_of(element.props.get("opacity"))
}

fn opacity_of(value: Option<&Value>) -> f64 {
    number(value).unwrap_or(100.0).clamp(0.0, 100.0) / 100.0
}

/// A word that says something.
fn word(value: Option<&Value>) -> Option<&str> {
    text(value).filter(|word| !word.is_empty())
}

fn roundness(stored: &StoredStyle) -> Option<Roundness> {
    let says_nothing = |value: &&Value| {
        *value == ""
            || value.as_f64() == Some(0.0)
            || matches!(value, Value::Null | Value::Bool(false))
    };
    match stored.roundness.filter(|value| !says_nothing(value)) {
        Some(value) => match value.get("type").and_then(Value::as_i64) {
            Some(1 | 2) => Some(Roundness::Proportional),
            Some(3) => {
                let own = value.get("value").and_then(Value::as_f64);
                let radius = own.filter(|radius| (0.0..=1e6).contains(radius));
                Some(Roundness::Adaptive(radius.unwrap_or(ADAPTIVE_RADIUS)))
            }
            // Of a kind that the editor does not know: lines are curves, corners are sharp.
            _ => Some(Roundness::Adaptive(0.0)),
        },
        // Files before roundness said it with the sharpness of strokes.
        None => (text(stored.stroke_sharpness) == Some("round")).then_some(Roundness::Proportional),
    }
}

/// Points of a linear element, as many as are drawn: a stroke of a million points is thinned out evenly.
pub(crate) fn drawn_points(points: &[Point]) -> Cow<'_, [Point]> {
    const MOST: usize = 20_000;
    if points.len() <= MOST {
        return Cow::Borrowed(points);
    }
    let stride = points.len().div_ceil(MOST - 1);
    let thinned = points.iter().step_by(stride).chain(points.last());
    Cow::Owned(thinned.copied().collect())
}
