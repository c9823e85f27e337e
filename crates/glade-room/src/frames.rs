//! Messages to frames: what is larger than a frame travels in fragments.

use bytes::Bytes;
use loro_protocol::{BatchId, CrdtType, MAX_MESSAGE_SIZE, MessageType, ProtocolMessage, encode};

/// Room for the envelope around a fragment or an update.
const ENVELOPE: usize = 512;
/// What an update's length takes at the most, among others.
const PER_UPDATE: usize = 10;
pub const FRAGMENT_BYTES: usize = MAX_MESSAGE_SIZE - ENVELOPE;

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

#[cfg(test)]
mod tests {
    use super::*;

    const BATCH: BatchId = BatchId([1; 8]);

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
}
