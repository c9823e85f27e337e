//! Memory that one picture leaves to the next.
//!
//! A server draws the same pages again and again. Memory that the system hands out anew, page by page and cleared, costs
//! more than what is written to it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A few things of a kind, to be used again.
pub(super) struct Pool<T> {
    things: Mutex<Vec<T>>,
    most: usize,
}

impl<T> Pool<T> {
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

/// An empty list of things that live longer, in the memory of this one: the compiler has it used again where both kinds
/// are of one size. What turns one into the other is never called.
pub(super) fn emptied<T, U>(mut list: Vec<T>, never: impl FnMut(T) -> U) -> Vec<U> {
    list.clear();
    list.into_iter().map(never).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_list_keeps_its_memory() {
        let word = "tea".to_owned();
        let list = vec![word.as_str(); 9];
        let (room, place) = (list.capacity(), list.as_ptr().addr());
        let emptied: Vec<&'static str> = emptied(list, |_| unreachable!("it is empty"));
        assert_eq!((emptied.len(), emptied.capacity()), (0, room));
        assert_eq!(emptied.as_ptr().addr(), place);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let pool = Pool::new(2);
        (1..=3).for_each(|thing| pool.put(thing));
        assert_eq!(
            [pool.take(), pool.take(), pool.take()],
            [Some(2), Some(1), None]
        );
    }
}
