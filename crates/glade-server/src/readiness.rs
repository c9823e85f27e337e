//! Whether the store takes writes, asked by writing.

use std::time::{Duration, Instant};

use glade_store::{Change, Store, StoreError};
use tokio::sync::Mutex;

use glade_host::clock::now_ms;

/// Anybody may ask, and each answer costs an fsync: one holds for this long.
const VALID_FOR: Duration = Duration::from_secs(1);
/// A disk that takes longer is not one to work on.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Default)]
pub struct Readiness {
    last: Mutex<Option<(Instant, Result<(), String>)>>,
}

impl Readiness {
    /// The reason is for anybody to read.
    pub async fn check(&self, store: &Store) -> Result<(), String> {
        let mut last = self.last.lock().await;
        if let Some((at, found)) = &*last
            && at.elapsed() < VALID_FOR
        {
            return found.clone();
        }
        let found = look(store).await;
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

async fn look(store: &Store) -> Result<(), String> {
    if store.is_full() {
        return Err(StoreError::DiskFull.to_string());
    }
    let probe = Change::PutSetting {
        key: "readiness".to_owned(),
        value: now_ms().to_string(),
    };
    match tokio::time::timeout(PATIENCE, store.write(vec![probe])).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ (StoreError::DiskFull | StoreError::Closed))) => Err(error.to_string()),
        Ok(Err(error)) => {
            tracing::error!(%error, "the store takes no writes");
            Err("the store takes no writes: the server's log says why".to_owned())
        }
        Err(_) => Err("the disk did not keep a write in time".to_owned()),
    }
}
