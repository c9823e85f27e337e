//! Signed statements of how long the chain is and how it ends.
//!
//! `{"key":…,"signature":…,"statement":{"at":…,"head":…,"number":…,"origin":…,"root":…,"size":…}}`
//!
//! The head is the chain's last hash, the root that of the Merkle tree over all entries' hashes (RFC
//! 6962), out of which short proofs for single entries can be made. Checkpoints signed before there
//! were roots have none, and count as they did.
//!
//! A checkpoint is a row and a file. The row is written in the transaction that it vouches for; the
//! file follows, is only ever created, never replaced, and can be copied to where this machine
//! cannot reach it. A file that a crash kept from being written is written at the next start.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};

use super::merkle::Tree;
use super::{Chain, Hash, canonical, hex, unhex};
use crate::error::StoreError;
use crate::private;

/// Signs with Ed25519. The key is the caller's.
pub trait Signer: Send {
    fn public_key(&self) -> [u8; 32];
    fn sign(&self, message: &[u8]) -> [u8; 64];
}

/// Tells whether a signature over a message was made with a key.
pub type CheckSignature<'a> = &'a dyn Fn(&[u8; 32], &[u8], &[u8; 64]) -> bool;

/// Goes before what is signed, so that the signature means nothing anywhere else.
const CONTEXT: &[u8] = b"glade checkpoint 1\0";

/// Makes the checkpoints of one data folder.
pub(crate) struct Sealer {
    origin: String,
    signer: Box<dyn Signer>,
    folder: PathBuf,
    /// The number of the last checkpoint.
    last: i64,
    /// The size that the last checkpoint states.
    pub(crate) sealed: i64,
    /// The tree over the entries that were there at the last checkpoint.
    tree: Tree,
}

impl Sealer {
    /// Begins where the folder left off, and writes the files that a crash held back.
    pub(crate) fn start(
        db: &Connection,
        dir: &Path,
        origin: &str,
        signer: Box<dyn Signer>,
    ) -> Result<Sealer, StoreError> {
        let folder = folder(dir);
        private::make_folder(&folder).map_err(|e| StoreError::io("make the folder", &folder, e))?;
        let rows = rows(db)?;
        for (number, _, body) in &rows {
            place(&folder, *number, body)?;
        }
        let in_files = files(&folder)?.last().map_or(0, |(number, _)| *number);
        Ok(Sealer {
            origin: origin.to_owned(),
            signer,
            folder,
            last: rows.last().map_or(0, |row| row.0).max(in_files),
            sealed: rows.last().map_or(0, |row| row.1),
            tree: stored_tree(db)?,
        })
    }

    /// Signs the chain as it is in the transaction at hand.
    pub(crate) fn seal(
        &mut self,
        db: &Connection,
        chain: &Chain,
        at_ms: i64,
    ) -> Result<Sealed, StoreError> {
        let number = self.last + 1;
        let tree = grown(db, &self.tree, chain)?;
        let statement = json!({
            "at": at_ms,
            "head": hex(&chain.head),
            "number": number,
            "origin": self.origin,
            "root": hex(&tree.root()),
            "size": chain.size,
        });
        let signature = self.signer.sign(&message(&statement));
        let body = canonical(&json!({
            "key": hex(&self.signer.public_key()),
            "signature": hex(&signature),
            "statement": statement,
        }));
        db.execute(
            "INSERT INTO checkpoint (number, size, body) VALUES (?1, ?2, ?3)",
            params![number, chain.size, body],
        )
        .and_then(|_| {
            db.execute(
                "INSERT INTO merkle (only, size, edge) VALUES (1, ?1, ?2)
                 ON CONFLICT (only) DO UPDATE SET size = excluded.size, edge = excluded.edge",
                params![chain.size, tree.bytes()],
            )
        })
        .map_err(|e| StoreError::database("keep a checkpoint", e))?;
        Ok(Sealed {
            number,
            size: chain.size,
            body,
            tree,
        })
    }

    /// The transaction is committed: the checkpoint counts, and gets its file.
    pub(crate) fn place(&mut self, sealed: &Sealed) {
        self.last = sealed.number;
        self.sealed = sealed.size;
        self.tree = sealed.tree.clone();
        if let Err(error) = place(&self.folder, sealed.number, &sealed.body) {
            tracing::error!(%error, number = sealed.number, "a checkpoint's file could not be written: it will be at the next start");
        }
    }
}

/// A checkpoint in a transaction that is not committed yet.
pub(crate) struct Sealed {
    number: i64,
    size: i64,
    body: Vec<u8>,
    tree: Tree,
}

