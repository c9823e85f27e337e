//! The data folder: claimed by one server, looked at before it is changed.

use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::StoreError;
use crate::{private, schema};

/// How every SQLite database begins.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The part of an SQLite file that says how it is laid out.
pub(crate) const HEADER: u64 = 100;

/// A data folder held by this process; the lock goes with the value (or the process).
pub(crate) struct Folder {
    database: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes the folder if need be and takes its lock.
    pub(crate) fn claim(dir: &Path) -> Result<Folder, StoreError> {
        private::make_folder(dir).map_err(|e| StoreError::io("make the data folder", dir, e))?;
        private::close_to_others(dir)?;
        let path = dir.join("glade.lock");
        let lock = private::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|e| StoreError::io("open the lock file", &path, e))?;
        match lock.try_lock() {
            Ok(()) => Ok(Folder {
                database: dir.join("glade.db"),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
                dir: dir.to_owned(),
            }),
            Err(TryLockError::Error(e)) => Err(StoreError::io("lock", &path, e)),
        }
    }
}

/// The connections to one database.
pub(crate) struct Connections {
    pub(crate) writing: Connection,
    pub(crate) reading: Connection,
    /// For the log's [checkpointer](crate::wal_checkpointer).
    pub(crate) checkpointing: Connection,
}

/// Opens the database of a claimed folder.
pub(crate) fn connect(folder: &Folder) -> Result<Connections, StoreError> {
    let path = &folder.database;
    let version = probe(path)?;

    // SQLite would make it readable by everybody; what it makes beside it gets the same mode.
    match private::create_new(path) {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
            return Err(StoreError::io("make", path, e));
        }
        _ => {}
    }
    let failed = |doing| move |e| StoreError::database(doing, e);
    let mut writing = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(failed("open"))?;
    prepare(&writing).map_err(failed("be set up for writing"))?;
    if !schema::is_ours(&writing, "").map_err(failed("be looked at"))? {
        return Err(StoreError::NotOurs {
            path: path.clone(),
            reason:
                "it has other tables, triggers or views than this program makes: restore a backup"
                    .to_owned(),
        });
    }
    schema::migrate(&mut writing, version).map_err(failed("bring its schema up to date"))?;

    let reading = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(failed("open for reading"))?;
    share(&reading).map_err(failed("be set up for reading"))?;
    let checkpointing = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(failed("open for its log"))?;
    prepare(&checkpointing).map_err(failed("be set up for its log"))?;
    Ok(Connections {
        writing,
        reading,
        checkpointing,
    })
}

/// What both connections need.
fn share(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    // Without this, binding another value may make SQLite plan a kept statement anew each time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "trusted_schema", false)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    share(connection)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    // No commit carries the log into the database: the checkpointer does.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    // On macOS a plain fsync does not reach the disk; elsewhere these change nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)
}

/// What the header of an SQLite file says of the file's own size: page size times pages.
pub(crate) fn size_in_header(header: &[u8]) -> Option<u64> {
    let page_size = u16::from_be_bytes(header.get(16..18)?.try_into().ok()?);
    let pages = u32::from_be_bytes(header.get(28..32)?.try_into().ok()?);
    // 65,536 does not fit into the field and is written as 1.
    let page_size = if page_size == 1 {
        65_536
    } else {
        u64::from(page_size)
    };
    Some(page_size * u64::from(pages))
}

/// Reads what lies there without changing it and answers its schema version: 0 for a new folder.
fn probe(path: &Path) -> Result<i64, StoreError> {
    let damaged = |reason: String| StoreError::Damaged {
        path: path.to_owned(),
        reason,
    };
    let size = match fs::metadata(path) {
        Ok(found) => found.len(),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => 0,
        Err(e) => return Err(StoreError::io("look at", path, e)),
    };
    if size == 0 {
        // SQLite would throw away a log whose database is empty, and with it the last hope.
        let log = path.with_file_name("glade.db-wal");
        return match fs::metadata(&log) {
            Ok(found) if found.len() > 0 => Err(damaged(format!(
                "it is empty or missing, but its log {} is not",
                log.display()
            ))),
            _ => Ok(0),
        };
    }

    let mut begin = Vec::new();
    File::open(path)
        .and_then(|file| file.take(HEADER).read_to_end(&mut begin))
        .map_err(|e| StoreError::io("read", path, e))?;
    if !begin.starts_with(MAGIC) {
        return Err(StoreError::NotOurs {
            path: path.to_owned(),
            reason: "it does not begin like an SQLite file".to_owned(),
        });
    }

    // SQLite itself does not mind pages missing at the end until it needs one of them. With a log
    // beside it the file may rightly be behind: a crash in the middle of folding the log in.
    let log = fs::metadata(path.with_file_name("glade.db-wal")).map_or(0, |log| log.len());
    if let Some(expected) = size_in_header(&begin)
        && log == 0
        && size < expected
    {
        return Err(damaged(format!("it has {size} of its {expected} bytes")));
    }

    let found = look(path).map_err(|e| match e.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => damaged(e.to_string()),
        _ => StoreError::database("be opened", e),
    })?;
    if found.application != schema::APPLICATION_ID && (found.tables > 0 || found.version != 0) {
        return Err(StoreError::NotOurs {
            path: path.to_owned(),
            reason: "it is an SQLite database of another program".to_owned(),
        });
    }
    if found.version > schema::newest() {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found: found.version,
            known: schema::newest(),
        });
    }
    if found.version < 0 {
        return Err(damaged(format!("its format number is {}", found.version)));
    }
    Ok(found.version)
}

struct Found {
    application: i64,
    version: i64,
    tables: i64,
}

fn look(path: &Path) -> rusqlite::Result<Found> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    // A log left by a newer version stays a log: closing must not fold it in.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    Ok(Found {
        application: number("PRAGMA application_id")?,
        version: number("PRAGMA user_version")?,
        tables: number("SELECT count(*) FROM sqlite_schema")?,
    })
}

/// Makes what a folder says of `path` (that it is there, and under which name) survive a power cut.
pub(crate) fn sync_parent(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_writing_connection_syncs_every_commit_and_checks_references() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::claim(dir.path()).unwrap();
        let Connections {
            writing,
            reading,
            checkpointing,
        } = connect(&folder).unwrap();
        let ask = |connection: &Connection, pragma: &str| {
            connection
                .query_row(&format!("PRAGMA {pragma}"), [], |row| {
                    row.get::<_, rusqlite::types::Value>(0)
                })
                .unwrap()
        };
        let full = 2i64;
        assert_eq!(ask(&writing, "synchronous"), full.into());
        assert_eq!(ask(&checkpointing, "synchronous"), full.into());
        assert_eq!(ask(&writing, "foreign_keys"), 1i64.into());
        assert_eq!(ask(&writing, "journal_mode"), "wal".to_owned().into());
        assert_eq!(
            ask(&writing, "application_id"),
            schema::APPLICATION_ID.into()
        );
        assert_eq!(ask(&writing, "user_version"), schema::newest().into());
        assert!(reading.execute_batch("DELETE FROM setting").is_err());
    }
}
