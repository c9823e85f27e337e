//! How often a fairy may write: at most 30 commits in any second.
//!
//! A model can say more than people can follow, and every commit is merged, stored and sent to
//! everyone. When the second is used up the fairy listens no further until there is room again; what
//! the model says meanwhile waits with it, and becomes one partial instead of many. Whoever has used up
//! half of it goes on evenly: people would see it write, stop and write again.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// What people can follow.
pub const COMMITS_A_SECOND: usize = 30;
const SECOND: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Pace {
    most: usize,
    recent: VecDeque<Instant>,
}

impl Pace {
    pub fn new(most: usize) -> Self {
        Self {
            most,
            recent: VecDeque::new(),
        }
    }

    /// When the next commit may be made; `None`: now.
    pub fn free_at(&self, now: Instant) -> Option<Instant> {
        let full = self.recent.len() >= self.most;
        let whole = self.recent.front().filter(|_| full);
        let half = self.recent.iter().rev().nth((self.most / 2).max(1) - 1);
        let busy = half.is_some_and(|half| now < *half + SECOND);
        let last = self.recent.back().filter(|_| busy);
        let even = last.map(|last| *last + SECOND.div_f64(self.most as f64));
        let free = whole.map(|oldest| *oldest + SECOND).max(even);
        free.filter(|free| *free > now)
    }

    /// A commit was made.
    pub fn note(&mut self, now: Instant) {
        if self.recent.len() >= self.most {
            self.recent.pop_front();
        }
        if self.most < usize::MAX {
            self.recent.push_back(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_holds_more_than_thirty_commits() {
        let start = Instant::now();
        let most = COMMITS_A_SECOND;
        let mut pace = Pace::new(most);
        let (mut now, mut made) = (start, Vec::new());
        for number in 0..200_u64 {
            now += Duration::from_millis(number % 7);
            now = pace.free_at(now).unwrap_or(now);
            pace.note(now);
            made.push(now);
        }
        for window in made.windows(most + 1) {
            assert!(window[most] - window[0] >= SECOND);
        }
        assert!(made[most - 1] - start < SECOND, "thirty at once are fine");
    }

    #[test]
    fn whoever_writes_all_the_time_writes_evenly() {
        let start = Instant::now();
        let mut pace = Pace::new(COMMITS_A_SECOND);
        let (mut now, mut made) = (start, Vec::new());
        while now < start + SECOND * 4 {
            // A word every 20 ms, as long as nothing holds it up.
            now = pace.free_at(now).unwrap_or(now);
            pace.note(now);
            made.push(now);
            now += Duration::from_millis(20);
        }
        let later = made.iter().filter(|at| **at - start >= SECOND);
        let later: Vec<&Instant> = later.collect();
        assert!(later.len() >= 3 * COMMITS_A_SECOND - 5, "{}", later.len());
        for pair in later.windows(2) {
            assert!(*pair[1] - *pair[0] < Duration::from_millis(60));
        }
    }
}
