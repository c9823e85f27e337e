//! Files and the pictures in them, on their way to a page and from it.

use std::collections::BTreeMap;

use glade_canvas::Scene;
use glade_canvas::file::{FileError, Loaded, from_any, from_library};
use glade_canvas::render::ImageFile;
use glade_doc::Edit;
use glade_store::{Blob, Change, Store, StoreError};
use glade_text::{Block, InsertAt, Page, markdown, write};
use serde_json::{Value, json};

use crate::clock::now_ms;
use crate::ids;

/// What a page's pictures may weigh together in an export; those beyond it stay out.
const MAX_IMAGES: usize = 256 << 20;

/// The pictures that the page's images show, as far as they are kept here.
pub fn images(scene: &Scene, store: &Store) -> Result<BTreeMap<String, ImageFile>, StoreError> {
    let mut files = BTreeMap::new();
    let mut weight = 0;
    let ids = scene
        .live()
        .filter_map(|element| element.props.get("fileId")?.as_str());
    for id in ids {
        if files.contains_key(id) {
            continue;
        }
        let Some(blob) = store.blob(id)? else {
            continue;
        };
        weight += blob.bytes().len();
        if weight > MAX_IMAGES {
            break;
        }
        let file = ImageFile {
            mime: blob.kind().mime().to_owned(),
            data: blob.into_bytes(),
        };
        files.insert(id.to_owned(), file);
    }
    Ok(files)
}

/// What of a file can be on a page, a library's items in rows.
pub fn load(bytes: &[u8]) -> Result<Loaded, FileError> {
    let mut loaded = match from_any(bytes) {
        Err(FileError::Library) => from_library(bytes)?.laid_out(),
        other => other?,
    };
    loaded.leave_out_barred();
    Ok(loaded)
}

/// The scene, what was said while reading it, and its pictures as blobs.
pub fn read(bytes: &[u8], subject: &str) -> Result<(Loaded, Vec<String>, Vec<Change>), FileError> {
    let mut loaded = load(bytes)?;
    let mut notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    let mut blobs = Vec::new();
    let mut kept: BTreeMap<String, String> = BTreeMap::new();
    for (id, file) in &loaded.files {
        match picture(file) {
            Ok(blob) => {
                kept.insert(id.clone(), blob.id().to_owned());
                blobs.push(Change::PutBlob {
                    blob,
                    subject: subject.to_owned(),
                    at_ms: now_ms(),
                });
            }
            Err(reason) => notes.push(format!("left out the data of the picture {id:?}: {reason}")),
        }
    }
    for element in &mut loaded.elements {
        let id = element.props.get("fileId").and_then(Value::as_str);
        if let Some(blob) = id.and_then(|id| kept.get(id)) {
            let blob = json!(blob);
            element.props.insert("fileId".to_owned(), blob);
        }
    }
    Ok((loaded, notes, blobs))
}

fn picture(file: &Value) -> Result<Blob, String> {
    let url = file.get("dataURL").and_then(Value::as_str).unwrap_or("");
    let image = ImageFile::from_data_url(url).ok_or("it is not a data URL")?;
    Blob::new(image.data).map_err(|error| error.to_string())
}

/// Markdown onto a text page, at its end or in the place of what it holds.
pub fn markdown_onto(page: &Page, source: &str, replace: bool) -> Vec<Edit> {
    let blocks = markdown::from_markdown(source);
    let mut edits = write(page, InsertAt::End, &blocks, &mut ids::block);
    // A page that holds one empty paragraph holds nothing.
    let nothing = |block: &Block| block.all_text().is_empty() && block.kind == "paragraph";
    if !edits.is_empty() && (replace || page.blocks.iter().all(nothing)) {
        let gone = page.blocks.iter().map(|block| block.id.clone());
        edits.extend(gone.map(|id| Edit::Delete { id }));
    }
    edits
}
