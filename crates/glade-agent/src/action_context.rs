//! Where one action is worked out: what it may look at, and what it wants the page to hold.
//!
//! An action states its wants in full at every partial; [`ActionContext::finish`] turns them into the smallest
//! edits: only what differs from what this action wrote before, plus what follows from it (a label's
//! place, a bound arrow's way, a container's growth). A property that the action does not change again
//! is not written again, so a person who moves the half-drawn box keeps it where they put it.

mod parts;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::contrast::Ground;
use glade_canvas::{Element, Point, Rect, Scene, bounds, derive, order, rewritten};
use glade_doc::schema::TEXT;
use glade_doc::{Edit, ElementId, Props, same_value};
use glade_text::Styled;

use self::words::{rewrite, taken_over, words_of};
use crate::action::Refusal;
use crate::agenda::Agenda;
use crate::coords::Coords;
use crate::diagram::Work;
use crate::draft::Draft;
use crate::ids::{IdMap, stem};
use crate::mode::Mode;
use crate::projects::{Board, ProjectCommand};
use crate::reading::Reading;
use crate::request::FairyCommand;
use crate::rng::Rng;
use crate::usual_style::UsualStyle;

pub use parts::Layer;
use parts::PartsBase;

/// What one action has made and written so far, from partial to partial.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    made: BTreeMap<String, Made>,
    /// Its parts, if it makes many.
    pieces: BTreeMap<String, Made>,
    /// What its parts' ids and order follow from.
    parts: Option<PartsBase>,
    /// What it had made and has given up.
    given_up: BTreeSet<ElementId>,
    /// The diagram that it draws.
    pub(crate) diagram: Option<Work>,
    written: BTreeMap<ElementId, Props>,
    before: BTreeMap<ElementId, Option<Element>>,
    /// Blocks in whose sentence a person began to write: theirs from then on.
    yielded: BTreeSet<ElementId>,
    /// The words of blocks as the fairy knew them when the action began.
    known: BTreeMap<ElementId, Styled>,
    /// What people are told that blocks are called.
    called: BTreeMap<ElementId, String>,
    /// The ends of the page's order as the action found them: what it brings to the front stays
    /// the front when another partial comes.
    ends: Option<(Option<String>, Option<String>)>,
    /// How the drawing looked where the action began to draw.
    usual: Option<UsualStyle>,
}

impl Trace {
    /// What the action changed: elements as they were before, and as they are now.
    pub fn changes<'d>(
        &'d self,
        draft: &'d Draft<'_>,
    ) -> impl Iterator<Item = (&'d ElementId, Option<&'d Element>, Option<&'d Element>)> {
        self.before.iter().map(|(id, before)| {
            let before = before.as_ref().filter(|element| !element.is_deleted());
            (id, before, draft.get(id))
        })
    }

    /// Whether anything was written.
    pub fn touched(&self) -> bool {
        !self.before.is_empty()
    }

    /// The elements that it made.
    pub fn made(&self) -> impl Iterator<Item = &ElementId> {
        let all = self.made.values().chain(self.pieces.values());
        all.map(|made| &made.id)
    }

    /// What the fairy knew of the blocks that it wrote to, before it did.
    pub fn known(&self) -> impl Iterator<Item = (&ElementId, &Styled)> {
        self.known.iter()
    }

    /// Takes the action's writes out of a draft.
    pub fn undo(&self, draft: &mut Draft<'_>) {
        for (id, before) in &self.before {
            draft.restore(id, before.clone());
        }
    }
}

/// An element that an action makes: decided at its first partial, the same at every later one.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    pub id: ElementId,
    pub seed: u32,
    pub index: String,
}

#[derive(Debug)]
enum Want {
    Put(ElementId, Props),
    Delete(ElementId),
}

/// See the [module](self). `'w` is the world's lifetime, `'a` this action's.
pub struct ActionContext<'a, 'w> {
    pub draft: &'a mut Draft<'w>,
    pub ids: &'a mut IdMap,
    pub coords: &'a Coords,
    /// What the fairy has written down; an action changes it only when it is whole.
    pub agenda: &'a mut Agenda,
    /// What it has before its eyes of a text page.
    pub reading: &'a mut Reading,
    /// The fairy's id.
    pub fairy: &'a str,
    /// The mode it works in.
    pub mode: Mode,
    /// What it looks at.
    pub view: Rect,
    rng: &'a mut Rng,
    trace: &'a mut Trace,
    wants: Vec<Want>,
    commands: Vec<FairyCommand>,
}

