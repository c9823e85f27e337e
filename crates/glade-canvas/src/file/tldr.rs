//! `.tldr`: a tldraw file, a store of records.
//!
//! Shapes become what people would draw instead: the geometric kinds, colours and fills have equals by the table of
//! `docs/shapes.md`, bound arrows stay bound, groups and frames stay together. What has no equal is brought as the
//! nearest thing or left out, and [`Note`] says which. Shapes lie relative to their parents in such a file and turn
//! about their corner; here they lie on the page and turn about their middle.

mod first;
mod look;
mod packed;
mod path;
mod place;
mod shape;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use self::place::{Placed, lay_out};
use super::load::{MAX_ELEMENTS, Read, parse, read_elements};
use super::{FileError, Loaded, Note};
use crate::derive;
use crate::scene::Scene;

/// Whether a JSON object is such a file, or a snapshot of such a store.
pub(super) fn is_tldr(file: &Props) -> bool {
    // A scene may say anything besides its elements.
    let is_scene = file.get("elements").is_some_and(Value::is_array);
    let is_object = |key: &str| file.get(key).is_some_and(Value::is_object);
    file.contains_key("tldrawFileFormatVersion")
        || file.get("records").is_some_and(Value::is_array)
        || !is_scene && (is_object("store") || is_object("document"))
}

/// The records of a file, which are a list, or of a snapshot, which has them by their ids; the first tldraw had none.
fn records(mut file: Props) -> Result<Vec<Value>, FileError> {
    if let Some(Value::Object(document)) = file.get_mut("document") {
        if document.contains_key("pages") {
            return Ok(first::records(document));
        }
        file = std::mem::take(document);
    }
    match (file.remove("records"), file.remove("store")) {
        (Some(Value::Array(records)), _) => Ok(records),
        (_, Some(Value::Object(store))) => {
            Ok(store.into_iter().map(|(_, record)| record).collect())
        }
        _ => Err(FileError::NotAScene {
            what: "a tldraw file without a list of records".to_owned(),
        }),
    }
}

/// Reads a tldraw file of any version with a list of records.
pub fn from_tldr(bytes: &[u8]) -> Result<Loaded, FileError> {
    read(parse(bytes)?)
}

pub(super) fn read(file: Props) -> Result<Loaded, FileError> {
    let records = records(file)?;
    if records.len() > MAX_ELEMENTS {
        return Err(FileError::TooLarge {
            what: "records",
            count: records.len(),
            limit: MAX_ELEMENTS,
        });
    }
    let store = Store::new(records);
    let mut notes = Vec::new();
    let placed = lay_out(&store, &mut notes);
    let mut maker = shape::Maker::new(&store, &placed);
    let values: Vec<Value> = placed
        .order
        .iter()
        .filter_map(|id| placed.shapes.get(id))
        .flat_map(|one| maker.elements(one))
        .map(Value::Object)
        .collect();
    let (files, mapped) = maker.finish();
    notes.extend(mapped);
    let Read {
        elements,
        notes: more,
        ..
    } = read_elements(values)?;
    notes.extend(more);
    // Labels take their places and arrows their ways, by the rules of the canvas they are on now.
    let mut scene: Scene = elements.iter().cloned().collect();
    let all: BTreeSet<ElementId> = elements.iter().map(|element| element.id.clone()).collect();
    let edits = derive(&scene, &all);
    scene.apply(&edits);
    Ok(Loaded {
        elements: scene.live().cloned().collect(),
        files,
        notes,
        ..Loaded::default()
    })
}

/// The records by what they are.
pub(super) struct Store {
    /// By id, without what comes before the colon.
    shapes: BTreeMap<String, Props>,
    /// In their order.
    pages: Vec<(String, String)>,
    assets: BTreeMap<String, Props>,
    /// By the arrow: which end (`start`, `end`), and the binding.
    bindings: BTreeMap<String, Vec<(String, Props)>>,
}

impl Store {
    fn new(records: Vec<Value>) -> Self {
        let mut store = Self {
            shapes: BTreeMap::new(),
            pages: Vec::new(),
            assets: BTreeMap::new(),
            bindings: BTreeMap::new(),
        };
        let mut pages = Vec::new();
        for record in records {
            let Value::Object(record) = record else {
                continue;
            };
            let id = name(record.get("id"));
            match record.get("typeName").and_then(Value::as_str) {
                Some("shape") => {
                    store.shapes.insert(id, record);
                }
                Some("page") => {
                    let index = text(&record, "index").to_owned();
                    pages.push((index, id, text(&record, "name").to_owned()));
                }
                Some("asset") => {
                    store.assets.insert(id, record);
                }
                Some("binding") => {
                    let Some(Value::Object(props)) = record.get("props") else {
                        continue;
                    };
                    let mut binding = props.clone();
                    binding.insert("to".to_owned(), json!(name(record.get("toId"))));
                    let end = text(props, "terminal").to_owned();
                    let arrow = name(record.get("fromId"));
                    store
                        .bindings
                        .entry(arrow)
                        .or_default()
                        .push((end, binding));
                }
                _ => {}
            }
        }
        pages.sort();
        store.pages = pages.into_iter().map(|(_, id, name)| (id, name)).collect();
        store
    }

    /// What an end of an arrow is bound to: by a record of its own, or as older files have it, in the arrow.
    fn binding(&self, arrow: &Placed, end: &str) -> Option<Props> {
        let mut own = self.bindings.get(&arrow.id).into_iter().flatten();
        if let Some((_, binding)) = own.rfind(|(at, _)| at == end) {
            return Some(binding.clone());
        }
        let terminal = arrow.props.get(end)?.as_object()?;
        let target = terminal.get("boundShapeId")?;
        let mut binding = terminal.clone();
        binding.insert("to".to_owned(), json!(name(Some(target))));
        Some(binding)
    }
}

/// An id without what comes before the colon.
fn name(id: Option<&Value>) -> String {
    let id = id.and_then(Value::as_str).unwrap_or("");
    id.split_once(':').map_or(id, |(_, name)| name).to_owned()
}

fn text<'a>(props: &'a Props, key: &str) -> &'a str {
    props.get(key).and_then(Value::as_str).unwrap_or("")
}

fn number(props: &Props, key: &str) -> Option<f64> {
    let number = props.get(key).and_then(Value::as_f64);
    number
        .filter(|number| number.is_finite())
        .map(|number| crate::geometry::sane(number, 0.0))
}
