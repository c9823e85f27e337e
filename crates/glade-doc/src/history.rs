//! Letting go of a page's past.
//!
//! A document keeps every operation there ever was, which a page that people drag things about on
//! does not need for long. [`PageDoc::compacted`] is the document without what lies before a
//! root: the same elements, the same writers of each value, and all operations since. The root
//! never passes the first operation of a pending run, and everything after it was made on it.
//!
//! A replica that was last here before the root cannot be brought up to date by operations: it is
//! *behind*, and has to begin again from a snapshot.

use loro::{ExportMode, Frontiers, ID, VersionVector};

use crate::{Counter, DocError, PageDoc, PeerId, check_version};

/// A page without its past.
pub struct Compacted {
    pub doc: PageDoc,
    /// The same, to be stored.
    pub snapshot: Vec<u8>,
}

impl PageDoc {
    /// How many operations of its past the document still has.
    pub fn history(&self) -> usize {
        self.loro().len_ops()
    }

    /// How many operations made it, those that it has let go of included: about how much work it
    /// is to copy.
    pub fn size(&self) -> usize {
        let version = self.loro().oplog_vv();
        let counters = version.values();
        counters
            .map(|counter| usize::try_from(*counter).unwrap_or(0))
            .sum()
    }

    /// Whether a replica at `version` lacks what this document has let go of. A new one does not.
    pub fn is_behind(&self, version: &[u8]) -> Result<bool, DocError> {
        let root = self.shallow_root();
        if version.is_empty() || root.is_empty() {
            return Ok(false);
        }
        check_version(version)?;
        let version =
            VersionVector::decode(version).map_err(|_| DocError::BadVersion(version.to_vec()))?;
        Ok(!version.is_empty() && !version.includes_vv(&root))
    }

    /// The document without what came before any of `pending`, the first operations of the runs
    /// that can still be undone. `None` if less than half of its history would go: that is not
    /// worth leaving anybody behind.
    pub fn compacted(&self, pending: &[(PeerId, Counter)]) -> Result<Option<Compacted>, DocError> {
        let doc = self.loro();
        let past = pending.iter().fold(doc.oplog_vv(), |past, (peer, from)| {
            past.intersection(&self.past_of(ID::new(*peer, *from)))
        });
        if past.is_empty() || !past.includes_vv(&self.shallow_root()) {
            return Ok(None);
        }
        let begin = doc.vv_to_frontiers(&past);
        let snapshot = doc.export(ExportMode::shallow_snapshot(&begin))?;
        let doc = Self::open(self.surface(), Some(&snapshot), &[])?;
        if doc.loro().oplog_vv() != self.loro().oplog_vv() {
            return Err(DocError::MissingHistory);
        }
        let worth_it = doc.history() * 2 <= self.history() && doc.history() < self.history();
        Ok(worth_it.then_some(Compacted { doc, snapshot }))
    }

    /// Everything that an operation was made on top of; nothing, if it is not here.
    fn past_of(&self, id: ID) -> VersionVector {
        let doc = self.loro();
        let Some(change) = doc.get_change(id) else {
            return VersionVector::default();
        };
        let before = if change.id.counter < id.counter {
            Frontiers::from_id(ID::new(id.peer, id.counter - 1))
        } else {
            change.deps
        };
        doc.frontiers_to_vv(&before).unwrap_or_default()
    }

    /// What is no longer here but as a state; empty for a document with its whole history.
    fn shallow_root(&self) -> VersionVector {
        VersionVector::from_im_vv(&self.loro().shallow_since_vv())
    }
}
