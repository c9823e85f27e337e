//! How much the writer has done since the store was opened.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Upper bounds of the sizes of groups.
pub const GROUP_SIZES: [u64; 6] = [1, 4, 16, 64, 128, 256];

#[derive(Debug, Default)]
pub struct Stats {
    commits: AtomicU64,
    writes: AtomicU64,
    /// Commits of at most as many writes as [`GROUP_SIZES`] says, each counted once.
    sizes: [AtomicU64; GROUP_SIZES.len()],
    full: AtomicBool,
}

/// The writer's counts at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatsNow {
    /// Commits, each of which is one fsync.
    pub commits: u64,
    /// Writes in them.
    pub writes: u64,
    /// How many commits held at most as many writes as [`GROUP_SIZES`] says.
    pub up_to: [u64; GROUP_SIZES.len()],
}

impl Stats {
    pub(crate) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    pub(crate) fn committed(&self, writes: usize) {
        let writes = u64::try_from(writes).unwrap_or(u64::MAX);
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.writes.fetch_add(writes, Ordering::Relaxed);
        if let Some(at) = GROUP_SIZES.iter().position(|size| writes <= *size) {
            self.sizes[at].fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn now(&self) -> StatsNow {
        let mut sum = 0;
        StatsNow {
            commits: self.commits.load(Ordering::Relaxed),
            writes: self.writes.load(Ordering::Relaxed),
            up_to: std::array::from_fn(|at| {
                sum += self.sizes[at].load(Ordering::Relaxed);
                sum
            }),
        }
    }
}
