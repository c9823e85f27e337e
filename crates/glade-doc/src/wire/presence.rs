//! Presence, as clients send it: keys with values and times.

use super::bytes::Reader;
use super::values::fits;
use super::{Checked, Flaw};
use crate::Refusal;

/// Largest presence that is looked at. A client that comes back sends what it knows of everybody.
pub const MAX_PRESENCE_BYTES: usize = 1024 * 1024;
/// Most keys of one presence.
const MAX_KEYS: u64 = 4_096;
const MAX_DEPTH: usize = 16;
/// Further in time than any clock is, in milliseconds: stores subtract times from each other.
const LATEST: u64 = 1 << 53;

/// Whether bytes are presence that can be given to Loro's store.
pub fn check_presence(bytes: &[u8]) -> Result<(), Refusal> {
    if bytes.len() > MAX_PRESENCE_BYTES {
        return Err(Refusal::TooLarge {
            bytes: bytes.len(),
            max: MAX_PRESENCE_BYTES,
        });
    }
    Ok(check(bytes)?)
}

fn check(bytes: &[u8]) -> Checked<()> {
    let mut bytes = Reader(bytes);
    let keys = bytes.count()?;
    fits(keys, 3, &bytes)?;
    if keys as u64 > MAX_KEYS {
        return Err(Flaw::TooMany {
            found: keys as u64,
            max: MAX_KEYS,
        });
    }
    for _ in 0..keys {
        bytes.text()?;
        match bytes.byte()? {
            0 => {}
            1 => check_value(&mut bytes, 0)?,
            _ => return Err(Flaw::Broken("a key in it neither has a value nor has none")),
        }
        if bytes.signed()?.unsigned_abs() > LATEST {
            return Err(Flaw::Broken("a time in it is impossible"));
        }
    }
    bytes.finished("bytes follow on it")
}

fn check_value(bytes: &mut Reader<'_>, depth: usize) -> Checked<()> {
    if depth > MAX_DEPTH {
        return Err(Flaw::Broken("a value in it is nested too deeply"));
    }
    match bytes.byte()? {
        0 => {}
        1 => {
            let is_bool = bytes.byte()? <= 1;
            is_bool
                .then_some(())
                .ok_or(Flaw::Broken("a value in it is neither true nor false"))?;
        }
        2 => {
            bytes.take(8)?;
        }
        3 => {
            bytes.signed()?;
        }
        4 => {
            bytes.text()?;
        }
        5 => {
            let items = bytes.count()?;
            fits(items, 1, bytes)?;
            for _ in 0..items {
                check_value(bytes, depth + 1)?;
            }
        }
        6 => {
            let entries = bytes.count()?;
            fits(entries, 2, bytes)?;
            for _ in 0..entries {
                bytes.text()?;
                check_value(bytes, depth + 1)?;
            }
        }
        8 => {
            bytes.sized()?;
        }
        // Containers are of documents.
        _ => return Err(Flaw::Broken("a value in it is of an unknown kind")),
    }
    Ok(())
}
