//! Shapes a little further, all by the same way.

use glade_doc::{Edit, ElementId};

use super::shift::shift;
use super::unit::{common, movable};
use crate::geometry::Point;
use crate::layout::Anchor;
use crate::scene::Scene;

/// Moves these shapes by the same distance.
pub fn move_by(scene: &Scene, ids: &[ElementId], (dx, dy): (f64, f64)) -> Vec<Edit> {
    let units = movable(scene, ids).into_iter();
    shift(scene, &units.map(|unit| (unit, (dx, dy))).collect())
}

/// Moves these shapes so that the anchor of the box around all of them lies at `to`.
pub fn move_together(scene: &Scene, ids: &[ElementId], to: Point, anchor: Anchor) -> Vec<Edit> {
    let Some(all) = common(&movable(scene, ids)) else {
        return Vec::new();
    };
    let to = to.sane();
    let delta = (
        to.x - (all.x + all.w * anchor.x),
        to.y - (all.y + all.h * anchor.y),
    );
    move_by(scene, ids, delta)
}
