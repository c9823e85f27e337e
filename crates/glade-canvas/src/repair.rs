//! The page as it should be read after concurrent edits met: a projection, nothing is written back.
//!
//! Two people can each do something sensible that does not fit together: one deletes a box while the other draws
//! an arrow to it, both label the same shape, both insert at the same height. Whoever hands elements to an editor
//! or a file reads them through here; only the next real edit persists any of it.

use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::binding::binding_owner;
use crate::element::{BindingOwner, Element};
use crate::order;
use crate::scene::Scene;

/// Live elements in z order with dangling bindings and dead frames cut, orphan and surplus labels standing free,
/// and an order key of its own for each.
pub fn repaired(scene: &Scene) -> Vec<Element> {
    let mut elements: Vec<Element> = scene
        .live()
        .map(|element| repair_links(scene, element))
        .collect();
    repair_order(&mut elements);
    elements
}

fn repair_links(scene: &Scene, element: &Element) -> Element {
    let mut repaired = element.clone();
    let mut cut = |key: &str| repaired.props.insert(key.to_owned(), Value::Null);
    let bindable =
        |id: &ElementId| scene.get(id).and_then(binding_owner) == Some(BindingOwner::Editor);
    if is_set(element, "startBinding")
        && !element
            .start_binding()
            .is_some_and(|end| bindable(&end.element_id))
    {
        cut("startBinding");
    }
    if is_set(element, "endBinding")
        && !element
            .end_binding()
            .is_some_and(|end| bindable(&end.element_id))
    {
        cut("endBinding");
    }
    if is_set(element, "containerId") && scene.container_of(&element.id).is_none() {
        cut("containerId");
    }
    let in_frame = element
        .frame_id()
        .is_some_and(|id| scene.get(&id).is_some_and(|frame| frame.kind().is_frame()));
    if is_set(element, "frameId") && !in_frame {
        cut("frameId");
    }
    repaired
}

fn is_set(element: &Element, key: &str) -> bool {
    element.props.get(key).is_some_and(|value| !value.is_null())
}

/// Gives a fresh key to every element whose own is missing, malformed or not above the one before it. The others
/// keep theirs. The order of the slice is what counts.
pub(crate) fn repair_order(elements: &mut [Element]) {
    let own: Vec<Option<String>> = elements
        .iter()
        .map(|element| {
            element
                .index()
                .filter(|key| order::is_valid(key))
                .map(str::to_owned)
        })
        .collect();
    let mut below: Option<String> = None;
    // The next key that can stay; those at or under `below` never can again, so this only moves forward.
    let mut next = 0;
    for at in 0..elements.len() {
        let fits = |key: &String| below.as_ref().is_none_or(|last| key > last);
        let key = match own[at].as_ref().filter(|key| fits(key)) {
            Some(key) => key.clone(),
            None => {
                next = next.max(at + 1);
                while next < own.len() && !own[next].as_ref().is_some_and(&fits) {
                    next += 1;
                }
                let above = own.get(next).and_then(Option::as_deref);
                let fresh = order::key_between(below.as_deref(), above);
                // `below` and `above` are valid and in order, so there is a key; were there none, keep the old.
                let Ok(fresh) = fresh else { continue };
                elements[at].props.insert("index".to_owned(), json!(fresh));
                fresh
            }
        };
        below = Some(key);
    }
}
