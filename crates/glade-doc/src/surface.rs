//! The two kinds of page, and what differs between them.

use loro::ContainerID;
use serde::{Deserialize, Serialize};

use crate::schema::{BLOCKS, ELEMENTS, root};
use crate::{Refusal, Write, rules, text};

/// What a page is for. It decides which root holds its elements, and what they may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Surface {
    /// Shapes, in `elements`.
    #[default]
    Canvas,
    /// Blocks of styled words, in `doc`; see [`crate::text`].
    Text,
}

impl Surface {
    /// The surface of a page of this kind, as rows and wires name it.
    pub fn of_kind(kind: &str) -> Option<Self> {
        [Self::Canvas, Self::Text]
            .into_iter()
            .find(|surface| surface.kind() == kind)
    }

    /// Its name in rows and on wires.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Canvas => "canvas",
            Self::Text => "text",
        }
    }

    /// The root map of its elements.
    pub fn root(self) -> &'static str {
        match self {
            Self::Canvas => ELEMENTS,
            Self::Text => BLOCKS,
        }
    }

    pub(crate) fn root_id(self) -> ContainerID {
        root(self.root())
    }

    /// Whether its elements are shapes: they have places and strokes, and one follows from another. A block has none
    /// of that, and its place is its order.
    pub fn has_shapes(self) -> bool {
        self == Self::Canvas
    }

    /// Whether its words are styled: they carry marks, among them those that say which run typed them, and undoing a
    /// run takes out single characters. The words of a shape are plain.
    pub fn has_styled_words(self) -> bool {
        self == Self::Text
    }

    /// Whether a property may have the value that somebody writes.
    pub(crate) fn check_register(self, write: &Write) -> Result<(), Refusal> {
        match (self, &write.value) {
            (Self::Text, _) => text::check_register(write),
            (Self::Canvas, None) => Ok(()),
            (Self::Canvas, Some(value)) => {
                rules::check(&write.property, value).map_err(|reason| Refusal::BadElement {
                    element: write.element.clone(),
                    property: write.property.clone(),
                    reason,
                })
            }
        }
    }
}
