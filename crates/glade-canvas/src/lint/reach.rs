//! What has to be looked at to notice all that is wrong with the shapes in an area: they, and what lies near enough to
//! one of them, or belongs to it, to be named together with it.

use super::loose_arrow::NEAR;
use crate::bounds::drawn;
use crate::element::Element;
use crate::geometry::Rect;
use crate::scene::{Scene, sort_by_order};
use crate::view::shape_bounds;

/// So many shapes are asked for their neighbours one by one. A heap of more is looked at as a whole: each of them may
/// have all the others for neighbours.
const FEW: usize = 16;

/// Shapes and labels, bottom first.
pub(super) fn of<'a>(scene: &'a Scene, area: &Rect) -> Vec<&'a Element> {
    let shapes = scene.shapes_touching(area);
    // What is near a shape that lies within the area is near the area.
    let mut reached = scene.shapes_touching(&area.expand(NEAR));
    let mut beyond: Vec<Rect> = shapes
        .iter()
        .map(|shape| with_words(scene, shape))
        .filter(|own| !area.contains_rect(own))
        .map(|own| own.expand(NEAR))
        .collect();
    if beyond.len() > FEW {
        let all = beyond.drain(..).reduce(|all, one| all.union(&one));
        beyond.extend(all);
    }
    for place in &beyond {
        reached.extend(scene.shapes_touching(place));
    }
    for shape in &shapes {
        reached.extend(scene.children_of_frame(&shape.id));
    }
    let labels: Vec<&Element> = reached
        .iter()
        .filter_map(|shape| scene.label_of(&shape.id))
        .collect();
    reached.extend(labels);
    sort_by_order(&mut reached);
    reached.dedup_by(|a, b| a.id == b.id);
    reached
}

fn with_words(scene: &Scene, shape: &Element) -> Rect {
    let own = shape_bounds(scene, shape);
    let words = scene.label_of(&shape.id);
    words.map_or(own, |words| own.union(&drawn(scene, words)))
}
