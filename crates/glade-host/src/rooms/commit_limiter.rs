//! Fairies take turns at the rooms' doors.
//!
//! Whatever is on its way into a room cannot be stopped any more: it is written, and people see it. If fifty
//! fairies each had an edit on its way, the last of them would arrive fifty edits later, and so would a
//! person's own. So only a few edits are on their way at once, over all rooms; the others wait outside, where
//! Stop still finds them. As many as keep processor and disk busy lose nothing by it.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Edits on their way at once: one is being merged, one written, and one is ready for its turn.
const AT_ONCE: usize = 3;

/// One for all rooms of a server; see the [module](self).
#[derive(Clone)]
pub struct CommitLimiter(Arc<Semaphore>);

impl Default for CommitLimiter {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl CommitLimiter {
    /// Waits for a turn, first come first served; it is over when what this gives is dropped.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // It is never closed, so there always is one.
        Arc::clone(&self.0).acquire_owned().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_few_pass_and_the_next_waits_for_one_of_them_to_be_through() {
        let commit_limiter = CommitLimiter::default();
        let mut passing = Vec::new();
        for _ in 0..AT_ONCE {
            passing.push(commit_limiter.turn().now_or_never().unwrap());
        }
        let mut next = std::pin::pin!(commit_limiter.turn());
        assert!(next.as_mut().now_or_never().is_none());
        passing.pop();
        assert!(next.now_or_never().is_some());
    }
}
