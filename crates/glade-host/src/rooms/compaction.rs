//! Folding a page's log into a snapshot, so that opening it does not replay its whole life; and
//! letting go of a long past.
//!
//! A folded snapshot holds the full history. When the past is long and the page has been quiet for
//! a while, it begins a new *epoch*: its snapshot then holds the operations since the oldest
//! pending run and, before that, a state. The document with its past goes to the archive. Whoever
//! comes back from before that state is told to begin again from the page as it is, and to make
//! what the server has not seen anew.
//!
//! Either is taken only while everything in the room is durable: then the log's end is exactly
//! what the document holds, and the store drops no update that the snapshot does not have.

use std::time::Duration;

use glade_doc::{Counter, DocError, PeerId};
use glade_store::{Change, Store};
use tokio::time::Instant;

use super::core::RoomCore;
use super::handle::RoomError;
use super::registry::Tuning;

/// How much lies in the log since the last snapshot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Log {
    pub updates: usize,
    pub bytes: usize,
}

impl Log {
    pub fn count(&mut self, changes: &[Change]) {
        for change in changes {
            if let Change::AppendUpdate { blob, .. } = change {
                self.updates += 1;
                self.bytes += blob.len();
            }
        }
    }

    pub fn is_long(&self, tuning: &Tuning) -> bool {
        self.updates >= tuning.log_updates || self.bytes >= tuning.log_bytes
    }
}

/// When a room next asks whether its past is long.
pub struct Quiet {
    after: Duration,
    /// `None`: nothing was written since it last asked.
    due: Option<Instant>,
}

impl Quiet {
    pub fn new(tuning: &Tuning) -> Self {
        let mut quiet = Self {
            after: tuning.compact_quiet,
            due: None,
        };
        quiet.disturb();
        quiet
    }

    /// Something was written.
    pub fn disturb(&mut self) {
        self.due = Some(Instant::now() + self.after);
    }

    pub fn asked(&mut self) {
        self.due = None;
    }

    /// Resolves when it has been quiet for long enough; never if it is not waited for.
    pub async fn wait(&self) {
        match self.due {
            Some(due) => tokio::time::sleep_until(due).await,
            None => std::future::pending().await,
        }
    }
}

/// What a room in which everything is durable leaves behind when nobody is in it any more: a new
/// epoch, a folded log, or nothing if that is there already.
pub fn rest(
    core: &mut RoomCore,
    store: &Store,
    log: &Log,
    tuning: &Tuning,
) -> Result<Option<Change>, RoomError> {
    if let Some(change) = compact(core, store, tuning)? {
        return Ok(Some(change));
    }
    match log.updates {
        0 => Ok(None),
        _ => fold(core, store).map(Some),
    }
}

/// Begins a new epoch if the past is long. The room goes on with the document without it; should
/// the store not take the change, the room must close.
pub fn compact(
    core: &mut RoomCore,
    store: &Store,
    tuning: &Tuning,
) -> Result<Option<Change>, RoomError> {
    if core.guarded.doc().history() < tuning.compact_operations {
        return Ok(None);
    }
    let page = core.page.to_string();
    let through_seq = store.last_seq(&page)?;
    let pending: Vec<_> = store
        .pending_spans(&page)?
        .into_iter()
        .map(|span| (span.peer, span.from))
        .collect();
    let Some(epoch) = core.begin_epoch(&pending)? else {
        return Ok(None);
    };
    tracing::info!(
        page,
        pending = pending.len(),
        bytes = epoch.snapshot.len(),
        "a page begins a new epoch"
    );
    Ok(Some(Change::CompactPage {
        page,
        blob: epoch.snapshot,
        whole: epoch.whole,
        through_seq,
    }))
}

/// The snapshot of a room in which everything is durable.
pub fn fold(core: &RoomCore, store: &Store) -> Result<Change, RoomError> {
    let page = core.page.to_string();
    // First the number, then the snapshot: it may hold more than the number says, never less.
    let through_seq = store.last_seq(&page)?;
    let blob = core.guarded.doc().snapshot()?;
    Ok(Change::PutSnapshot {
        page,
        blob,
        through_seq,
    })
}

/// What is stored when a page lets go of its past.
pub struct Epoch {
    pub snapshot: Vec<u8>,
    /// The document with the past that it let go of.
    pub whole: Vec<u8>,
}

impl RoomCore {
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
        self.drop_replica();
        self.whole = None;
        Ok(Some(Epoch {
            snapshot: compacted.snapshot,
            whole,
        }))
    }

    /// Whether a replica at `version` lacks what the page has let go of.
    pub(super) fn is_behind(&self, version: &[u8]) -> bool {
        self.guarded.doc().is_behind(version).unwrap_or(false)
    }
}
