//! Our decoder beside the library's, and what a connection may say.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loro_protocol::{BatchId, CrdtType, JoinErrorCode, ProtocolMessage, UpdateStatusCode, encode};
use proptest::prelude::*;

use super::door::{Door, FrameOutcome, MaySend, Sent};
use super::fragments::FragmentBudget;
use super::{hostile_fragments, hostile_frames, hostile_joins};

const ROOM: &str = "pg_a";

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..300)
}

fn batch() -> impl Strategy<Value = BatchId> {
    any::<[u8; 8]>().prop_map(BatchId)
}

fn message() -> impl Strategy<Value = ProtocolMessage> {
    let crdt = prop::sample::select(vec![
        CrdtType::Loro,
        CrdtType::LoroEphemeralStore,
        CrdtType::Yjs,
    ]);
    let envelope = (crdt, ".{0,30}");
    (envelope, 0..6, bytes(), bytes(), batch(), any::<[u64; 2]>()).prop_map(
        |((crdt, room_id), kind, one, other, batch_id, [first, second])| match kind {
            0 => ProtocolMessage::JoinRequest {
                crdt,
                room_id,
                auth: one,
                version: other,
            },
            1 => ProtocolMessage::DocUpdate {
                crdt,
                room_id,
                updates: vec![one, Vec::new(), other],
                batch_id,
            },
            2 => ProtocolMessage::DocUpdateFragmentHeader {
                crdt,
                room_id,
                batch_id,
                fragment_count: first,
                total_size_bytes: second,
            },
            3 => ProtocolMessage::DocUpdateFragment {
                crdt,
                room_id,
                batch_id,
                index: first,
                fragment: one,
            },
            4 => ProtocolMessage::Ack {
                crdt,
                room_id,
                ref_id: batch_id,
                status: UpdateStatusCode::InvalidUpdate,
            },
            _ => ProtocolMessage::Leave { crdt, room_id },
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_client_of_the_library_says_is_read_as_it_was_meant(message in message()) {
        hostile_frames::read(&encode(&message).unwrap());
    }

    #[test]
    fn a_frame_damaged_anywhere_is_refused_or_read_as_the_library_reads_it(
        message in message(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut frame = encode(&message).unwrap();
        for (at, byte) in damage {
            let at = at.index(frame.len());
            frame[at] = byte;
        }
        if cuts {
            frame.truncate(cut.index(frame.len()));
        }
        hostile_frames::read(&frame);
    }

    #[test]
    fn no_sequence_of_frames_gets_past_the_door(script in prop::collection::vec((0u8..4, prop::option::of(message())), 0..20)) {
        let mut bytes = Vec::new();
        for (what, message) in script {
            let frame = message.map_or_else(Vec::new, |message| encode(&message).unwrap());
            bytes.push(what);
            bytes.extend((frame.len() as u16).to_le_bytes());
            bytes.extend(frame);
        }
        hostile_joins::play(&bytes);
    }
}

/// With every file of a corpus.
fn replay(name: &str, work: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let files = fs::read_dir(folder.join(name)).unwrap();
    let mut count = 0;
    for file in files {
        work(&fs::read(file.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count > 0, "the corpus {name} is empty");
}

#[test]
fn the_corpus_of_frames_does_no_harm() {
    replay("frames", hostile_frames::read);
}

#[test]
fn the_corpus_of_fragments_does_no_harm() {
    replay("fragments", hostile_fragments::put_together);
}

#[test]
fn the_corpus_of_joins_does_no_harm() {
    replay("joins", hostile_joins::play);
}

#[test]
fn a_count_that_no_frame_can_hold_reserves_nothing() {
    // What ended the server: 2^45 updates in 20 bytes.
    for count in [1u64 << 45, u64::MAX, 1 << 32, 5_000] {
        let mut frame = b"%LOR\x04pg_a\x03".to_vec();
        let mut left = count;
        while left >= 0x80 {
            frame.push(0x80 | (left & 0x7f) as u8);
            left >>= 7;
        }
        frame.push(left as u8);
        frame.extend([0; 12]);
        hostile_frames::read(&frame);
        let mut door = joined(MaySend::Updates);
        let step = door.take(&frame, Instant::now());
        assert_eq!(
            step,
            FrameOutcome::Close("a frame is not of Loro protocol v1")
        );
    }
}

fn door() -> Door {
    Door::new(Arc::default(), None, Instant::now())
}

fn joined(may: MaySend) -> Door {
    let mut door = door();
    door.has_joined(CrdtType::Loro, ROOM, may);
    door
}

fn update(crdt: CrdtType) -> Vec<u8> {
    let message = ProtocolMessage::DocUpdate {
        crdt,
        room_id: ROOM.to_owned(),
        updates: vec![vec![1, 2, 3]],
        batch_id: BatchId([7; 8]),
    };
    encode(&message).unwrap()
}

fn header() -> Vec<u8> {
    let message = ProtocolMessage::DocUpdateFragmentHeader {
        crdt: CrdtType::Loro,
        room_id: ROOM.to_owned(),
        batch_id: BatchId([7; 8]),
        fragment_count: 2,
        total_size_bytes: 4000,
    };
    encode(&message).unwrap()
}

fn refused(status: UpdateStatusCode) -> FrameOutcome {
    FrameOutcome::Refuse {
        crdt: CrdtType::Loro,
        room: ROOM.to_owned(),
        batch: BatchId([7; 8]),
        status,
        violation: true,
    }
}

#[test]
fn nothing_is_read_for_a_room_that_was_not_joined_or_by_who_may_only_look() {
    let denied = refused(UpdateStatusCode::PermissionDenied);
    let now = Instant::now();
    // Not even well-formed behind the envelope: it is not looked at.
    let mut broken = b"%LOR\x04pg_a\x03".to_vec();
    broken.extend([0xff; 4]);
    broken.extend([7; 8]);
    let mut elsewhere = door();
    elsewhere.has_joined(CrdtType::Loro, "pg_b", MaySend::Updates);
    let mut only_presence = door();
    only_presence.has_joined(CrdtType::LoroEphemeralStore, ROOM, MaySend::Updates);
    let read_only = FrameOutcome::ReadOnly {
        room: ROOM.to_owned(),
        batch: BatchId([7; 8]),
    };
    for (mut door, refused) in [
        (door(), &denied),
        (joined(MaySend::Nothing), &read_only),
        (elsewhere, &denied),
        (only_presence, &denied),
    ] {
        for frame in [update(CrdtType::Loro), header(), broken.clone()] {
            assert_eq!(&door.take(&frame, now), refused);
        }
        assert!(!door.waits_for_fragments());
    }
    let sent = FrameOutcome::Updates(Sent {
        crdt: CrdtType::Loro,
        room: ROOM.to_owned(),
        batch: BatchId([7; 8]),
        updates: vec![vec![1, 2, 3]],
    });
    let mut door = joined(MaySend::Updates);
    assert_eq!(door.take(&update(CrdtType::Loro), now), sent);
    assert_eq!(door.take(&header(), now), FrameOutcome::Nothing);
}

#[test]
fn leaving_a_room_lets_go_of_what_was_half_sent_there() {
    let budget = Arc::new(FragmentBudget::default());
    let now = Instant::now();
    let mut door = Door::new(Arc::clone(&budget), None, now);
    door.has_joined(CrdtType::Loro, ROOM, MaySend::Updates);
    door.take(&header(), now);
    let fragment = ProtocolMessage::DocUpdateFragment {
        crdt: CrdtType::Loro,
        room_id: ROOM.to_owned(),
        batch_id: BatchId([7; 8]),
        index: 0,
        fragment: vec![0; 2000],
    };
    let fragment = encode(&fragment).unwrap();
    assert_eq!(door.take(&fragment, now), FrameOutcome::Nothing);
    assert_eq!(budget.held(), 2000);
    let leave = ProtocolMessage::Leave {
        crdt: CrdtType::Loro,
        room_id: ROOM.to_owned(),
    };
    door.take(&encode(&leave).unwrap(), now);
    assert_eq!(budget.held(), 0);
    let denied = refused(UpdateStatusCode::PermissionDenied);
    assert_eq!(door.take(&fragment, now), denied);
}

#[test]
fn what_only_servers_say_closes_the_connection() {
    let message = ProtocolMessage::JoinError {
        crdt: CrdtType::Loro,
        room_id: ROOM.to_owned(),
        code: JoinErrorCode::AuthFailed,
        message: "you".to_owned(),
        receiver_version: None,
        app_code: None,
    };
    let step = door().take(&encode(&message).unwrap(), Instant::now());
    assert_eq!(
        step,
        FrameOutcome::Close("that message is for servers to send")
    );
}

#[test]
fn joins_have_a_rate_of_their_own() {
    let join = ProtocolMessage::JoinRequest {
        crdt: CrdtType::Loro,
        room_id: ROOM.to_owned(),
        auth: vec![1],
        version: Vec::new(),
    };
    let join = encode(&join).unwrap();
    let mut door = door();
    let now = Instant::now();
    let asked = |step| matches!(step, FrameOutcome::Join(_));
    let taken = (0..1000).filter(|_| asked(door.take(&join, now))).count();
    assert_eq!(taken, 160);
    assert!(asked(door.take(&join, now + Duration::from_millis(100))));
}
