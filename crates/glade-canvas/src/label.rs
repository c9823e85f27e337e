//! Where a label sits in its container, how it wraps there, and how the container grows to hold it:
//! the editor's own rules, so that neither side moves what the other placed.

use std::borrow::Cow;

use glade_doc::Props;
use serde_json::json;

use crate::bounds::{local_rect, page_way};
use crate::change::{self, POSITION_TOLERANCE, TEXT_TOLERANCE};
use crate::curve;
use crate::element::{Element, ElementKind, TextAlign, VerticalAlign};
use crate::geo::{polygon_kind, reshape};
use crate::geometry::{Point, Rect, Size};
use crate::note;
use crate::scene::Scene;
use crate::text;

/// Between a container's inner box and its text, on every side.
pub const PADDING: f64 = 5.0;

/// Growing wider can let more fit on a line, which can need growing again; it settles in a few rounds.
const SETTLING_ROUNDS: usize = 16;

/// A label laid out: its lines, and what must be written for that to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelLayout {
    /// The text as drawn, newlines where it wraps.
    pub text: String,
    /// Properties of the label that change; empty when it is in place.
    pub label: Props,
    /// Properties of the container that change; empty when the text fits.
    pub container: Props,
}

/// Lays out `label` in `container`.
pub fn layout(container: &Element, label: &Element) -> LabelLayout {
    match container.kind() {
        ElementKind::StickyNote => note::layout(container, label),
        ElementKind::Arrow => on_arrow(container, label),
        ElementKind::Line => in_polygon(container, label),
        _ => in_shape(container, label),
    }
}

/// Where a label is in its container, to the last digit: what is nearly so is not left standing.
pub fn exact_place(container: &Element, label: &Element) -> Props {
    const FAR: f64 = 1.0e5;
    let off = Props::from_iter([
        ("x".to_owned(), json!(container.x() + FAR)),
        ("y".to_owned(), json!(container.y() + FAR)),
    ]);
    let mut changes = layout(container, &label.with(&off)).label;
    changes.retain(|key, _| ["x", "y", "width", "height"].contains(&key.as_str()));
    changes
}

/// The text of any text element as drawn: wrapped by its container or its fixed width.
pub fn drawn_text(scene: &Scene, element: &Element) -> String {
    if let Some(container) = scene.container_of(&element.id) {
        return layout(container, element).text;
    }
    if element.auto_resize() {
        return text::normalize(element.original_text());
    }
    wrap_in(element, element.font_size(), element.width().max(0.0))
}

/// The box that the words of a text take as they are drawn, unrotated: its stored size can be stale. Words that
/// are aligned may stick out on either side.
pub fn words_rect(element: &Element, container: Option<&Element>) -> Rect {
    let (text, shown) = match container {
        Some(container) => {
            let layout = layout(container, element);
            (layout.text, element.with(&layout.label))
        }
        None if element.auto_resize() => {
            (text::normalize(element.original_text()), element.clone())
        }
        None => {
            let wrapped = wrap_in(element, element.font_size(), element.width().max(0.0));
            (wrapped, element.clone())
        }
    };
    let size = text::measure_with(
        &text,
        shown.font_family(),
        shown.font_size(),
        shown.line_height(),
    );
    let rect = element.rect();
    let (dx, dy) = ((size.w - rect.w).max(0.0), (size.h - rect.h).max(0.0));
    Rect::new(
        rect.x - dx,
        rect.y - dy,
        rect.w + 2.0 * dx,
        rect.h + 2.0 * dy,
    )
}

/// The box that a container offers its label, unrotated.
pub fn inner_rect(container: &Element) -> Rect {
    let rect = container.rect();
    match container.kind() {
        ElementKind::Ellipse => {
            let inset = 1.0 - std::f64::consts::SQRT_2 / 2.0;
            let (dx, dy) = (rect.w / 2.0 * inset, rect.h / 2.0 * inset);
            let inner = |side: f64| round(side / 2.0 * std::f64::consts::SQRT_2) - 2.0 * PADDING;
            Rect::new(
                rect.x + PADDING + dx,
                rect.y + PADDING + dy,
                inner(rect.w),
                inner(rect.h),
            )
        }
        ElementKind::Diamond => {
            let (dx, dy) = (rect.w / 4.0, rect.h / 4.0);
            let inner = |side: f64| round(side / 2.0) - 2.0 * PADDING;
            Rect::new(
                rect.x + PADDING + dx,
                rect.y + PADDING + dy,
                inner(rect.w),
                inner(rect.h),
            )
        }
        ElementKind::StickyNote => note::inner_rect(&rect),
        ElementKind::Line => {
            let rect = local_rect(container);
            let inner = polygon_kind(container).map(|kind| kind.inner_rect(rect));
            inner.unwrap_or(rect).expand(-PADDING)
        }
        _ => Rect::new(
            rect.x + PADDING,
            rect.y + PADDING,
            rect.w - 2.0 * PADDING,
            rect.h - 2.0 * PADDING,
        ),
    }
}

