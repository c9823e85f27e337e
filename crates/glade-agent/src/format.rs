//! Shapes as a model sees them: the formats of [`glade_canvas::view`] and [`glade_canvas::full`] with
//! the page's ids and numbers turned into the model's.

mod looks;

use glade_canvas::bounds::page_points;
use glade_canvas::{Element, Scene, full, view};
use glade_doc::ElementId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::coords::{Coords, Field};
use crate::ids::IdMap;

pub use looks::Looks;

/// The longest text of a shape that a model is shown.
const MAX_TEXT: usize = 400;

/// A shape in view: enough to refer to it and to keep clear of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlurryShape {
    pub shape_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
    /// An arrow's ends: without them nobody could tell what leads where.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to_id: Option<String>,
    #[serde(flatten)]
    pub ends: Option<Ends>,
    #[serde(flatten)]
    pub looks: Looks,
}

/// Where an arrow or a line begins and ends: without that its direction is lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    pub x1: f64,
    pub y1: f64,
    pub x2: f64,
    pub y2: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bend: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub heads: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub elbow: bool,
}

impl Ends {
    fn of(element: &Element, coords: &mut Coords) -> Option<Self> {
        if !looks::is_way(element) {
            return None;
        }
        let points = page_points(element);
        let (first, last) = (points.first()?, points.last()?);
        let id = &element.id;
        Some(Self {
            x1: coords.show(id, Field::X1, first.x),
            y1: coords.show(id, Field::Y1, first.y),
            x2: coords.show(id, Field::X2, last.x),
            y2: coords.show(id, Field::Y2, last.y),
            bend: full::bend(&points).map(f64::round),
            heads: looks::heads(element)
                .filter(|_| element.kind() == glade_canvas::ElementKind::Arrow)
                .map(str::to_owned),
            elbow: element.is_elbowed(),
        })
    }
}

impl BlurryShape {
    /// As a model reads it: what is told by its ends needs no box.
    pub fn printed(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        if let (Some(fields), true) = (value.as_object_mut(), self.ends.is_some()) {
            fields.retain(|name, _| !["x", "y", "w", "h"].contains(&name.as_str()));
        }
        value
    }
}

pub fn blurry(
    scene: &Scene,
    element: &Element,
    ids: &mut IdMap,
    coords: &mut Coords,
) -> BlurryShape {
    let seen = view::blur(scene, element);
    let mut end = |binding: Option<glade_canvas::Binding>| {
        let id = binding?.element_id;
        scene.get(&id).map(|_| ids.model_id(&id))
    };
    let (from_id, to_id) = (end(element.start_binding()), end(element.end_binding()));
    let id = &element.id;
    BlurryShape {
        shape_id: ids.model_id(id),
        kind: seen.kind,
        text: seen.text.map(|text| text.chars().take(MAX_TEXT).collect()),
        x: coords.show(id, Field::Left, seen.x),
        y: coords.show(id, Field::Top, seen.y),
        w: seen.w.round(),
        h: seen.h.round(),
        from_id,
        to_id,
        ends: Ends::of(element, coords),
        looks: Looks::of(scene, element, ids),
    }
}

/// These shapes in full, a label read as its shape, as JSON in the model's ids and numbers.
pub fn full(
    scene: &Scene,
    ids: &[ElementId],
    names: &mut IdMap,
    coords: &mut Coords,
) -> Vec<Value> {
    let shapes = full::full(scene, ids);
    shapes
        .iter()
        .filter_map(|shape| serde_json::to_value(shape).ok())
        .map(|mut shape| {
            translate(&mut shape, scene, names, coords);
            shape
        })
        .collect()
}

fn translate(shape: &mut Value, scene: &Scene, names: &mut IdMap, coords: &mut Coords) {
    let Some(fields) = shape.as_object_mut() else {
        return;
    };
    let Some(id) = fields
        .get("shapeId")
        .and_then(Value::as_str)
        .map(ElementId::from)
    else {
        return;
    };
    for (name, field) in Field::NAMES {
        if let Some(number) = fields.get(name).and_then(Value::as_f64) {
            fields.insert(name.to_owned(), json!(coords.show(&id, field, number)));
        }
    }
    let mut rename = |value: &mut Value| {
        // A group's own id is no element's: it stays as it is.
        if let Some(id) = value.as_str().map(ElementId::from)
            && scene.get(&id).is_some()
        {
            *value = json!(names.model_id(&id));
        }
    };
    for name in ["shapeId", "fromId", "toId"] {
        fields.get_mut(name).map(&mut rename);
    }
    if let Some(Value::Array(children)) = fields.get_mut("children") {
        children.iter_mut().for_each(&mut rename);
    }
    if let Some(element) = scene.get(&id)
        && let Ok(Value::Object(looks)) = serde_json::to_value(Looks::of(scene, element, names))
    {
        for (name, value) in looks {
            fields.entry(name).or_insert(value);
        }
    }
    fields.retain(|name, value| !(name == "note" && value.as_str() == Some("")));
}

/// Prints 310.0 as 310, everywhere in a value: the same to a reader, and fewer tokens.
pub fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(exact) = number
                .as_f64()
                .filter(|n| n.fract() == 0.0 && n.abs() < 1e15)
            {
                *value = json!(exact as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(whole_numbers),
        _ => {}
    }
}
