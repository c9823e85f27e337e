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

/// The files beside the database that a data folder is made of: keys and settings. Nothing else is
/// copied or placed; SQLite reads what lies beside a database under names like its own.
const FILES: [&str; 4] = ["owner.key", "audit.key", SWITCHES[0], SWITCHES[1]];

/// Where the files of a backup wait until its database is closed.
const ASIDE: &str = ".files";

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

/// Whether a file belongs to a data folder, by its name with `/` between folders.
fn belongs(name: &str) -> bool {
    FILES.contains(&name) || is_checkpoint(name) || is_revocation(name)
}

fn is_checkpoint(name: &str) -> bool {
    let number = name
        .strip_prefix("checkpoints/")
        .and_then(|name| name.strip_suffix(".json"));
    number
        .is_some_and(|number| number.len() >= 8 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What `glade token revoke` left for a server that has not taken it in yet.
fn is_revocation(name: &str) -> bool {
    let id = name.strip_prefix("revoke/");
    id.is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether a name is that of the database, of what SQLite keeps beside one, of the lock or the reserve.
fn is_the_stores(name: &str) -> bool {
    // Some disks do not tell large letters from small ones.
    let name = name.to_ascii_lowercase();
    let first = name.split('/').next().unwrap_or_default();
    first == reserve::FILE || first == ASIDE || first.starts_with("glade.") && name != SWITCHES[1]
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
        let name = format!("{under}{name}");
        if kind.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else if kind.is_file() && belongs(&name) {
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
        let aside = self.building.join(ASIDE);
        private::make_folder(&aside).map_err(|e| StoreError::io("make the folder", &aside, e))?;
        let placed = self.become_data(file, &database, &aside)?;
        // Once more, as it lies there now: nothing has changed it but what is above.
        let db = open_database(&database)?;
        check(file, &db, "")?;
        drop(db);
        for name in placed {
            self.move_in(&aside, &name)?;
        }
        fs::remove_dir_all(&aside).map_err(|e| StoreError::io("remove", &aside, e))?;
        File::open(&database)
            .and_then(|file| file.sync_all())
            .map_err(|e| StoreError::io("write", &database, e))
    }

    /// Makes a data folder's database of a backup's. What it held of files is laid into `aside`: nothing
    /// lies beside a database that is open.
    fn become_data(
        &mut self,
        file: &Path,
        database: &Path,
        aside: &Path,
    ) -> Result<Vec<String>, StoreError> {
        let mut db = open_database(database)?;
        check(file, &db, BACKUP_TABLE)?;
        let placed = self.place_all(file, &db, aside)?;
        let become_ours = |db: &mut Connection| {
            let transaction = db.transaction()?;
            transaction.execute_batch("DROP TABLE backup_file")?;
            transaction.pragma_update(None, "application_id", schema::APPLICATION_ID)?;
            transaction.commit()
        };
        become_ours(&mut db).map_err(|e| StoreError::database("be unpacked", e))?;
        Ok(placed)
    }

    /// Writes the files of the backup, one in memory at a time.
    fn place_all(
        &mut self,
        backup: &Path,
        db: &Connection,
        aside: &Path,
    ) -> Result<Vec<String>, StoreError> {
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
        let mut placed = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let name: String = row.get(0).map_err(failed)?;
            let bytes: Vec<u8> = row.get(1).map_err(failed)?;
            if self.is_wanted(backup, &name, &bytes)? {
                place(&aside.join(&name), &bytes)?;
                placed.push(name);
            }
        }
        Ok(placed)
    }

    /// Whether one of the files is placed. A name that leads out, or stands for a part of the database,
    /// is in no backup that was made here.
    fn is_wanted(&mut self, backup: &Path, name: &str, bytes: &[u8]) -> Result<bool, StoreError> {
        let mut parts = Path::new(name).components();
        let inside = parts.all(|part| matches!(part, Component::Normal(_)));
        if !inside || name.is_empty() || name.contains('\0') || is_the_stores(name) {
            return Err(damaged(backup, format!("it has a file named {name:?}")));
        }
        if SWITCHES.contains(&name) {
            self.switches.push((name.to_owned(), bytes.to_vec()));
            return Ok(self.settings == Settings::TakenOver);
        }
        Ok(belongs(name))
    }

    fn move_in(&self, aside: &Path, name: &str) -> Result<(), StoreError> {
        let path = self.building.join(name);
        let failed = |e| StoreError::io("write", &path, e);
        if let Some(parent) = path.parent() {
            private::make_folder(parent).map_err(failed)?;
        }
        fs::rename(aside.join(name), &path).map_err(failed)?;
        folder::sync_parent(&path).map_err(failed)
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

fn place(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |e| StoreError::io("write", path, e);
    if let Some(parent) = path.parent() {
        private::make_folder(parent).map_err(failed)?;
    }
    let mut file = private::create_new(path).map_err(failed)?;
    std::io::Write::write_all(&mut file, bytes)
        .and_then(|()| file.sync_all())
        .map_err(failed)
}

fn open_database(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(|e| StoreError::database("be unpacked", e))
}

/// Whether the database is sound, and nothing in it does something by itself when rows are written.
fn check(backup: &Path, db: &Connection, more: &str) -> Result<(), StoreError> {
    let failed = |e| StoreError::database("be unpacked", e);
    let sound: String = db
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(failed)?;
    if sound != "ok" {
        return Err(damaged(backup, sound));
    }
    if !schema::is_ours(db, more).map_err(failed)? {
        return Err(damaged(backup, "its tables are not those of a backup"));
    }
    Ok(())
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
