//! What those with a valid token send in the bodies of requests, as far as the server still holds it:
//! from its arrival until the request is answered.
//!
//! What is short is free, so that nobody's edits, words or Stop wait for another's files. All longer
//! bodies share one budget: a thousand connections may be anybody's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// More than all but files and pictures have.
const FREE: usize = 64 * 1024;
/// What is held for all together, beyond what is free: four of the largest files.
const SHARED: usize = 256 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Senders(AtomicUsize);

/// The budget of all senders is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedUp;

/// What one request has sent; given back when it is dropped.
#[derive(Debug)]
pub struct Sent {
    all: Arc<Senders>,
    bytes: AtomicUsize,
    refused: AtomicBool,
}

impl Sent {
    pub fn new(all: &Arc<Senders>) -> Self {
        Self {
            all: Arc::clone(all),
            bytes: AtomicUsize::new(0),
            refused: AtomicBool::new(false),
        }
    }

    /// Counts bytes that have come. After an error nothing more is to be read.
    pub fn add(&self, bytes: usize) -> Result<(), UsedUp> {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let more = counted(before.saturating_add(bytes)) - counted(before);
        let held = self.all.0.fetch_add(more, Ordering::Relaxed) + more;
        if more > 0 && held > SHARED {
            self.refused.store(true, Ordering::Relaxed);
            return Err(UsedUp);
        }
        Ok(())
    }

    /// Whether it was cut short for what others hold.
    pub fn was_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }
}

fn counted(bytes: usize) -> usize {
    bytes.saturating_sub(FREE)
}

impl Drop for Sent {
    fn drop(&mut self) {
        let held = counted(self.bytes.load(Ordering::Relaxed));
        self.all.0.fetch_sub(held, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_bodies_share_a_budget_and_short_ones_always_pass() {
        let all = Arc::default();
        let large: Vec<Sent> = (0..4).map(|_| Sent::new(&all)).collect();
        for sent in &large {
            assert_eq!(sent.add(FREE + SHARED / 4), Ok(()));
        }
        let late = Sent::new(&all);
        assert_eq!(late.add(FREE), Ok(()));
        assert_eq!(late.add(1), Err(UsedUp));
        assert!(late.was_refused());
        assert!(!large[0].was_refused());
        drop(large);
        drop(late);
        assert_eq!(Sent::new(&all).add(FREE + SHARED), Ok(()));
        assert_eq!(all.0.load(Ordering::Relaxed), 0);
    }
}
