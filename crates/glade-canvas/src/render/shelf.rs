//! Memory that one picture leaves to the next.
//!
//! A server draws the same pages again and again. Memory that the system hands out anew, page by page and cleared, costs
//! more than what is written to it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A few things of a kind, to be used again.
pub(super) struct Shelf<T> {
    things: Mutex<Vec<T>>,
    most: usize,
}

impl<T> Shelf<T> {
    /// With room for so many.
    pub const fn new(most: usize) -> Self {
        Self {
            things: Mutex::new(Vec::new()),
            most,
        }
    }

    pub fn take(&self) -> Option<T> {
        self.things().pop()
    }

    /// Lets go of it where there is no more room.
    pub fn put(&self, thing: T) {
        let mut things = self.things();
        if things.len() < self.most {
            things.push(thing);
        }
    }

    fn things(&self) -> MutexGuard<'_, Vec<T>> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let shelf = Shelf::new(2);
        (1..=3).for_each(|thing| shelf.put(thing));
        assert_eq!(
            [shelf.take(), shelf.take(), shelf.take()],
            [Some(2), Some(1), None]
        );
    }
}
