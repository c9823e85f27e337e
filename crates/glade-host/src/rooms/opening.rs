//! What somebody who joins is given.
//!
//! Who has a version gets what it misses. Who has nothing gets everything, and for a large page
//! that is a snapshot: as it lies in the store if nothing has changed since, or else made once and
//! given to all who come before the next change.

use bytes::Bytes;
use glade_doc::DocError;

use super::core::RoomCore;

/// From so many operations on a page is large: a snapshot is cheaper than its whole history.
const LARGE_OPERATIONS: usize = 20_000;
/// A stored page is given as it is if it lies in no more parts than this.
const MOST_PARTS: usize = 32;

/// The whole page, in parts.
pub(super) struct Whole {
    version: Vec<u8>,
    parts: Vec<Bytes>,
}

impl RoomCore {
    /// The page was read from these bytes, and nothing was changed since.
    pub(super) fn was_read_from(&mut self, snapshot: Option<Vec<u8>>, updates: Vec<Vec<u8>>) {
        let parts = snapshot.into_iter().chain(updates);
        let parts: Vec<Bytes> = parts.map(Bytes::from).collect();
        if self.is_large() && parts.len() <= MOST_PARTS {
            self.whole = Some(Whole {
                version: self.guarded.doc().version(),
                parts,
            });
        }
    }

    fn is_large(&self) -> bool {
        self.guarded.doc().size() >= LARGE_OPERATIONS
    }

    /// What a client at `version` (empty: without anything) is missing.
    pub(super) fn missing_since(&mut self, version: &[u8]) -> Result<Vec<Bytes>, DocError> {
        if !version.is_empty() || !self.is_large() {
            let updates = self.guarded.doc().updates_since(version)?;
            return Ok(vec![Bytes::from(updates)]);
        }
        let now = self.guarded.doc().version();
        if let Some(whole) = self.whole.as_ref().filter(|whole| whole.version == now) {
            return Ok(whole.parts.clone());
        }
        let parts = vec![Bytes::from(self.guarded.doc().snapshot()?)];
        self.whole = Some(Whole {
            version: now,
            parts: parts.clone(),
        });
        Ok(parts)
    }
}
