//! The kinds of element, by the editor's names.

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    Rectangle,
    Diamond,
    Ellipse,
    Line,
    Arrow,
    Text,
    Freedraw,
    Image,
    Frame,
    MagicFrame,
    Iframe,
    Embeddable,
    StickyNote,
    /// A type of a newer or foreign editor; kept, placed by its box.
    Other(String),
}

impl ElementKind {
    pub fn parse(name: &str) -> Self {
        match name {
            "rectangle" => Self::Rectangle,
            "diamond" => Self::Diamond,
            "ellipse" => Self::Ellipse,
            "line" => Self::Line,
            "arrow" => Self::Arrow,
            "text" => Self::Text,
            "freedraw" => Self::Freedraw,
            "image" => Self::Image,
            "frame" => Self::Frame,
            "magicframe" => Self::MagicFrame,
            "iframe" => Self::Iframe,
            "embeddable" => Self::Embeddable,
            "stickynote" => Self::StickyNote,
            other => Self::Other(other.to_owned()),
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Rectangle => "rectangle",
            Self::Diamond => "diamond",
            Self::Ellipse => "ellipse",
            Self::Line => "line",
            Self::Arrow => "arrow",
            Self::Text => "text",
            Self::Freedraw => "freedraw",
            Self::Image => "image",
            Self::Frame => "frame",
            Self::MagicFrame => "magicframe",
            Self::Iframe => "iframe",
            Self::Embeddable => "embeddable",
            Self::StickyNote => "stickynote",
            Self::Other(name) => name,
        }
    }

    /// Whether the geometry is a list of points rather than a box.
    pub fn is_linear(&self) -> bool {
        matches!(self, Self::Line | Self::Arrow | Self::Freedraw)
    }

    /// Whether a text can sit inside as its label.
    pub fn holds_label(&self) -> bool {
        matches!(
            self,
            Self::Rectangle | Self::Diamond | Self::Ellipse | Self::Arrow | Self::StickyNote
        )
    }

    pub fn is_frame(&self) -> bool {
        matches!(self, Self::Frame | Self::MagicFrame)
    }
}
