//! Letting go of a long past.
//!
//! A page that begins a new *epoch* goes on with the operations since the oldest pending run and,
//! before that, a state. Whoever comes back from before that state is told to begin again from the
//! page as it is, and to make what the server has not seen anew.

use glade_doc::{Counter, DocError, PeerId};
use serde::Serialize;

use crate::document::Document;
use crate::serial;

/// What is stored when a page lets go of its past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Epoch {
    #[serde(with = "serial::bytes")]
    pub snapshot: Vec<u8>,
    /// The document with the past that it let go of.
    #[serde(with = "serial::bytes")]
    pub whole: Vec<u8>,
}

impl Document {
    /// Goes on without what came before `pending`, if that is worth it. Nobody can tell, but who
    /// comes back from before.
    pub fn begin_epoch(
        &mut self,
        pending: &[(PeerId, Counter)],
    ) -> Result<Option<Epoch>, DocError> {
        let doc = self.guarded.doc();
        let Some(compacted) = doc.compacted(pending)? else {
            return Ok(None);
        };
        let whole = doc.snapshot()?;
        self.guarded.exchange(compacted.doc);
        self.replica.forget();
        self.whole = None;
        self.bytes = compacted.snapshot.len();
        Ok(Some(Epoch {
            snapshot: compacted.snapshot,
            whole,
        }))
    }

    /// Whether a replica at `version` lacks what the page has let go of.
    pub fn is_behind(&self, version: &[u8]) -> bool {
        self.doc().is_behind(version).unwrap_or(false)
    }
}
