//! A data folder in one file, taken while its server runs.
//!
//! The file is itself an SQLite database: the copy that `VACUUM INTO` makes of one moment of
//! `glade.db`, with one table more for the files beside it (keys, checkpoints, settings). Pictures
//! and the audit chain are in the database. It holds the keys, so it is readable by its owner only.
//!
//! Restoring works in a folder of its own beside the wanted one, which takes the wanted name only
//! when the caller has checked it: a restore that fails, or is cut off, leaves nothing behind that
//! could be taken for a data folder.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use rusqlite::{Connection, OpenFlags, params};

use crate::audit::verify;
use crate::error::StoreError;
use crate::folder;
use crate::schema;

/// Marks a backup (`GLAB`), so that it is not taken for a server's own database.
const BACKUP_ID: i64 = 0x474c_4142;

/// Where SQLite's header has them.
const USER_VERSION: usize = 60;
const APPLICATION: usize = 68;

/// The database and its lock: copied in another way, or not at all.
const NOT_COPIED: [&str; 4] = ["glade.db", "glade.db-wal", "glade.db-shm", "glade.lock"];

/// Copies the data folder `dir`, whose server may be running, into the new file `out`. Holds
/// everything that was acknowledged before the call. Answers the file's size.
pub fn backup(dir: &Path, out: &Path) -> Result<u64, StoreError> {
    if out.exists() {
        return Err(StoreError::Taken {
            path: out.to_owned(),
        });
    }
    let source = verify::open(dir)?;
    // Before the database: a checkpoint's row is there when its file is.
    let files = files_of(dir)?;
    let partial = Partial::create(out)?;
    let target = partial.path.to_str().ok_or_else(|| {
        StoreError::Invalid(format!("{} is no name that SQLite can take", out.display()))
    })?;
    source
        .execute("VACUUM INTO ?1", [target])
        .map_err(|e| StoreError::database("be copied", e))?;
    add_files(&partial.path, &files).map_err(|e| StoreError::database("take the files in", e))?;
    partial.finish(out)
}

fn add_files(path: &Path, files: &[(String, Vec<u8>)]) -> rusqlite::Result<()> {
    let mut db = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    // One file, also if this is cut off.
    db.pragma_update(None, "journal_mode", "delete")?;
    let transaction = db.transaction()?;
    transaction.execute_batch(
        "CREATE TABLE backup_file (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
    )?;
    for (name, bytes) in files {
        transaction.execute(
            "INSERT INTO backup_file (name, bytes) VALUES (?1, ?2)",
            params![name, bytes],
        )?;
    }
    transaction.pragma_update(None, "application_id", BACKUP_ID)?;
    transaction.commit()
}

/// The files of the folder and of the folders in it, by their names with `/` between.
fn files_of(dir: &Path) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    let mut files = Vec::new();
    collect(dir, "", &mut files)?;
    files.sort();
    Ok(files)
}

fn collect(dir: &Path, under: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), StoreError> {
    let entries = fs::read_dir(dir).map_err(|e| StoreError::io("read the folder", dir, e))?;
    for entry in entries {
        let entry = entry.map_err(|e| StoreError::io("read the folder", dir, e))?;
        let path = entry.path();
        let kind = entry
            .file_type()
            .map_err(|e| StoreError::io("look at", &path, e))?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if under.is_empty() && NOT_COPIED.contains(&name.as_str()) {
            continue;
        }
        let name = format!("{under}{name}");
        if kind.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else if kind.is_file() {
            match fs::read(&path) {
                Ok(bytes) => files.push((name, bytes)),
                // Taken in by the server a moment ago, such as the word of a revoked token.
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                Err(e) => return Err(StoreError::io("read", &path, e)),
            }
        }
    }
    Ok(())
}

/// A file that is not whole yet; gone again unless it is finished.
struct Partial {
    path: PathBuf,
}

impl Partial {
    /// An empty file beside `out`, for its owner only. SQLite fills it and leaves its mode.
    fn create(out: &Path) -> Result<Partial, StoreError> {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(format!(".partial-{}", std::process::id()));
        let path = out.with_file_name(name);
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
            .open(&path)
            .map_err(|e| StoreError::io("write", &path, e))?;
        Ok(Partial { path })
    }

    fn finish(self, out: &Path) -> Result<u64, StoreError> {
        let failed = |e| StoreError::io("write", out, e);
        let file = File::open(&self.path).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        fs::rename(&self.path, out).map_err(failed)?;
        folder::sync_parent(out).map_err(failed)?;
        Ok(size)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if self.path.exists()
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(%error, path = %self.path.display(), "an unfinished backup was left behind");
        }
    }
}

/// A data folder made from a backup that does not have its name yet: check it, then
/// [`Restoring::finish`]. Dropped before that, it goes away.
pub struct Restoring {
    building: PathBuf,
    dir: PathBuf,
}

