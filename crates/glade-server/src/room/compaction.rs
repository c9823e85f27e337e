//! Folding a page's log into a snapshot, so that opening it does not replay its whole life.
//!
//! A snapshot holds the full history; nothing that a pending run or a returning client needs is
//! lost. It is taken only while everything in the room is durable: then the log's end is exactly
//! what the document holds, and the store drops no update that the snapshot does not have.

use glade_store::{Change, Store};

use super::actor::RoomError;
use super::core::RoomCore;
use super::rooms::Tuning;

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

/// What a room in which everything is durable leaves behind when nobody is in it any more: a folded
/// log, or nothing if that is there already.
pub fn rest(core: &RoomCore, store: &Store, log: &Log) -> Result<Option<Change>, RoomError> {
    match log.updates {
        0 => Ok(None),
        _ => fold(core, store).map(Some),
    }
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
