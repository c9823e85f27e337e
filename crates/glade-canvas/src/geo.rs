//! The 20 geometric kinds that a model may ask for.
//!
//! Three of them are the editor's own shapes. The others are, for now, drawn as the nearest of those three with
//! the kind asked for kept in `customData.geo`, so that a model reads back what it made and a later version can
//! draw the true outline.

use serde::{Deserialize, Serialize};

/// The editor's own closed shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    Rectangle,
    Ellipse,
    Diamond,
}

impl ShapeKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rectangle => "rectangle",
            Self::Ellipse => "ellipse",
            Self::Diamond => "diamond",
        }
    }
}

macro_rules! geo_kinds {
    ($($variant:ident $name:literal $shape:ident,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum GeoKind {
            $(#[serde(rename = $name)] $variant,)*
        }

        impl GeoKind {
            pub const ALL: &'static [GeoKind] = &[$(GeoKind::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The editor's shape that it is drawn as.
            pub fn drawn_as(self) -> ShapeKind {
                match self { $(Self::$variant => ShapeKind::$shape,)* }
            }
        }
    };
}

geo_kinds! {
    Rectangle "rectangle" Rectangle,
    Ellipse "ellipse" Ellipse,
    Triangle "triangle" Diamond,
    Diamond "diamond" Diamond,
    Hexagon "hexagon" Rectangle,
    Pill "pill" Rectangle,
    Cloud "cloud" Ellipse,
    XBox "x-box" Rectangle,
    CheckBox "check-box" Rectangle,
    Heart "heart" Ellipse,
    Pentagon "pentagon" Ellipse,
    Octagon "octagon" Ellipse,
    Star "star" Diamond,
    ParallelogramRight "parallelogram-right" Rectangle,
    ParallelogramLeft "parallelogram-left" Rectangle,
    Trapezoid "trapezoid" Rectangle,
    FatArrowRight "fat-arrow-right" Rectangle,
    FatArrowLeft "fat-arrow-left" Rectangle,
    FatArrowUp "fat-arrow-up" Rectangle,
    FatArrowDown "fat-arrow-down" Rectangle,
}

impl GeoKind {
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Whether the editor has this very shape.
    pub fn is_native(self) -> bool {
        matches!(self, Self::Rectangle | Self::Ellipse | Self::Diamond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twenty_kinds_go_by_their_names_on_the_wire() {
        assert_eq!(GeoKind::ALL.len(), 20);
        for kind in GeoKind::ALL {
            assert_eq!(GeoKind::from_name(kind.name()), Some(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert_eq!(GeoKind::from_name("blob"), None);
    }
}
