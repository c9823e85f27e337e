//! Spacing shapes evenly between the outermost two.

use glade_doc::{Edit, ElementId};

use super::Direction;
use super::shift::shift;
use super::unit::{Unit, common, movable};
use crate::scene::Scene;

/// Makes the gaps between three shapes or more equal. The extent they take up together stays; where they do not
/// fit side by side they overlap evenly and none stands out.
pub fn distribute(scene: &Scene, ids: &[ElementId], direction: Direction) -> Vec<Edit> {
    let mut units = movable(scene, ids);
    let Some(all) = common(&units).filter(|_| units.len() > 2) else {
        return Vec::new();
    };
    sort_along(&mut units, direction);
    let taken: f64 = units
        .iter()
        .map(|unit| direction.length(&unit.bounds))
        .sum();
    let (start, extent) = (direction.start(&all), direction.length(&all));
    let gap = (extent - taken) / (units.len() - 1) as f64;
    let mut next = start;
    let moves = units.into_iter().map(|unit| {
        let length = direction.length(&unit.bounds);
        let place = next.clamp(start, start + (extent - length).max(0.0));
        let delta = direction.along(place - direction.start(&unit.bounds));
        next += length + gap;
        (unit, delta)
    });
    shift(scene, &moves.collect())
}

/// By where they begin, then where they end; of equal ones the order given.
pub(super) fn sort_along(units: &mut [Unit], direction: Direction) {
    let key = |unit: &Unit| {
        let start = direction.start(&unit.bounds);
        (start, start + direction.length(&unit.bounds))
    };
    units.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
}
