//! What a chat knows of files: the bytes that it was last shown.
//!
//! A model that writes from memory writes over what people did in the meantime. So a tool that
//! replaces text asks here first.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::change::digest;
use crate::error::{Code, ToolError};
use crate::path::ProjectPath;

/// Digests by path. Shared by the calls of one chat, which may run at the same time.
#[derive(Debug, Default)]
pub struct Seen(Mutex<BTreeMap<ProjectPath, String>>);

impl Seen {
    pub fn new() -> Self {
        Self::default()
    }

    /// As it was stored, after a restart.
    pub fn restore(rows: impl IntoIterator<Item = (ProjectPath, String)>) -> Self {
        Self(Mutex::new(rows.into_iter().collect()))
    }

    pub fn rows(&self) -> Vec<(ProjectPath, String)> {
        let rows = self.lock();
        rows.iter().map(|(p, d)| (p.clone(), d.clone())).collect()
    }

    /// The chat was shown these bytes, or wrote them; `None`: it knows that there is no file.
    pub fn note(&self, path: &ProjectPath, bytes: Option<&[u8]>) {
        let mut rows = self.lock();
        match bytes {
            Some(bytes) => rows.insert(path.clone(), digest(bytes)),
            None => rows.remove(path),
        };
    }

    /// Whole text may be put over a file only by who has read it as it is.
    pub fn require(&self, path: &ProjectPath, now: &[u8]) -> Result<(), ToolError> {
        match self.lock().get(path) {
            Some(known) if *known == digest(now) => Ok(()),
            Some(_) => Err(changed(path)),
            None => Err(ToolError::new(
                Code::Stale,
                format!("{path} exists and was not read in this chat. Read it first, then write."),
            )),
        }
    }

    /// Text that is found by its own words may be changed unread, but not when it was read and has
    /// changed since: the model is thinking of an older file.
    pub fn forbid_stale(&self, path: &ProjectPath, now: &[u8]) -> Result<(), ToolError> {
        match self.lock().get(path) {
            Some(known) if *known != digest(now) => Err(changed(path)),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ProjectPath, String>> {
        // The map is valid after any panic: each change of it is one insertion or removal.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn changed(path: &ProjectPath) -> ToolError {
    ToolError::new(
        Code::Stale,
        format!("{path} changed since it was read. Read it again before changing it."),
    )
}
