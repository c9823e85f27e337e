//! Shapes moved as little as needed so that they do not lie on each other.

use glade_doc::{Edit, ElementId};

use super::shift::{Moves, shift};
use super::unit::{Unit, movable};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::geometry::Rect;
use crate::scene::Scene;
use crate::space::free_rect;
use crate::view;

/// Gives these shapes room of at least `gap` from each other and from the other shapes of the page. Earlier ids
/// have the better right to their place. Lines, arrows and frames are in nobody's way, nor is a larger shape
/// that a shape lies on.
pub fn nudge_apart(scene: &Scene, ids: &[ElementId], gap: f64) -> Vec<Edit> {
    let units = movable(scene, ids);
    let listed = |id: &ElementId| units.iter().any(|unit| unit.members.contains(id));
    let bystanders: Vec<Rect> = view::shapes(scene)
        .filter(|element| stands_in_the_way(element) && !listed(&element.id))
        .map(bounds)
        .collect();
    let mut settled: Vec<(Vec<ElementId>, Rect)> = Vec::new();
    let mut moves: Moves = Vec::new();
    for unit in units.clone() {
        let obstacles: Vec<Rect> = bystanders
            .iter()
            .copied()
            .filter(|other| !other.contains_rect(&unit.bounds))
            .chain(
                settled
                    .iter()
                    .filter(|(members, _)| !holds(scene, &unit, members))
                    .map(|(_, place)| *place),
            )
            .collect();
        let place = free_rect(&obstacles, unit.bounds, gap);
        let delta = (place.x - unit.bounds.x, place.y - unit.bounds.y);
        settled.push((unit.members.clone(), place));
        moves.push((unit, delta));
    }
    shift(scene, &moves)
}

fn stands_in_the_way(element: &Element) -> bool {
    let kind = element.kind();
    !kind.is_frame() && !matches!(kind, ElementKind::Line | ElementKind::Arrow)
        || element.custom_str("geo").is_some()
}

/// A frame is not in the way of what it holds.
fn holds(scene: &Scene, unit: &Unit, others: &[ElementId]) -> bool {
    let frame = |id: &ElementId| scene.get(id).and_then(Element::frame_id);
    unit.members
        .iter()
        .any(|id| frame(id).is_some_and(|frame| others.contains(&frame)))
        || others
            .iter()
            .any(|id| frame(id).is_some_and(|frame| unit.members.contains(&frame)))
}
