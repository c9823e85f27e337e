//! Messages to frames and back: what is larger than a frame travels in fragments.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use loro_protocol::{BatchId, CrdtType, MAX_MESSAGE_SIZE, MessageType, ProtocolMessage, encode};

/// Room for the envelope around a fragment or an update.
const ENVELOPE: usize = 512;
/// What an update's length takes at the most, among others.
const PER_UPDATE: usize = 10;
const FRAGMENT_BYTES: usize = MAX_MESSAGE_SIZE - ENVELOPE;
/// The longest time between a fragment header and its last fragment.
pub const REASSEMBLY: Duration = Duration::from_secs(10);
/// What one client may have half-sent at once.
const MAX_REASSEMBLED_BYTES: u64 = 16 * 1024 * 1024;
const MAX_UNFINISHED: usize = 4;

/// The frames that carry these updates to a client, as few as hold them.
pub fn doc_updates(
    crdt: CrdtType,
    room_id: &str,
    updates: &[&[u8]],
    mut batch_id: impl FnMut() -> BatchId,
) -> Vec<Bytes> {
    let mut frames = Vec::with_capacity(1);
    let mut rest = updates;
    while let [first, others @ ..] = rest {
        let mut bytes = first.len() + PER_UPDATE;
        let more = others.iter().take_while(|update| {
            bytes += update.len() + PER_UPDATE;
            bytes <= FRAGMENT_BYTES
        });
        let (some, after) = rest.split_at(1 + more.count());
        rest = after;
        if let [one] = some {
            frames.extend(doc_update(crdt, room_id, one, batch_id()));
            continue;
        }
        frames.push(packed(crdt, room_id, some, batch_id()));
    }
    frames
}

/// Small updates in one frame. What everyone is told comes through here, so it is written straight
/// to where it stays.
fn packed(crdt: CrdtType, room_id: &str, updates: &[&[u8]], batch_id: BatchId) -> Bytes {
    let payload: usize = updates.iter().map(|update| update.len() + PER_UPDATE).sum();
    let mut frame = Vec::with_capacity(payload + room_id.len() + 2 * PER_UPDATE + 16);
    frame.extend(crdt.magic_bytes());
    push_number(&mut frame, room_id.len());
    frame.extend(room_id.as_bytes());
    frame.push(MessageType::DocUpdate as u8);
    push_number(&mut frame, updates.len());
    for update in updates {
        push_number(&mut frame, update.len());
        frame.extend_from_slice(update);
    }
    frame.extend(batch_id.0);
    Bytes::from(frame)
}

/// In seven bits a byte, the lowest first.
fn push_number(to: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        to.push(0x80 | (number & 0x7f) as u8);
        number >>= 7;
    }
    to.push(number as u8);
}

/// The frames that carry `update` to a client.
pub fn doc_update(crdt: CrdtType, room_id: &str, update: &[u8], batch_id: BatchId) -> Vec<Bytes> {
    if update.len() <= FRAGMENT_BYTES {
        return vec![packed(crdt, room_id, &[update], batch_id)];
    }
    let chunks = update.chunks(FRAGMENT_BYTES);
    let header = ProtocolMessage::DocUpdateFragmentHeader {
        crdt,
        room_id: room_id.to_owned(),
        batch_id,
        fragment_count: chunks.len() as u64,
        total_size_bytes: update.len() as u64,
    };
    let fragments = chunks
        .enumerate()
        .map(|(index, chunk)| ProtocolMessage::DocUpdateFragment {
            crdt,
            room_id: room_id.to_owned(),
            batch_id,
            index: index as u64,
            fragment: chunk.to_vec(),
        });
    std::iter::once(header)
        .chain(fragments)
        .filter_map(|message| single(&message))
        .collect()
}

/// One message as one frame. `None` only for what cannot be said in a frame at all.
pub fn single(message: &ProtocolMessage) -> Option<Bytes> {
    match encode(message) {
        Ok(bytes) => Some(Bytes::from(bytes)),
        Err(error) => {
            tracing::error!(%error, "a message could not be encoded");
            None
        }
    }
}

