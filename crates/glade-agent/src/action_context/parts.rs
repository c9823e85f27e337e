//! An action that makes many elements: their ids and their order follow from what they are parts of, so that they are the
//! same however the answer was cut; and what it no longer wants goes again.

use glade_canvas::{Element, Scene, order};
use glade_doc::ElementId;

use super::{ActionContext, Made};
use crate::diagram::Work;
use crate::ids::stem;
use crate::rng::Rng;

/// What the ids and the order of an action's many parts follow from, so that they are the same however the
/// answer was cut.
#[derive(Debug, Clone)]
pub(super) struct PartsBase {
    rng: Rng,
    /// Above everything that the action found.
    index: String,
}

/// Which of an action's parts lie above which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    Back,
    Middle,
    Front,
}

impl ActionContext<'_, '_> {
    /// One of many new elements: its id from `name`, above all that was there, in its layer by its number.
    pub fn make_part(&mut self, part: &str, name: &str, layer: Layer, number: usize) -> Made {
        let base = match &self.trace.parts {
            Some(base) => base.clone(),
            None => {
                let index = order::key_between(self.draft.top_index(), None);
                let base = PartsBase {
                    rng: Rng::new(self.rng.next()),
                    index: index.unwrap_or_else(|_| "a0".to_owned()),
                };
                self.trace.parts = Some(base.clone());
                base
            }
        };
        let index = part_index(&base.index, layer, number);
        if let Some(made) = self.trace.pieces.get_mut(part) {
            made.index = index;
            return made.clone();
        }
        let (stem, mut rng) = (stem(name), base.rng.of(part));
        let id = loop {
            let id = ElementId::from(format!("{stem}-{}", rng.suffix()).as_str());
            if self.draft.any(&id).is_none() {
                break id;
            }
        };
        let made = Made {
            id,
            seed: rng.stroke_seed(),
            index,
        };
        self.trace.pieces.insert(part.to_owned(), made.clone());
        made
    }

    /// The element that it made for a part.
    pub fn part(&self, part: &str) -> Option<ElementId> {
        self.trace.pieces.get(part).map(|made| made.id.clone())
    }

    /// An id for what is no element itself, from a model's name for it.
    pub fn part_id(&mut self, name: &str) -> String {
        let id = self.make_part("itself", name, Layer::Back, 0).id.0;
        self.trace.pieces.remove("itself");
        id
    }

    /// The parts that it has made so far.
    pub fn parts(&self) -> Vec<(String, ElementId)> {
        let made = self.trace.pieces.iter();
        made.map(|(part, made)| (part.clone(), made.id.clone()))
            .collect()
    }

    /// It no longer wants what it had made, or somebody else has deleted it: the rest is drawn on.
    pub fn give_up(&mut self, part: &str) {
        let Some(made) = self.trace.pieces.remove(part) else {
            return;
        };
        if self.draft.get(&made.id).is_some() {
            self.delete(&made.id);
        }
        self.ids.forget(&made.id);
        self.trace.given_up.insert(made.id);
    }

    /// Deletes what was there before: what else the action wrote is drawn on.
    pub fn remove(&mut self, id: &ElementId) {
        self.delete(id);
        self.trace.given_up.insert(id.clone());
    }

    /// The diagram that this action draws, from partial to partial.
    pub(crate) fn diagram(&mut self) -> &mut Option<Work> {
        &mut self.trace.diagram
    }

    /// These elements with their neighbours as they were before this action, without what it made.
    pub fn before<'i>(&self, ids: impl IntoIterator<Item = &'i ElementId>) -> Scene {
        let touched = self.trace.before.iter();
        let touched = touched.filter_map(|(id, before)| before.as_ref().map(|_| id.clone()));
        let ids: Vec<ElementId> = ids.into_iter().cloned().chain(touched).collect();
        let scene = self.original(&ids);
        let is_own = |element: &&Element| {
            let before = self.trace.before.get(&element.id);
            before.is_some_and(Option::is_none)
        };
        scene.live().filter(|it| !is_own(it)).cloned().collect()
    }

    /// Whether this action made the element.
    pub fn is_own(&self, id: &ElementId) -> bool {
        self.trace.before.get(id).is_some_and(Option::is_none)
    }
}

/// An order key between the base and the next whole one.
fn part_index(base: &str, layer: Layer, number: usize) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let digit = |number: usize| DIGITS[number % 62] as char;
    let layer = match layer {
        Layer::Back => 'C',
        Layer::Middle => 'M',
        Layer::Front => 'W',
    };
    let (high, middle, low) = (number / 3844, number / 62, number);
    // A fraction does not end in zero.
    format!(
        "{base}{layer}{}{}{}V",
        digit(high),
        digit(middle),
        digit(low)
    )
}
