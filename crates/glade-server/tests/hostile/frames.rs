//! Any bytes as a frame, read by our decoder and by the library's. Done with every file of
//! `tests/corpus/frames` in every test run, and by the fuzzer.

use loro_protocol::{MessageType, ProtocolMessage, decode, encode};

use super::wire::{Envelope, MAX_UPDATES, Malformed};

/// What we take the library takes alike; what an honest client encodes we take.
pub fn read(frame: &[u8]) {
    let ours = message(frame);
    if let Ok(Some(ours)) = &ours {
        assert_eq!(Ok(ours), decode(frame).as_ref());
    }
    // The library reserves whatever a frame claims: it is asked only where that is little.
    if claimed_updates(frame).is_some_and(|count| count > MAX_UPDATES as u64) {
        assert_eq!(ours, Err(Malformed));
        return;
    }
    if let Ok(theirs) = decode(frame)
        && encode(&theirs).is_ok_and(|honest| honest == frame)
        && !is_for_servers(&theirs)
    {
        assert_eq!(ours, Ok(Some(theirs)));
    }
}

/// A frame as the library's message; none for those that only servers send.
fn message(frame: &[u8]) -> Result<Option<ProtocolMessage>, Malformed> {
    let envelope = Envelope::read(frame)?;
    let (crdt, room_id) = (envelope.crdt, envelope.room.to_owned());
    Ok(Some(match envelope.kind {
        MessageType::JoinRequest => {
            let join = envelope.join()?;
            ProtocolMessage::JoinRequest {
                crdt,
                room_id,
                auth: join.auth.to_vec(),
                version: join.version.to_vec(),
            }
        }
        MessageType::DocUpdate => {
            let sent = envelope.updates()?;
            assert_eq!(envelope.batch(), Ok(sent.batch));
            ProtocolMessage::DocUpdate {
                crdt,
                room_id,
                updates: sent.updates.iter().map(|update| update.to_vec()).collect(),
                batch_id: sent.batch,
            }
        }
        MessageType::DocUpdateFragmentHeader => {
            let header = envelope.fragment_header()?;
            assert_eq!(envelope.batch(), Ok(header.batch));
            ProtocolMessage::DocUpdateFragmentHeader {
                crdt,
                room_id,
                batch_id: header.batch,
                fragment_count: header.count,
                total_size_bytes: header.total,
            }
        }
        MessageType::DocUpdateFragment => {
            let fragment = envelope.fragment()?;
            assert_eq!(envelope.batch(), Ok(fragment.batch));
            ProtocolMessage::DocUpdateFragment {
                crdt,
                room_id,
                batch_id: fragment.batch,
                index: fragment.index,
                fragment: fragment.bytes.to_vec(),
            }
        }
        MessageType::Ack => {
            let ack = envelope.ack()?;
            ProtocolMessage::Ack {
                crdt,
                room_id,
                ref_id: ack.batch,
                status: ack.status,
            }
        }
        MessageType::Leave => {
            envelope.leave()?;
            ProtocolMessage::Leave { crdt, room_id }
        }
        MessageType::JoinResponseOk | MessageType::JoinError | MessageType::RoomError => {
            return Ok(None);
        }
    }))
}

fn is_for_servers(message: &ProtocolMessage) -> bool {
    matches!(
        message,
        ProtocolMessage::JoinResponseOk { .. }
            | ProtocolMessage::JoinError { .. }
            | ProtocolMessage::RoomError { .. }
    )
}

/// How many updates a frame says it has, whether it has them or not.
fn claimed_updates(frame: &[u8]) -> Option<u64> {
    let envelope = Envelope::read(frame).ok()?;
    if envelope.kind != MessageType::DocUpdate {
        return None;
    }
    // Behind the kind of the CRDT, the room behind its length, and the kind of message.
    let mut at = 4;
    while frame.get(at)? & 0x80 != 0 {
        at += 1;
    }
    at += 1 + envelope.room.len() + 1;
    let mut count = 0u64;
    for (digit, byte) in frame.get(at..)?.iter().take(10).enumerate() {
        count |= u64::from(byte & 0x7f).checked_shl(7 * digit as u32)?;
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(count)
}
