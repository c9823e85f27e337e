//! What was read from a file, put onto a page that may have things on it.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{Edit, ElementId};
use serde_json::{Value, json};

use super::{Library, Loaded};
use crate::element::Element;
use crate::geometry::Rect;
use crate::order;
use crate::scene::Scene;

/// Between what is on the page and what comes beside it, and between the items of a library.
const GAP: f64 = 100.0;
/// A library's items are laid in rows about this wide.
const ROW: f64 = 1600.0;

/// What becomes of the things on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onto {
    /// They are deleted.
    Replace,
    /// They stay; what is new comes to the right of them, above them in order.
    Append,
}

impl Library {
    /// All items side by side, as a scene.
    pub fn laid_out(self) -> Loaded {
        let mut loaded = Loaded {
            notes: self.notes,
            ..Loaded::default()
        };
        let (mut x, mut y, mut lowest) = (0.0, 0.0, 0.0_f64);
        let mut taken = BTreeSet::new();
        for item in self.items {
            // Items are drawn each on a page of its own, and may share ids.
            let elements = renamed(item.elements, &|id| taken.contains(id), &|_| false);
            let Some(area) = area_of(&elements) else {
                continue;
            };
            if x > 0.0 && x + area.w > ROW {
                (x, y) = (0.0, lowest + GAP);
            }
            taken.extend(elements.iter().map(|element| element.id.clone()));
            let there = elements
                .iter()
                .map(|element| moved(element, x - area.x, y - area.y));
            loaded.elements.extend(there);
            lowest = lowest.max(y + area.h);
            x += area.w + GAP;
        }
        crate::repair::repair_order(&mut loaded.elements);
        loaded
    }
}

impl Loaded {
    /// The edits that put everything onto this page. Ids and groups that the page knows, be it from something
    /// deleted, are given new ones.
    pub fn edits_onto(&self, page: &Scene, onto: Onto) -> Vec<Edit> {
        let known = |id: &ElementId| page.any(id).is_some();
        let grouped = |group: &str| page.group_members(group).next().is_some();
        let mut elements = renamed(self.elements.clone(), &known, &grouped);
        if onto == Onto::Append {
            if let (Some(there), Some(new)) = (page.content_bounds(), area_of(&elements)) {
                let (dx, dy) = (there.right() + GAP - new.x, there.y - new.y);
                elements = elements
                    .iter()
                    .map(|element| moved(element, dx, dy))
                    .collect();
            }
            let mut below = page
                .indexes()
                .rev()
                .find(|key| order::is_valid(key))
                .map(str::to_owned);
            for element in &mut elements {
                if let Ok(key) = order::key_between(below.as_deref(), None) {
                    element.props.insert("index".to_owned(), json!(key));
                    below = Some(key);
                }
            }
        }
        let put = |element: Element| Edit::Put {
            id: element.id,
            props: element.props,
        };
        // Deleting comes last: should something be refused on the way, what was there still is.
        let old = page.live().filter(|_| onto == Onto::Replace);
        let delete = |element: &Element| Edit::Delete {
            id: element.id.clone(),
        };
        elements
            .into_iter()
            .map(put)
            .chain(old.map(delete))
            .collect()
    }
}

/// Points are relative, so the corner carries everything along.
fn moved(element: &Element, dx: f64, dy: f64) -> Element {
    let place = [("x", element.x() + dx), ("y", element.y() + dy)];
    let place = place.map(|(key, value)| (key.to_owned(), json!(value)));
    element.with(&place.into_iter().collect())
}

fn area_of(elements: &[Element]) -> Option<Rect> {
    let boxes = elements.iter().map(crate::bounds::bounds);
    boxes.reduce(|all, one| all.union(&one))
}

/// The same elements under ids and groups that are not taken, their ties to each other with them.
fn renamed(
    elements: Vec<Element>,
    taken: &dyn Fn(&ElementId) -> bool,
    grouped: &dyn Fn(&str) -> bool,
) -> Vec<Element> {
    let own: BTreeSet<ElementId> = elements.iter().map(|element| element.id.clone()).collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut groups: BTreeMap<String, String> = BTreeMap::new();
    let mut used = own.clone();
    for element in &elements {
        if taken(&element.id) {
            let base: String = element.id.as_str().chars().take(24).collect();
            let fresh = (2_u64..)
                .map(|copy| ElementId::from(format!("{base}-{copy}").as_str()))
                .find(|id| !taken(id) && !used.contains(id));
            if let Some(fresh) = fresh {
                used.insert(fresh.clone());
                names.insert(element.id.as_str().to_owned(), fresh.as_str().to_owned());
            }
        }
        for group in element.group_ids() {
            if grouped(group) && !groups.contains_key(group) {
                let base: String = group.chars().take(24).collect();
                let fresh = (2_u64..).map(|copy| format!("{base}-{copy}"));
                let fresh = fresh.into_iter().find(|name| !grouped(name));
                groups.insert(group.to_owned(), fresh.unwrap_or_else(|| base.clone()));
            }
        }
    }
    if names.is_empty() && groups.is_empty() {
        return elements;
    }
    elements
        .into_iter()
        .map(|element| rename(element, &names, &groups))
        .collect()
}

fn rename(
    mut element: Element,
    names: &BTreeMap<String, String>,
    groups: &BTreeMap<String, String>,
) -> Element {
    if let Some(id) = names.get(element.id.as_str()) {
        element.id = ElementId::from(id.as_str());
    }
    let name = |value: &mut Value| {
        if let Some(fresh) = value.as_str().and_then(|old| names.get(old)) {
            *value = json!(fresh);
        }
    };
    for key in ["containerId", "frameId"] {
        if let Some(value) = element.props.get_mut(key) {
            name(value);
        }
    }
    for key in ["startBinding", "endBinding"] {
        if let Some(value) = element
            .props
            .get_mut(key)
            .and_then(|end| end.get_mut("elementId"))
        {
            name(value);
        }
        let ours = element
            .props
            .get_mut("customData")
            .and_then(|data| data.get_mut(key));
        if let Some(value) = ours.and_then(|end| end.get_mut("elementId")) {
            name(value);
        }
    }
    if let Some(value) = element
        .props
        .get_mut("customData")
        .and_then(|data| data.get_mut("labelOf"))
    {
        name(value);
    }
    if let Some(Value::Array(own)) = element.props.get_mut("groupIds") {
        for group in own {
            if let Some(fresh) = group.as_str().and_then(|old| groups.get(old)) {
                *group = json!(fresh);
            }
        }
    }
    element
}