/// The side a container of this kind needs to offer `inner` to its text.
pub(crate) fn outer_side(kind: &ElementKind, inner: f64) -> f64 {
    let padded = inner.ceil() + 2.0 * PADDING;
    match kind {
        ElementKind::Ellipse => round(padded / std::f64::consts::SQRT_2 * 2.0),
        ElementKind::Diamond => 2.0 * padded,
        _ => padded,
    }
}

fn in_shape(container: &Element, label: &Element) -> LabelLayout {
    let kind = container.kind();
    let mut grown = Cow::Borrowed(container);
    let mut changes = Props::new();
    let mut wrapped = String::new();
    let mut size = Size::default();
    // A container narrower than one character widens, which lets more fit on a line: settle that here, so that
    // laying out the result again finds nothing to do.
    for _ in 0..SETTLING_ROUNDS {
        let inner = inner_rect(&grown);
        (wrapped, size) = wrap_and_measure(label, label.font_size(), inner.w);
        let mut step = Props::new();
        if size.h > inner.h {
            change::grow(&mut step, &grown, "height", outer_side(&kind, size.h));
        }
        if size.w > inner.w {
            change::grow(&mut step, &grown, "width", outer_side(&kind, size.w));
        }
        if step.is_empty() {
            break;
        }
        grown = Cow::Owned(grown.with(&step));
        changes.extend(step);
    }
    let size = kept_size(label, size);
    let place = position(
        &grown,
        label,
        &inner_rect(&grown),
        size,
        inner_rect(&grown).center(),
    );
    LabelLayout {
        text: wrapped,
        label: label_changes(label, place, size, container.angle()),
        container: changes,
    }
}

/// The label of a polygon of ours: a text as wide as the room inside, in its middle. The polygon grows to hold it.
fn in_polygon(container: &Element, label: &Element) -> LabelLayout {
    let mut grown = container.clone();
    let mut changes = Props::new();
    let mut wrapped = String::new();
    let mut size = Size::default();
    for _ in 0..SETTLING_ROUNDS {
        let (rect, inner) = (local_rect(&grown), inner_rect(&grown));
        (wrapped, size) = wrap_and_measure(label, label.font_size(), inner.w);
        // In a polygon the room is a share of the box, so a box grows by more than its room lacks.
        let side = |side: f64, room: f64, needed: f64| {
            if needed > room + TEXT_TOLERANCE {
                (side * (needed + 2.0 * PADDING) / (room + 2.0 * PADDING).max(1.0)).ceil()
            } else {
                side
            }
        };
        let needed = Size::new(side(rect.w, inner.w, size.w), side(rect.h, inner.h, size.h));
        if needed == rect.size() {
            break;
        }
        let step = reshape(&grown, Rect::new(rect.x, rect.y, needed.w, needed.h));
        grown = grown.with(&step);
        changes.extend(step);
    }
    let inner = inner_rect(&grown);
    let size = Size::new(inner.w.max(1.0), kept_size(label, size).h);
    let place = position(&grown, label, &inner, size, local_rect(&grown).center());
    let size = Size::new(
        label
            .number("width")
            .filter(|stored| (stored - size.w).abs() <= POSITION_TOLERANCE)
            .unwrap_or(size.w),
        size.h,
    );
    let mut words = label_changes(label, place, size, container.angle());
    if label.auto_resize() {
        words.insert("autoResize".to_owned(), json!(false));
    }
    LabelLayout {
        text: wrapped,
        label: words,
        container: changes,
    }
}

