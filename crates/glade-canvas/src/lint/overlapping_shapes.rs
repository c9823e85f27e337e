//! Shapes with words of which one lies partly on the other. What lies wholly in another is in it.

use super::{Lint, LintKind, edge, shapes};
use crate::bounds::bounds;
use crate::element::Element;
use crate::scene::{Scene, by_order};

/// Strokes that touch are no matter.
const SLACK: f64 = 6.0;
/// Of so many below one shape it is told.
const FEW: usize = 4;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    let apart = "it lies partly on the other; move them apart";
    let mut found = Vec::new();
    for upper in shapes(scene, among).filter(|shape| edge::has_words(scene, shape)) {
        let Some(own) = edge::of(upper) else { continue };
        let area = bounds(upper).expand(-SLACK);
        let mut near = scene.shapes_touching(&area);
        near.retain(|lower| {
            by_order(lower, upper).is_lt()
                && edge::has_words(scene, lower)
                && bounds(lower).intersects(&area)
                && !edge::are_grouped(lower, upper)
        });
        let below = near
            .into_iter()
            .filter(|lower| edge::of(lower).is_some_and(|other| edge::cross(&own, &other)));
        for lower in below.take(FEW) {
            found.push(Lint::new(
                LintKind::OverlappingShapes,
                &[&upper.id, &lower.id],
                apart,
            ));
        }
    }
    found
}
