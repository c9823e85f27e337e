//! Shapes above or below all others.

use std::collections::BTreeSet;

use glade_doc::{Edit, ElementId, Props};
use serde_json::json;

use super::unit::units;
use crate::element::Element;
use crate::order::{is_valid, keys_between};
use crate::repair::repaired;
use crate::scene::Scene;

/// Puts these shapes above everything else, in the order they lie now, labels with their containers.
pub fn bring_to_front(scene: &Scene, ids: &[ElementId]) -> Vec<Edit> {
    reorder(scene, ids, End::Front)
}

/// Puts these shapes below everything else, in the order they lie now, labels with their containers.
pub fn send_to_back(scene: &Scene, ids: &[ElementId]) -> Vec<Edit> {
    reorder(scene, ids, End::Back)
}

/// Puts these shapes above `floor`, the highest order key of a page of which the scene may be a part.
pub fn above(scene: &Scene, ids: &[ElementId], floor: Option<&str>) -> Vec<Edit> {
    let chosen = with_followers(scene, ids);
    rekeyed(scene, &chosen, keys_between(floor, None, chosen.len()))
}

/// Puts these shapes below `ceiling`, the lowest order key of a page of which the scene may be a part.
pub fn below(scene: &Scene, ids: &[ElementId], ceiling: Option<&str>) -> Vec<Edit> {
    let chosen = with_followers(scene, ids);
    rekeyed(scene, &chosen, keys_between(None, ceiling, chosen.len()))
}

/// Keys that are beyond repair give no edits: the order stays.
fn rekeyed<E>(
    scene: &Scene,
    chosen: &BTreeSet<ElementId>,
    keys: Result<Vec<String>, E>,
) -> Vec<Edit> {
    let in_order = scene.live().filter(|own| chosen.contains(&own.id));
    let pairs = in_order.zip(keys.into_iter().flatten());
    pairs.map(|(element, key)| put_key(element, key)).collect()
}

fn put_key(element: &Element, key: String) -> Edit {
    Edit::Put {
        id: element.id.clone(),
        props: Props::from_iter([("index".to_owned(), json!(key))]),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Front,
    Back,
}

fn reorder(scene: &Scene, ids: &[ElementId], end: End) -> Vec<Edit> {
    let chosen = with_followers(scene, ids);
    // Read through repair: a shape without a valid key has no place to be above or below of.
    let elements = repaired(scene);
    let is_chosen = |element: &&Element| chosen.contains(&element.id);
    let in_place = match end {
        End::Front => elements
            .iter()
            .rev()
            .take(chosen.len())
            .all(|e| is_chosen(&e)),
        End::Back => elements.iter().take(chosen.len()).all(|e| is_chosen(&e)),
    };
    if chosen.is_empty() || in_place {
        return Vec::new();
    }
    let keys = elements
        .iter()
        .filter_map(Element::index)
        .chain(scene.indexes().filter(|key| is_valid(key)));
    let fresh = match end {
        End::Front => keys_between(keys.max(), None, chosen.len()),
        End::Back => keys_between(None, keys.min(), chosen.len()),
    };
    let Ok(fresh) = fresh else { return Vec::new() };
    let mut fresh = fresh.into_iter();
    let mut edits = Vec::new();
    for element in &elements {
        let before = scene.get(&element.id).and_then(Element::index);
        let key = if is_chosen(&element) {
            fresh.next()
        } else {
            element.index().map(str::to_owned)
        };
        if let Some(key) = key.filter(|key| Some(key.as_str()) != before) {
            edits.push(put_key(element, key));
        }
    }
    edits
}

/// The shapes with their labels and what is in those that are frames.
fn with_followers(scene: &Scene, ids: &[ElementId]) -> BTreeSet<ElementId> {
    let mut all: BTreeSet<ElementId> = units(scene, ids)
        .into_iter()
        .flat_map(|unit| unit.members)
        .collect();
    for frame in all.clone() {
        all.extend(
            scene
                .children_of_frame(&frame)
                .map(|child| child.id.clone()),
        );
    }
    for container in all.clone() {
        all.extend(scene.label_of(&container).map(|label| label.id.clone()));
    }
    all
}
