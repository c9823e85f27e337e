//! A document that several threads write parts of, put together in order as they come in.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::out::Out;
use super::text::Svg;
use crate::render::pool::Pool;

pub(super) struct Document(Mutex<Inner>);

struct Inner {
    /// None while a thread adds to it: the others do not wait for that.
    body: Option<Body>,
    /// Which part comes next.
    next: usize,
    /// Parts that wait for one before them or for whoever adds, each with its number of steps.
    waiting: BTreeMap<usize, (Out, usize)>,
}

/// The head, and the parts so far.
struct Body {
    svg: Svg,
    /// How many steps there are, and how many are in the text.
    steps: usize,
    done: usize,
    head: usize,
}

/// What a sheet has room for at first: a part rarely takes more.
const SHEET: usize = 96 * 1024;

/// Sheets to write on again.
static SHEETS: Pool<Out> = Pool::new(16);

impl Document {
    pub fn new(head: Out, steps: usize) -> Self {
        let mut svg = Svg::new();
        svg.text_mut().push_str(&head.as_str());
        Self(Mutex::new(Inner {
            body: Some(Body {
                steps,
                done: 0,
                head: svg.len(),
                svg,
            }),
            next: 0,
            waiting: BTreeMap::new(),
        }))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty sheet.
    pub fn sheet() -> Out {
        SHEETS.take().unwrap_or_else(|| Out::with_room(SHEET))
    }

    /// The part of this number, which so many steps make up. Added at once, with those that waited for it, unless
    /// another thread is adding: then by that one.
    pub fn hand_in(&self, at: usize, part: Out, steps: usize) {
        let mut inner = self.inner();
        inner.waiting.insert(at, (part, steps));
        while let Some((mut body, (part, steps))) = inner.take_next() {
            drop(inner);
            body.add(part, steps);
            inner = self.inner();
            inner.body = Some(body);
        }
    }

    pub fn finish(self, tail: &str) -> Svg {
        let inner = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut svg = inner.body.map_or_else(Svg::new, |body| body.svg);
        svg.text_mut().push_str(tail);
        svg
    }
}

impl Inner {
    /// The next part and what it goes to, if both are there.
    fn take_next(&mut self) -> Option<(Body, (Out, usize))> {
        let body = self.body.take()?;
        let Some(part) = self.waiting.remove(&self.next) else {
            self.body = Some(body);
            return None;
        };
        self.next += 1;
        Some((body, part))
    }
}

impl Body {
    fn add(&mut self, mut part: Out, steps: usize) {
        self.done += steps;
        let text = self.svg.text_mut();
        let end = text.len() + part.len();
        if end > text.capacity() {
            // As much as all will take if the rest is like what is there, and an eighth more.
            let left = self.steps.saturating_sub(self.done);
            let rest = (end - self.head) / self.done.max(1) * left;
            text.reserve(part.len() + rest + rest / 8 + 64);
        }
        text.push_str(&part.as_str());
        part.clear();
        if part.room() <= 2 * SHEET {
            SHEETS.put(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> Out {
        let mut out = Document::sheet();
        out.text(text);
        out
    }

    #[test]
    fn parts_stand_in_their_order_however_they_come_in() {
        let document = Document::new(Out::default(), 4);
        for (at, text) in [(2, "c"), (0, "a"), (3, "dd"), (1, "b")] {
            document.hand_in(at, sheet(text), 1);
        }
        assert_eq!(&*document.finish("!"), "abcdd!");
    }
}
