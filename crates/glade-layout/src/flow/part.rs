//! A connected part of a scope: it is laid out, and moved, as one.

use crate::draft::Draft;
use crate::geometry::{self, Point, Rect};

use super::{Scope, Thing, move_link};

pub(super) struct Part {
    pub things: Vec<usize>,
    pub frames: Vec<usize>,
    /// A link, and the things at its ends as the part counts them.
    pub links: Vec<(usize, usize, usize)>,
    pub own: Vec<bool>,
    /// Whether something of it was there before.
    pub is_known: bool,
    /// Whether all of it was there, and is left as it was.
    pub stays: bool,
}

impl Part {
    pub fn new(scope: &Scope<'_>, things: &[usize], links: &[(usize, usize, usize, bool)]) -> Self {
        let mut local = vec![None; scope.things.len()];
        for (at, &thing) in things.iter().enumerate() {
            local[thing] = Some(at);
        }
        let inside = links
            .iter()
            .filter_map(|&(at, from, to, own)| Some(((at, local[from]?, local[to]?), own)));
        let (links, own) = inside.unzip();
        let around = |thing: usize| {
            scope
                .graph
                .groups_around(scope.parent_of(scope.things[thing]))
        };
        let frames = scope.frames.iter().copied();
        let frames = frames.filter(|&group| {
            things
                .iter()
                .any(|&thing| around(thing).any(|it| it == group))
        });
        Self {
            things: things.to_vec(),
            frames: frames.collect(),
            links,
            own,
            is_known: false,
            stays: false,
        }
    }

    pub fn frame_of(&self, group: Option<usize>) -> Option<usize> {
        self.frames.iter().position(|&it| Some(it) == group)
    }

    pub fn boxes(&self, scope: &Scope<'_>, draft: &Draft) -> Rect {
        let things = self.things.iter().map(|&thing| match scope.things[thing] {
            Thing::Node(node) => draft.nodes[node],
            Thing::Box(group) => draft.groups[group],
        });
        let frames = self.frames.iter().map(|&group| draft.groups[group]);
        geometry::bounds(things.chain(frames)).unwrap_or_default()
    }

    /// With lines and labels.
    pub fn bounds(&self, scope: &Scope<'_>, draft: &Draft) -> Rect {
        let labels = self.links.iter().filter_map(|&(at, ..)| draft.labels[at]);
        let points = self
            .links
            .iter()
            .filter_map(|&(at, ..)| draft.guides[at].as_ref());
        let points = points
            .flatten()
            .map(|it| geometry::rect(it.x, it.y, 0.0, 0.0));
        labels
            .chain(points)
            .fold(self.boxes(scope, draft), Rect::union)
    }

    pub fn shift(&self, scope: &Scope<'_>, by: Point, draft: &mut Draft) {
        for &thing in &self.things {
            let rect = match scope.things[thing] {
                Thing::Node(node) => draft.nodes[node],
                Thing::Box(group) => draft.groups[group],
            };
            scope.put_thing(scope.things[thing], rect.moved(by), draft);
        }
        for &group in &self.frames {
            draft.groups[group] = draft.groups[group].moved(by);
            draft.titles[group] = draft.titles[group].moved(by);
        }
        for &(at, ..) in &self.links {
            move_link(draft, at, by);
        }
    }
}
