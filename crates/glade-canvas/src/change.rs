//! Writing only what differs, and only numbers that read back as written.

use glade_doc::Props;
use serde_json::json;

use crate::element::Element;
use crate::geometry::sane;

/// Places closer than this are the same place: the editor's curves and ours agree to less.
pub(crate) const POSITION_TOLERANCE: f64 = 0.05;

/// Text sizes closer than this are the same size: a browser's font engine and ours agree to less.
pub(crate) const TEXT_TOLERANCE: f64 = 0.5;

/// Notes a number unless the element already has it, within `tolerance`.
pub(crate) fn number(
    changes: &mut Props,
    element: &Element,
    key: &str,
    value: f64,
    tolerance: f64,
) {
    let value = sane(value, 0.0);
    let same = element
        .number(key)
        .is_some_and(|stored| (stored - value).abs() <= tolerance);
    if !same {
        changes.insert(key.to_owned(), json!(value));
    }
}

/// Notes a side only if it becomes longer.
pub(crate) fn grow(changes: &mut Props, element: &Element, key: &str, value: f64) {
    let value = sane(value, 0.0);
    if element.number(key).unwrap_or(0.0).abs() < value {
        changes.insert(key.to_owned(), json!(value));
    }
}
