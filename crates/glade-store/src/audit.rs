//! The audit chain: what happened, in order, so that nobody can change the telling unseen.
//!
//! Each entry is a row of the table `audit`, written in the same transaction as what it tells of.
//! Its hash covers its own bytes, its number and the hash before it, so the last hash stands for
//! the whole history. What changes the record (updates, snapshots, runs, steps, deleted pages) is
//! entered by the writer itself, out of the [`crate::Change`] at hand: no caller can forget it.
//! What only a door knows (joins, refusals, tokens, who kept or undid) comes as
//! [`crate::Change::Audit`].
//!
//! A chain alone cannot show that its end was cut off. Signed checkpoints can: each states how
//! long the chain was, what its last hash was and the root of the Merkle tree over its entries
//! (RFC 6962), and lies in a file of its own besides.
//!
//! [`crate::Archive::verify`] reads all of it, and the rows that the entries tell of, without a lock.

pub(crate) mod checkpoint;
mod claims;
pub(crate) mod derive;
mod findings;
mod merkle;
pub(crate) mod rights;
pub(crate) mod verify;

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use checkpoint::{CheckSignature, Signer};
pub use findings::{Finding, Report};

use crate::error::StoreError;
use crate::unreadable::Unreadable;

/// What an entry tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AuditKind {
    /// An update was merged into a page.
    Update,
    /// A page's log was folded into a snapshot.
    Snapshot,
    PageDeleted,
    /// A page was renamed, moved in the list, given another tier, put into the trash or brought back.
    Page,
    /// A fairy was made, changed or dismissed.
    Fairy,
    /// A picture was brought.
    Blob,
    /// A task was made, changed, given to a fairy or deleted.
    Task,
    /// A project was started or disbanded.
    Project,
    /// Plugins were switched on or off.
    Plugins,
    Join,
    /// Something was refused: a join, an update, an edit.
    Refusal,
    TokenAttenuated,
    TokenRevoked,
    /// A browser signed in.
    SessionOpened,
    SessionsEnded,
    /// What a row decides about rights has changed: a page's tier, a fairy's scope, a link, plugins.
    Rights,
    RunBegun,
    /// What was asked in a run, or where, was put right.
    RunChanged,
    RunEnded,
    RunKept,
    RunUndone,
    /// The undo of a run was taken back.
    RunReopened,
    /// A model was asked and answered.
    Step,
}

impl AuditKind {
    pub fn as_str(self) -> &'static str {
        match self {
            AuditKind::Update => "update",
            AuditKind::Snapshot => "snapshot",
            AuditKind::PageDeleted => "page-deleted",
            AuditKind::Page => "page",
            AuditKind::Fairy => "fairy",
            AuditKind::Blob => "blob",
            AuditKind::Task => "task",
            AuditKind::Project => "project",
            AuditKind::Plugins => "plugins",
            AuditKind::Join => "join",
            AuditKind::Refusal => "refusal",
            AuditKind::TokenAttenuated => "token-attenuated",
            AuditKind::TokenRevoked => "token-revoked",
            AuditKind::SessionOpened => "session-opened",
            AuditKind::SessionsEnded => "sessions-ended",
            AuditKind::Rights => "rights",
            AuditKind::RunBegun => "run-begun",
            AuditKind::RunChanged => "run-changed",
            AuditKind::RunEnded => "run-ended",
            AuditKind::RunKept => "run-kept",
            AuditKind::RunUndone => "run-undone",
            AuditKind::RunReopened => "run-reopened",
            AuditKind::Step => "step",
        }
    }
}

/// One entry before it has its place in the chain. `body` holds whole numbers, strings, lists and
/// objects of them; never a token, a key or what people wrote (their SHA-256 instead).
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    pub at_ms: i64,
    pub kind: AuditKind,
    /// Who did it.
    pub subject: String,
    pub body: Value,
}

