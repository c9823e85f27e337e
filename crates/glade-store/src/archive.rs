//! A data folder for reading alone, beside the server that owns it.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::audit::{CheckSignature, Report, verify};
use crate::error::StoreError;
use crate::read::{self, Reader};
use crate::rows::{StoredDocument, WhyRow};
use crate::schema;

/// Reads a folder that a server may be using, or a copy of one. It takes no lock and writes
/// nothing.
pub struct Archive {
    dir: PathBuf,
    connection: Connection,
}

impl Reader for Archive {
    fn reader(&self) -> impl Deref<Target = Connection> {
        &self.connection
    }
}

impl Archive {
    pub fn open(dir: &Path) -> Result<Archive, StoreError> {
        Ok(Archive {
            dir: dir.to_owned(),
            connection: verify::open(dir)?,
        })
    }

    /// Holds the audit chain against itself, its checkpoints and the rows that it tells of.
    /// `trusted` is the key whose checkpoints count; without one, all must be signed with the same
    /// key, whichever it is.
    pub fn verify(
        &self,
        trusted: Option<[u8; 32]>,
        check: CheckSignature<'_>,
    ) -> Result<Report, StoreError> {
        verify::folder(&self.connection, &self.dir, trusted, check)
    }

    /// Whether its rows are as this version writes them: an older folder's are brought up to date by
    /// its server.
    pub fn is_up_to_date(&self) -> Result<bool, StoreError> {
        let version: i64 = self
            .connection
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(|e| StoreError::database("tell its format", e))?;
        Ok(version == schema::newest())
    }

    /// The runs that touched an element, oldest first, with their touches of it.
    pub fn why(&self, page: &str, element: &str) -> Result<Vec<WhyRow>, StoreError> {
        read::why(&self.connection, page, element)
    }

    /// Every page with its kind, those in the trash too.
    pub fn kinds(&self) -> Result<Vec<(String, String)>, StoreError> {
        read::kinds(&self.connection)
    }

    /// What is stored of a page's document.
    pub fn document(&self, page: &str) -> Result<StoredDocument, StoreError> {
        read::document(&self.connection, page)
    }
}
