//! Where the answer to a write goes.

use std::sync::mpsc::SyncSender;

use tokio::sync::oneshot;

use crate::error::StoreError;

/// How a write went.
pub type Outcome = Result<(), StoreError>;

/// Given to a [`crate::Backend`] with a write. Dropped unanswered, its holder reads
/// [`StoreError::Closed`].
pub struct Reply(To);

enum To {
    Async(oneshot::Sender<Outcome>),
    Blocking(SyncSender<Outcome>),
}

impl Reply {
    pub(crate) fn later(to: oneshot::Sender<Outcome>) -> Reply {
        Reply(To::Async(to))
    }

    pub(crate) fn blocking(to: SyncSender<Outcome>) -> Reply {
        Reply(To::Blocking(to))
    }

    /// Nobody listening any more is fine: the write happened all the same.
    pub fn send(self, outcome: Outcome) {
        match self.0 {
            To::Async(reply) => drop(reply.send(outcome)),
            To::Blocking(reply) => drop(reply.try_send(outcome)),
        }
    }
}