impl AuditEntry {
    fn bytes(&self) -> Vec<u8> {
        canonical(&json!({
            "at": self.at_ms,
            "body": self.body,
            "kind": self.kind.as_str(),
            "subject": self.subject,
        }))
    }
}

pub(crate) type Hash = [u8; 32];

/// What stands before the first entry.
const BEGINNING: Hash = [0; 32];

/// The end of the chain: how many entries it has and the last one's hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) size: i64,
    pub(crate) head: Hash,
}

impl Chain {
    pub(crate) const EMPTY: Chain = Chain {
        size: 0,
        head: BEGINNING,
    };

    /// The chain as the database has it.
    pub(crate) fn load(db: &Connection) -> Result<Chain, StoreError> {
        let last: Option<(i64, Vec<u8>)> = db
            .query_row(
                "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()
            .map_err(|e| StoreError::database("read the end of the audit chain", e))?;
        let Some((size, hash)) = last else {
            return Ok(Chain::EMPTY);
        };
        let wrong = |column, reason| {
            StoreError::from(Unreadable::new("audit", &size.to_string(), column, reason))
        };
        if !(0..i64::MAX).contains(&size) {
            return Err(wrong("seq", "is no number of an entry"));
        }
        let head = hash.try_into().map_err(|_| wrong("hash", "is no hash"))?;
        Ok(Chain { size, head })
    }

    /// Adds an entry. If the transaction is undone, so must be the chain: keep a copy.
    pub(crate) fn append(&mut self, db: &Connection, entry: &AuditEntry) -> Result<(), StoreError> {
        let body = entry.bytes();
        let next = Chain {
            size: self.size + 1,
            head: link(&self.head, self.size + 1, &body),
        };
        db.prepare_cached(
            "INSERT INTO audit (seq, at_ms, kind, subject, body, prev_hash, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )
        .and_then(|mut statement| {
            statement.execute(params![
                next.size,
                entry.at_ms,
                entry.kind.as_str(),
                entry.subject,
                body,
                self.head,
                next.head
            ])
        })
        .map_err(|e| StoreError::database("enter into the audit chain", e))?;
        *self = next;
        Ok(())
    }
}

pub(crate) fn link(previous: &Hash, seq: i64, body: &[u8]) -> Hash {
    Sha256::new()
        .chain_update([0])
        .chain_update(previous)
        .chain_update(seq.to_be_bytes())
        .chain_update(body)
        .finalize()
        .into()
}

/// The SHA-256 of something that an entry names without repeating it.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// JSON with its keys in order and no white space: one value, one spelling.
pub(crate) fn canonical(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(value, &mut bytes);
    bytes
}

fn write(value: &Value, to: &mut Vec<u8>) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            to.push(b'{');
            for (n, key) in keys.into_iter().enumerate() {
                if n > 0 {
                    to.push(b',');
                }
                write(&Value::String(key.clone()), to);
                to.push(b':');
                write(&map[key], to);
            }
            to.push(b'}');
        }
        Value::Array(items) => {
            to.push(b'[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    to.push(b',');
                }
                write(item, to);
            }
            to.push(b']');
        }
        plain => to.extend(plain.to_string().into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_has_one_spelling() {
        let one = json!({"b": [1, "ü\n"], "a": {"d": null, "c": true}});
        let other = json!({"a": {"c": true, "d": null}, "b": [1, "ü\n"]});
        assert_eq!(canonical(&one), canonical(&other));
        assert_eq!(
            String::from_utf8(canonical(&one)).unwrap(),
            r#"{"a":{"c":true,"d":null},"b":[1,"ü\n"]}"#
        );
    }

    #[test]
    fn hex_goes_there_and_back() {
        let bytes = [0, 1, 0x7f, 0x80, 0xff];
        assert_eq!(hex(&bytes), "00017f80ff");
        assert_eq!(unhex::<5>("00017f80ff"), Some(bytes));
        assert_eq!(unhex::<5>("00017f80f"), None);
        assert_eq!(unhex::<1>("+1"), None);
    }
}
