//! The things an operation is about: ids resolved to elements that move together, with one box.

use std::collections::BTreeSet;

use glade_doc::ElementId;

use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::geometry::Rect;
use crate::scene::Scene;

/// One thing to arrange.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit {
    /// The shape, or the members of the group. Never a label that follows from its container.
    pub members: Vec<ElementId>,
    pub bounds: Rect,
}

/// What these ids stand for, in the order given.
pub(super) fn units(scene: &Scene, ids: &[ElementId]) -> Vec<Unit> {
    let mut taken = BTreeSet::new();
    ids.iter()
        .filter_map(|id| unit(scene, id))
        .filter(|unit| taken.insert(unit.members.clone()))
        .collect()
}

/// Those of [`units`] that have a place of their own.
pub(super) fn movable(scene: &Scene, ids: &[ElementId]) -> Vec<Unit> {
    units(scene, ids)
        .into_iter()
        .filter(|unit| match unit.members.as_slice() {
            [only] => !scene.get(only).is_some_and(|own| is_tied(scene, own)),
            _ => true,
        })
        .collect()
}

pub(super) fn unit(scene: &Scene, id: &ElementId) -> Option<Unit> {
    if let Some(element) = scene.container_of(id).or_else(|| scene.get(id)) {
        return Some(Unit {
            members: vec![element.id.clone()],
            bounds: bounds(element),
        });
    }
    let members: Vec<&Element> = scene
        .group_members(id.as_str())
        .filter(|element| scene.container_of(&element.id).is_none())
        .collect();
    let bounds = members
        .iter()
        .map(|member| bounds(member))
        .reduce(|all, one| all.union(&one))?;
    Some(Unit {
        members: members.iter().map(|member| member.id.clone()).collect(),
        bounds,
    })
}

/// Whether an arrow lies where a live element holds it.
pub(super) fn is_tied(scene: &Scene, element: &Element) -> bool {
    element.kind() == ElementKind::Arrow
        && [element.start_binding(), element.end_binding()]
            .into_iter()
            .flatten()
            .any(|end| scene.get(&end.element_id).is_some())
}

/// The box around all of them.
pub(super) fn common(units: &[Unit]) -> Option<Rect> {
    units
        .iter()
        .map(|unit| unit.bounds)
        .reduce(|all, one| all.union(&one))
}
