//! What older editors wrote otherwise, brought to how it is written now: what the editor itself does when it opens such
//! a file. What can be read as it is, stays as it is (`strokeSharpness`, the old names of arrowheads, bindings without
//! a fixed point apart, which [`super::old_binding`] converts).

use std::collections::BTreeMap;

use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use super::load::Note;
use crate::element::{Element, ElementKind, read_point};
use crate::text::normalize;

/// Brings the properties of one element up to date.
pub(super) fn update(props: &mut Props) {
    match props.get("type").and_then(Value::as_str) {
        Some("text") => update_text(props),
        // Freehand strokes were lines once. The editor takes none of them for a click.
        Some("draw") => {
            props.insert("type".to_owned(), json!("line"));
            needs_points(props, 0);
        }
        Some("line") => needs_points(props, SHORTEST),
        Some("arrow") => {
            needs_points(props, SHORTEST);
            props
                .entry("endArrowhead")
                .or_insert_with(|| json!("arrow"));
        }
        Some("stickynote") if !props.contains_key("baseHeight") => {
            if let Some(height) = props.get("maxHeight").cloned() {
                props.insert("baseHeight".to_owned(), height);
            }
        }
        _ => {}
    }
}

/// `font: "20px Virgil"` is now a size and the number of a family; a line's height was once found by the font alone.
fn update_text(props: &mut Props) {
    let font = props.get("font").and_then(Value::as_str).unwrap_or("");
    if let Some((size, family)) = font.split_once("px ")
        && let Ok(size) = size.trim().parse::<f64>()
        && size.is_finite()
    {
        let family = match family.split(',').next().unwrap_or("").trim() {
            "Virgil" => 1,
            "Helvetica" => 2,
            "Cascadia" => 3,
            _ => 5,
        };
        props.insert("fontSize".to_owned(), json!(size));
        props.insert("fontFamily".to_owned(), json!(family));
        props.shift_remove("font");
    }
    if props.get("lineHeight").is_some_and(|own| !own.is_null()) {
        return;
    }
    let number = |key: &str| {
        let number = props.get(key).and_then(Value::as_f64);
        number.filter(|number| number.is_finite() && *number > 0.0)
    };
    let lines = props.get("text").and_then(Value::as_str).map(normalize);
    let lines = lines.map_or(1, |text| text.split('\n').count());
    if let (Some(height), Some(size)) = (number("height"), number("fontSize")) {
        let share = height / lines as f64 / size;
        props.insert("lineHeight".to_owned(), json!(share));
    }
}

/// With fewer points in its list a line is a click that never became one.
const SHORTEST: usize = 2;

/// A path without two points runs through its box, unless its list is too short for one that anybody sees.
fn needs_points(props: &mut Props, least: usize) {
    let points = props.get("points").and_then(Value::as_array);
    if points.is_some_and(|points| {
        points.len() < least || points.iter().filter_map(read_point).nth(1).is_some()
    }) {
        return;
    }
    let side = |key: &str| props.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let points = json!([[0, 0], [side("width"), side("height")]]);
    props.insert("points".to_owned(), points);
}

/// The texts that an element says are bound to it.
pub(super) fn bound_texts(props: &Props) -> Vec<ElementId> {
    let bound = props.get("boundElements").and_then(Value::as_array);
    let bound = bound.into_iter().flatten();
    bound
        .filter(|one| one.get("type").and_then(Value::as_str) == Some("text"))
        .filter_map(|one| one.get("id").and_then(Value::as_str))
        .map(ElementId::from)
        .collect()
}

/// Labels that only their containers know of learn it too, and stand as their containers do. `containers` are by the
/// labels they name.
pub(super) fn tie_labels(
    elements: &mut [Element],
    containers: &BTreeMap<ElementId, ElementId>,
    notes: &mut Vec<Note>,
) {
    let angles: BTreeMap<ElementId, f64> = elements
        .iter()
        .filter(|element| element.kind().holds_label())
        .map(|element| match element.kind() {
            ElementKind::Arrow => (element.id.clone(), 0.0),
            _ => (element.id.clone(), element.angle()),
        })
        .collect();
    for element in elements
        .iter_mut()
        .filter(|own| own.kind() == ElementKind::Text)
    {
        let claimed = containers
            .get(&element.id)
            .filter(|container| angles.contains_key(*container));
        if let (None, Some(container)) = (element.container_id(), claimed) {
            notes.push(Note::Labelled {
                text: element.id.clone(),
                container: container.clone(),
            });
            let container = json!(container.as_str());
            element.props.insert("containerId".to_owned(), container);
        }
        let angle = element.container_id().and_then(|own| angles.get(&own));
        if let Some(angle) = angle.filter(|angle| **angle != element.angle()) {
            element.props.insert("angle".to_owned(), json!(angle));
        }
    }
}
