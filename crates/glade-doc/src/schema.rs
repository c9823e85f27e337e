//! The shape of a page's document: which containers exist, what they are called, which names are
//! sane. The browser's half of the same agreement lives in the studio.

use loro::{ContainerID, ContainerType};

use crate::Surface;

/// What is drawn: element id → mergeable map of properties.
pub const ELEMENTS: &str = "elements";
/// What is written on a text page: block id → mergeable map of properties.
pub const BLOCKS: &str = "doc";
/// What people say about it: comment id → mergeable map of [`comment`]. No third root exists.
pub const COMMENTS: &str = "comments";
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

/// The registers of a comment, and its one container.
pub mod comment {
    /// The subject who wrote it.
    pub const AUTHOR: &str = "author";
    /// What that subject was called then.
    pub const AUTHOR_NAME: &str = "authorName";
    /// Milliseconds since 1970.
    pub const CREATED_AT: &str = "createdAt";
    /// The element that it is pinned to, or null.
    pub const ELEMENT: &str = "element";
    /// A point of the scene, or an offset from the element's top left.
    pub const X: &str = "x";
    pub const Y: &str = "y";
    /// The comment that this one answers, or null.
    pub const PARENT: &str = "parent";
    pub const RESOLVED: &str = "resolved";
    pub const IS_DELETED: &str = super::IS_DELETED;
    /// The words, as mergeable text.
    pub const TEXT: &str = "text";
}

pub(crate) fn comments_root() -> ContainerID {
    root(COMMENTS)
}

pub(crate) fn root(name: &str) -> ContainerID {
    ContainerID::Root {
        name: name.into(),
        container_type: ContainerType::Map,
    }
}

/// `cm_` and 12 of `a-z0-9`.
pub(crate) fn is_comment_id(id: &str) -> bool {
    id.strip_prefix("cm_").is_some_and(|rest| {
        rest.len() == 12
            && rest
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    })
}

/// A name fit to be an element id or a property.
pub(crate) fn is_sane_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.chars().any(char::is_control)
}

/// The kinds of containers that a page has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContainerKind {
    Map,
    Text,
}

/// Longest name of a container. Every character of an element's id may have to be escaped.
const MAX_CONTAINER_NAME_BYTES: usize = 1024;

/// Whether some page has a container with this name: a root map, a map of it, or a text of that.
/// Decided by the name as it is written, for names of strangers: Loro makes every container that a
/// name leads through. [`place`] says of which page it is.
pub(crate) fn is_of_a_page(name: &str, kind: ContainerKind) -> bool {
    if name.len() > MAX_CONTAINER_NAME_BYTES {
        return false;
    }
    let is_root = |name: &str| [ELEMENTS, BLOCKS, COMMENTS].contains(&name);
    let Some(path) = name.strip_prefix(MERGEABLE_ROOT) else {
        return kind == ContainerKind::Map && is_root(name);
    };
    let mut escaped = false;
    let mut ends = path.match_indices(|letter| {
        let ends = letter == '>' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    });
    let root = ends.next().and_then(|(at, _)| path.get(..at));
    let below = 1 + ends.count();
    let expected = match kind {
        ContainerKind::Map => 1,
        ContainerKind::Text => 2,
    };
    root.is_some_and(is_root) && below == expected
}

/// How the name of a child of a root map begins.
const MERGEABLE_ROOT: &str = "🤝:$";

/// Where in the document a container lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ContainerPath {
    /// The root map of the elements.
    Elements,
    /// The property map of one element.
    Element(String),
    /// The text of one element.
    Text(String),
    /// The root map `comments`.
    Comments,
    /// The map of one comment.
    Comment(String),
    /// The words of one comment.
    CommentText(String),
    /// Made with an operation instead of derived from a path: two peers making "the same" child
    /// this way would each lose the other's edits.
    Plain,
    /// A root, or a mergeable child, that such a page does not have.
    Unknown,
}

/// Resolve a container id. Mergeable children are roots whose name encodes their path
/// (`🤝:$elements>ID`), escapes included; Loro's own parser reads them.
pub(crate) fn place(surface: Surface, id: &ContainerID) -> ContainerPath {
    if !id.is_root() {
        return ContainerPath::Plain;
    }
    let (elements, comments) = (surface.root_id(), comments_root());
    if *id == elements {
        return ContainerPath::Elements;
    }
    if *id == comments {
        return ContainerPath::Comments;
    }
    match id.parse_mergeable() {
        Some((parent, key, ContainerType::Map)) if parent == elements => {
            ContainerPath::Element(key)
        }
        Some((parent, key, ContainerType::Map)) if parent == comments => {
            ContainerPath::Comment(key)
        }
        Some((parent, key, ContainerType::Text)) => match parent.parse_mergeable() {
            Some((root, element, ContainerType::Map)) if root == elements && key == TEXT => {
                ContainerPath::Text(element)
            }
            Some((root, id, ContainerType::Map)) if root == comments && key == comment::TEXT => {
                ContainerPath::CommentText(id)
            }
            _ => ContainerPath::Unknown,
        },
        _ => ContainerPath::Unknown,
    }
}
