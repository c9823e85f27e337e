//! All elements of a page, kept in z order and up to date in place.
//!
//! A scene is built once and refreshed per changed element: besides the elements it keeps the reverse of
//! `containerId` and of the arrow bindings, so that "what follows from this change" costs the neighbours, not
//! the page. Deleted elements stay (their tombstones decide whether a binding dangles); readers ask for live ones.

mod boxes;

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use glade_doc::{Edit, ElementId, PageDoc, Props, Surface, text};
use serde_json::Value;

use crate::bounds;
use crate::element::{Element, ElementKind};
use crate::geo::polygon_kind;
use crate::geometry::Rect;
use crate::index::Index;
use crate::render::Look;
use boxes::Boxes;

/// Sorts by (index, id); elements without an index come last, on top, as the newest of a careless writer.
type OrderKey = (bool, String, ElementId);

/// An element, and what of it a picture shows.
#[derive(Debug)]
struct SceneEntry {
    element: Element,
    look: Look,
}

/// The look follows from the element.
impl PartialEq for SceneEntry {
    fn eq(&self, other: &Self) -> bool {
        self.element == other.element
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What the page is for. On a text page the elements are blocks, and nothing here is about where they are.
    surface: Surface,
    /// Looked up by id and counted, never listed: its order is nobody's.
    elements: HashMap<ElementId, Arc<SceneEntry>>,
    order: BTreeMap<OrderKey, Arc<SceneEntry>>,
    /// container → texts that name it.
    labels: BTreeMap<ElementId, BTreeSet<ElementId>>,
    /// element → arrows with an end on it.
    arrows: BTreeMap<ElementId, BTreeSet<ElementId>>,
    /// group → its members, of inner groups too.
    groups: BTreeMap<String, BTreeSet<ElementId>>,
    /// frame → what is in it.
    frames: BTreeMap<ElementId, BTreeSet<ElementId>>,
    /// Where the ink of each live shape is.
    places: Index<ElementId>,
    boxes: Boxes,
}

impl Scene {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn from_doc(doc: &PageDoc) -> Self {
        let elements = doc.elements().into_iter();
        Self::of(
            doc.surface(),
            elements.map(|(id, props)| Element { id, props }),
        )
    }

    /// The elements of a page with this surface.
    pub fn of(surface: Surface, elements: impl IntoIterator<Item = Element>) -> Self {
        let mut scene = Self {
            surface,
            ..Self::default()
        };
        elements.into_iter().for_each(|element| scene.put(element));
        scene
    }

    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// Takes these elements anew from the document; an id the document does not know is forgotten.
    pub fn refresh<'a>(&mut self, doc: &PageDoc, ids: impl IntoIterator<Item = &'a ElementId>) {
        for id in ids {
            match doc.element(id) {
                Some(props) => self.put(Element {
                    id: id.clone(),
                    props,
                }),
                None => self.forget(id),
            }
        }
    }

    /// Adds the element or replaces the one of the same id.
    pub fn put(&mut self, element: Element) {
        self.unlink(&element.id);
        if self.surface.has_shapes() && !element.is_deleted() {
            self.places.put(&element.id, bounds::ink(&element))
        } else {
            self.places.remove(&element.id)
        }
        if let Some(container) = element.container_id() {
            self.labels
                .entry(container)
                .or_default()
                .insert(element.id.clone());
        }
        for target in binding_targets(&element) {
            self.arrows
                .entry(target)
                .or_default()
                .insert(element.id.clone());
        }
        for group in element.group_ids() {
            self.groups
                .entry(group.to_owned())
                .or_default()
                .insert(element.id.clone());
        }
        if let Some(frame) = element.frame_id() {
            self.frames
                .entry(frame)
                .or_default()
                .insert(element.id.clone());
        }
        let id = element.id.clone();
        let key = order_key(&element);
        let entry = Arc::new(SceneEntry {
            look: Look::at(&element),
            element,
        });
        self.order.insert(key, Arc::clone(&entry));
        self.elements.insert(id.clone(), entry);
        self.doubt_boxes(&id);
    }

    /// A live element.
    pub fn get(&self, id: &ElementId) -> Option<&Element> {
        self.entry(id).map(|(element, _)| element)
    }

    /// A live element and its look.
    pub(crate) fn entry(&self, id: &ElementId) -> Option<(&Element, &Look)> {
        let entry = self
            .elements
            .get(id)
            .filter(|entry| !entry.look.is_deleted)?;
        Some((&entry.element, &entry.look))
    }

