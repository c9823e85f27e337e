//! What a model sees of a page: little about much, more about what matters.
//!
//! - **Blurry**: everything in the view, one line each: id, kind, text, box.
//! - **Peripheral**: what lies outside, gathered into clusters with a count and a direction.
//! - **Full** ([`crate::full`]): the few shapes that are selected, picked or being edited.
//!
//! A label is part of its container here, never a shape of its own. Numbers are the page's own, unrounded:
//! offsets and rounding belong to whoever talks to the model, who must be able to undo them exactly.

mod around;

use std::collections::BTreeMap;

use glade_doc::ElementId;
use serde::{Deserialize, Serialize};

use crate::element::{Element, ElementKind};
use crate::geo::{GeoKind, polygon_kind};
use crate::geometry::Rect;
use crate::index::Index;
use crate::scene::Scene;

pub use around::peripheral;

/// Shapes nearer to each other than this are one cluster.
pub const CLUSTER_PADDING: f64 = 75.0;

/// A shape at a glance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Blurry {
    pub shape_id: ElementId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

/// Shapes outside the view that lie together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cluster {
    pub bounds: Rect,
    pub number_of_shapes: usize,
    /// Where to look for it from the view.
    pub direction: Direction,
    /// What is written there, the most prominent first: enough to know whether to go there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    Above,
    AboveRight,
    Right,
    BelowRight,
    Below,
    BelowLeft,
    Left,
    AboveLeft,
    /// Around or inside the view.
    Here,
}

/// The live elements that a model counts as shapes: all but labels, bottom first.
pub fn shapes(scene: &Scene) -> impl Iterator<Item = &Element> {
    scene
        .live()
        .filter(|element| scene.container_of(&element.id).is_none())
}

/// Everything that shows in `view`, bottom first.
pub fn blurry(scene: &Scene, view: &Rect) -> Vec<Blurry> {
    in_view(scene, view)
        .into_iter()
        .map(|element| blur(scene, element))
        .collect()
}

/// The shapes that show in `view`, bottom first. Costs what lies near, not the page.
pub fn in_view<'s>(scene: &'s Scene, view: &Rect) -> Vec<&'s Element> {
    let mut near = scene.shapes_touching(view);
    near.retain(|element| shape_bounds(scene, element).touches(view));
    near
}

/// One shape at a glance.
pub fn blur(scene: &Scene, element: &Element) -> Blurry {
    let bounds = crate::bounds::bounds(element);
    Blurry {
        shape_id: element.id.clone(),
        text: shape_text(scene, element),
        kind: shape_type(element),
        x: bounds.x,
        y: bounds.y,
        w: bounds.w,
        h: bounds.h,
    }
}

/// Gathers boxes into clusters: any two whose clusters come within `padding` of each other belong together, until
/// nothing more merges. The answer does not depend on the order given; it is sorted from the top left.
///
/// There is one finest way to do that, whichever pair is merged first: what touches now still touches when either
/// has grown. So each box is taken in turn and swallows what it touches until it touches nothing.
pub fn cluster(boxes: &[Rect], padding: f64) -> Vec<(Rect, usize)> {
    let mut clusters: BTreeMap<usize, (Rect, usize)> = BTreeMap::new();
    let mut places: Index<usize> = Index::default();
    let mut last = 0;
    for (at, bounds) in boxes.iter().enumerate() {
        // Inside a cluster nothing grows, and all others stand apart from it already.
        if let Some((area, count)) = clusters.get_mut(&last)
            && area.contains_rect(bounds)
        {
            *count += 1;
            continue;
        }
        let (mut bounds, mut count) = (*bounds, 1);
        loop {
            let touched: Vec<usize> = places
                .touching(&bounds.expand(padding))
                .into_iter()
                .copied()
                .collect();
            if touched.is_empty() {
                break;
            }
            for other in touched {
                places.remove(&other);
                if let Some((area, more)) = clusters.remove(&other) {
                    bounds = bounds.union(&area);
                    count += more;
                }
            }
        }
        places.put(&at, bounds);
        clusters.insert(at, (bounds, count));
        last = at;
    }
    let mut clusters: Vec<(Rect, usize)> = clusters.into_values().collect();
    clusters.sort_by(|(a, _), (b, _)| {
        (a.y, a.x, a.w, a.h)
            .partial_cmp(&(b.y, b.x, b.w, b.h))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    clusters
}

/// Where a box lies as seen from the view: by its middle, or by the side it clears.
pub fn direction(view: &Rect, target: &Rect) -> Direction {
    let side = |low: f64, high: f64, from: f64, to: f64| match () {
        () if high < from => -1,
        () if low > to => 1,
        () => 0,
    };
    let column = side(target.x, target.right(), view.x, view.right());
    let row = side(target.y, target.bottom(), view.y, view.bottom());
    match (column, row) {
        (0, -1) => Direction::Above,
        (1, -1) => Direction::AboveRight,
        (1, 0) => Direction::Right,
        (1, 1) => Direction::BelowRight,
        (0, 1) => Direction::Below,
        (-1, 1) => Direction::BelowLeft,
        (-1, 0) => Direction::Left,
        (-1, -1) => Direction::AboveLeft,
        _ => Direction::Here,
    }
}

/// The box of a shape with its label, which on an arrow or a small shape can stand out.
pub fn shape_bounds(scene: &Scene, element: &Element) -> Rect {
    let own = crate::bounds::bounds(element);
    if element.kind() != ElementKind::Arrow {
        return own;
    }
    match scene.label_of(&element.id) {
        Some(label) => own.union(&crate::bounds::bounds(label)),
        None => own,
    }
}

/// What is written on a shape: its own words, its label's, a frame's name. None when there are none.
pub fn shape_text(scene: &Scene, element: &Element) -> Option<String> {
    let text = match element.kind() {
        ElementKind::Text => element.original_text(),
        kind if kind.is_frame() => element
            .props
            .get("name")
            .and_then(serde_json::Value::as_str)
            .unwrap_or(""),
        _ => scene
            .label_of(&element.id)
            .map_or("", Element::original_text),
    };
    (!text.is_empty()).then(|| text.to_owned())
}

/// The model's word for the kind of shape.
pub fn shape_type(element: &Element) -> String {
    match element.kind() {
        ElementKind::Rectangle | ElementKind::Ellipse | ElementKind::Diamond => {
            geo_of(element).name().to_owned()
        }
        ElementKind::Line if polygon_kind(element).is_some() => geo_of(element).name().to_owned(),
        ElementKind::StickyNote => "note".to_owned(),
        ElementKind::Line if is_closed(element) => "draw".to_owned(),
        ElementKind::Freedraw => "draw".to_owned(),
        ElementKind::MagicFrame => "frame".to_owned(),
        kind => kind.as_str().to_owned(),
    }
}

/// Whether a line is the edge of an area, as the pen draws it.
pub fn is_closed(element: &Element) -> bool {
    let polygon = element.props.get("polygon");
    polygon.is_some_and(|own| own == &serde_json::Value::Bool(true))
}

/// The geometric kind of a closed shape: the one asked for, or the editor's own.
pub fn geo_of(element: &Element) -> GeoKind {
    let asked = element.custom_str("geo").and_then(GeoKind::from_name);
    asked.unwrap_or_else(|| match element.kind() {
        ElementKind::Ellipse => GeoKind::Ellipse,
        ElementKind::Diamond => GeoKind::Diamond,
        _ => GeoKind::Rectangle,
    })
}
