//! How a tldraw shape looks, in the editor's properties.

use glade_doc::Props;
use serde_json::{Value, json};

use super::{number, text};
use crate::factory::Style;
use crate::geo::GeoKind;
use crate::palette::{Color, Fill};
use crate::text::FontFamily;

pub(super) fn color(props: &Props) -> Color {
    Color::from_name(text(props, "color"))
}

pub(super) fn style(props: &Props) -> Style {
    // `solid` is a pale wash there and `semi` the page's own colour.
    let fill = match text(props, "fill") {
        "semi" => Fill::Background,
        "solid" => Fill::Tint,
        "pattern" => Fill::Pattern,
        "fill" | "lined-fill" => Fill::Solid,
        _ => Fill::None,
    };
    Style::new(color(props), fill)
}

/// The geometric kind, and whether it is the same.
pub(super) fn geo(name: &str) -> (GeoKind, bool) {
    let known = match name {
        "oval" => GeoKind::Pill,
        "rhombus" => GeoKind::ParallelogramRight,
        "rhombus-2" => GeoKind::ParallelogramLeft,
        "arrow-right" => GeoKind::FatArrowRight,
        "arrow-left" => GeoKind::FatArrowLeft,
        "arrow-up" => GeoKind::FatArrowUp,
        "arrow-down" => GeoKind::FatArrowDown,
        other => {
            return GeoKind::from_name(other)
                .map_or((GeoKind::Rectangle, false), |kind| (kind, true));
        }
    };
    (known, true)
}

/// What `size`, `dash` and `scale` say of the stroke.
pub(super) fn stroke(props: &Props) -> Vec<(&'static str, Value)> {
    let width = match text(props, "size") {
        "s" => 1.0,
        "l" => 4.0,
        "xl" => 8.0,
        _ => 2.0,
    };
    let (style, roughness) = match text(props, "dash") {
        "solid" => ("solid", 0),
        "dashed" => ("dashed", 0),
        "dotted" => ("dotted", 0),
        _ => ("solid", 1),
    };
    vec![
        ("strokeWidth", json!(width * scale(props))),
        ("strokeStyle", json!(style)),
        ("roughness", json!(roughness)),
    ]
}

/// What words stand on, which decides how large they are.
#[derive(Clone, Copy)]
pub(super) enum On {
    Page,
    Shape,
    Arrow,
}

pub(super) fn font_size(props: &Props, on: On) -> f64 {
    let size = match (on, text(props, "size")) {
        (On::Page, "s") | (On::Shape, "s") | (On::Arrow, "s") => 18.0,
        (On::Page, "l") => 36.0,
        (On::Page, "xl") => 44.0,
        (On::Page, _) => 24.0,
        (On::Shape, "l") => 26.0,
        (On::Shape, "xl") => 32.0,
        (On::Shape, _) => 22.0,
        (On::Arrow, "l") => 24.0,
        (On::Arrow, "xl") => 28.0,
        (On::Arrow, _) => 20.0,
    };
    size * scale(props)
}

/// The font, and whether it is of the same kind.
pub(super) fn font(props: &Props) -> (FontFamily, bool) {
    match text(props, "font") {
        "sans" => (FontFamily::Nunito, true),
        "serif" => (FontFamily::Nunito, false),
        "mono" => (FontFamily::Cascadia, true),
        _ => (FontFamily::Excalifont, true),
    }
}

pub(super) fn text_align(word: &str) -> &'static str {
    match word.trim_end_matches("-legacy") {
        "start" => "left",
        "end" => "right",
        _ => "center",
    }
}

pub(super) fn vertical_align(word: &str) -> &'static str {
    match word {
        "start" => "top",
        "end" => "bottom",
        _ => "middle",
    }
}

/// An arrowhead, and whether it is the same.
pub(super) fn arrowhead(word: &str) -> (Value, bool) {
    match word {
        "arrow" | "triangle" | "diamond" | "bar" => (json!(word), true),
        "dot" => (json!("circle"), true),
        "pipe" => (json!("bar"), true),
        "square" => (json!("diamond"), false),
        "inverted" => (json!("triangle"), false),
        _ => (Value::Null, true),
    }
}

fn scale(props: &Props) -> f64 {
    number(props, "scale").unwrap_or(1.0).clamp(0.01, 100.0)
}
