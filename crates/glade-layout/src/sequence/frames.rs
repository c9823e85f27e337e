//! Frames around what happens in a while: intervals of time, one in another.

use crate::Id;
use crate::geometry::{Size, rect};
use crate::outcome::Frame;

struct Open {
    place: usize,
    id: Id,
    title: Size,
    top: f64,
    parts: Vec<(f64, Size)>,
    reach: Option<(f64, f64)>,
}

#[derive(Default)]
pub(crate) struct Frames {
    padding: f64,
    open: Vec<Open>,
    /// In the order in which they began.
    done: Vec<Option<Frame>>,
}

impl Frames {
    pub fn new(padding: f64) -> Self {
        Self {
            padding,
            ..Self::default()
        }
    }

    pub fn open(&mut self, id: Id, title: Size, top: f64) {
        self.open.push(Open {
            place: self.done.len(),
            id,
            title,
            top,
            parts: Vec::new(),
            reach: None,
        });
        self.done.push(None);
    }

    pub fn divide(&mut self, title: Size, y: f64) {
        if let Some(open) = self.open.last_mut() {
            open.parts.push((y, title));
        }
    }

    /// Something happens from `left` to `right` in every open frame.
    pub fn reach(&mut self, left: f64, right: f64) {
        if let Some(open) = self.open.last_mut() {
            let reach = open.reach.get_or_insert((left, right));
            *reach = (reach.0.min(left), reach.1.max(right));
        }
    }

    /// Ends the innermost frame; false if none is open.
    pub fn close(&mut self, bottom: f64) -> bool {
        let Some(open) = self.open.pop() else {
            return false;
        };
        let widest = open
            .parts
            .iter()
            .map(|it| it.1.w)
            .fold(open.title.w, f64::max);
        let (left, right) = open.reach.unwrap_or((0.0, 0.0));
        let (left, right) = (
            left - self.padding,
            (right + self.padding).max(left + widest),
        );
        let inset = self.padding / 4.0;
        let title = |top: f64, size: Size| rect(left + inset, top + inset, size.w, size.h);
        self.done[open.place] = Some(Frame {
            id: open.id,
            rect: rect(left, open.top, right - left, bottom - open.top),
            title: title(open.top, open.title),
            parts: open
                .parts
                .iter()
                .map(|&(y, size)| (y, title(y, size)))
                .collect(),
        });
        // What is around it is wider.
        let inner = self.padding / 2.0;
        self.reach(left + inner, right - inner);
        true
    }

    pub fn done(self) -> Vec<Frame> {
        self.done.into_iter().flatten().collect()
    }
}
