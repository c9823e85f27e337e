//! One block of an update: changes of one peer, column by column.
//!
//! ```text
//! counter from, length · clock from, length · changes
//! header      peers, lengths of changes, dependencies, clocks
//! meta        times and messages of changes
//! containers · keys · positions · operations · deletions · values
//! ```

use crate::{Counter, PeerId, PeerSpan};

use super::bytes::{Reader, narrow, within};
use super::columns::{Cell, Runs, take_bools, take_second_deltas};
use super::rows::{self, Rows};
use super::values::fits;
use super::{Budget, Checked, Flaw};

const NOT_A_SPAN: Flaw = Flaw::Broken("its counters or clocks are impossible");
const LEFT_OVER: Flaw = Flaw::Broken("it says more than there is to say");

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
    let key_lengths = key_lengths(block.sized()?)?;
    let kinds = container_kinds(containers, header.peers, key_lengths.len())?;
    let positions = block.sized()?;
    let rows = Rows {
        kinds: &kinds,
        key_lengths: &key_lengths,
        peers: header.peers,
        longest_position: check_positions(positions, budget)?,
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
            match count <= peers as u64 {
                true => budget.dependencies.spend(count),
                false => Err(Flaw::Broken("a change in it depends on too many others")),
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
    match messages == bytes.len() as u64 {
        true => Ok(()),
        false => Err(Flaw::Broken("its messages are not as long as they say")),
    }
}

/// How long each key is.
fn key_lengths(bytes: &[u8]) -> Checked<Vec<u32>> {
    let mut bytes = Reader(bytes);
    let mut lengths = Vec::new();
    while !bytes.is_empty() {
        lengths.push(narrow(bytes.text()?.len())?);
    }
    Ok(lengths)
}

/// The kind of each container, as Loro numbers them.
fn container_kinds(bytes: &[u8], peers: usize, keys: usize) -> Checked<Vec<u8>> {
    const FIELDS: u8 = 4;
    let mut bytes = Reader(bytes);
    let count = bytes.count()?;
    fits(count, 5, &bytes)?;
    let mut kinds = Vec::with_capacity(count);
    for _ in 0..count {
        if bytes.byte()? != FIELDS {
            return Err(Flaw::Broken("a container in it cannot be read"));
        }
        let is_root = bytes.byte()?;
        let kind = bytes.byte()?;
        let peer = bytes.number()?;
        let key_or_counter = bytes.signed()?;
        match is_root {
            0 => {
                within(peer, peers)?;
                narrow::<Counter, _>(key_or_counter)?;
            }
            1 => {
                within(narrow(key_or_counter)?, keys)?;
            }
            _ => return Err(Flaw::Broken("a container in it cannot be read")),
        }
        if kind > rows::COUNTER {
            return Err(Flaw::Broken("a container in it is of an unknown kind"));
        }
        kinds.push(kind);
    }
    bytes.finished("bytes follow on its containers")?;
    Ok(kinds)
}

/// The places of tree nodes: how much each shares with the one before, and the rest. Answers the
/// length of the longest.
fn check_positions(bytes: &[u8], budget: &mut Budget) -> Checked<u64> {
    let mut bytes = Reader(bytes);
    if bytes.is_empty() {
        return Ok(0);
    }
    table(&mut bytes, 2)?;
    let mut shared = Runs::new(bytes.sized()?, Cell::Unsigned);
    let mut rests = Reader(bytes.sized()?);
    bytes.finished("bytes follow on its positions")?;
    let count = rests.count()?;
    let (mut last, mut longest) = (0u64, 0u64);
    for _ in 0..count {
        let shared = shared.next()?.ok_or(LEFT_OVER)?.unsigned_abs();
        if shared > last {
            return Err(Flaw::Broken("a position in it goes on from nothing"));
        }
        last = shared + rests.sized()?.len() as u64;
        longest = longest.max(last);
        budget.position_bytes.spend(last + 1)?;
    }
    rests.finished("bytes follow on its positions")?;
    match shared.next()? {
        None => Ok(longest),
        Some(_) => Err(LEFT_OVER),
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
