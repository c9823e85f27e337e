//! Work split over the machine's cores, with the same outcome as one after the other.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

/// With fewer elements than this to make strokes up for, starting a thread takes longer than doing it.
pub(super) const STROKES: usize = 200;
/// With fewer than this to make ready for it.
pub(super) const LOOKS: usize = 1_500;
/// How many things make up a part: more of them do not stay in a processor's cache, and what they are written to is
/// memory that somebody has to clear first.
const A_PART: usize = 50;
/// More would only wait for memory.
const MOST_THREADS: usize = 8;

/// How many threads run at once. Asked once: Linux has files opened and read for the answer.
static CORES: LazyLock<usize> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    cores.min(MOST_THREADS)
});

/// The same as `items.iter().map(deed).collect()`, by one thread alone up to so many.
pub(super) fn map<T: Sync, U: Send>(
    items: &[T],
    alone: usize,
    deed: impl Fn(&T) -> U + Sync,
) -> Vec<U> {
    let parts = parts(items, alone, |_, part| {
        part.iter().map(&deed).collect::<Vec<U>>()
    });
    let mut all = Vec::with_capacity(items.len());
    all.extend(parts.into_iter().flatten());
    all
}

/// What the deed gives for each of the parts that the items are cut into, which are numbered from 0 on: a
/// single one up to so many.
pub(super) fn parts<T: Sync, U: Send>(
    items: &[T],
    alone: usize,
    deed: impl Fn(usize, &[T]) -> U + Sync,
) -> Vec<U> {
    if items.len() <= alone {
        return vec![deed(0, items)];
    }
    let parts: Vec<(usize, &[T])> = items.chunks(A_PART).enumerate().collect();
    turns(&parts, |(at, part)| deed(*at, part))
}

/// What the deed gives for each of a few large things, in order. Who is through with one takes the next: they differ
/// in what they cost, and a processor may be busy with something else.
pub(super) fn turns<T: Sync, U: Send>(items: &[T], deed: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let count = (*CORES).min(items.len());
    if count <= 1 {
        return items.iter().map(deed).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match items.get(at) {
                Some(item) => done.push((at, deed(item))),
                None => return done,
            }
        }
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..count).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.extend(joined(other.join()));
        }
        all
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, done)| done).collect()
}

/// Does the deed with each of a few large things, on whatever thread is free.
pub(super) fn each<T: Send>(items: Vec<T>, deed: impl Fn(T) + Sync) {
    let count = (*CORES).min(items.len());
    if count <= 1 {
        return items.into_iter().for_each(deed);
    }
    let waiting = Mutex::new(items.into_iter());
    let next = || {
        let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.next()
    };
    let work = || {
        while let Some(item) = next() {
            deed(item);
        }
    };
    // What panics there panics here, when the scope ends.
    std::thread::scope(|scope| {
        for _ in 1..count {
            scope.spawn(work);
        }
        work();
    });
}

fn joined<U>(outcome: std::thread::Result<U>) -> U {
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
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