impl Restoring {
    /// Unpacks `file` beside `dir`, which must be empty or not there.
    pub fn begin(file: &Path, dir: &Path) -> Result<Restoring, StoreError> {
        let taken = match fs::read_dir(dir) {
            Ok(mut entries) => entries.next().is_some(),
            Err(e) if e.kind() == ErrorKind::NotFound => false,
            Err(e) => return Err(StoreError::io("read the folder", dir, e)),
        };
        if taken {
            return Err(StoreError::Taken {
                path: dir.to_owned(),
            });
        }
        probe(file)?;
        let mut name = std::ffi::OsString::from(".");
        name.push(dir.file_name().unwrap_or_default());
        name.push(format!(".restoring-{}", std::process::id()));
        let building = dir.with_file_name(name);
        folder::make_private(&building)
            .map_err(|e| StoreError::io("make the folder", &building, e))?;
        let restoring = Restoring {
            building,
            dir: dir.to_owned(),
        };
        restoring.unpack(file)?;
        Ok(restoring)
    }

    /// Where the folder lies for now.
    pub fn path(&self) -> &Path {
        &self.building
    }

    fn unpack(&self, file: &Path) -> Result<(), StoreError> {
        let database = self.building.join("glade.db");
        fs::copy(file, &database).map_err(|e| StoreError::io("write", &database, e))?;
        let failed = |e| StoreError::database("be unpacked", e);
        let mut db = Connection::open_with_flags(
            &database,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )
        .map_err(failed)?;
        let sound: String = db
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(failed)?;
        if sound != "ok" {
            return Err(damaged(file, sound));
        }
        let files: Vec<(String, Vec<u8>)> = db
            .prepare("SELECT name, bytes FROM backup_file")
            .and_then(|mut all| {
                all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect()
            })
            .map_err(failed)?;
        for (name, bytes) in files {
            self.place(file, &name, &bytes)?;
        }
        let transaction = db.transaction().map_err(failed)?;
        transaction
            .execute_batch("DROP TABLE backup_file")
            .and_then(|()| {
                transaction.pragma_update(None, "application_id", schema::APPLICATION_ID)
            })
            .and_then(|()| transaction.commit())
            .map_err(failed)?;
        drop(db);
        File::open(&database)
            .and_then(|file| file.sync_all())
            .map_err(|e| StoreError::io("write", &database, e))
    }

    /// Writes one of the files, whose name must stay inside the folder.
    fn place(&self, backup: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !inside || name.is_empty() || NOT_COPIED.contains(&name) {
            return Err(damaged(backup, format!("it has a file named {name:?}")));
        }
        let path = self.building.join(name);
        let failed = |e| StoreError::io("write", &path, e);
        if let Some(parent) = path.parent() {
            folder::make_private(parent).map_err(failed)?;
        }
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(failed)?;
        std::io::Write::write_all(&mut file, bytes)
            .and_then(|()| file.sync_all())
            .map_err(failed)
    }

    /// Gives the folder its name.
    pub fn finish(self) -> Result<(), StoreError> {
        let failed = |e| StoreError::io("make the data folder", &self.dir, e);
        if self.dir.is_dir() {
            // Empty, as was seen; if it no longer is, this fails and nothing is lost.
            fs::remove_dir(&self.dir).map_err(failed)?;
        }
        fs::rename(&self.building, &self.dir).map_err(failed)?;
        folder::sync_parent(&self.dir).map_err(failed)
    }
}

impl Drop for Restoring {
    fn drop(&mut self) {
        if self.building.exists()
            && let Err(error) = fs::remove_dir_all(&self.building)
        {
            tracing::warn!(%error, path = %self.building.display(), "an unfinished restore was left behind");
        }
    }
}

fn damaged(path: &Path, reason: impl Into<String>) -> StoreError {
    StoreError::NotABackup {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

/// Looks at a backup without changing it.
fn probe(path: &Path) -> Result<(), StoreError> {
    let mut begin = Vec::new();
    let size = File::open(path)
        .and_then(|file| {
            let size = file.metadata()?.len();
            file.take(folder::HEADER).read_to_end(&mut begin)?;
            Ok(size)
        })
        .map_err(|e| StoreError::io("read", path, e))?;
    if !begin.starts_with(folder::MAGIC) {
        return Err(damaged(path, "it does not begin like one"));
    }
    // From the bytes themselves: merely opening a server's own database, which keeps a log beside it,
    // would leave files there.
    let number = |at: usize| {
        let bytes = begin.get(at..at + 4).and_then(|four| four.try_into().ok());
        bytes.map_or(0, |four| i64::from(u32::from_be_bytes(four)))
    };
    let (version, application) = (number(USER_VERSION), number(APPLICATION));
    if application == schema::APPLICATION_ID {
        return Err(damaged(
            path,
            "it is the database of a data folder, which is more than this file; make one with `glade backup`",
        ));
    }
    if application != BACKUP_ID {
        return Err(damaged(path, "it is a database of another kind"));
    }
    if let Some(expected) = folder::size_in_header(&begin)
        && size < expected
    {
        return Err(damaged(
            path,
            format!("it has {size} of its {expected} bytes"),
        ));
    }
    if version > schema::newest() {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found: version,
            known: schema::newest(),
        });
    }
    Ok(())
}
