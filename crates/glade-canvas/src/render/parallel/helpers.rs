//! Threads that help with pictures, and stay.
//!
//! One that is started for a picture is put on the core of the thread that starts it, where it waits until the picture
//! is almost done; one that sleeps is woken within microseconds.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// More would only wait for memory.
const MOST_THREADS: usize = 8;

static HELPERS: LazyLock<Helpers> = LazyLock::new(Helpers::new);

struct Helpers {
    /// None where there is one core, or no thread to be had.
    pool: Option<ThreadPool>,
    /// How many of them have nothing to do.
    free: AtomicUsize,
}

/// Does the work here and, at the same time, on as many helpers as are free, with so many doing it at most.
pub(super) fn together(most: usize, work: impl Fn() + Sync) {
    if most <= 1 {
        return work();
    }
    let called = HELPERS.call(most - 1);
    match &HELPERS.pool {
        Some(pool) if called.count > 0 => {
            // What panics there panics here, when the scope ends.
            pool.in_place_scope(|scope| {
                for _ in 0..called.count {
                    scope.spawn(|_| work());
                }
                work();
            });
        }
        _ => work(),
    }
}

impl Helpers {
    fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let count = cores.min(MOST_THREADS) - 1;
        let builder = ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|at| format!("picture-{at}"));
        // With none asked for there would be one for each core.
        let pool = builder.build().ok().filter(|_| count > 0);
        Self {
            free: AtomicUsize::new(pool.as_ref().map_or(0, |_| count)),
            pool,
        }
    }

    /// Up to so many of those that are free. A picture never waits for one that helps with another.
    fn call(&'static self, most: usize) -> Called {
        let mut count = 0;
        let _ = self
            .free
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| {
                count = free.min(most);
                Some(free - count)
            });
        Called {
            count,
            free: &self.free,
        }
    }
}

/// Helpers that are free again when this is dropped.
struct Called {
    count: usize,
    free: &'static AtomicUsize,
}

impl Drop for Called {
    fn drop(&mut self) {
        self.free.fetch_add(self.count, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_even_while_all_helpers_are_busy() {
        let done = AtomicUsize::new(0);
        let busy = HELPERS.call(usize::MAX);
        together(4, || {
            done.fetch_add(1, Ordering::Relaxed);
        });
        drop(busy);
        assert_eq!(done.into_inner(), 1);
    }
}
