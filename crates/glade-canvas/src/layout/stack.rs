//! Shapes one after another with the same gap.

use glade_doc::{Edit, ElementId};

use super::Direction;
use super::distribute::sort_along;
use super::shift::shift;
use super::unit::movable;
use crate::geometry::sane;
use crate::scene::Scene;

/// Puts each shape `gap` after the one before it, in the order they lie now; the first stays.
pub fn stack(scene: &Scene, ids: &[ElementId], direction: Direction, gap: f64) -> Vec<Edit> {
    let mut units = movable(scene, ids);
    sort_along(&mut units, direction);
    let gap = sane(gap, 0.0);
    let Some(mut next) = units.first().map(|unit| direction.start(&unit.bounds)) else {
        return Vec::new();
    };
    let moves = units.into_iter().map(|unit| {
        let delta = direction.along(next - direction.start(&unit.bounds));
        next += direction.length(&unit.bounds) + gap;
        (unit, delta)
    });
    shift(scene, &moves.collect())
}
