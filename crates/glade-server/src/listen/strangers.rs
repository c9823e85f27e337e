//! What strangers have sent and the server still holds, over all connections.
//!
//! One request or socket without a valid token is short by itself (`body`, `slots`); ten thousand
//! short ones are not. The first few kilobytes of each are free, so that signing in never waits for
//! others; beyond them all strangers share one budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A token and what goes with it.
const FREE: usize = 4 * 1024;
/// What is held for all strangers together, beyond what is free.
const SHARED: usize = 32 * 1024 * 1024;

#[derive(Debug, Default)]
pub struct Strangers(AtomicUsize);

/// What one stranger has sent; given back when it is dropped.
#[derive(Debug)]
pub struct Held {
    all: Arc<Strangers>,
    bytes: usize,
}

/// The strangers' budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedUp;

impl Held {
    pub fn new(all: &Arc<Strangers>) -> Self {
        Self {
            all: Arc::clone(all),
            bytes: 0,
        }
    }

    /// Counts bytes that have come. After an error nothing more is to be read.
    pub fn add(&mut self, bytes: usize) -> Result<(), UsedUp> {
        let before = self.counted();
        self.bytes = self.bytes.saturating_add(bytes);
        let more = self.counted() - before;
        if more == 0 {
            return Ok(());
        }
        let held = self.all.0.fetch_add(more, Ordering::Relaxed) + more;
        if held > SHARED { Err(UsedUp) } else { Ok(()) }
    }

    fn counted(&self) -> usize {
        self.bytes.saturating_sub(FREE)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.0.fetch_sub(self.counted(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_share_one_budget_and_give_back_what_they_held() {
        let all = Arc::default();
        let mut many: Vec<Held> = (0..8).map(|_| Held::new(&all)).collect();
        for held in &mut many {
            assert_eq!(held.add(FREE + SHARED / 8), Ok(()));
        }
        assert_eq!(many[0].add(1), Err(UsedUp));
        drop(many);
        assert_eq!(Held::new(&all).add(FREE + SHARED), Ok(()));
    }

    #[test]
    fn a_token_gets_through_however_much_others_hold() {
        let all = Arc::default();
        let mut greedy = Held::new(&all);
        assert_eq!(greedy.add(2 * SHARED), Err(UsedUp));
        let mut honest = Held::new(&all);
        assert_eq!(honest.add(FREE), Ok(()));
        assert_eq!(honest.add(1), Err(UsedUp));
    }
}