/// The tree as the last checkpoint left it; empty if there is none, or none that can be read.
fn stored_tree(db: &Connection) -> Result<Tree, StoreError> {
    let stored: Option<(i64, Vec<u8>)> = db
        .query_row("SELECT size, edge FROM merkle", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()
        .map_err(|e| StoreError::database("read the Merkle tree", e))?;
    Ok(stored
        .and_then(|(size, edge)| Tree::read(u64::try_from(size).ok()?, &edge))
        .unwrap_or_default())
}

/// The tree over all the entries of the chain.
fn grown(db: &Connection, tree: &Tree, chain: &Chain) -> Result<Tree, StoreError> {
    let size = |tree: &Tree| i64::try_from(tree.size()).unwrap_or(i64::MAX);
    // Longer than the chain: its end was cut off, which `verify` will say.
    let mut tree = if size(tree) <= chain.size {
        tree.clone()
    } else {
        Tree::default()
    };
    let read = |tree: &mut Tree| -> rusqlite::Result<()> {
        let mut entries =
            db.prepare_cached("SELECT hash FROM audit WHERE seq > ?1 ORDER BY seq")?;
        let mut rows = entries.query([size(tree)])?;
        while let Some(row) = rows.next()? {
            tree.push(&row.get(0)?);
        }
        Ok(())
    };
    read(&mut tree).map_err(|e| StoreError::database("read the audit chain", e))?;
    Ok(tree)
}

/// A checkpoint as read back.
pub(crate) struct Checkpoint {
    pub(crate) number: i64,
    pub(crate) size: i64,
    pub(crate) head: Hash,
    /// `None` in one from before there were roots.
    pub(crate) root: Option<Hash>,
    pub(crate) key: [u8; 32],
}

impl Checkpoint {
    /// Reads a checkpoint and checks its signature; says what is wrong otherwise.
    pub(crate) fn read(bytes: &[u8], check: CheckSignature<'_>) -> Result<Checkpoint, String> {
        let unreadable = || "it is not a checkpoint any more".to_owned();
        let value: Value = serde_json::from_slice(bytes).map_err(|_| unreadable())?;
        let statement = &value["statement"];
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(unreadable);
        let number = |value: &Value| value.as_i64().ok_or_else(unreadable);
        let key = unhex(&text(&value["key"])?).ok_or_else(unreadable)?;
        let signature = unhex(&text(&value["signature"])?).ok_or_else(unreadable)?;
        if canonical(&value) != bytes || !check(&key, &message(statement), &signature) {
            return Err("its signature does not hold: it was changed".to_owned());
        }
        Ok(Checkpoint {
            number: number(&statement["number"])?,
            size: number(&statement["size"])?,
            head: unhex(&text(&statement["head"])?).ok_or_else(unreadable)?,
            root: match &statement["root"] {
                Value::Null => None,
                root => Some(unhex(&text(root)?).ok_or_else(unreadable)?),
            },
            key,
        })
    }
}

fn message(statement: &Value) -> Vec<u8> {
    [CONTEXT, &canonical(statement)].concat()
}

pub(crate) fn folder(dir: &Path) -> PathBuf {
    dir.join("checkpoints")
}

/// `(number, size, body)` of each checkpoint in the database.
pub(crate) fn rows(db: &Connection) -> Result<Vec<(i64, i64, Vec<u8>)>, StoreError> {
    db.prepare("SELECT number, size, body FROM checkpoint ORDER BY number")
        .and_then(|mut statement| {
            statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        })
        .map_err(|e| StoreError::database("read the checkpoints", e))
}

/// `(number, path)` of each checkpoint file, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<(i64, PathBuf)>, StoreError> {
    let failed = |e| StoreError::io("read the folder", folder, e);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(failed(e)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let number = path
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_suffix(".json"))
            .and_then(|name| name.parse().ok());
        if let Some(number) = number {
            files.push((number, path));
        }
    }
    files.sort();
    Ok(files)
}

/// Creates the file whole, or leaves the one that is there.
fn place(folder: &Path, number: i64, body: &[u8]) -> Result<(), StoreError> {
    let path = folder.join(format!("{number:08}.json"));
    if path.exists() {
        return Ok(());
    }
    let draft = folder.join(format!(".{number:08}.new"));
    let failed = |e| StoreError::io("write the checkpoint", &path, e);
    let mut file = private::options()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&draft)
        .map_err(failed)?;
    file.write_all(body).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    let placed = fs::hard_link(&draft, &path).or_else(|e| match e.kind() {
        ErrorKind::AlreadyExists => Ok(()),
        // A file system without hard links.
        _ => fs::rename(&draft, &path),
    });
    // After a rename the draft is gone already.
    drop(fs::remove_file(&draft));
    placed.map_err(failed)?;
    #[cfg(unix)]
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(failed)?;
    Ok(())
}
