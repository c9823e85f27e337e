//! A bounded reading of what strangers send in Loro's formats, before Loro sees it.
//!
//! Loro believes the counts that its formats state: it makes room for as many changes, list items
//! or dependencies as a few bytes claim, and fails to get it by ending the process. So every
//! update, presence and version is walked through here first. The walk holds each count against
//! the bytes that are there, adds up runs, and keeps nothing but two small tables. What passes
//! makes Loro use no more memory than a small multiple of its length and a constant; what the walk
//! cannot read is refused, and nothing else is tried on it.
//!
//! The walk is stricter than Loro: it takes what Loro writes, and of that only what a page can
//! hold. Containers of other kinds or names are refused by their table, before Loro makes anything
//! of them. When Loro is upgraded, the tests of this module say whether its writer has changed.

mod block;
mod bytes;
mod columns;
mod containers;
mod presence;
mod rows;
mod values;
mod version;

use xxhash_rust::xxh32::xxh32;

use crate::{MAX_UPDATE_BYTES, MAX_UPDATE_OPERATIONS, PeerSpan, Refusal};

use bytes::Reader;
pub use presence::{MAX_PRESENCE_BYTES, check_presence};
pub use version::{MAX_VERSION_BYTES, check_version};

/// What is wrong with bytes that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// They are not what they should be.
    Broken(&'static str),
    /// They are well-formed, and more than is taken at once.
    TooMany { found: u64, max: u64 },
    /// They are about a container that no page has.
    Unknown { container: String },
    /// They are about a container that was made by an operation.
    Plain { container: String },
}

type Checked<T> = Result<T, Flaw>;

impl From<Flaw> for Refusal {
    fn from(flaw: Flaw) -> Self {
        match flaw {
            Flaw::Broken(reason) => Self::Malformed {
                reason: reason.to_owned(),
            },
            Flaw::TooMany { found, max } => Self::TooManyOperations {
                operations: found,
                max,
            },
            Flaw::Unknown { container } => Self::UnknownContainer { container },
            Flaw::Plain { container } => Self::PlainContainer { container },
        }
    }
}

/// Nothing that people draw or write is nested deeper. Loro drops nested values by recursion.
const MAX_DEPTH: usize = 64;

/// Most peers of one update. Each stays in the page's version for good, and a client has one, or a few
/// from when it was offline.
const MAX_PEERS: usize = 1_024;

/// How much an update may hold in all. Each is more than any client sends, and little enough to be
/// held in memory many times over.
struct Budget {
    /// Characters, list items and all else that has a counter of its own.
    operations: Allowance,
    /// Operations as they are stored: a run of characters is one.
    rows: Allowance,
    dependencies: Allowance,
    /// Bytes of the keys of operations and of maps within values. Each is a copy of a key that is
    /// stored once.
    key_bytes: Allowance,
    /// Values, those within values too. A list or a map counts for several.
    values: Allowance,
}

impl Budget {
    fn for_update(bytes: usize) -> Self {
        let bytes = bytes as u64;
        Self {
            operations: Allowance::of(MAX_UPDATE_OPERATIONS),
            // Deleting a character in each of many places takes less than a byte a place.
            rows: Allowance::of((65_536 + bytes).min(1_000_000)),
            dependencies: Allowance::of(65_536),
            key_bytes: Allowance::of(4 * 1024 * 1024 + 8 * bytes),
            values: Allowance::of(65_536 + bytes),
        }
    }
}

/// What is left of a limit.
struct Allowance {
    left: u64,
    max: u64,
}

impl Allowance {
    fn of(max: u64) -> Self {
        Self { left: max, max }
    }

    fn spend(&mut self, amount: u64) -> Checked<()> {
        match self.left.checked_sub(amount) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Flaw::TooMany {
                found: (self.max - self.left).saturating_add(amount),
                max: self.max,
            }),
        }
    }
}

/// Magic, twelve bytes of nothing, four of checksum.
const CHECKED_FROM: usize = 20;
const MODE: usize = 2;
/// What the mode of an update says, and that of a snapshot.
const UPDATES: [u8; MODE] = [0, 4];
const SNAPSHOT: [u8; MODE] = [0, 3];
const SEED: u32 = u32::from_le_bytes(*b"LORO");

/// Which operations an update holds. It is read through to its end: what is answered `Ok` can be
/// given to Loro.
pub(crate) fn check_update(blob: &[u8]) -> Result<Vec<PeerSpan>, Refusal> {
    if blob.len() > MAX_UPDATE_BYTES {
        return Err(Refusal::TooLarge {
            bytes: blob.len(),
            max: MAX_UPDATE_BYTES,
        });
    }
    let (body, mode) = envelope(blob)?;
    match mode {
        UPDATES => Ok(blocks(body, blob.len())?),
        SNAPSHOT => Err(Refusal::Snapshot),
        _ => Err(Flaw::Broken("it is in a format of older versions of Loro").into()),
    }
}

fn envelope(blob: &[u8]) -> Checked<(&[u8], [u8; MODE])> {
    const SHORT: Flaw = Flaw::Broken("it is too short to be an update");
    let (head, checked) = blob.split_at_checked(CHECKED_FROM).ok_or(SHORT)?;
    let (mode, body) = checked.split_first_chunk::<MODE>().ok_or(SHORT)?;
    let (rest, sum) = head.split_last_chunk::<4>().ok_or(SHORT)?;
    if !rest.starts_with(b"loro") {
        return Err(Flaw::Broken("it does not begin as an update does"));
    }
    if u32::from_le_bytes(*sum) != xxh32(checked, SEED) {
        return Err(Flaw::Broken("its checksum is wrong"));
    }
    Ok((body, *mode))
}

fn blocks(body: &[u8], bytes: usize) -> Checked<Vec<PeerSpan>> {
    let mut budget = Budget::for_update(bytes);
    let mut body = Reader(body);
    let mut spans: Vec<PeerSpan> = Vec::with_capacity(1);
    while !body.is_empty() {
        spans.push(block::check(body.sized()?, &mut budget)?);
    }
    spans.sort();
    spans.dedup_by(|next, span| {
        let same = next.peer == span.peer;
        if same {
            span.to = span.to.max(next.to);
        }
        same
    });
    if spans.len() <= MAX_PEERS {
        Ok(spans)
    } else {
        Err(Flaw::TooMany {
            found: spans.len() as u64,
            max: MAX_PEERS as u64,
        })
    }
}

#[cfg(test)]
mod tests;
