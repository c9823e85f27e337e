//! The 22 geometric kinds that a model may ask for.
//!
//! Three of them are the editor's own shapes. The others are closed polygon lines (`polygon: true`) with the kind
//! in `customData.geo`, so that a model reads back what it made, at the size it asked for. Neither labels nor
//! arrows can be tied to a line in the editor; both are tied by us ([`crate::element`]): a label is a text in the
//! polygon's group, an arrow keeps its binding in `customData`.

mod form;

use glade_doc::Props;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bounds::local_rect;
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect};

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
    ($($variant:ident $name:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum GeoKind {
            $(#[serde(rename = $name)] $variant,)*
        }

        impl GeoKind {
            pub const ALL: &'static [GeoKind] = &[$(GeoKind::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

geo_kinds! {
    Rectangle "rectangle",
    Ellipse "ellipse",
    Triangle "triangle",
    Diamond "diamond",
    Hexagon "hexagon",
    Pill "pill",
    Cloud "cloud",
    XBox "x-box",
    CheckBox "check-box",
    Heart "heart",
    Pentagon "pentagon",
    Octagon "octagon",
    Star "star",
    ParallelogramRight "parallelogram-right",
    ParallelogramLeft "parallelogram-left",
    Trapezoid "trapezoid",
    FatArrowRight "fat-arrow-right",
    FatArrowLeft "fat-arrow-left",
    FatArrowUp "fat-arrow-up",
    FatArrowDown "fat-arrow-down",
    Cylinder "cylinder",
    Person "person",
}

impl GeoKind {
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The editor's own shape of this kind; none where it is drawn as a polygon.
    pub fn native(self) -> Option<ShapeKind> {
        match self {
            Self::Rectangle => Some(ShapeKind::Rectangle),
            Self::Ellipse => Some(ShapeKind::Ellipse),
            Self::Diamond => Some(ShapeKind::Diamond),
            _ => None,
        }
    }

    /// The closed outline in this box, first point repeated at the end: it touches all four sides.
    pub fn outline(self, rect: Rect) -> Vec<Point> {
        form::outline(self, rect)
    }

    /// The part of the box that words can use.
    pub fn inner_rect(self, rect: Rect) -> Rect {
        form::inner_rect(self, rect)
    }
}

/// The kind of an element that is drawn as a polygon of ours.
pub fn polygon_kind(element: &Element) -> Option<GeoKind> {
    if element.kind() != ElementKind::Line {
        return None;
    }
    let kind = GeoKind::from_name(element.custom_str("geo")?)?;
    kind.native().is_none().then_some(kind)
}

/// What changes for the element to fill this box, unrotated. A polygon of ours is drawn anew, any other path is
/// stretched; everything that belongs in one commit is in it.
pub fn reshape(element: &Element, rect: Rect) -> Props {
    let rect = rect.normalized();
    if !element.kind().is_linear() {
        return Props::from_iter([
            ("x".to_owned(), json!(rect.x)),
            ("y".to_owned(), json!(rect.y)),
            ("width".to_owned(), json!(rect.w)),
            ("height".to_owned(), json!(rect.h)),
        ]);
    }
    match polygon_kind(element) {
        Some(kind) => path_props(&kind.outline(rect)),
        None => {
            let old = local_rect(element);
            let share =
                |at: f64, from: f64, side: f64| if side == 0.0 { 0.5 } else { (at - from) / side };
            let points: Vec<Point> = element
                .points()
                .iter()
                .map(|point| {
                    let (x, y) = (point.x + element.x(), point.y + element.y());
                    Point::new(
                        rect.x + rect.w * share(x, old.x, old.w),
                        rect.y + rect.h * share(y, old.y, old.h),
                    )
                })
                .collect();
            path_props(&points)
        }
    }
}

/// x, y, width, height and points of a path through these page points.
pub(crate) fn path_props(points: &[Point]) -> Props {
    let points: Vec<Point> = points.iter().map(|point| point.sane()).collect();
    let (Some(first), Some(rect)) = (
        points.first().copied(),
        Rect::from_points(points.iter().copied()),
    ) else {
        return Props::new();
    };
    let relative: Vec<Value> = points
        .iter()
        .map(|point| json!([point.x - first.x, point.y - first.y]))
        .collect();
    Props::from_iter([
        ("x".to_owned(), json!(first.x)),
        ("y".to_owned(), json!(first.y)),
        ("width".to_owned(), json!(rect.w)),
        ("height".to_owned(), json!(rect.h)),
        ("points".to_owned(), Value::Array(relative)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_go_by_their_names_on_the_wire() {
        assert_eq!(GeoKind::ALL.len(), 22);
        for kind in GeoKind::ALL {
            assert_eq!(GeoKind::from_name(kind.name()), Some(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert_eq!(GeoKind::from_name("blob"), None);
    }
}
