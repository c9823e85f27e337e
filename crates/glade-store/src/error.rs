//! What can go wrong, said to the person who has to do something about it.

use std::path::PathBuf;
use std::sync::Arc;

/// Why the store could not do what was asked. Cheap to clone: a failed commit answers every write
/// that was part of it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    #[error(
        "the data folder {} is in use by another Glade server: stop that one, or give this one its own folder with --data", .dir.display()
    )]
    InUse { dir: PathBuf },

    #[error(
        "{} was written by a newer Glade (format {found}; this one reads up to {known}): start the newer version, or choose another folder with --data. Nothing was changed", .path.display()
    )]
    Newer {
        path: PathBuf,
        found: i64,
        known: i64,
    },

    #[error(
        "{} is not a Glade database ({reason}): move it away, or choose another folder with --data. Nothing was changed", .path.display()
    )]
    NotOurs { path: PathBuf, reason: String },

    #[error(
        "{} is damaged or half-written ({reason}): restore the folder from a backup, or choose another with --data. Nothing was changed", .path.display()
    )]
    Damaged { path: PathBuf, reason: String },

    #[error(
        "{} is open to others ({reason}): close the data folder to them (chmod -R go= FOLDER), or choose another with --data. Nothing was changed", .path.display()
    )]
    Exposed { path: PathBuf, reason: String },

    #[error(
        "{} is there already: nothing was written over it. Choose another name", .path.display()
    )]
    Taken { path: PathBuf },

    #[error(
        "{} is not a whole Glade backup ({reason}): nothing was restored. Take another copy of it, or an older one", .path.display()
    )]
    NotABackup { path: PathBuf, reason: String },

    #[error("cannot {doing} {}: {source}. Check that the folder exists and that this user may write there", .path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        source: Arc<std::io::Error>,
    },

    #[error(
        "the disk that holds the data folder is full, or a limit on it is reached: nothing of this write was kept. Free some space and try again"
    )]
    DiskFull,

    #[error(
        "peer {peer} on page {page} belongs to {owner}, so {subject} may not write under it: the client must take a new peer id"
    )]
    PeerTaken {
        page: String,
        peer: u64,
        owner: String,
        subject: String,
    },

    #[error("there is no {kind} {id}: it was deleted, or never made")]
    Missing { kind: &'static str, id: String },

    #[error("this write makes no sense and was refused whole: {0}")]
    Invalid(String),

    #[error("a picture may have {limit} bytes at the most: make it smaller")]
    BlobTooLarge { limit: usize },

    #[error("this is no picture that Glade knows: bring a PNG, JPEG, GIF, WebP or SVG file")]
    UnknownBlob,

    #[error(
        "the store stopped taking writes because the disk failed to keep one ({reason}): what was acknowledged is safe. Check the disk, then restart the server"
    )]
    Halted { reason: String },

    #[error("the store is closed: the server is shutting down, or its writer failed (see the log)")]
    Closed,

    #[error(transparent)]
    Unreadable(#[from] crate::unreadable::Unreadable),

    #[error("the database could not {doing}: {source}")]
    Database {
        doing: &'static str,
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
}

impl StoreError {
    pub(crate) fn io(doing: &'static str, path: &std::path::Path, source: std::io::Error) -> Self {
        StoreError::Io {
            doing,
            path: path.to_owned(),
            source: Arc::new(source),
        }
    }

    /// Turns an SQLite error into ours, giving the few that a person can act on their own message.
    pub(crate) fn database(doing: &'static str, source: rusqlite::Error) -> Self {
        match &source {
            // A quota or a limit of size: the bytes did not go anywhere, so it may be tried again.
            rusqlite::Error::SqliteFailure(failure, _)
                if failure.code == rusqlite::ErrorCode::DiskFull
                    || failure.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE =>
            {
                StoreError::DiskFull
            }
            _ => StoreError::Database {
                doing,
                source: Arc::new(source),
            },
        }
    }
}
