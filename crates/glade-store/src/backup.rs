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
use crate::{folder, private, reserve, schema};

/// Marks a backup (`GLAB`), so that it is not taken for a server's own database.
const BACKUP_ID: i64 = 0x474c_4142;

/// Where SQLite's header has them.
const USER_VERSION: usize = 60;
const APPLICATION: usize = 68;

/// The database, its lock and its reserve: copied in another way, or not at all.
const NOT_COPIED: [&str; 5] = [
    "glade.db",
    "glade.db-wal",
    "glade.db-shm",
    "glade.lock",
    reserve::FILE,
];

const BACKUP_TABLE: &str =
    "CREATE TABLE backup_file (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT";

/// More files, or larger ones, than lie beside any database.
const MOST_FILES: i64 = 100_000;
const LARGEST_FILE: i64 = 64 << 20;

/// Copies the data folder `dir`, whose server may be running, into the new file `out`. Holds
/// everything that was acknowledged before the call. Answers the file's size.
pub fn backup(dir: &Path, out: &Path) -> Result<u64, StoreError> {
    // A link that leads nowhere is there too.
    if fs::symlink_metadata(out).is_ok() {
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
    // What is deleted here is not to be found in the file either.
    db.pragma_update(None, "secure_delete", true)?;
    let transaction = db.transaction()?;
    sign_everyone_out(&transaction)?;
    transaction.execute_batch(BACKUP_TABLE)?;
    for (name, bytes) in files {
        transaction.execute(
            "INSERT INTO backup_file (name, bytes) VALUES (?1, ?2)",
            params![name, bytes],
        )?;
    }
    transaction.pragma_update(None, "application_id", BACKUP_ID)?;
    transaction.commit()
}

/// A session that is ended later must not come back with an older state: a backup holds none.
fn sign_everyone_out(db: &Connection) -> rusqlite::Result<()> {
    // A folder of an older version has no such table.
    if db.table_exists(None, "session")? {
        db.execute("DELETE FROM session", [])?;
    }
    Ok(())
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
        private::create_new(&path).map_err(|e| StoreError::io("write", &path, e))?;
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
    settings: Settings,
    switches: Vec<(String, Vec<u8>)>,
}

/// What becomes of files in a backup that make a server run commands, ask others or open up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settings {
    LeftOut,
    TakenOver,
}

/// Those files.
const SWITCHES: [&str; 2] = ["models.json", "glade.toml"];

impl Restoring {
    /// Unpacks `file` beside `dir`, which must be empty or not there.
    pub fn begin(file: &Path, dir: &Path, settings: Settings) -> Result<Restoring, StoreError> {
        let is_link = |found: fs::Metadata| found.file_type().is_symlink();
        if fs::symlink_metadata(dir).is_ok_and(is_link) {
            let why = std::io::Error::new(ErrorKind::InvalidInput, "it is a link; name the folder");
            return Err(StoreError::io("restore into", dir, why));
        }
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
        private::make_folder(&building)
            .map_err(|e| StoreError::io("make the folder", &building, e))?;
        let mut restoring = Restoring {
            building,
            dir: dir.to_owned(),
            settings,
            switches: Vec::new(),
        };
        restoring.unpack(file)?;
        Ok(restoring)
    }

    /// Where the folder lies for now.
    pub fn path(&self) -> &Path {
        &self.building
    }

    /// The files of settings in the backup, left out or not.
    pub fn switches(&self) -> &[(String, Vec<u8>)] {
        &self.switches
    }

    fn unpack(&mut self, file: &Path) -> Result<(), StoreError> {
        let database = self.building.join("glade.db");
        copy(file, &database)?;
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
        // Nothing in it may do something by itself when rows are written later.
        if !schema::is_ours(&db, BACKUP_TABLE).map_err(failed)? {
            return Err(damaged(file, "its tables are not those of a backup"));
        }
        self.place_all(file, &db)?;
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

    /// Writes the files beside the database, one in memory at a time.
    fn place_all(&mut self, backup: &Path, db: &Connection) -> Result<(), StoreError> {
        let failed = |e| StoreError::database("be unpacked", e);
        let sizes = "SELECT count(*), coalesce(max(length(bytes)), 0) FROM backup_file";
        let (count, largest): (i64, i64) = db
            .query_row(sizes, [], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(failed)?;
        if count > MOST_FILES || largest > LARGEST_FILE {
            return Err(damaged(
                backup,
                "it holds more files, or larger ones, than a data folder",
            ));
        }
        let mut all = db
            .prepare("SELECT name, bytes FROM backup_file")
            .map_err(failed)?;
        let mut rows = all.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let name: String = row.get(0).map_err(failed)?;
            let bytes: Vec<u8> = row.get(1).map_err(failed)?;
            self.place(backup, &name, &bytes)?;
        }
        Ok(())
    }

    /// Writes one of the files, whose name must stay inside the folder.
    fn place(&mut self, backup: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        // Some disks do not tell large letters from small ones.
        let plain = name.trim_end_matches('/').to_ascii_lowercase();
        if !inside || plain.is_empty() || NOT_COPIED.contains(&plain.as_str()) {
            return Err(damaged(backup, format!("it has a file named {name:?}")));
        }
        if SWITCHES.contains(&plain.as_str()) {
            self.switches.push((plain, bytes.to_vec()));
            if self.settings == Settings::LeftOut {
                return Ok(());
            }
        }
        let path = self.building.join(name);
        let failed = |e| StoreError::io("write", &path, e);
        if let Some(parent) = path.parent() {
            private::make_folder(parent).map_err(failed)?;
        }
        let mut file = private::create_new(&path).map_err(failed)?;
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

/// Copies an ordinary file for which there is space.
fn copy(file: &Path, to: &Path) -> Result<(), StoreError> {
    let reading = |e| StoreError::io("read", file, e);
    let (mut source, size) = private::open(file).map_err(reading)?;
    has_space(to, size)?;
    let writing = |e| StoreError::io("write", to, e);
    let mut target = private::create_new(to).map_err(writing)?;
    // Not more than was looked at, should the file grow.
    std::io::copy(&mut Read::by_ref(&mut source).take(size), &mut target).map_err(writing)?;
    Ok(())
}

/// A file that claims more than the disk has (one with holes can claim anything) is not begun with.
#[cfg(unix)]
fn has_space(beside: &Path, size: u64) -> Result<(), StoreError> {
    let folder = beside.parent().unwrap_or(Path::new("."));
    let found = rustix::fs::statvfs(folder)
        .map_err(|e| StoreError::io("look at the disk of", folder, e.into()))?;
    if found.f_bavail.saturating_mul(found.f_frsize) > size {
        Ok(())
    } else {
        Err(StoreError::DiskFull)
    }
}

#[cfg(not(unix))]
fn has_space(_: &Path, _: u64) -> Result<(), StoreError> {
    Ok(())
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
    let size = private::open(path)
        .and_then(|(file, size)| {
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
        && size != expected
    {
        return Err(damaged(
            path,
            format!("it has {size} bytes instead of its {expected}"),
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
