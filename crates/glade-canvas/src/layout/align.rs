//! Lining shapes up at an edge or a middle of the box around them all.

use glade_doc::{Edit, ElementId};
use serde::{Deserialize, Serialize};

use super::shift::shift;
use super::unit::{common, movable};
use crate::scene::Scene;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alignment {
    Top,
    Bottom,
    Left,
    Right,
    /// Middles on one vertical line.
    CenterHorizontal,
    /// Middles on one horizontal line.
    CenterVertical,
}

/// Aligns two shapes or more.
pub fn align(scene: &Scene, ids: &[ElementId], alignment: Alignment) -> Vec<Edit> {
    let units = movable(scene, ids);
    let Some(all) = common(&units).filter(|_| units.len() > 1) else {
        return Vec::new();
    };
    let moves = units.into_iter().map(|unit| {
        let own = unit.bounds;
        let delta = match alignment {
            Alignment::Top => (0.0, all.y - own.y),
            Alignment::Bottom => (0.0, all.bottom() - own.bottom()),
            Alignment::Left => (all.x - own.x, 0.0),
            Alignment::Right => (all.right() - own.right(), 0.0),
            Alignment::CenterHorizontal => (all.center().x - own.center().x, 0.0),
            Alignment::CenterVertical => (0.0, all.center().y - own.center().y),
        };
        (unit, delta)
    });
    shift(scene, &moves.collect())
}
