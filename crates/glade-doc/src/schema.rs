//! The shape of a canvas document: which containers exist, what they are called, which names are
//! sane. The browser's half of the same agreement lives in the studio.

use loro::{ContainerID, ContainerType};

/// The only root of a canvas page: element id → mergeable map of properties.
pub const ELEMENTS: &str = "elements";
/// The only container inside an element: its words, as mergeable text.
pub const TEXT: &str = "originalText";
/// The tombstone register.
pub const IS_DELETED: &str = "isDeleted";
/// Properties that are never written: derived on read, or the editor's own bookkeeping.
pub const NOT_STORED: [&str; 6] = [
    "id",
    "version",
    "versionNonce",
    "updated",
    "boundElements",
    "text",
];

/// Longest element id or property name, in bytes.
pub const MAX_NAME_BYTES: usize = 128;

pub(crate) fn elements_root() -> ContainerID {
    ContainerID::Root {
        name: ELEMENTS.into(),
        container_type: ContainerType::Map,
    }
}

/// A name fit to be an element id or a property.
pub(crate) fn is_sane_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.chars().any(char::is_control)
}

/// Where in the document a container lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// The root map `elements`.
    Elements,
    /// The property map of one element.
    Element(String),
    /// The text of one element.
    Text(String),
    /// Made with an operation instead of derived from a path: two peers making "the same" child
    /// this way would each lose the other's edits.
    Plain,
    /// A root, or a mergeable child, that a canvas does not have.
    Unknown,
}

/// Resolve a container id. Mergeable children are roots whose name encodes their path
/// (`🤝:$elements>ID`), escapes included; Loro's own parser reads them.
pub(crate) fn place(id: &ContainerID) -> Place {
    if !id.is_root() {
        return Place::Plain;
    }
    let root = elements_root();
    if *id == root {
        return Place::Elements;
    }
    match id.parse_mergeable() {
        Some((parent, key, ContainerType::Map)) if parent == root => Place::Element(key),
        Some((parent, key, ContainerType::Text)) if key == TEXT => match parent.parse_mergeable() {
            Some((grandparent, element, ContainerType::Map)) if grandparent == root => {
                Place::Text(element)
            }
            _ => Place::Unknown,
        },
        _ => Place::Unknown,
    }
}
