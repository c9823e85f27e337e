//! Work split over the machine's cores, with the same outcome as one after the other.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// With fewer things than this to do, starting a thread takes longer than doing them.
const LEAST_EACH: usize = 64;
/// More would only wait for memory.
const MOST_THREADS: usize = 8;

/// How many threads are worth starting for so many things.
fn threads(things: usize) -> usize {
    cores().min(things / LEAST_EACH).max(1)
}

fn cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    cores.min(MOST_THREADS)
}

/// The same as `items.iter().map(deed).collect()`.
pub(super) fn map<T: Sync, U: Send>(items: &[T], deed: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let parts = chunks(items, |part| part.iter().map(&deed).collect::<Vec<U>>());
    let mut all = Vec::with_capacity(items.len());
    all.extend(parts.into_iter().flatten());
    all
}

/// The same for a deed that changes its item.
pub(super) fn map_mut<T: Send, U: Send>(
    items: &mut [T],
    deed: impl Fn(&mut T) -> U + Sync,
) -> Vec<U> {
    let count = threads(items.len());
    if count == 1 {
        return items.iter_mut().map(deed).collect();
    }
    let size = items.len().div_ceil(count);
    let mut all = Vec::with_capacity(items.len());
    let (first, rest) = items.split_at_mut(size);
    let deed = &deed;
    std::thread::scope(|scope| {
        let others: Vec<_> = rest
            .chunks_mut(size)
            .map(|part| scope.spawn(move || part.iter_mut().map(deed).collect::<Vec<U>>()))
            .collect();
        all.extend(first.iter_mut().map(deed));
        for other in others {
            all.extend(joined(other.join()));
        }
    });
    all
}

/// What the deed gives for each of a few parts of the items, in order.
pub(super) fn chunks<T: Sync, U: Send>(items: &[T], deed: impl Fn(&[T]) -> U + Sync) -> Vec<U> {
    let count = threads(items.len());
    if count == 1 {
        return vec![deed(items)];
    }
    let mut parts = items.chunks(items.len().div_ceil(count));
    let first = parts.next().unwrap_or_default();
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(|| deed(part))).collect();
        let mut done = vec![deed(first)];
        done.extend(others.into_iter().map(|other| joined(other.join())));
        done
    })
}

/// Does the deed with each of a few large things, on whatever thread is free.
pub(super) fn each<T: Send>(items: Vec<T>, deed: impl Fn(T) + Sync) {
    let count = cores().min(items.len());
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
            map(&items, |item| item * 2),
            items.iter().map(|item| item * 2).collect::<Vec<_>>()
        );
        assert_eq!(map(&[3, 4], |item| item + 1), [4, 5]);
        assert_eq!(map(&[0; 0], |item| item + 1), [0; 0]);
        let mut counts = items.clone();
        let taken = map_mut(&mut counts, std::mem::take);
        assert_eq!((taken, counts), (items.clone(), vec![0; items.len()]));
    }
}