/// Where the text's corner goes: aligned in `inner`, then turned with the container about `pivot`.
pub(crate) fn position(
    container: &Element,
    label: &Element,
    inner: &Rect,
    size: Size,
    pivot: Point,
) -> Point {
    let x = match label.text_align() {
        TextAlign::Left => inner.x,
        TextAlign::Center => inner.x + (inner.w - size.w) / 2.0,
        TextAlign::Right => inner.right() - size.w,
    };
    let y = match label.vertical_align() {
        VerticalAlign::Top => inner.y,
        VerticalAlign::Middle => inner.y + (inner.h - size.h) / 2.0,
        VerticalAlign::Bottom => inner.bottom() - size.h,
    };
    let middle = Point::new(x + size.w / 2.0, y + size.h / 2.0).rotate(pivot, container.angle());
    Point::new(middle.x - size.w / 2.0, middle.y - size.h / 2.0)
}

fn on_arrow(arrow: &Element, label: &Element) -> LabelLayout {
    let max_width = (0.7 * local_rect(arrow).w).max(label.font_size() * 11.0);
    let (wrapped, size) = wrap_and_measure(label, label.font_size(), max_width);
    let size = kept_size(label, size);
    let Some(middle) = anchor_on(arrow, label) else {
        return LabelLayout {
            text: wrapped,
            ..LabelLayout::default()
        };
    };
    let place = Point::new(middle.x - size.w / 2.0, middle.y - size.h / 2.0);
    LabelLayout {
        text: wrapped,
        label: label_changes(label, place, size, 0.0),
        container: Props::new(),
    }
}

/// Where the label of an arrow lies, of the size it has.
pub(crate) fn rect_on_arrow(arrow: &Element, label: &Element) -> Rect {
    let size = label.rect().size();
    match anchor_on(arrow, label) {
        Some(middle) => Rect::centered(middle, size),
        None => label.rect(),
    }
}

/// The point a label is centred on: a share of the way's length, or its middle point or the middle of its middle
/// piece. Curves are followed.
fn anchor_on(arrow: &Element, label: &Element) -> Option<Point> {
    let way = page_way(arrow);
    let last = *way.last()?;
    let Some(share) = label.number("labelPosition") else {
        let middle = way.get(way.len() / 2)?;
        return Some(match way.len() % 2 {
            0 => middle[0],
            _ => curve::at_length(*middle, 0.5),
        });
    };
    let lengths: Vec<f64> = way
        .iter()
        .map(|piece| curve::length_to(*piece, 1.0))
        .collect();
    let mut left = share.clamp(0.0, 1.0) * lengths.iter().sum::<f64>();
    for (piece, length) in way.iter().zip(lengths) {
        if left <= length {
            let along = if length == 0.0 { 0.0 } else { left / length };
            return Some(curve::at_length(*piece, along));
        }
        left -= length;
    }
    Some(last[3])
}

pub(crate) fn wrap_in(label: &Element, font_size: f64, max_width: f64) -> String {
    text::wrap(
        &text::normalize(label.original_text()),
        label.font_family(),
        font_size,
        max_width,
    )
}

pub(crate) fn wrap_and_measure(label: &Element, font_size: f64, max_width: f64) -> (String, Size) {
    let wrapped = wrap_in(label, font_size, max_width);
    let size = text::measure_with(
        &wrapped,
        label.font_family(),
        font_size,
        label.line_height(),
    );
    (wrapped, size)
}

/// The stored size where it is as good as ours: a browser's measure differs in the last digits, and two writers
/// must not correct each other for ever.
pub(crate) fn kept_size(label: &Element, measured: Size) -> Size {
    let keep = |key: &str, value: f64| {
        label
            .number(key)
            .filter(|stored| (stored - value).abs() <= TEXT_TOLERANCE)
            .unwrap_or(value)
    };
    Size::new(keep("width", measured.w), keep("height", measured.h))
}

pub(crate) fn label_changes(label: &Element, place: Point, size: Size, angle: f64) -> Props {
    let mut changes = Props::new();
    change::number(&mut changes, label, "x", place.x, POSITION_TOLERANCE);
    change::number(&mut changes, label, "y", place.y, POSITION_TOLERANCE);
    change::number(&mut changes, label, "width", size.w, 0.0);
    change::number(&mut changes, label, "height", size.h, 0.0);
    if label.angle() != angle {
        changes.insert("angle".to_owned(), json!(angle));
    }
    changes
}

/// As JavaScript rounds: halves up, also below zero.
fn round(value: f64) -> f64 {
    (value + 0.5).floor()
}
