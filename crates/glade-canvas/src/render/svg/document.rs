//! A document that several threads write parts of, put together in order as they come in.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::out::Out;

pub(super) struct Document(Mutex<Inner>);

struct Inner {
    /// The head, and the parts up to `next`.
    text: String,
    next: usize,
    /// Parts that wait for one before them, each with its number of steps.
    waiting: BTreeMap<usize, (Out, usize)>,
    /// Sheets to write on again.
    sheets: Vec<Out>,
    /// How many steps there are, and how many are in the text.
    steps: usize,
    done: usize,
    head: usize,
}

/// What a sheet has room for at first: a part rarely takes more.
const SHEET: usize = 96 * 1024;

impl Document {
    pub fn new(head: Out, steps: usize) -> Self {
        let text = head.as_str().into_owned();
        Self(Mutex::new(Inner {
            next: 0,
            waiting: BTreeMap::new(),
            sheets: Vec::new(),
            steps,
            done: 0,
            head: text.len(),
            text,
        }))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty sheet.
    pub fn sheet(&self) -> Out {
        let used = self.inner().sheets.pop();
        used.unwrap_or_else(|| Out::with_room(SHEET))
    }

    /// The part of this number, which so many steps make up.
    pub fn hand_in(&self, at: usize, part: Out, steps: usize) {
        let mut inner = self.inner();
        inner.waiting.insert(at, (part, steps));
        while let Some((part, steps)) = {
            let next = inner.next;
            inner.waiting.remove(&next)
        } {
            inner.add(part, steps);
        }
    }

    pub fn finish(self, tail: &str) -> String {
        let inner = self.0.into_inner();
        let mut text = inner.unwrap_or_else(PoisonError::into_inner).text;
        text.push_str(tail);
        text
    }
}

impl Inner {
    fn add(&mut self, mut part: Out, steps: usize) {
        self.next += 1;
        self.done += steps;
        let end = self.text.len() + part.len();
        if end > self.text.capacity() {
            // As much as all will take if the rest is like what is there, and an eighth more.
            let left = self.steps.saturating_sub(self.done);
            let rest = (end - self.head) / self.done.max(1) * left;
            self.text.reserve(part.len() + rest + rest / 8 + 64);
        }
        self.text.push_str(&part.as_str());
        part.clear();
        self.sheets.push(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(document: &Document, text: &str) -> Out {
        let mut out = document.sheet();
        out.text(text);
        out
    }

    #[test]
    fn parts_stand_in_their_order_however_they_come_in() {
        let document = Document::new(Out::default(), 4);
        for (at, text) in [(2, "c"), (0, "a"), (3, "dd"), (1, "b")] {
            document.hand_in(at, sheet(&document, text), 1);
        }
        assert_eq!(document.finish("!"), "abcdd!");
    }
}
