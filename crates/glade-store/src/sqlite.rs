//! A data folder as the place of the state: one writing thread, one reading connection.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use crate::audit::Signer;
use crate::backend::Backend;
use crate::change::Change;
use crate::error::StoreError;
use crate::folder::{self, Connections, Folder};
use crate::read::Reader;
use crate::reply::Reply;
use crate::stats::StatsNow;
use crate::writer::Writer;

/// The default [`Backend`].
///
/// Dropped from the top down: with the reader gone, the writer is the last connection and tidies
/// the write-ahead log away as it closes; only then is the folder given back.
pub struct Sqlite {
    reader: Mutex<Connection>,
    writer: Writer,
    _folder: Folder,
}

impl Sqlite {
    /// Opens the data folder, making it if there is none.
    pub fn open(dir: &Path) -> Result<Sqlite, StoreError> {
        let folder = Folder::claim(dir)?;
        let Connections {
            writing,
            reading,
            checkpointing,
        } = folder::connect(&folder)?;
        Ok(Sqlite {
            reader: Mutex::new(reading),
            writer: Writer::start(writing, checkpointing, dir)?,
            _folder: folder,
        })
    }
}

impl Reader for Sqlite {
    fn reader(&self) -> impl Deref<Target = Connection> {
        // A panic in a read leaves no half-made state behind: the connection only reads.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Sqlite {
    fn enqueue(&self, changes: Vec<Change>, reply: Reply) {
        self.writer.enqueue(changes, reply);
    }

    fn keep_checkpoints(&self, origin: &str, signer: Box<dyn Signer>) -> Result<(), StoreError> {
        let (reply, answer) = std::sync::mpsc::sync_channel(1);
        self.writer
            .seal(origin.to_owned(), signer, Reply::blocking(reply));
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }

    fn seal(&self) -> Result<(), StoreError> {
        let (reply, answer) = std::sync::mpsc::sync_channel(1);
        self.writer.seal_now(Reply::blocking(reply));
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }

    fn is_full(&self) -> bool {
        self.writer.is_full()
    }

    fn stats(&self) -> StatsNow {
        self.writer.stats()
    }
}
