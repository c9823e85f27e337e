//! How a running call is told to stop: by a person, or by its time limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::{Code, ToolError};

/// A word that many hold and any may say. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    said: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    /// The same word, which also counts as said once `limit` has passed.
    pub fn within(&self, limit: Duration) -> Self {
        let end = Instant::now() + limit;
        Self {
            said: Arc::clone(&self.said),
            deadline: Some(self.deadline.map_or(end, |earlier| earlier.min(end))),
        }
    }

    pub fn cancel(&self) {
        self.said.store(true, Ordering::Relaxed);
    }

    /// Whether a person has said it; the time limit does not count here.
    pub fn said(&self) -> bool {
        self.said.load(Ordering::Relaxed)
    }

    /// To be asked wherever a call might go on for long.
    pub fn check(&self) -> Result<(), ToolError> {
        if self.said.load(Ordering::Relaxed) {
            return Err(ToolError::new(Code::Cancelled, "The call was cancelled."));
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(ToolError::new(
                Code::TimedOut,
                "The call took too long and was ended. Ask for less: a narrower path or pattern.",
            ));
        }
        Ok(())
    }
}
