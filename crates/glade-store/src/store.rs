//! The handle that everything else holds.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::backend::Backend;
use crate::change::Change;
use crate::error::StoreError;
use crate::reply::Reply;
use crate::sqlite::Sqlite;

/// The durable state. Clones share it; when the last one is dropped, the writes still queued are
/// finished, the database is closed and what it held is free again. Reading is in [`Backend`].
#[derive(Clone)]
pub struct Store {
    backend: Arc<dyn Backend>,
}

impl Store {
    /// Opens the data folder with SQLite, making it if there is none.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        Ok(Store::over(Sqlite::open(dir)?))
    }

    /// A store over any database that holds to [`Backend`].
    pub fn over(backend: impl Backend + 'static) -> Store {
        Store {
            backend: Arc::new(backend),
        }
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
        self.backend.enqueue(changes, Reply::later(reply));
        async move { answer.await.unwrap_or(Err(StoreError::Closed)) }
    }

    /// [`Store::write`] for a thread that may wait.
    pub fn write_blocking(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let (reply, answer) = std::sync::mpsc::sync_channel(1);
        self.backend.enqueue(changes, Reply::blocking(reply));
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }
}

impl Deref for Store {
    type Target = dyn Backend;

    fn deref(&self) -> &Self::Target {
        &*self.backend
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}
