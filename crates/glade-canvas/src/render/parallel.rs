//! Work split over the machine's cores, with the same outcome as one after the other.

mod helpers;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// With fewer elements than this to make strokes up for, having a helper woken takes longer than doing it.
pub(super) const STROKES: usize = 120;
/// With fewer than this to make ready for it.
pub(super) const LOOKS: usize = 400;
/// How many things make up a part: more of them do not stay in a processor's cache, and what they are written to is
/// memory that somebody has to clear first.
const A_PART: usize = 50;

/// The same as `items.iter().map(work).collect()`, by one thread alone up to so many.
pub(super) fn map<T: Sync, U: Send>(
    items: &[T],
    alone: usize,
    work: impl Fn(&T) -> U + Sync,
) -> Vec<U> {
    let parts = parts(items, alone, |_, part| {
        part.iter().map(&work).collect::<Vec<U>>()
    });
    let mut all = Vec::with_capacity(items.len());
    all.extend(parts.into_iter().flatten());
    all
}

/// What the work gives for each of the parts that the items are cut into, which are numbered from 0 on: a
/// single one up to so many.
pub(super) fn parts<T: Sync, U: Send>(
    items: &[T],
    alone: usize,
    work: impl Fn(usize, &[T]) -> U + Sync,
) -> Vec<U> {
    if items.len() <= alone {
        return vec![work(0, items)];
    }
    let parts: Vec<(usize, &[T])> = items.chunks(A_PART).enumerate().collect();
    turns(&parts, |(at, part)| work(*at, part))
}

/// What the work gives for each of a few large things, in order. Who is through with one takes the next: they differ
/// in what they cost, and a processor may be busy with something else.
pub(super) fn turns<T: Sync, U: Send>(items: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::with_capacity(items.len()));
    helpers::together(items.len(), || {
        let mut done = Vec::new();
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            done.push((at, work(item)));
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(done);
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, done)| done).collect()
}

/// Does the work on each of a few large things, on whatever thread is free.
pub(super) fn each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    let count = items.len();
    let waiting = Mutex::new(items.into_iter());
    let next = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.next()
    };
    helpers::together(count, || {
        while let Some(item) = next() {
            work(item);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_a_few_things_is_done_once() {
        let mut done = vec![0; 9];
        each(done.iter_mut().collect(), |one: &mut i32| *one += 1);
        assert_eq!(done, [1; 9]);
    }

    #[test]
    fn many_things_come_out_in_their_order() {
        let items: Vec<usize> = (0..10_000).collect();
        assert_eq!(
            map(&items, 100, |item| item * 2),
            items.iter().map(|item| item * 2).collect::<Vec<_>>()
        );
        assert_eq!(map(&[3, 4], 2, |item| item + 1), [4, 5]);
        assert_eq!(map(&[0; 0], 2, |item| item + 1), [0; 0]);
    }
}
