//! What waits for readers, in bytes: for one, and for all together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What may wait for one slow reader: the largest page with room to spare, and no more memory.
const FOR_ONE: usize = 64 * 1024 * 1024;
/// What may wait for all of them.
const FOR_ALL: usize = 96 * 1024 * 1024;
/// What may wait for one however much waits for others: those who keep up are not cut off because
/// others do not.
const FOR_ONE_IN_ANY_CASE: usize = 1024 * 1024;

/// Bytes on their way to all readers of a server.
#[derive(Debug, Default)]
pub struct AllQueued(AtomicUsize);

/// Bytes on their way to one reader; the writer takes off what it has sent.
#[derive(Debug, Default)]
pub struct Queued {
    bytes: AtomicUsize,
    all: Arc<AllQueued>,
}

impl Queued {
    pub fn new(all: Arc<AllQueued>) -> Self {
        Self {
            bytes: AtomicUsize::new(0),
            all,
        }
    }

    /// Counts bytes that are to wait. False if they may not: then they are not counted.
    pub fn put(&self, bytes: usize) -> bool {
        let own = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let others = self.all.0.fetch_add(bytes, Ordering::Relaxed);
        let fits = own < FOR_ONE && (others < FOR_ALL || own < FOR_ONE_IN_ANY_CASE);
        if !fits {
            self.sent(bytes);
        }
        fits
    }

    /// They have left.
    pub fn sent(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.all.0.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let left = *self.bytes.get_mut();
        self.all.0.fetch_sub(left, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: usize = 1024 * 1024;

    fn fill(all: &Arc<AllQueued>) -> Queued {
        let queued = Queued::new(Arc::clone(all));
        while queued.put(MB) {}
        queued
    }

    #[test]
    fn one_reader_may_keep_a_large_page_waiting_and_no_more() {
        let all = Arc::default();
        let slow = fill(&all);
        assert_eq!(slow.bytes.load(Ordering::Relaxed), FOR_ONE);
        slow.sent(MB);
        assert!(slow.put(MB) && !slow.put(MB));
    }

    #[test]
    fn many_slow_readers_share_a_limit_and_those_who_keep_up_are_not_cut_off() {
        let all = Arc::default();
        let mut slow: Vec<Queued> = (0..10).map(|_| fill(&all)).collect();
        let waits = all.0.load(Ordering::Relaxed);
        assert!((FOR_ALL..FOR_ALL + 11 * MB).contains(&waits), "{waits}");
        let keeps_up = Queued::new(Arc::clone(&all));
        assert!(keeps_up.put(MB), "a short queue is always taken");
        assert!(!keeps_up.put(MB));
        slow.clear();
        assert!(keeps_up.put(MB), "what was let go of makes room");
        drop(keeps_up);
        assert_eq!(all.0.load(Ordering::Relaxed), 0);
    }
}