/// Puts a client's fragments together again.
#[derive(Default)]
pub struct Reassembly {
    unfinished: HashMap<(CrdtKey, String, BatchId), Unfinished>,
}

/// `CrdtType` has no hash of its own.
type CrdtKey = [u8; 4];

struct Unfinished {
    crdt: CrdtType,
    fragments: Vec<Option<Vec<u8>>>,
    missing: usize,
    total: u64,
    received: u64,
    since: Instant,
}

#[derive(Debug, PartialEq, Eq)]
pub enum FragmentError {
    TooLarge,
    TooMany,
    Unknown,
    Inconsistent,
}

impl Reassembly {
    pub fn is_empty(&self) -> bool {
        self.unfinished.is_empty()
    }

    pub fn begin(
        &mut self,
        crdt: CrdtType,
        room_id: &str,
        batch_id: BatchId,
        fragment_count: u64,
        total: u64,
        now: Instant,
    ) -> Result<(), FragmentError> {
        if total > MAX_REASSEMBLED_BYTES || fragment_count > total.max(1) {
            return Err(FragmentError::TooLarge);
        }
        if self.unfinished.len() >= MAX_UNFINISHED {
            return Err(FragmentError::TooMany);
        }
        let count = usize::try_from(fragment_count).map_err(|_| FragmentError::TooLarge)?;
        // A fragment carries something, and a frame bounds how little the sender needs to send:
        // more slots than bytes / 1 KB is a client asking for memory, not sending a document.
        if count == 0 || count as u64 > total / 1024 + 1 {
            return Err(FragmentError::Inconsistent);
        }
        self.unfinished.insert(
            (crdt.magic_bytes(), room_id.to_owned(), batch_id),
            Unfinished {
                crdt,
                fragments: vec![None; count],
                missing: count,
                total,
                received: 0,
                since: now,
            },
        );
        Ok(())
    }

