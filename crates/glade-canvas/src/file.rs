//! Files: a page written as `.excalidraw`, and pages read from `.excalidraw`, `.excalidrawlib`, `.tldr`, and the
//! pictures that carry a scene (PNG, SVG).
//!
//! Reading is for files that anyone may have made. What cannot be read at all is a [`FileError`]; what can be read
//! in part is, and [`Loaded::notes`] says what was repaired or left out. Sizes are bounded before memory is used.

mod elbow;
mod embed;
mod eras;
mod error;
mod library;
mod load;
mod old_binding;
mod onto;
mod png;
mod svg;
mod tldr;
mod weigh;

pub use error::FileError;
pub use library::{Library, LibraryItem, from_library};
pub use load::{Loaded, Note, from_any, from_excalidraw};
pub use onto::Onto;
pub use png::{read_png, write_png};
pub use svg::{read_svg, svg_metadata, write_svg};
pub use tldr::from_tldr;

use std::collections::BTreeMap;

use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use crate::element::{BindingOwner, Element, ElementKind};
use crate::label;
use crate::render::ImageFile;
use crate::repair::repaired;
use crate::scene::Scene;

/// The page as an Excalidraw file: live elements in z order, repaired, with everything the document derives on
/// read written out (`id`, `boundElements`, the wrapped `text`). Same scene, same bytes: the version numbers are
/// made up, not counted. Image data is not part of a scene; `files` is empty.
pub fn to_excalidraw(scene: &Scene) -> Value {
    to_excalidraw_with(scene, app_state(), Value::Object(Props::new()))
}

fn app_state() -> Value {
    json!({ "viewBackgroundColor": "#ffffff", "gridSize": 20, "gridModeEnabled": false })
}

/// The same with the file's own state and image data, as [`Loaded`] holds them.
pub fn to_excalidraw_with(scene: &Scene, app_state: Value, files: Value) -> Value {
    let elements = repaired(scene);
    let mut bound = bound_elements(&elements);
    // Labels wrap in their containers as repaired.
    let whole: Scene = elements.iter().cloned().collect();
    let written: Vec<Value> = elements
        .iter()
        .map(|element| {
            Value::Object(written(
                &whole,
                element,
                bound.remove(&element.id).unwrap_or_default(),
            ))
        })
        .collect();
    json!({
        "type": "excalidraw",
        "version": 2,
        "source": "glade",
        "elements": written,
        "appState": app_state,
        "files": files,
    })
}

/// The same with the images that its elements show.
pub fn to_excalidraw_with_images(scene: &Scene, images: &BTreeMap<String, ImageFile>) -> Value {
    let files: Props = images
        .iter()
        .map(|(id, image)| {
            let file = json!({
                "id": id, "mimeType": image.mime, "dataURL": image.data_url(), "created": 1,
            });
            (id.clone(), file)
        })
        .collect();
    to_excalidraw_with(scene, app_state(), Value::Object(files))
}

/// Which texts and arrows name each element: the reverse of containerId and the bindings.
pub fn bound_elements(elements: &[Element]) -> BTreeMap<ElementId, Vec<Value>> {
    let mut bound: BTreeMap<ElementId, Vec<Value>> = BTreeMap::new();
    for element in elements {
        match element.kind() {
            ElementKind::Text => {
                let container = element.container_id();
                if let Some(container) = container.filter(|_| !element.is_grouped_label()) {
                    bound
                        .entry(container)
                        .or_default()
                        .push(json!({ "id": element.id.as_str(), "type": "text" }));
                }
            }
            ElementKind::Arrow => {
                let mut ends: Vec<ElementId> = [element.start_binding(), element.end_binding()]
                    .into_iter()
                    .flatten()
                    .filter(|end| end.owner == BindingOwner::Editor)
                    .map(|end| end.element_id)
                    .collect();
                ends.dedup();
                for end in ends {
                    bound
                        .entry(end)
                        .or_default()
                        .push(json!({ "id": element.id.as_str(), "type": "arrow" }));
                }
            }
            _ => {}
        }
    }
    bound
}

fn written(scene: &Scene, element: &Element, bound: Vec<Value>) -> Props {
    let mut props = Props::new();
    props.insert("id".to_owned(), json!(element.id.as_str()));
    props.extend(element.props.clone());
    if element.kind() == ElementKind::Text {
        props.insert("originalText".to_owned(), json!(element.original_text()));
        props.insert("text".to_owned(), json!(label::drawn_text(scene, element)));
    }
    props.insert(
        "boundElements".to_owned(),
        if bound.is_empty() {
            Value::Null
        } else {
            Value::Array(bound)
        },
    );
    props.insert("isDeleted".to_owned(), json!(false));
    props.insert("version".to_owned(), json!(1));
    props.insert("versionNonce".to_owned(), json!(nonce(&element.id)));
    props.insert("updated".to_owned(), json!(1));
    props
}

/// A number that differs between elements and not between runs (FNV-1a).
fn nonce(id: &ElementId) -> u32 {
    let hash = id.as_str().bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash & 0x7fff_ffff
}
