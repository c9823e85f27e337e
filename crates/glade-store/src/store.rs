//! The handle that everything else holds.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::audit::Signer;
use crate::change::Change;
use crate::error::StoreError;
use crate::folder::{self, Folder};
use crate::stats::StatsNow;
use crate::writer::{Reply, Writer};

/// The durable state of one data folder. Clones share it; when the last one is dropped, the writes
/// still queued are finished, the database is closed and the folder is free again.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// Dropped from the top down: with the reader gone, the writer is the last connection and tidies
/// the write-ahead log away as it closes; only then is the folder given back.
struct Inner {
    reader: Mutex<Connection>,
    writer: Writer,
    _folder: Folder,
}

impl Store {
    /// Opens the data folder, making it if there is none.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        let folder = Folder::claim(dir)?;
        let (writing, reading) = folder::connect(&folder)?;
        Ok(Store {
            inner: Arc::new(Inner {
                reader: Mutex::new(reading),
                writer: Writer::start(writing, dir)?,
                _folder: folder,
            }),
        })
    }

    /// Makes all the changes or none of them; resolves when they are durable (fsynced).
    ///
    /// The write is queued by the call itself: writes are applied in the order of their calls, and
    /// happen even if the future is dropped.
    pub fn write(
        &self,
        changes: Vec<Change>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        let (reply, answer) = oneshot::channel();
        self.inner.writer.enqueue(changes, Reply::Async(reply));
        async move { answer.await.unwrap_or(Err(StoreError::Closed)) }
    }

    /// [`Store::write`] for a thread that may wait.
    pub fn write_blocking(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let (reply, answer) = std::sync::mpsc::sync_channel(1);
        self.inner.writer.enqueue(changes, Reply::Blocking(reply));
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }

    /// What the writer has done since the store was opened.
    pub fn stats(&self) -> StatsNow {
        self.inner.writer.stats()
    }

    /// Signs checkpoints of the audit chain from now on: one at once for what has none yet, then
    /// after every so many entries, in quiet moments and when the store is closed.
    pub fn keep_checkpoints(
        &self,
        origin: &str,
        signer: Box<dyn Signer>,
    ) -> Result<(), StoreError> {
        let (reply, answer) = std::sync::mpsc::sync_channel(1);
        self.inner
            .writer
            .seal(origin.to_owned(), signer, Reply::Blocking(reply));
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }

    pub(crate) fn reader(&self) -> MutexGuard<'_, Connection> {
        // A panic in a read leaves no half-made state behind: the connection only reads.
        self.inner
            .reader
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}