    /// The whole update once its last fragment is there.
    pub fn add(
        &mut self,
        crdt: CrdtType,
        room_id: &str,
        batch_id: BatchId,
        index: u64,
        fragment: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, FragmentError> {
        let key = (crdt.magic_bytes(), room_id.to_owned(), batch_id);
        let Some(batch) = self.unfinished.get_mut(&key) else {
            return Err(FragmentError::Unknown);
        };
        let slot = usize::try_from(index)
            .ok()
            .and_then(|index| batch.fragments.get_mut(index));
        let fits = batch.received + fragment.len() as u64 <= batch.total;
        match slot {
            Some(slot) if slot.is_none() && fits => {
                batch.received += fragment.len() as u64;
                *slot = Some(fragment);
                batch.missing -= 1;
            }
            _ => {
                self.unfinished.remove(&key);
                return Err(FragmentError::Inconsistent);
            }
        }
        if batch.missing > 0 {
            return Ok(None);
        }
        let Some(done) = self.unfinished.remove(&key) else {
            return Err(FragmentError::Unknown);
        };
        if done.received != done.total {
            return Err(FragmentError::Inconsistent);
        }
        Ok(Some(
            done.fragments.into_iter().flatten().flatten().collect(),
        ))
    }

    /// Batches that took too long, forgotten.
    pub fn expire(&mut self, now: Instant) -> Vec<(CrdtType, String, BatchId)> {
        let late: Vec<_> = self
            .unfinished
            .iter()
            .filter(|(_, batch)| now.duration_since(batch.since) > REASSEMBLY)
            .map(|(key, batch)| (key.clone(), batch.crdt))
            .collect();
        late.into_iter()
            .map(|(key, crdt)| {
                self.unfinished.remove(&key);
                (crdt, key.1, key.2)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loro_protocol::decode;

    const BATCH: BatchId = BatchId([1; 8]);

    fn round_trip(size: usize) -> Vec<u8> {
        let update: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
        let mut whole = Vec::new();
        let mut parts = Reassembly::default();
        for frame in doc_update(CrdtType::Loro, "pg_a", &update, BATCH) {
            assert!(frame.len() <= MAX_MESSAGE_SIZE);
            match decode(&frame).unwrap() {
                ProtocolMessage::DocUpdate { updates, .. } => whole = updates.concat(),
                ProtocolMessage::DocUpdateFragmentHeader {
                    fragment_count,
                    total_size_bytes,
                    ..
                } => parts
                    .begin(
                        CrdtType::Loro,
                        "pg_a",
                        BATCH,
                        fragment_count,
                        total_size_bytes,
                        Instant::now(),
                    )
                    .unwrap(),
                ProtocolMessage::DocUpdateFragment {
                    index, fragment, ..
                } => {
                    if let Some(done) = parts
                        .add(CrdtType::Loro, "pg_a", BATCH, index, fragment)
                        .unwrap()
                    {
                        whole = done;
                    }
                }
                other => panic!("unexpected {other:?}"),
            }
        }
        assert_eq!(whole, update);
        whole
    }

    #[test]
    fn a_packed_frame_is_the_protocols_own() {
        for sizes in [&[0][..], &[1], &[127, 128, 200], &[20_000, 0, 300]] {
            let updates: Vec<Vec<u8>> = sizes.iter().map(|size| vec![7; *size]).collect();
            let slices: Vec<&[u8]> = updates.iter().map(Vec::as_slice).collect();
            let message = ProtocolMessage::DocUpdate {
                crdt: CrdtType::LoroEphemeralStore,
                room_id: "pg_abc".to_owned(),
                updates: updates.clone(),
                batch_id: BATCH,
            };
            let packed = packed(CrdtType::LoroEphemeralStore, "pg_abc", &slices, BATCH);
            assert_eq!(packed, encode(&message).unwrap());
        }
    }

    #[test]
    fn updates_of_any_size_arrive_whole() {
        for size in [
            0,
            1,
            FRAGMENT_BYTES,
            FRAGMENT_BYTES + 1,
            3 * FRAGMENT_BYTES,
            1_500_000,
        ] {
            round_trip(size);
        }
    }

    #[test]
    fn a_header_that_asks_for_too_much_is_refused() {
        let mut parts = Reassembly::default();
        let now = Instant::now();
        assert_eq!(
            parts.begin(CrdtType::Loro, "p", BATCH, 1, 1 << 40, now),
            Err(FragmentError::TooLarge)
        );
        assert_eq!(
            parts.begin(CrdtType::Loro, "p", BATCH, 1_000_000, 1_000_001, now),
            Err(FragmentError::Inconsistent)
        );
    }

    #[test]
    fn unfinished_batches_are_few_and_expire() {
        let mut parts = Reassembly::default();
        let start = Instant::now();
        for n in 0..MAX_UNFINISHED {
            parts
                .begin(CrdtType::Loro, "p", BatchId([n as u8; 8]), 2, 4000, start)
                .unwrap();
        }
        assert_eq!(
            parts.begin(CrdtType::Loro, "p", BatchId([99; 8]), 2, 4000, start),
            Err(FragmentError::TooMany)
        );
        let later = start + REASSEMBLY + Duration::from_secs(1);
        assert_eq!(parts.expire(later).len(), MAX_UNFINISHED);
        assert_eq!(
            parts.add(CrdtType::Loro, "p", BatchId([0; 8]), 0, vec![1]),
            Err(FragmentError::Unknown)
        );
    }

    #[test]
    fn a_fragment_sent_twice_drops_the_batch() {
        let mut parts = Reassembly::default();
        parts
            .begin(CrdtType::Loro, "p", BATCH, 2, 2048, Instant::now())
            .unwrap();
        parts
            .add(CrdtType::Loro, "p", BATCH, 0, vec![0; 1024])
            .unwrap();
        assert_eq!(
            parts.add(CrdtType::Loro, "p", BATCH, 0, vec![0; 1024]),
            Err(FragmentError::Inconsistent)
        );
    }
}
