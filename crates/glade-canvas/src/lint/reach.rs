//! What has to be looked at to notice all that is wrong with the shapes in an area: they, and what lies near enough to
//! one of them, or belongs to it, to be named together with it.

use super::loose_arrow::NEAR;
use crate::bounds::drawn;
use crate::element::Element;
use crate::geometry::Rect;
use crate::scene::{Scene, sort_by_order};
use crate::view::shape_bounds;

/// Shapes and labels, bottom first.
pub(super) fn of<'a>(scene: &'a Scene, area: &Rect) -> Vec<&'a Element> {
    // All that is near a shape that lies within the area; of the others each is asked for its own neighbours.
    let mut reached = scene.shapes_touching(&area.expand(NEAR));
    for at in 0..reached.len() {
        let shape = reached[at];
        let words = scene.label_of(&shape.id);
        let own = shape_bounds(scene, shape);
        let own = words.map_or(own, |words| own.union(&drawn(scene, words)));
        if own.touches(area) && !area.contains_rect(&own) {
            reached.extend(scene.shapes_touching(&own.expand(NEAR)));
        }
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