/// The fairy's own things that an action may use.
pub struct Own<'a> {
    pub ids: &'a mut IdMap,
    pub coords: &'a Coords,
    pub agenda: &'a mut Agenda,
    pub reading: &'a mut Reading,
    pub fairy: &'a str,
    pub mode: Mode,
    pub view: Rect,
}

impl<'a, 'w> ActionContext<'a, 'w> {
    pub fn new(
        draft: &'a mut Draft<'w>,
        own: Own<'a>,
        rng: &'a mut Rng,
        trace: &'a mut Trace,
    ) -> Self {
        Self {
            draft,
            ids: own.ids,
            coords: own.coords,
            agenda: own.agenda,
            reading: own.reading,
            fairy: own.fairy,
            mode: own.mode,
            view: own.view,
            rng,
            trace,
            wants: Vec::new(),
            commands: Vec::new(),
        }
    }

    /// Asks something of the fairy itself, for when the action is whole.
    pub fn command(&mut self, command: FairyCommand) {
        self.commands.push(command);
    }

    /// The fairy's project, with what this step has done in it.
    pub fn board(&self) -> Option<&Board> {
        self.draft.board()
    }

    /// Does something in the fairy's project.
    pub fn act(&mut self, command: ProjectCommand) -> Result<(), Refusal> {
        let Some(board) = self.draft.board_mut() else {
            return Err(Refusal::new("you are not in a project"));
        };
        // The orders are for the host's board to give.
        board.act(self.fairy, &command)?;
        self.command(FairyCommand::Project(command));
        Ok(())
    }

    /// Where the fairy is held to on this page, if it is: the area of its task, the region of its scope.
    pub fn area(&self) -> Option<Rect> {
        self.draft.area()
    }

    /// Whoever leads waits from here on: the answer ends.
    pub fn rest_and_wait(&mut self) {
        let waiting = match self.mode {
            Mode::DuoOrchestratingActive => Mode::DuoOrchestratingWaiting,
            _ => Mode::OrchestratingWaiting,
        };
        self.command(FairyCommand::Rest(waiting));
    }

    /// An id for a task of the workspace.
    pub fn task_id(&mut self) -> String {
        format!("tk_{}{}", self.rng.suffix(), self.rng.suffix())
    }

