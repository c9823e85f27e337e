//! Tokens that were taken back.
//!
//! The store has the list; this is its image in memory, asked at every request and join, and the
//! bell that wakes open sockets and streams when it grows, or when a session ends. `glade token revoke` leaves a file in
//! the data folder, named after the token's last block: whoever can write there is the owner. It is
//! taken in at the start and while the server runs.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use glade_access::{Capability, OWNER};
use glade_store::{Change, Store, StoreError};
use tokio::sync::watch;

use crate::sessions::Sessions;
use glade_host::clock::now_ms;

/// Where `glade token revoke` leaves its word.
pub const FOLDER: &str = "revoke";
const LOOK_EVERY: Duration = Duration::from_millis(300);

#[derive(Clone)]
pub struct Revocations {
    store: Store,
    sessions: Sessions,
    inner: Arc<Inner>,
}

struct Inner {
    ids: RwLock<HashSet<String>>,
    /// Rings when rights end.
    bell: watch::Sender<usize>,
}

impl Revocations {
    pub fn open(store: Store, sessions: Sessions) -> Result<Self, StoreError> {
        let ids: HashSet<String> = store.revoked()?.into_iter().collect();
        let bell = sessions.bell();
        Ok(Self {
            store,
            sessions,
            inner: Arc::new(Inner {
                ids: RwLock::new(ids),
                bell,
            }),
        })
    }

    /// Whether this very block was taken back.
    pub fn has(&self, id: &str) -> bool {
        let ids = self.inner.ids.read();
        ids.unwrap_or_else(PoisonError::into_inner).contains(id)
    }

    /// Whether the capability was taken back, or a session that it came through has ended.
    pub fn hit(&self, capability: &Capability) -> bool {
        if !capability
            .sessions()
            .iter()
            .all(|id| self.sessions.alive(id))
        {
            return true;
        }
        let ids = self
            .inner
            .ids
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        capability
            .revocation_ids()
            .iter()
            .any(|id| ids.contains(id))
    }

    /// Holds at once, whatever happens; resolves when it is on disk.
    pub async fn add(&self, id: &str, by: &str) -> Result<(), StoreError> {
        {
            let ids = self.inner.ids.write();
            let mut ids = ids.unwrap_or_else(PoisonError::into_inner);
            ids.insert(id.to_owned());
        }
        self.inner.bell.send_modify(|rung| *rung += 1);
        let revoke = Change::Revoke {
            id: id.to_owned(),
            subject: by.to_owned(),
            at_ms: now_ms(),
        };
        self.store.write(vec![revoke]).await
    }

    /// Wakes its holder whenever there is a new one.
    pub fn listen(&self) -> watch::Receiver<usize> {
        self.inner.bell.subscribe()
    }

    /// Resolves when the capability no longer holds.
    pub async fn until_hit(self, capability: Capability) {
        let mut news = self.listen();
        while !self.hit(&capability) {
            if news.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// Takes in what the command line left in the data folder.
    pub async fn take_in(&self, folder: &std::path::Path) -> std::io::Result<()> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e),
        };
        for entry in entries {
            let path = entry?.path();
            let Some(id) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if !id.bytes().all(|b| b.is_ascii_hexdigit()) {
                continue;
            }
            match self.add(id, OWNER).await {
                Ok(()) => std::fs::remove_file(&path)?,
                Err(error) => tracing::error!(%error, "a token could not be revoked"),
            }
        }
        Ok(())
    }

    /// Goes on looking for as long as the server runs.
    pub async fn watch_folder(self, folder: PathBuf) {
        let mut tick = tokio::time::interval(LOOK_EVERY);
        loop {
            tick.tick().await;
            if let Err(error) = self.take_in(&folder).await {
                tracing::error!(%error, folder = %folder.display(), "revoked tokens could not be read");
            }
        }
    }
}
