//! A shape with a given point of its box at a given place.

use glade_doc::{Edit, ElementId};

use super::shift::shift;
use super::unit::unit;
use crate::geometry::Point;
use crate::scene::Scene;

/// A point of a box, in shares of its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    pub x: f64,
    pub y: f64,
}

impl Anchor {
    pub const TOP_LEFT: Anchor = Anchor { x: 0.0, y: 0.0 };
    pub const TOP_CENTER: Anchor = Anchor { x: 0.5, y: 0.0 };
    pub const TOP_RIGHT: Anchor = Anchor { x: 1.0, y: 0.0 };
    pub const CENTER_LEFT: Anchor = Anchor { x: 0.0, y: 0.5 };
    pub const CENTER: Anchor = Anchor { x: 0.5, y: 0.5 };
    pub const CENTER_RIGHT: Anchor = Anchor { x: 1.0, y: 0.5 };
    pub const BOTTOM_LEFT: Anchor = Anchor { x: 0.0, y: 1.0 };
    pub const BOTTOM_CENTER: Anchor = Anchor { x: 0.5, y: 1.0 };
    pub const BOTTOM_RIGHT: Anchor = Anchor { x: 1.0, y: 1.0 };
}

/// Moves the shape so that the anchor of the box around it lies at `to`.
pub fn move_to(scene: &Scene, id: &ElementId, to: Point, anchor: Anchor) -> Vec<Edit> {
    let Some(unit) = unit(scene, id) else {
        return Vec::new();
    };
    let (rect, to) = (unit.bounds, to.sane());
    let delta = (
        to.x - (rect.x + rect.w * anchor.x),
        to.y - (rect.y + rect.h * anchor.y),
    );
    shift(scene, &vec![(unit, delta)])
}