    /// These shapes and their neighbours as they were before this action: what a partial says is
    /// meant of them, not of what an earlier partial made of them.
    pub fn original<'i>(&self, ids: impl IntoIterator<Item = &'i ElementId>) -> Scene {
        let mut scene = self.draft.around(ids);
        for (id, before) in &self.trace.before {
            if let (Some(before), Some(_)) = (before, scene.any(id)) {
                scene.put(before.clone());
            }
        }
        scene
    }

    /// The lowest and the highest order key of the page as this action found it.
    pub fn order_ends(&mut self) -> (Option<String>, Option<String>) {
        let draft = &*self.draft;
        self.trace
            .ends
            .get_or_insert_with(|| {
                let own = |key: Option<&str>| key.map(str::to_owned);
                (own(draft.bottom_index()), own(draft.top_index()))
            })
            .clone()
    }

    /// How the drawing around a place looks, as this action found it.
    pub fn usual_style(&mut self, place: Rect) -> UsualStyle {
        let own = &self.trace.written;
        let draft = &*self.draft;
        self.trace
            .usual
            .get_or_insert_with(|| {
                let near = draft.near(&UsualStyle::reach(place)).into_iter();
                UsualStyle::of(near.filter(|element| !own.contains_key(&element.id)))
            })
            .clone()
    }

    /// What words at this point would stand on, were these elements not there. Over a picture nobody knows: as on the
    /// bare page.
    pub fn ground(&self, at: Point, without: &[&ElementId]) -> Ground {
        let spot = Rect::new(at.x, at.y, 0.0, 0.0);
        let near = self.draft.near(&spot).into_iter();
        let below = near.filter(|element| !without.contains(&&element.id));
        Ground::at(at, below).unwrap_or_default()
    }

    /// The smallest frame that holds all of this box: what is drawn there belongs to it.
    pub fn frame_around(&self, own: &Rect) -> Option<ElementId> {
        let near = self.draft.near(own).into_iter();
        near.filter(|element| element.kind().is_frame() && !element.is_locked())
            .map(|frame| (bounds::bounds(frame), frame))
            .filter(|(area, _)| area.contains_rect(own))
            .min_by(|(a, _), (b, _)| a.area().total_cmp(&b.area()))
            .map(|(_, frame)| frame.id.clone())
    }

    /// Makes a frame's what lies in it and belongs to no other.
    pub fn take_in(&mut self, frame: &ElementId, area: Rect) {
        let inside = self.draft.near(&area).into_iter().filter(|element| {
            let other = element.frame_id();
            !element.kind().is_frame()
                && !element.is_locked()
                && other.is_none_or(|other| other == *frame || self.draft.get(&other).is_none())
                && area.contains_rect(&bounds::bounds(element))
        });
        let inside: Vec<ElementId> = inside.map(|element| element.id.clone()).collect();
        for id in inside {
            let own = serde_json::json!(frame.as_str());
            self.put(&id, Props::from_iter([("frameId".to_owned(), own)]));
        }
    }

    /// Wants what these edits say.
    pub fn put_all(&mut self, edits: Vec<Edit>) {
        for edit in edits {
            match edit {
                Edit::Put { id, props } => self.put(&id, props),
                Edit::Delete { id } => self.delete(&id),
                Edit::Rewrite {
                    id, text, marks, ..
                } => self.put(&id, rewritten(&text, &marks)),
            }
        }
    }

    /// The live, unlocked shapes that the model means, each once, a group standing for its members.
    /// What is not there or locked is left out; if nothing remains, that is a refusal.
    pub fn editable_all(&self, model_ids: &[&str]) -> Result<Vec<ElementId>, Refusal> {
        let mut found: Vec<ElementId> = Vec::new();
        let mut problem = None;
        for model_id in model_ids {
            let members = match self.resolve(model_id) {
                Some(id) => vec![id],
                None => self.draft.group(model_id),
            };
            if members.is_empty() {
                problem = self.editable(Some(model_id)).err();
            }
            for id in members {
                if self.draft.get(&id).is_some_and(Element::is_locked) {
                    problem = Some(Refusal::new(format!(
                        "the shape \"{model_id}\" is locked: only a person can unlock it"
                    )));
                } else if !found.contains(&id) {
                    found.push(id);
                }
            }
        }
        match (found.is_empty(), problem) {
            (false, _) => Ok(found),
            (true, Some(problem)) => Err(problem),
            (true, None) => Err(Refusal::new("the action has no shapeIds")),
        }
    }

    /// A new element for `slot`, its id made from `name`.
    pub fn make(&mut self, slot: &str, name: &str) -> Made {
        if let Some(made) = self.trace.made.get(slot) {
            return made.clone();
        }
        let stem = stem(name);
        let id = loop {
            let id = ElementId::from(format!("{stem}-{}", self.rng.suffix()).as_str());
            if self.draft.any(&id).is_none() {
                break id;
            }
        };
        self.keep(slot, id)
    }

    /// The label to be of a container: `{id}-label`, or the next such id that was never used.
    pub fn make_label(&mut self, container: &ElementId) -> Made {
        let slot = format!("label of {container}");
        if let Some(made) = self.trace.made.get(&slot) {
            return made.clone();
        }
        let mut id = ElementId::from(format!("{}-label", container.as_str()).as_str());
        let mut number = 2u32;
        while self.draft.any(&id).is_some() {
            id = ElementId::from(format!("{}-label-{number}", container.as_str()).as_str());
            number += 1;
        }
        self.keep(&slot, id)
    }

    fn keep(&mut self, slot: &str, id: ElementId) -> Made {
        let top = self
            .trace
            .made
            .values()
            .chain(self.trace.pieces.values())
            .map(|made| made.index.as_str())
            .max()
            .max(self.draft.top_index());
        // A page whose order keys are beyond repair still gets its shape: on the lowest key, the
        // reader sorts by id.
        let index = order::key_between(top, None).unwrap_or_else(|_| "a0".to_owned());
        let made = Made {
            id,
            seed: self.rng.stroke_seed(),
            index,
        };
        self.trace.made.insert(slot.to_owned(), made.clone());
        made
    }

    /// Wants these properties on an element.
    pub fn put(&mut self, id: &ElementId, props: Props) {
        self.wants.push(Want::Put(id.clone(), props));
    }

    pub fn delete(&mut self, id: &ElementId) {
        self.wants.push(Want::Delete(id.clone()));
    }

    /// Takes back something that an earlier partial of this action made.
    pub fn drop_made(&mut self, slot: &str) {
        if let Some(made) = self.trace.made.remove(slot) {
            self.trace.written.remove(&made.id);
            self.ids.forget(&made.id);
            self.delete(&made.id);
        }
    }

    /// Whether this action has made something for `slot`.
    pub fn has_made(&self, slot: &str) -> bool {
        self.trace.made.contains_key(slot)
    }

    /// What a block is called while this action is at it, found out once: counting blocks at every word would
    /// take the longer the longer the page is.
    pub fn called(&mut self, id: &ElementId, call: impl FnOnce(&Draft<'w>) -> String) -> String {
        if let Some(called) = self.trace.called.get(id) {
            return called.clone();
        }
        let called = call(self.draft);
        self.trace.called.insert(id.clone(), called.clone());
        called
    }

    /// Whether this action has written to the element.
    pub fn wrote(&self, id: &ElementId) -> bool {
        self.trace.written.contains_key(id)
    }

    /// The live shape that the model means; a label stands for its container.
    pub fn resolve(&self, model_id: &str) -> Option<ElementId> {
        let own = ElementId::from(model_id);
        let lower = model_id.to_lowercase();
        let candidates = [
            self.ids.element(model_id),
            Some(&own),
            self.ids.element(&lower),
        ];
        let found = candidates
            .into_iter()
            .flatten()
            .find_map(|id| self.draft.get(id))?;
        match found.container_id() {
            Some(container) if self.draft.get(&container).is_some() => Some(container),
            _ => Some(found.id.clone()),
        }
    }

    /// The live shape that the model means to change.
    pub fn editable(&self, model_id: Option<&str>) -> Result<ElementId, Refusal> {
        let Some(model_id) = model_id else {
            return Err(Refusal::new("the action has no shapeId"));
        };
        let Some(id) = self.resolve(model_id) else {
            return Err(Refusal::new(format!(
                "there is no shape with the id \"{model_id}\" on the page"
            )));
        };
        let locked = self.draft.get(&id).is_some_and(Element::is_locked);
        if locked {
            return Err(Refusal::new(format!(
                "the shape \"{model_id}\" is locked: only a person can unlock it"
            )));
        }
        Ok(id)
    }

    /// A point of the model's on the page.
    pub fn to_page(&self, x: f64, y: f64) -> Point {
        self.coords.to_page(x, y)
    }

    /// How many elements the action wants that were not there before it.
    pub fn made(&self) -> usize {
        let put = self.wants.iter().filter_map(|want| match want {
            Want::Put(id, _) => Some(id),
            _ => None,
        });
        let new = put.filter(|id| match self.trace.before.get(*id) {
            Some(before) => before.is_none(),
            None => self.draft.any(id).is_none(),
        });
        new.collect::<BTreeSet<_>>().len()
    }

    /// The edits that bring the page from what this action wrote last to what it wants now, and
    /// what it asks of the fairy.
    pub fn finish(mut self) -> (Vec<Edit>, Vec<FairyCommand>) {
        let commands = std::mem::take(&mut self.commands);
        (self.edits(), commands)
    }

    fn edits(self) -> Vec<Edit> {
        let Self {
            draft,
            trace,
            wants,
            ..
        } = self;
        // Somebody deleted what this action is drawing: it draws on in the air.
        let gone = |id: &ElementId| {
            draft.any(id).is_some_and(Element::is_deleted) && !trace.given_up.contains(id)
        };
        if trace.written.keys().any(gone) {
            return Vec::new();
        }
        let mut edits = Edits::default();
        for want in wants {
            match want {
                Want::Put(id, _) if trace.yielded.contains(&id) => {}
                Want::Put(id, _) if trace.given_up.contains(&id) => {}
                Want::Put(id, props) => {
                    let current = draft.any(&id);
                    let before = current.cloned();
                    let last = trace.written.get(&id);
                    if draft.is_text() && taken_over(current, last, &props) {
                        trace.yielded.insert(id);
                        continue;
                    }
                    let seen = last.filter(|last| last.contains_key(TEXT));
                    let known = trace.known.get(&id).filter(|_| seen.is_none());
                    let base = match known {
                        Some(known) => known.text.clone(),
                        None => words_of(seen.or(current.map(|element| &element.props))),
                    };
                    let block = draft.is_text() && current.is_some();
                    let mut changed: Props = props
                        .into_iter()
                        .filter(|(key, value)| {
                            let known = match last {
                                Some(last) if last.contains_key(key) => last.get(key),
                                _ => current.and_then(|element| element.props.get(key)),
                            };
                            !known.is_some_and(|known| same_value(known, value))
                        })
                        .collect();
                    if !changed.is_empty() {
                        trace.before.entry(id.clone()).or_insert(before);
                        let written = trace.written.entry(id.clone()).or_default();
                        written.extend(
                            changed
                                .iter()
                                .map(|(key, value)| (key.clone(), value.clone())),
                        );
                        if block && let Some(rewrite) = rewrite(&id, &base, &mut changed) {
                            edits.list.push(rewrite);
                        }
                        if !changed.is_empty() {
                            edits.put(id, changed);
                        }
                    }
                }
                Want::Delete(id) => {
                    if let Some(element) = draft.get(&id) {
                        trace
                            .before
                            .entry(id.clone())
                            .or_insert(Some(element.clone()));
                        edits.delete(id);
                    }
                }
            }
        }
        if edits.list.is_empty() {
            return Vec::new();
        }
        let touched: BTreeSet<ElementId> =
            edits.list.iter().map(|edit| edit.id().clone()).collect();
        let was: BTreeMap<ElementId, Element> = touched
            .iter()
            .filter_map(|id| Some((id.clone(), draft.any(id)?.clone())))
            .collect();
        draft.apply(&edits.list);
        if draft.is_text() {
            return edits.list; // nothing about a block follows from another
        }
        let follow = derive(&draft.around(&touched), &touched);
        for edit in &follow {
            let id = edit.id();
            if !trace.before.contains_key(id) {
                trace.before.insert(id.clone(), draft.any(id).cloned());
            }
        }
        draft.apply(&follow);
        for edit in follow {
            match edit {
                Edit::Put { id, props } => edits.put(id, props),
                Edit::Delete { id } => edits.delete(id),
                rewrite @ Edit::Rewrite { .. } => edits.list.push(rewrite),
            }
        }
        edits.differing_from(&was)
    }
}

/// Edits, at most one `Put` an element.
#[derive(Default)]
struct Edits {
    list: Vec<Edit>,
}

impl Edits {
    fn put(&mut self, id: ElementId, props: Props) {
        let known = self.list.iter_mut().find_map(|edit| match edit {
            Edit::Put { id: other, props } if *other == id => Some(props),
            _ => None,
        });
        match known {
            Some(known) => known.extend(props),
            None => self.list.push(Edit::Put { id, props }),
        }
    }

    fn delete(&mut self, id: ElementId) {
        self.list.push(Edit::Delete { id });
    }

    /// Without what came back to where it was: a box made smaller than its words grows at once.
    fn differing_from(mut self, was: &BTreeMap<ElementId, Element>) -> Vec<Edit> {
        self.list.retain_mut(|edit| {
            let Edit::Put { id, props } = edit else {
                return true;
            };
            // Points go with their place and size, changed or not.
            if let Some(was) = was.get(id).filter(|_| !props.contains_key("points")) {
                props.retain(|key, value| {
                    let before = was.props.get(key);
                    !before.is_some_and(|before| same_value(before, value))
                });
            }
            !props.is_empty()
        });
        self.list
    }
}
