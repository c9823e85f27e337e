//! One block of an update: changes of one peer, column by column.
//!
//! ```text
//! counter from, length · clock from, length · changes
//! header      peers, lengths of changes, dependencies, clocks
//! meta        times and messages of changes
//! containers · keys · positions · operations · deletions · values
//! ```
//!
//! Positions are of trees, which no page has.

use crate::{Counter, PeerId, PeerSpan};

use super::bytes::{Reader, narrow, within};
use super::columns::{Cell, Runs, take_bools, take_second_deltas};
use super::containers;
use super::rows::{self, Rows};
use super::values::fits;
use super::{Budget, Checked, Flaw};

const NO_TREES: Flaw = Flaw::Broken("it has places of tree nodes, and no page has trees");
const NOT_A_SPAN: Flaw = Flaw::Broken("its counters or clocks are impossible");

/// Reads a block through to its end; answers the operations that it holds.
pub(super) fn check(block: &[u8], budget: &mut Budget) -> Checked<PeerSpan> {
    let mut block = Reader(block);
    let from: Counter = narrow(block.number()?)?;
    let length: Counter = narrow(block.number()?)?;
    let clock: u32 = narrow(block.number()?)?;
    let clock_length: u32 = narrow(block.number()?)?;
    let changes = block.count()?;
    let to = from.checked_add(length).ok_or(NOT_A_SPAN)?;
    // Each change has at least one operation.
    if changes == 0 || length <= 0 || changes > length.unsigned_abs() as usize {
        return Err(NOT_A_SPAN);
    }
    clock.checked_add(clock_length).ok_or(NOT_A_SPAN)?;
    budget.operations.spend(u64::from(length.unsigned_abs()))?;
    let header = Header::check(block.sized()?, from, length, changes, budget)?;
    check_meta(block.sized()?, changes)?;
    let containers = block.sized()?;
    let keys = Keys::read(block.sized()?)?;
    let kinds = containers::check(containers, &keys)?;
    block.sized()?.is_empty().then_some(()).ok_or(NO_TREES)?;
    let rows = Rows {
        kinds: &kinds,
        keys: &keys,
        peers: header.peers,
        lengths: header.lengths,
        changes,
        atoms: u64::from(length.unsigned_abs()),
    };
    let (operations, deletions, values) = (block.sized()?, block.sized()?, block.sized()?);
    rows::check(&rows, operations, deletions, values, budget)?;
    block.finished("bytes follow on its last block")?;
    Ok(PeerSpan {
        peer: header.peer,
        from,
        to,
    })
}

struct Header<'a> {
    peer: PeerId,
    peers: usize,
    /// The length of each change but the last.
    lengths: &'a [u8],
}

impl<'a> Header<'a> {
    fn check(
        bytes: &'a [u8],
        from: Counter,
        length: Counter,
        changes: usize,
        budget: &mut Budget,
    ) -> Checked<Self> {
        let mut bytes = Reader(bytes);
        let peers = bytes.count()?;
        fits(peers, 8, &bytes)?;
        let table = bytes.take(peers * 8)?;
        let author = table.first_chunk::<8>().ok_or(NOT_A_SPAN)?;
        let peer = PeerId::from_le_bytes(*author);
        if peer == PeerId::MAX {
            return Err(Flaw::Broken("its author is nobody"));
        }
        let lengths = bytes.0;
        let mut known = 0u64;
        for _ in 1..changes {
            let one = bytes.number()?;
            known = known.checked_add(one.max(1)).ok_or(NOT_A_SPAN)?;
            if one == 0 || known >= u64::from(length.unsigned_abs()) {
                return Err(NOT_A_SPAN);
            }
        }
        let follows_itself = take_bools(&mut bytes, changes)?;
        if follows_itself && from == 0 {
            return Err(Flaw::Broken("its first change comes after itself"));
        }
        let mut others = 0u64;
        Runs::take(&mut bytes, Cell::Unsigned, changes, |count| {
            // One of each peer, at most.
            let count = count.unsigned_abs();
            others += count;
            if count <= peers as u64 {
                budget.dependencies.spend(count)
            } else {
                Err(Flaw::Broken("a change in it depends on too many others"))
            }
        })?;
        let others: usize = narrow(others)?;
        Runs::take(&mut bytes, Cell::Unsigned, others, |peer| {
            within(peer.unsigned_abs(), peers).map(|_| ())
        })?;
        take_second_deltas(&mut bytes, others, |counter| {
            narrow::<u32, _>(counter).and_then(|counter| narrow::<Counter, _>(counter).map(|_| ()))
        })?;
        take_second_deltas(&mut bytes, changes - 1, |clock| {
            narrow::<u32, _>(clock).map(|_| ())
        })?;
        bytes.finished("bytes follow on a header in it")?;
        Ok(Self {
            peer,
            peers,
            lengths,
        })
    }
}

fn check_meta(bytes: &[u8], changes: usize) -> Checked<()> {
    let mut bytes = Reader(bytes);
    take_second_deltas(&mut bytes, changes, |_time| Ok(()))?;
    let mut messages = 0u64;
    Runs::take(&mut bytes, Cell::Unsigned, changes, |length| {
        let length: u32 = narrow(length)?;
        messages += u64::from(length);
        Ok(())
    })?;
    if messages == bytes.len() as u64 {
        Ok(())
    } else {
        Err(Flaw::Broken("its messages are not as long as they say"))
    }
}

/// The names that a block uses, by where each begins.
pub(super) struct Keys<'a> {
    bytes: &'a [u8],
    starts: Vec<u32>,
}

impl<'a> Keys<'a> {
    fn read(bytes: &'a [u8]) -> Checked<Self> {
        let mut rest = Reader(bytes);
        let mut starts = Vec::new();
        while !rest.is_empty() {
            starts.push(narrow(bytes.len() - rest.len())?);
            rest.text()?;
        }
        Ok(Self { bytes, starts })
    }

    pub fn get(&self, at: u64) -> Checked<&'a str> {
        let start = within(at, self.starts.len())?;
        let start = self.starts.get(start).copied().unwrap_or(u32::MAX);
        Reader(self.bytes.get(start as usize..).unwrap_or_default()).text()
    }

    /// How long a key is, which is quicker to say than what it is.
    pub fn length(&self, at: u64) -> Checked<u64> {
        let start = within(at, self.starts.len())?;
        let start = self.starts.get(start).copied().unwrap_or(u32::MAX);
        Reader(self.bytes.get(start as usize..).unwrap_or_default()).number()
    }
}

/// The front of a table of so many columns.
pub(super) fn table(bytes: &mut Reader<'_>, columns: u8) -> Checked<()> {
    match (bytes.byte()?, bytes.byte()?) {
        (1, found) if found == columns => Ok(()),
        _ => Err(Flaw::Broken(
            "a table in it has other columns than it should",
        )),
    }
}
