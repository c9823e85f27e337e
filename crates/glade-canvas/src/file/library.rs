//! `.excalidrawlib`: shapes kept for later.

use serde_json::Value;

use super::FileError;
use super::load::{MAX_ELEMENTS, Note, parse, read_elements};
use crate::element::Element;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    pub items: Vec<LibraryItem>,
    pub notes: Vec<Note>,
}

/// Elements that are put on a page together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LibraryItem {
    pub id: Option<String>,
    pub name: Option<String>,
    pub elements: Vec<Element>,
}

/// Reads a library of version 1 (lists of elements) or 2 (items with names).
pub fn from_library(bytes: &[u8]) -> Result<Library, FileError> {
    let mut file = parse(bytes)?;
    let items = file
        .remove("libraryItems")
        .or_else(|| file.remove("library"));
    let Some(Value::Array(items)) = items else {
        return Err(FileError::NotAScene {
            what: "JSON without a list of library items".to_owned(),
        });
    };
    let mut library = Library::default();
    let mut count = 0;
    for (at, item) in items.into_iter().enumerate() {
        let mut named = LibraryItem::default();
        let elements = match item {
            Value::Array(elements) => Some(elements),
            Value::Object(mut item) => {
                let word = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
                named.id = word(item.get("id"));
                named.name = word(item.get("name"));
                match item.remove("elements") {
                    Some(Value::Array(elements)) => Some(elements),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some(elements) = elements else {
            library.notes.push(Note::Skipped {
                what: format!("library item {at}"),
                reason: "it has no list of elements".to_owned(),
            });
            continue;
        };
        count += elements.len();
        if count > MAX_ELEMENTS {
            return Err(FileError::TooLarge {
                what: "elements",
                count,
                limit: MAX_ELEMENTS,
            });
        }
        let read = read_elements(elements)?;
        named.elements = read.elements;
        library.notes.extend(read.notes);
        library.items.push(named);
    }
    Ok(library)
}