    /// An element, deleted or not.
    pub fn any(&self, id: &ElementId) -> Option<&Element> {
        self.elements.get(id).map(|entry| &entry.element)
    }

    /// Live elements, bottom first.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = &Element> {
        let live = self.looks().filter(|(_, look)| !look.is_deleted);
        live.map(|(element, _)| element)
    }

    /// All elements and their looks, deleted ones too, bottom first. None of them is read for it.
    pub(crate) fn looks(&self) -> impl DoubleEndedIterator<Item = (&Element, &Look)> {
        self.order
            .values()
            .map(|entry| (&entry.element, &entry.look))
    }

    /// Live elements that may have ink in this rectangle, bottom first: none that has is left out. Costs what lies
    /// near, not the page.
    pub fn touching(&self, rect: &Rect) -> Vec<&Element> {
        let ids = self.places.touching(rect);
        let mut found: Vec<&Element> = ids.into_iter().filter_map(|id| self.get(id)).collect();
        sort_by_order(&mut found);
        found
    }

    /// The shapes that may have ink in this rectangle, bottom first: a label is its container's.
    pub fn shapes_touching(&self, rect: &Rect) -> Vec<&Element> {
        let ids = self.places.touching(rect);
        let mut shapes: Vec<&Element> = ids
            .into_iter()
            .filter_map(|id| self.container_of(id).or_else(|| self.get(id)))
            .collect();
        sort_by_order(&mut shapes);
        shapes.dedup_by(|a, b| a.id == b.id);
        shapes
    }

    /// The elements around whose ink is a box that holds all of this rectangle, in no order; one may come twice.
    pub(crate) fn holding(&self, rect: &Rect) -> impl Iterator<Item = &Element> {
        let ids = self.places.holding(rect).into_iter();
        ids.filter_map(|id| self.get(id))
    }

    /// How many elements are live.
    pub fn live_count(&self) -> usize {
        self.live().count()
    }

    /// The upright box around a live element as drawn: rotated, points followed.
    pub fn bounds(&self, id: &ElementId) -> Option<Rect> {
        self.get(id).map(bounds::bounds)
    }

    /// The box around everything live.
    pub fn content_bounds(&self) -> Option<Rect> {
        self.live()
            .map(bounds::bounds)
            .reduce(|all, one| all.union(&one))
    }

    /// The box around everything live as the editor measures it.
    pub fn drawn_bounds(&self) -> Option<Rect> {
        self.live()
            .map(|element| bounds::drawn(self, element))
            .reduce(|all, one| all.union(&one))
    }

    /// The live text that is the label of this live container. Of several (two people labelled it at once) the
    /// one with the smallest id, the same on every replica.
    pub fn label_of(&self, container: &ElementId) -> Option<&Element> {
        let shape = self.get(container)?;
        if !shape.holds_label() {
            return None;
        }
        let named = self.labels.get(container).into_iter().flatten();
        named
            .filter_map(|id| self.get(id))
            .find(|label| is_label_of(label, shape))
            .or_else(|| self.copied_label_of(shape))
    }

    /// Whether any text names this element as its container: only then can it have a label of the editor's.
    pub(crate) fn is_named_by_a_text(&self, container: &ElementId) -> bool {
        self.labels.contains_key(container)
    }

    /// The live container whose label this live text is.
    pub fn container_of(&self, text: &ElementId) -> Option<&Element> {
        let label = self.get(text)?;
        let named = self.get(&label.container_id()?);
        let container = named
            .filter(|shape| is_label_of(label, shape))
            .or_else(|| self.polygon_in_group_of(label))?;
        let is_label = self
            .label_of(&container.id)
            .is_some_and(|own| own.id == label.id);
        is_label.then_some(container)
    }

    /// A polygon and its label that were copied together: the copy's label still names the original, but shares
    /// the group of the copy.
    fn copied_label_of(&self, polygon: &Element) -> Option<&Element> {
        polygon_kind(polygon)?;
        let group = *polygon.group_ids().first()?;
        let is_copy = |text: &&Element| {
            text.kind() == ElementKind::Text
                && text.is_grouped_label()
                && text.group_ids().first() == Some(&group)
        };
        self.group_members(group).find(is_copy)
    }

    fn polygon_in_group_of(&self, label: &Element) -> Option<&Element> {
        let group = *label
            .group_ids()
            .first()
            .filter(|_| label.is_grouped_label())?;
        self.group_members(group).find(|element| {
            polygon_kind(element).is_some() && element.group_ids().first() == Some(&group)
        })
    }

    /// Live arrows with an end on this element, in id order.
    pub fn arrows_bound_to(&self, id: &ElementId) -> Vec<ElementId> {
        let Some(arrows) = self.arrows.get(id) else {
            return Vec::new();
        };
        arrows
            .iter()
            .filter(|arrow| self.get(arrow).is_some())
            .cloned()
            .collect()
    }

    /// Live members of a group, in id order, those of groups inside it too.
    pub fn group_members(&self, group: &str) -> impl Iterator<Item = &Element> {
        let members = self.groups.get(group).into_iter().flatten();
        members.filter_map(|id| self.get(id))
    }

    /// Live elements that belong to this frame, labels too, in id order. None when it is not a live frame.
    pub fn children_of_frame(&self, frame: &ElementId) -> impl Iterator<Item = &Element> {
        let is_frame = self.get(frame).is_some_and(|own| own.kind().is_frame());
        let children = self.frames.get(frame).filter(|_| is_frame);
        let children = children.into_iter().flatten();
        children.filter_map(|id| self.get(id))
    }

    /// The order keys in use, deleted elements included, valid or not, rising.
    pub fn indexes(&self) -> impl DoubleEndedIterator<Item = &str> {
        let keyed = self.order.keys().filter(|(missing, ..)| !missing);
        keyed.map(|(_, index, _)| index.as_str())
    }

    /// The highest order key in use, deleted elements included: a key above it is above everything.
    pub fn top_index(&self) -> Option<&str> {
        self.order
            .keys()
            .rev()
            .find(|(missing, ..)| !missing)
            .map(|(_, index, _)| index.as_str())
    }

    /// The lowest order key in use, deleted elements included.
    pub fn bottom_index(&self) -> Option<&str> {
        self.order
            .keys()
            .find(|(missing, ..)| !missing)
            .map(|(_, index, _)| index.as_str())
    }

    /// Applies edits in memory, as the document would: properties are written one by one, deleting leaves a
    /// tombstone. For working out what would follow.
    pub fn apply(&mut self, edits: &[Edit]) {
        for edit in edits {
            let (id, changes) = match edit {
                Edit::Put { id, props } => (id, props.clone()),
                Edit::Delete { id } if self.elements.contains_key(id) => (
                    id,
                    Props::from_iter([("isDeleted".to_owned(), Value::Bool(true))]),
                ),
                Edit::Delete { .. } => continue,
                Edit::Rewrite {
                    id, text, marks, ..
                } => (id, rewritten(text, marks)),
            };
            let merged = match self.any(id) {
                Some(element) => element.with(&changes),
                None => Element {
                    id: id.clone(),
                    props: changes,
                },
            };
            self.put(merged);
        }
    }

    /// The boxes of everything that a model counts as a shape, in the order of ids: labels are their containers'.
    pub fn shape_boxes(&self) -> Vec<Rect> {
        self.boxes.all(|id| {
            let element = self.get(id)?;
            let is_label = self.container_of(id).is_some();
            (!is_label).then(|| crate::view::shape_bounds(self, element))
        })
    }

    /// What a change to this element may change about boxes: its own, its container's, and those of all texts that
    /// name the same container, since which of them is its label may change.
    fn doubt_boxes(&mut self, id: &ElementId) {
        if !self.surface.has_shapes() {
            return;
        }
        self.boxes.doubt(id);
        let Some(element) = self.elements.get(id).map(|entry| &entry.element) else {
            return;
        };
        let container = element.container_id();
        if let Some(container) = &container {
            self.boxes.doubt(container);
        }
        for named in [Some(id), container.as_ref()].into_iter().flatten() {
            for text in self.labels.get(named).into_iter().flatten() {
                self.boxes.doubt(text);
            }
        }
        if element.is_grouped_label() || polygon_kind(element).is_some() {
            let group = element.group_ids().first().copied();
            for member in group
                .and_then(|group| self.groups.get(group))
                .into_iter()
                .flatten()
            {
                self.boxes.doubt(member);
            }
        }
    }

    fn forget(&mut self, id: &ElementId) {
        self.unlink(id);
        self.places.remove(id);
    }

    fn unlink(&mut self, id: &ElementId) {
        self.doubt_boxes(id);
        let Some(entry) = self.elements.remove(id) else {
            return;
        };
        let old = &entry.element;
        self.order.remove(&order_key(old));
        if let Some(container) = old.container_id() {
            drop_link(&mut self.labels, &container, id);
        }
        for target in binding_targets(old) {
            drop_link(&mut self.arrows, &target, id);
        }
        for group in old.group_ids() {
            drop_link(&mut self.groups, group, id);
        }
        if let Some(frame) = old.frame_id() {
            drop_link(&mut self.frames, &frame, id);
        }
    }

    /// What it takes to draw this area as the whole scene would: what may have ink there, with what that hangs on
    /// and the frames around it.
    pub fn seen_in(&self, area: &Rect) -> Scene {
        let near = self.places.touching(area);
        let frames: Vec<ElementId> = near
            .iter()
            .filter_map(|id| self.get(id)?.frame_id())
            .collect();
        self.around(near.into_iter().chain(&frames))
    }

    /// These elements and all that follows them or that they follow: labels, containers, bound arrows, the
    /// arrows' other ends. A small scene in which what follows from a change to them comes out the same.
    pub fn around<'a>(&self, ids: impl IntoIterator<Item = &'a ElementId>) -> Scene {
        let mut wanted: BTreeSet<&ElementId> = BTreeSet::new();
        for element in ids.into_iter().filter_map(|id| self.any(id)) {
            let shape = self.container_of(&element.id).unwrap_or(element);
            wanted.extend([&element.id, &shape.id]);
            wanted.extend(self.label_of(&shape.id).map(|label| &label.id));
            wanted.extend(self.arrows.get(&shape.id).into_iter().flatten());
        }
        for arrow in wanted.clone().into_iter().filter_map(|id| self.any(id)) {
            wanted.extend(self.label_of(&arrow.id).map(|label| &label.id));
            wanted.extend(
                binding_targets(arrow)
                    .filter_map(|id| self.any(&id))
                    .map(|end| &end.id),
            );
        }
        // A container's surplus labels decide which of them is its own.
        for container in wanted.clone() {
            wanted.extend(self.labels.get(container).into_iter().flatten());
        }
        wanted
            .into_iter()
            .filter_map(|id| self.any(id))
            .cloned()
            .collect()
    }
}

