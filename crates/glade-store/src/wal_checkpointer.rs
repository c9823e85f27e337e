//! Carries the write-ahead log into the database, beside the writer: a commit appends to the log and answers,
//! and nobody waits while pages go to their places, which takes as long as ten commits and more.
//!
//! SQLite begins its log anew when all of it is in the database at the moment of a write. Beside a writer that
//! never rests there is no such moment, so a log that grew long is checkpointed to its end by the writer itself,
//! between two commits: by then little of it is left to copy. Long is not very long: to write where the file
//! has been before is quicker than to make it longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use crate::error::StoreError;

/// About what a commit of little writes to the log: a few pages of tables and their indices.
const COMMIT_BYTES: usize = 32 * 1024;
/// The log is checkpointed each time about so much was added to it …
const EVERY_BYTES: usize = 3 * 512 * 1024;
/// … and is long from so many pages (of 4 KiB) on.
const LONG_PAGES: i64 = 2 * 1024;

pub(crate) struct WalCheckpointer {
    wake: Option<SyncSender<()>>,
    /// The length of the log when it was checkpointed last.
    pages: Arc<AtomicI64>,
    added: usize,
    thread: Option<JoinHandle<()>>,
}

impl WalCheckpointer {
    /// The connection is the checkpointer's own, to the database that the writer writes.
    pub(crate) fn start(connection: Connection) -> Result<WalCheckpointer, StoreError> {
        // One request is enough: a checkpoint takes all that is there.
        let (wake, woken) = sync_channel(1);
        let pages = Arc::new(AtomicI64::new(0));
        let seen = Arc::clone(&pages);
        let thread = std::thread::Builder::new()
            .name("glade-store-log".to_owned())
            .spawn(move || run(&connection, &woken, &seen))
            .map_err(|e| {
                StoreError::io("start the log's checkpointer of", "glade.db".as_ref(), e)
            })?;
        Ok(WalCheckpointer {
            wake: Some(wake),
            pages,
            added: 0,
            thread: Some(thread),
        })
    }

    /// A group of writes of so many bytes is in the log. The writer's own connection is for a long log.
    pub(crate) fn committed(&mut self, bytes: usize, writer: &Connection) {
        self.added += COMMIT_BYTES + bytes;
        if self.added < EVERY_BYTES {
            return;
        }
        self.added = 0;
        if self.pages.load(Ordering::Relaxed) >= LONG_PAGES {
            checkpoint(writer, &self.pages, Whole::BeginsAnew);
        } else if let Some(wake) = &self.wake {
            // Full: it is on its way already.
            let _underway = wake.try_send(());
        }
    }
}

impl Drop for WalCheckpointer {
    fn drop(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the checkpointer of the write-ahead log panicked; the log is safe");
        }
    }
}

/// What a log is of which all was carried.
#[derive(PartialEq, Eq)]
enum Whole {
    /// The writer carried it.
    BeginsAnew,
    /// The writer wrote on meanwhile.
    MayHaveGrown,
}

fn run(connection: &Connection, woken: &Receiver<()>, pages: &AtomicI64) {
    while woken.recv().is_ok() {
        checkpoint(connection, pages, Whole::MayHaveGrown);
    }
}

/// Copies what nobody reads any more at an older state.
fn checkpoint(connection: &Connection, pages: &AtomicI64, whole: Whole) {
    let copied = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
    });
    match copied {
        // Somebody else is checkpointing.
        Ok((length, _)) if length < 0 => {}
        Ok((length, done)) => {
            tracing::trace!(length, done, "the write-ahead log was checkpointed");
            // A whole one copied by the writer begins anew with its next write.
            let left = if whole == Whole::BeginsAnew && done == length {
                0
            } else {
                length
            };
            pages.store(left, Ordering::Relaxed);
        }
        // Nothing is lost: it is in the log, and the next time is soon.
        Err(error) => tracing::warn!(%error, "the write-ahead log could not be carried"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{Folder, connect};

    fn length(dir: &std::path::Path) -> u64 {
        std::fs::metadata(dir.join("glade.db-wal")).map_or(0, |file| file.len())
    }

    #[test]
    fn a_log_that_is_always_written_to_is_carried_and_begins_anew() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::claim(dir.path()).unwrap();
        let connections = connect(&folder).unwrap();
        let writer = connections.writing;
        let mut wal_checkpointer = WalCheckpointer::start(connections.checkpointing).unwrap();
        writer
            .execute_batch("CREATE TABLE heap (id INTEGER PRIMARY KEY, value BLOB)")
            .unwrap();
        let limit = u64::try_from(LONG_PAGES).unwrap() * 4096 * 2;
        let value = vec![7_u8; 256 * 1024];
        let rounds = 3 * limit / value.len() as u64;
        let mut longest = 0;
        for round in 0..rounds {
            let key = i64::try_from(round % 7).unwrap();
            writer
                .execute("INSERT OR REPLACE INTO heap VALUES (?, ?)", (key, &value))
                .unwrap();
            wal_checkpointer.committed(value.len(), &writer);
            longest = longest.max(length(dir.path()));
        }
        assert!(longest < limit, "{longest} bytes of log");
        drop(wal_checkpointer);
        drop(connections.reading);
        drop(writer);
        assert_eq!(length(dir.path()), 0, "the last one tidies it away");
    }
}
