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

use glade_room::{Call, Epoch};
use glade_store::{Change, Store};
use tokio::time::Instant;

use super::handle::RoomError;
use super::registry::Tuning;
use super::running::RunningRoom;

/// How much lies in the log since the last snapshot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Log {
    pub updates: usize,
    pub bytes: usize,
}

impl Log {
    pub fn of(updates: &[Vec<u8>]) -> Self {
        Self {
            updates: updates.len(),
            bytes: updates.iter().map(Vec::len).sum(),
        }
    }

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

/// What a room leaves behind while everything in it is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tidy {
    /// The log as a snapshot.
    Fold,
    /// A new epoch, if the past is long.
    Compact,
    /// Nobody is in it any more: a new epoch, a folded log, or nothing if that is there already.
    Leave,
}

impl Tidy {
    /// The change that stores it. When a new epoch has begun the room goes on without its past;
    /// should the store not take the change, the room must close.
    pub fn change(
        self,
        room: &mut RunningRoom,
        store: &Store,
        log: &Log,
        tuning: &Tuning,
    ) -> Result<Option<Change>, RoomError> {
        if self != Self::Fold
            && let Some(change) = compact(room, store, tuning)?
        {
            return Ok(Some(change));
        }
        match self {
            Self::Compact => Ok(None),
            Self::Leave if log.updates == 0 => Ok(None),
            Self::Leave | Self::Fold => fold(room, store).map(Some),
        }
    }
}

fn compact(
    room: &mut RunningRoom,
    store: &Store,
    tuning: &Tuning,
) -> Result<Option<Change>, RoomError> {
    if room.history() < tuning.compact_operations {
        return Ok(None);
    }
    let page = room.page().to_string();
    let through_seq = store.last_seq(&page)?;
    let pending: Vec<_> = store
        .pending_spans(&page)?
        .into_iter()
        .map(|span| (span.peer, span.from))
        .collect();
    let runs = pending.len();
    let Some(epoch) = room.ask::<Option<Epoch>>(Call::Compact { pending })? else {
        return Ok(None);
    };
    let bytes = epoch.snapshot.len();
    tracing::info!(page, pending = runs, bytes, "a page begins a new epoch");
    Ok(Some(Change::CompactPage {
        page,
        blob: epoch.snapshot,
        whole: epoch.whole,
        through_seq,
    }))
}

fn fold(room: &mut RunningRoom, store: &Store) -> Result<Change, RoomError> {
    let page = room.page().to_string();
    // First the number, then the snapshot: it may hold more than the number says, never less.
    let through_seq = store.last_seq(&page)?;
    let blob = room.ask(Call::Fold)?;
    Ok(Change::PutSnapshot {
        page,
        blob,
        through_seq,
    })
}
