//! The page as the current action finds it: what the world shows, with the edits of this very step
//! laid over it. Several actions may come in one piece of text, and the arrow of the third must find
//! the boxes of the first two, though no room has heard of them yet.
//!
//! The page is never copied: the overlay holds what changed, and [`Draft::around`] cuts out the few
//! elements that a geometric question is about.

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::scene::sort_by_order;
use glade_canvas::{Element, ElementKind, Rect, Scene, bounds, rewritten};
use glade_doc::{Edit, ElementId};
use glade_text::{Block, Page};

use crate::event::{Comment, OpenItem, PageInfo, World};
use crate::projects::Board;

pub struct Draft<'a> {
    world: World<'a>,
    /// The fairy's project as it would be with what this step has done in it, if it has done something.
    acted: Option<Board>,
    /// What the edits of this step have changed.
    over: BTreeMap<ElementId, Element>,
}

impl<'a> Draft<'a> {
    pub fn new(world: &World<'a>) -> Self {
        Self {
            world: *world,
            acted: None,
            over: BTreeMap::new(),
        }
    }

    pub fn board(&self) -> Option<&Board> {
        self.acted.as_ref().or_else(|| (self.world.board)())
    }

    pub fn board_mut(&mut self) -> Option<&mut Board> {
        if self.acted.is_none() {
            self.acted = (self.world.board)().cloned();
        }
        self.acted.as_mut()
    }

    pub fn area(&self) -> Option<Rect> {
        self.world.area
    }

