//! Two sets of names for the same shapes. The page has unique, everlasting element ids; a model uses
//! short ids that it made up (`order`) or that we showed it. The map keeps the two apart, so that a
//! model may call two shapes `box` in two chats and neither hurts the other.

use std::collections::BTreeMap;

use glade_doc::ElementId;
use serde::{Deserialize, Serialize};

/// Longest readable share of an element id.
const STEM: usize = 24;

/// Model id ↔ element id, for the life of a chat.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IdMap {
    to_element: BTreeMap<String, ElementId>,
    to_model: BTreeMap<ElementId, String>,
    /// What a model now means by an id that it used twice: the shape that it made last.
    aliases: BTreeMap<String, String>,
}

impl IdMap {
    /// The name under which a model knows this element; made up at the first look.
    pub fn model_id(&mut self, element: &ElementId) -> String {
        if let Some(known) = self.to_model.get(element) {
            return known.clone();
        }
        let name = self.free(element.as_str());
        self.bind(name.clone(), element.clone());
        name
    }

    /// The name under which a model knows a block: short, whatever the block's own id is like. `place` is where it
    /// stands when it is first shown.
    pub fn block_id(&mut self, block: &ElementId, place: usize) -> String {
        if let Some(known) = self.to_model.get(block) {
            return known.clone();
        }
        let name = self.free(&format!("b{place}"));
        self.bind(name.clone(), block.clone());
        name
    }

    /// All names, with what they mean.
    pub fn names(&self) -> impl Iterator<Item = (&str, &ElementId)> {
        let named = self.to_element.iter();
        named.map(|(name, element)| (name.as_str(), element))
    }

    /// The element that a model means. An id that is not in the map may still be an element's own.
    pub fn element(&self, model_id: &str) -> Option<&ElementId> {
        let name = self.aliases.get(model_id).map_or(model_id, String::as_str);
        self.to_element.get(name)
    }

    /// Names a new element after what the model called it; a taken name gets a number, and from now
    /// on the model's word means the new one.
    pub fn adopt(&mut self, wanted: &str, element: &ElementId) -> String {
        if let Some(known) = self.to_model.get(element) {
            return known.clone();
        }
        let name = self.free(wanted);
        if name == wanted {
            self.aliases.remove(wanted);
        } else {
            self.aliases.insert(wanted.to_owned(), name.clone());
        }
        self.bind(name.clone(), element.clone());
        name
    }

    /// Forgets an element that came to nothing, so that its name is free again.
    pub fn forget(&mut self, element: &ElementId) {
        if let Some(name) = self.to_model.remove(element) {
            self.to_element.remove(&name);
            self.aliases.retain(|_, to| *to != name);
        }
    }

    /// Keeps only elements that still matter; aliases end with the run that made them.
    pub fn retain(&mut self, alive: impl Fn(&ElementId) -> bool) {
        self.aliases.clear();
        self.to_model.retain(|element, _| alive(element));
        self.to_element.retain(|_, element| alive(element));
    }

    fn bind(&mut self, name: String, element: ElementId) {
        self.to_model.insert(element.clone(), name.clone());
        self.to_element.insert(name, element);
    }

    fn free(&self, wanted: &str) -> String {
        if !self.to_element.contains_key(wanted) {
            return wanted.to_owned();
        }
        let mut number = 2u32;
        loop {
            let name = format!("{wanted}-{number}");
            if !self.to_element.contains_key(&name) {
                return name;
            }
            number += 1;
        }
    }
}

/// The readable part of an element id made from a model's id: lower case letters, digits, dashes.
pub fn stem(wanted: &str) -> String {
    let mut out = String::new();
    for c in wanted.chars() {
        if out.len() >= STEM {
            break;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let stem = out.trim_end_matches('-');
    if stem.is_empty() {
        "shape".to_owned()
    } else {
        stem.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ElementId {
        ElementId::from(text)
    }

    #[test]
    fn an_id_used_twice_means_the_newer_shape_and_both_stay_reachable() {
        let mut ids = IdMap::default();
        assert_eq!(ids.adopt("box", &id("box-1a")), "box");
        assert_eq!(ids.adopt("box", &id("box-2b")), "box-2");
        assert_eq!(ids.element("box"), Some(&id("box-2b")));
        assert_eq!(ids.model_id(&id("box-1a")), "box");
        ids.retain(|_| true);
        assert_eq!(ids.element("box"), Some(&id("box-1a")));
        assert_eq!(ids.element("box-2"), Some(&id("box-2b")));
    }

    #[test]
    fn a_forgotten_element_gives_its_name_back() {
        let mut ids = IdMap::default();
        ids.adopt("box", &id("box-1a"));
        ids.forget(&id("box-1a"));
        assert_eq!(ids, IdMap::default());
    }

    #[test]
    fn an_element_whose_own_id_is_taken_is_shown_under_another() {
        let mut ids = IdMap::default();
        ids.adopt("order", &id("order-x1"));
        assert_eq!(ids.model_id(&id("order")), "order-2");
        assert_eq!(ids.element("order-2"), Some(&id("order")));
    }

    #[test]
    fn stems_are_short_and_plain() {
        let stems = [
            "Order #1!",
            "Größe",
            "…",
            "a-very-long-identifier-that-goes-on",
        ]
        .map(stem);
        assert_eq!(
            stems,
            ["order-1", "gr-e", "shape", "a-very-long-identifier-t"]
        );
    }
}