impl FromIterator<Element> for Scene {
    fn from_iter<T: IntoIterator<Item = Element>>(elements: T) -> Self {
        Scene::of(Surface::Canvas, elements)
    }
}

/// Which of two lies lower on the page.
pub(crate) fn by_order(a: &Element, b: &Element) -> std::cmp::Ordering {
    height(a).cmp(&height(b))
}

pub fn sort_by_order(elements: &mut [&Element]) {
    elements.sort_by_cached_key(|element| height(element));
}

/// What elements are ordered by, bottom first.
fn height(element: &Element) -> (bool, &str, &ElementId) {
    let index = element.index();
    (index.is_none(), index.unwrap_or(""), &element.id)
}

/// Whether a text that names this shape is its label: by the editor's rules, or in the same group.
fn is_label_of(text: &Element, shape: &Element) -> bool {
    text.kind() == ElementKind::Text
        && match polygon_kind(shape) {
            Some(_) => {
                let groups = shape.group_ids();
                text.is_grouped_label()
                    && groups.iter().any(|group| text.group_ids().contains(group))
            }
            None => shape.holds_label() && !text.is_grouped_label(),
        }
}

fn order_key(element: &Element) -> OrderKey {
    let (last, index, id) = height(element);
    (last, index.to_owned(), id.clone())
}

fn binding_targets(element: &Element) -> impl Iterator<Item = ElementId> {
    let ends = match element.kind() {
        ElementKind::Arrow => [element.start_binding(), element.end_binding()],
        _ => [None, None],
    };
    ends.into_iter().flatten().map(|binding| binding.element_id)
}

fn drop_link<K, Q>(links: &mut BTreeMap<K, BTreeSet<ElementId>>, from: &Q, to: &ElementId)
where
    K: Ord + Borrow<Q>,
    Q: Ord + ?Sized,
{
    if let Some(targets) = links.get_mut(from) {
        targets.remove(to);
        if targets.is_empty() {
            links.remove(from);
        }
    }
}

/// A rewriting as the properties that it leads to, if nobody else writes meanwhile.
pub fn rewritten(text: &str, marks: &Option<Value>) -> Props {
    let words = ("originalText".to_owned(), Value::from(text));
    let marks = marks
        .iter()
        .map(|marks| (text::MARKS.to_owned(), marks.clone()));
    std::iter::once(words).chain(marks).collect()
}
