//! Reading the whole chain again, and what it vouches for.
//!
//! Works on the folder of a running server and on a copy of one: it takes no lock and writes
//! nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::checkpoint::{self, CheckSignature, Checkpoint};
use super::claims::ChainClaims;
use super::merkle::Tree;
use super::{BEGINNING, Finding, Hash, Report, canonical, link};
use crate::error::StoreError;

/// The first format that has an audit.
const AUDITED: i64 = 2;

/// Verifies a data folder, whose database `connection` reads.
pub(crate) fn folder(
    connection: &Connection,
    dir: &Path,
    trusted: Option<[u8; 32]>,
    check: CheckSignature<'_>,
) -> Result<Report, StoreError> {
    // Before the rows: a file's row is there when the file is, and a server may be at work.
    let files = read_files(dir)?;
    // One moment of the database, however long this takes.
    let db = connection
        .unchecked_transaction()
        .map_err(|e| StoreError::database("begin to read", e))?;
    let mut report = Report::default();
    let checkpoints = checkpoints(&db, files, trusted, check, &mut report)?;
    let told = entries(&db, &checkpoints, &mut report)?;
    told.hold_against(&db, &mut report)?;
    Ok(report)
}

/// Opens a data folder's database for reading alone.
pub(crate) fn open(dir: &Path) -> Result<Connection, StoreError> {
    let path = dir.join("glade.db");
    if !path.is_file() {
        let missing = std::io::ErrorKind::NotFound.into();
        return Err(StoreError::io("open", &path, missing));
    }
    let failed = |e| StoreError::database("open for reading", e);
    let connection = Connection::open_with_flags(
        &path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(failed)?;
    connection
        .busy_timeout(Duration::from_secs(5))
        .map_err(failed)?;
    let found: i64 = connection
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map_err(failed)?;
    let known = crate::schema::newest();
    if found > known {
        return Err(StoreError::Newer { path, found, known });
    }
    if found < AUDITED {
        return Err(StoreError::NotOurs {
            path,
            reason: "or one that never kept an audit: start `glade serve` on it once".to_owned(),
        });
    }
    Ok(connection)
}

fn read_files(dir: &Path) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
    checkpoint::files(&checkpoint::folder(dir))?
        .into_iter()
        .map(|(number, path)| {
            let body = std::fs::read(&path).map_err(|e| StoreError::io("read", &path, e))?;
            Ok((number, body))
        })
        .collect()
}

/// The checkpoints that can be trusted. Rows and files must say the same.
fn checkpoints(
    db: &Connection,
    files: Vec<(i64, Vec<u8>)>,
    trusted: Option<[u8; 32]>,
    check: CheckSignature<'_>,
    report: &mut Report,
) -> Result<Vec<Checkpoint>, StoreError> {
    let newest_file = files.iter().map(|(number, _)| *number).max().unwrap_or(0);
    let mut bodies: BTreeMap<i64, [Option<Vec<u8>>; 2]> = BTreeMap::new();
    for (number, body) in files {
        bodies.entry(number).or_default()[1] = Some(body);
    }
    for (number, _, body) in checkpoint::rows(db)? {
        bodies.entry(number).or_default()[0] = Some(body);
    }
    let newest = bodies.keys().next_back().copied().unwrap_or(0);
    for number in 1..newest {
        bodies.entry(number).or_default();
    }
    let mut key = trusted;
    let mut good = Vec::new();
    for (number, [row, file]) in bodies {
        let mut wrong = |reason: &str| {
            report.findings.push(Finding::Checkpoint {
                number,
                reason: reason.to_owned(),
            });
        };
        match (&row, &file) {
            (None, None) => wrong("it was dropped, from the database and from the files"),
            (None, Some(_)) => wrong("it was dropped from the database"),
            // A file is written just after its row: newer ones may still be on their way.
            (Some(_), None) if number < newest_file => wrong("its file was dropped"),
            (Some(row), Some(file)) if row != file => {
                wrong("the file and the database do not say the same");
            }
            _ => {}
        }
        let mut trusted = None;
        for (body, whose) in [(file, "its file"), (row, "its row")] {
            let Some(body) = body else { continue };
            match Checkpoint::read(&body, check) {
                Ok(read) if read.number != number => wrong("it was signed under another number"),
                Ok(read) if *key.get_or_insert(read.key) != read.key => {
                    wrong("it was signed with another key");
                }
                Ok(read) => trusted = trusted.or(Some(read)),
                Err(reason) => wrong(&format!("{whose}: {reason}")),
            }
        }
        good.extend(trusted);
    }
    report.checkpoints = good.len();
    report.vouched = good.iter().map(|c| c.size).max().unwrap_or(0);
    Ok(good)
}

