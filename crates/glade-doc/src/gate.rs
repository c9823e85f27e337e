//! The gate: everything that Loro cannot veto, checked on a replica before the merge.
//!
//! Loro has no way to say no to an import, so each update is first merged into a replica that
//! nobody reads. If it is fine, the document merges it too and the two are equal again; if not,
//! that replica is thrown away and a spare one takes its place.

use std::panic::{AssertUnwindSafe, catch_unwind};

use loro::LoroDoc;
use serde::{Deserialize, Serialize};

use crate::inspect::inspect;
use crate::{CanvasDoc, Change, Counter, DocError, PeerId, Refusal, derived};

/// Largest update that is looked at.
pub const MAX_UPDATE_BYTES: usize = 4 * 1024 * 1024;
/// Most operations in one update. A few bytes can claim to be very many of them.
pub const MAX_UPDATE_OPERATIONS: u64 = 2_000_000;
/// The spare replica may lie this many updates behind before it catches up.
const SPARE_LAG: usize = 64;

/// Operations `from..to` of one peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PeerSpan {
    pub peer: PeerId,
    pub from: Counter,
    pub to: Counter,
}

/// Which operations an update holds, by its header alone: cheap, and done before anything else.
/// Snapshots, oversized and damaged bytes are refused.
pub fn blob_spans(blob: &[u8]) -> Result<Vec<PeerSpan>, Refusal> {
    if blob.len() > MAX_UPDATE_BYTES {
        return Err(Refusal::TooLarge {
            bytes: blob.len(),
            max: MAX_UPDATE_BYTES,
        });
    }
    let malformed = |reason: String| Refusal::Malformed { reason };
    let meta = sheltered(|| LoroDoc::decode_import_blob_meta(blob, true))
        .map_err(|_| malformed("its header cannot be read".to_owned()))?
        .map_err(|error| malformed(error.to_string()))?;
    if meta.mode.is_snapshot() {
        return Err(Refusal::Snapshot);
    }
    let mut spans: Vec<PeerSpan> = meta
        .partial_end_vv
        .iter()
        .map(|(&peer, &to)| PeerSpan {
            peer,
            from: meta.partial_start_vv.get(&peer).copied().unwrap_or(0),
            to,
        })
        .filter(|span| span.from != span.to)
        .collect();
    spans.sort();
    let mut operations = 0u64;
    for span in &spans {
        let length = i64::from(span.to) - i64::from(span.from);
        match u64::try_from(length) {
            Ok(length) if span.from >= 0 && span.peer != PeerId::MAX => operations += length,
            _ => {
                return Err(malformed(format!(
                    "impossible span {}..{}",
                    span.from, span.to
                )));
            }
        }
    }
    if operations > MAX_UPDATE_OPERATIONS {
        return Err(Refusal::TooManyOperations {
            operations,
            max: MAX_UPDATE_OPERATIONS,
        });
    }
    Ok(spans)
}

/// What the counters of an update say before a byte of it is merged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    New,
    Known,
}

/// Every peer must go on exactly where the document stands; all of it known already is fine too.
/// Anything between would be accepted by Loro and silently merge onto a different past.
pub(crate) fn check_counters(doc: &CanvasDoc, spans: &[PeerSpan]) -> Result<Arrival, Refusal> {
    let version = doc.loro().oplog_vv();
    let next = |peer| version.get(&peer).copied().unwrap_or(0);
    if spans.iter().all(|span| span.to <= next(span.peer)) {
        return Ok(Arrival::Known);
    }
    for span in spans {
        let expected = next(span.peer);
        if span.from != expected {
            return Err(Refusal::CounterMismatch {
                peer: span.peer,
                expected,
                from: span.from,
                to: span.to,
            });
        }
    }
    Ok(Arrival::New)
}

/// The replica that sees everything first, and its understudy.
pub(crate) struct Gate {
    replica: CanvasDoc,
    spare: Option<CanvasDoc>,
    spare_lag: usize,
}

impl Gate {
    pub(crate) fn new(doc: &CanvasDoc) -> Self {
        Self {
            replica: doc.fork(),
            spare: Some(doc.fork()),
            spare_lag: 0,
        }
    }

    #[cfg(test)]
    pub(crate) fn replica(&self) -> &CanvasDoc {
        &self.replica
    }

    pub(crate) fn fork_replica(&self) -> CanvasDoc {
        self.replica.fork()
    }

    /// Merge `blob` here and read what it does. After an error, [`Gate::reset`].
    pub(crate) fn try_blob(
        &self,
        blob: &[u8],
        spans: &[PeerSpan],
        doc: &CanvasDoc,
    ) -> Result<Vec<Change>, Refusal> {
        sheltered(|| {
            let status = self
                .replica
                .loro()
                .import(blob)
                .map_err(|error| Refusal::unsound(error.to_string()))?;
            if status.pending.is_some() {
                return Err(Refusal::MissingHistory);
            }
            let arrived = |span: &PeerSpan| self.replica.next_counter(span.peer) == span.to;
            if !spans.iter().all(arrived) {
                return Err(Refusal::unsound("it holds other changes than it says"));
            }
            let mut changes = inspect(&self.replica, spans)?;
            // Some damaged blobs import well and blow up when they are written out again.
            self.replica.loro().compact_change_store();
            derived::mark(&mut changes, doc, &self.replica);
            Ok(changes)
        })?
    }

    /// The document went on by `update`, which this replica has not seen.
    pub(crate) fn follow(&mut self, update: &[u8], doc: &CanvasDoc) {
        let followed = sheltered(|| self.replica.import(update));
        if !matches!(followed, Ok(Ok(_))) {
            self.reset(doc);
        }
        self.accepted(doc);
    }

    /// The document merged what this replica has merged before it.
    pub(crate) fn accepted(&mut self, doc: &CanvasDoc) {
        self.spare_lag += 1;
        if self.spare_lag < SPARE_LAG {
            return;
        }
        self.spare_lag = 0;
        if let Some(spare) = &self.spare
            && catch_up(spare, doc).is_err()
        {
            discard(self.spare.take());
        }
    }

    /// Throw the replica away and be equal to `doc` again.
    pub(crate) fn reset(&mut self, doc: &CanvasDoc) {
        let fresh = match self.spare.take() {
            Some(spare) if catch_up(&spare, doc).is_ok() => spare,
            useless => {
                discard(useless);
                doc.fork()
            }
        };
        discard(Some(std::mem::replace(&mut self.replica, fresh)));
        self.spare_lag = 0;
    }

    /// Make a new spare if the last one was spent.
    pub(crate) fn tend(&mut self, doc: &CanvasDoc) {
        if self.spare.is_none() {
            self.spare = Some(doc.fork());
            self.spare_lag = 0;
        }
    }
}

fn catch_up(spare: &CanvasDoc, doc: &CanvasDoc) -> Result<(), DocError> {
    let missing = doc.updates_since(&spare.version())?;
    sheltered(|| spare.import(&missing)).map_err(|error| DocError::Loro(error.to_string()))??;
    Ok(())
}

/// A replica that panicked may panic again while it is dropped.
fn discard(replica: Option<CanvasDoc>) {
    let _ = catch_unwind(AssertUnwindSafe(move || drop(replica)));
}

/// Run what hostile bytes may make panic. Whatever it touched must be thrown away after an error.
pub(crate) fn sheltered<T>(work: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Refusal::unsound("reading it panicked"))
}