    pub fn comments(&self) -> &'a [Comment] {
        self.world.comments
    }

    pub fn open_items(&self) -> &'a [OpenItem] {
        self.world.open_items
    }

    pub fn pages(&self) -> &'a [PageInfo] {
        self.world.pages
    }

    /// An element, deleted or not.
    pub fn any(&self, id: &ElementId) -> Option<&Element> {
        self.over.get(id).or_else(|| self.world.scene.any(id))
    }

    /// A live element.
    pub fn get(&self, id: &ElementId) -> Option<&Element> {
        self.any(id).filter(|element| !element.is_deleted())
    }

    pub fn is_text(&self) -> bool {
        self.world.scene.surface().has_styled_words()
    }

    /// The page as a text page.
    pub fn text_page(&self) -> Page {
        let old = self
            .world
            .scene
            .live()
            .filter(|element| !self.over.contains_key(&element.id));
        let new = self.over.values();
        Page::read(old.chain(new).map(|element| (&element.id, &element.props)))
    }

    /// A block of the page as a text page, without a look at the others.
    pub fn block(&self, id: &str) -> Option<Block> {
        let element = self.get(&ElementId::from(id))?;
        let block = Block::read(&element.id, &element.props)?;
        match block.kind.as_str() {
            "table" => self.text_page().get(&block.id).cloned(),
            _ => Some(block),
        }
    }

    /// The order key of an element.
    pub fn index_of(&self, id: &ElementId) -> Option<String> {
        self.get(id)?.index().map(str::to_owned)
    }

    pub fn bounds(&self, id: &ElementId) -> Option<Rect> {
        self.get(id).map(bounds::bounds)
    }

    /// The label of a container.
    pub fn label_of(&self, container: &ElementId) -> Option<&Element> {
        self.get(container)?;
        let fresh = self.over.values().find(|element| {
            !element.is_deleted()
                && element.kind() == ElementKind::Text
                && element.container_id().as_ref() == Some(container)
        });
        fresh.or_else(|| {
            let old = self.world.scene.label_of(container)?;
            // The overlay may have deleted it.
            self.get(&old.id)
        })
    }

    /// What is written on or in an element.
    pub fn text_of(&self, id: &ElementId) -> Option<&str> {
        let element = self.get(id)?;
        let text = match element.kind() {
            ElementKind::Text => element.original_text(),
            _ => self.label_of(id)?.original_text(),
        };
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// Live arrows with an end on this element.
    pub fn arrows_bound_to(&self, id: &ElementId) -> BTreeSet<ElementId> {
        let mut arrows: BTreeSet<ElementId> =
            self.world.scene.arrows_bound_to(id).into_iter().collect();
        for (arrow, element) in &self.over {
            let bound = ends(element).iter().any(|end| end == id);
            if bound && !element.is_deleted() {
                arrows.insert(arrow.clone());
            } else {
                arrows.remove(arrow);
            }
        }
        arrows
    }

    /// The highest order key in use.
    pub fn top_index(&self) -> Option<&str> {
        let over = self.over.values().filter_map(Element::index).max();
        self.world.scene.top_index().max(over)
    }

    /// The lowest order key in use.
    pub fn bottom_index(&self) -> Option<&str> {
        let over = self.over.values().filter_map(Element::index).min();
        [self.world.scene.bottom_index(), over]
            .into_iter()
            .flatten()
            .min()
    }

    /// Every live element.
    pub fn live(&self) -> impl Iterator<Item = &Element> {
        let kept = self
            .world
            .scene
            .live()
            .filter(|element| !self.over.contains_key(&element.id));
        kept.chain(self.over.values().filter(|element| !element.is_deleted()))
    }

    /// Live elements that may have ink in an area, from the lowest up.
    pub fn near(&self, area: &Rect) -> Vec<&Element> {
        let mut near = self.world.scene.touching(area);
        near.retain(|element| !self.over.contains_key(&element.id));
        let fresh = self.over.values().filter(|element| !element.is_deleted());
        near.extend(fresh.filter(|element| bounds::bounds(element).touches(area)));
        sort_by_order(&mut near);
        near
    }

    /// The live shapes of a group.
    pub fn group(&self, group: &str) -> Vec<ElementId> {
        self.live()
            .filter(|element| {
                element.container_id().is_none() && element.group_ids().contains(&group)
            })
            .map(|element| element.id.clone())
            .collect()
    }

    /// These elements with all that follows them or that they follow: labels, containers, bound
    /// arrows, the arrows' other ends, the frame around them and what is in a frame of them.
    pub fn around<'i>(&self, ids: impl IntoIterator<Item = &'i ElementId>) -> Scene {
        let mut wanted: BTreeSet<ElementId> = BTreeSet::new();
        for id in ids {
            self.with_neighbours(id, &mut wanted);
            for child in self.children_of_frame(id) {
                self.with_neighbours(&child, &mut wanted);
            }
            wanted.extend(self.any(id).and_then(Element::frame_id));
        }
        wanted
            .iter()
            .filter_map(|id| self.any(id))
            .cloned()
            .collect()
    }

    /// What is in a frame; nothing for what is none.
    fn children_of_frame(&self, id: &ElementId) -> Vec<ElementId> {
        if !self.any(id).is_some_and(|own| own.kind().is_frame()) {
            return Vec::new();
        }
        let is_child = |element: &&Element| element.frame_id().as_ref() == Some(id);
        let old = self.world.scene.children_of_frame(id);
        let old = old.filter(|child| !self.over.contains_key(&child.id));
        let fresh = self.over.values().filter(is_child);
        let live = old.chain(fresh).filter(|child| !child.is_deleted());
        live.map(|child| child.id.clone()).collect()
    }

    fn with_neighbours(&self, id: &ElementId, wanted: &mut BTreeSet<ElementId>) {
        wanted.insert(id.clone());
        let Some(element) = self.any(id) else { return };
        let mut shapes = vec![id.clone()];
        shapes.extend(element.container_id());
        for shape in shapes {
            wanted.extend(self.label_of(&shape).map(|label| label.id.clone()));
            wanted.extend(self.any(&shape).map(ends).unwrap_or_default());
            for arrow in self.arrows_bound_to(&shape) {
                wanted.extend(self.any(&arrow).map(ends).unwrap_or_default());
                wanted.extend(self.label_of(&arrow).map(|label| label.id.clone()));
                wanted.insert(arrow);
            }
            wanted.insert(shape);
        }
    }

    /// Lays edits over the page.
    pub fn apply(&mut self, edits: &[Edit]) {
        for edit in edits {
            match edit {
                Edit::Put { id, props } => {
                    let merged = match self.any(id) {
                        Some(element) => element.with(props),
                        None => Element::new(id.clone(), props.clone()),
                    };
                    self.over.insert(id.clone(), merged);
                }
                Edit::Delete { id } => self.bury(id),
                Edit::Rewrite {
                    id, text, marks, ..
                } => {
                    if let Some(element) = self.any(id) {
                        let element = element.with(&rewritten(text, marks));
                        self.over.insert(id.clone(), element);
                    }
                }
            }
        }
    }

    /// Puts an element back as it was; `None`: it was not there.
    pub fn restore(&mut self, id: &ElementId, before: Option<Element>) {
        match before {
            Some(element) => {
                self.over.insert(id.clone(), element);
            }
            None => self.bury(id),
        }
    }

    fn bury(&mut self, id: &ElementId) {
        if let Some(element) = self.any(id) {
            let mut element = element.clone();
            element.props.insert("isDeleted".to_owned(), true.into());
            self.over.insert(id.clone(), element);
        }
    }
}

/// The elements that an arrow's ends are bound to.
fn ends(element: &Element) -> Vec<ElementId> {
    if element.kind() != ElementKind::Arrow {
        return Vec::new();
    }
    [element.start_binding(), element.end_binding()]
        .into_iter()
        .flatten()
        .map(|binding| binding.element_id)
        .collect()
}