fn entries(
    db: &Connection,
    checkpoints: &[Checkpoint],
    report: &mut Report,
) -> Result<ChainClaims, StoreError> {
    let failed = |e| StoreError::database("read the audit chain", e);
    let mut told = ChainClaims::default();
    let mut tree = Tree::default();
    let found_before = report.findings.len();
    let mut statement = db
        .prepare("SELECT seq, at_ms, kind, subject, body, prev_hash, hash FROM audit ORDER BY seq")
        .map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    let (mut last, mut head, mut sound_before) = (0, BEGINNING, true);
    while let Some(row) = rows.next().map_err(failed)? {
        let entry = Entry::read(row).map_err(failed)?;
        if entry.seq < 1 {
            // Numbers begin at 1: somebody else wrote this.
            report.findings.push(Finding::Changed { seq: entry.seq });
            continue;
        }
        let follows = entry.seq == last + 1;
        if !follows {
            report.findings.push(Finding::Dropped {
                from: last + 1,
                to: entry.seq - 1,
            });
        }
        let sound = entry.sound();
        if !sound {
            report.findings.push(Finding::Changed { seq: entry.seq });
        } else if follows && sound_before && entry.previous != head {
            report.findings.push(Finding::Unlinked { seq: entry.seq });
        }
        head = entry.hash.as_slice().try_into().unwrap_or(BEGINNING);
        (last, sound_before) = (entry.seq, sound);
        tree.push(&head);
        // After an entry that is not as it was, no root fits: that one is named already.
        let fits = report.findings.len() == found_before;
        for checkpoint in checkpoints.iter().filter(|c| c.size == entry.seq) {
            let other_root = fits && checkpoint.root.is_some_and(|said| said != tree.root());
            if sound && (checkpoint.head != head || other_root) {
                report.findings.push(Finding::Rewritten {
                    size: entry.seq,
                    checkpoint: checkpoint.number,
                });
            }
        }
        if sound {
            told.hear(entry.seq, &entry.body);
        }
    }
    report.entries = last;
    if let Some(longest) = checkpoints.iter().max_by_key(|c| c.size)
        && longest.size > last
    {
        report.findings.push(Finding::Truncated {
            from: last + 1,
            to: longest.size,
            checkpoint: longest.number,
        });
    }
    Ok(told)
}

struct Entry {
    seq: i64,
    at_ms: i64,
    kind: Vec<u8>,
    subject: Vec<u8>,
    body: Vec<u8>,
    previous: Vec<u8>,
    hash: Vec<u8>,
}

impl Entry {
    /// Takes whatever lies in the columns: what is wrong must be found, not stop the reading.
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Entry> {
        let bytes = |column| -> rusqlite::Result<Vec<u8>> {
            Ok(match row.get_ref(column)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
                _ => Vec::new(),
            })
        };
        Ok(Entry {
            seq: row.get(0)?,
            at_ms: row.get(1)?,
            kind: bytes(2)?,
            subject: bytes(3)?,
            body: bytes(4)?,
            previous: bytes(5)?,
            hash: bytes(6)?,
        })
    }

    /// Whether the entry is what its own hash says.
    fn sound(&self) -> bool {
        let Ok(previous) = Hash::try_from(self.previous.as_slice()) else {
            return false;
        };
        let Ok(told) = serde_json::from_slice::<Value>(&self.body) else {
            return false;
        };
        let says = |key: &str, bytes: &[u8]| {
            told[key]
                .as_str()
                .is_some_and(|text| text.as_bytes() == bytes)
        };
        self.hash == link(&previous, self.seq, &self.body)
            && canonical(&told) == self.body
            && told["at"] == self.at_ms
            && says("kind", &self.kind)
            && says("subject", &self.subject)
    }
}
