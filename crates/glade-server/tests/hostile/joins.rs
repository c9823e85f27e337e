//! A connection's frames one after another, and what the server lets it do in between. Done with
//! every file of `tests/corpus/joins` in every test run, and by the fuzzer.
//!
//! A script is a list of turns: what happens, how many bytes follow (two bytes, the lower first),
//! the bytes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loro_protocol::CrdtType;

use super::door::{Door, FrameOutcome, JoinRequest, MaySend, Sent};
use super::fragments::{FragmentBudget, REASSEMBLY};

/// What happens in a turn.
const FRAME: u8 = 0;
const LET_WRITE: u8 = 1;
const WAIT: u8 = 3;

/// Nothing reaches a room that was not joined by somebody who may send it there, and nothing is
/// held that was not sent.
pub fn play(script: &[u8]) {
    let budget = Arc::new(FragmentBudget::default());
    let mut now = Instant::now();
    let mut door = Door::new(Arc::clone(&budget), None, now);
    let mut asked: Option<JoinRequest> = None;
    let mut joined: HashMap<([u8; 4], String), MaySend> = HashMap::new();
    let mut sent = 0;
    for (what, bytes) in turns(script) {
        now += Duration::from_millis(1);
        match what % 4 {
            FRAME => {
                sent += bytes.len();
                match door.take(bytes, now) {
                    FrameOutcome::Join(request) => {
                        assert!(request.auth.len() + request.version.len() < bytes.len());
                        asked = Some(request);
                    }
                    FrameOutcome::Leave { crdt, room } => {
                        assert!(joined.remove(&(crdt.magic_bytes(), room)).is_some());
                    }
                    FrameOutcome::Updates(sent) => may_reach(&joined, &sent),
                    FrameOutcome::Close(_) => break,
                    _ => {}
                }
            }
            WAIT => {
                now += REASSEMBLY + Duration::from_secs(1);
                door.expire(now);
                assert_eq!(budget.held(), 0);
            }
            how => {
                if let Some(JoinRequest { crdt, room, .. }) = asked.take() {
                    let may = if how == LET_WRITE {
                        MaySend::Updates
                    } else {
                        MaySend::Nothing
                    };
                    door.has_joined(crdt, &room, may);
                    if [CrdtType::Loro, CrdtType::LoroEphemeralStore].contains(&crdt) {
                        joined.insert((crdt.magic_bytes(), room), may);
                    }
                }
            }
        }
        assert!(budget.held() <= sent, "{} of {sent}", budget.held());
    }
    drop(door);
    assert_eq!(budget.held(), 0);
}

fn turns(mut script: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let ([what, low, high], rest) = script.split_first_chunk()?;
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (bytes, after) = rest.split_at(length);
        script = after;
        Some((*what, bytes))
    })
}

fn may_reach(joined: &HashMap<([u8; 4], String), MaySend>, sent: &Sent) {
    let may = joined.get(&(sent.crdt.magic_bytes(), sent.room.clone()));
    let shows_itself = sent.crdt == CrdtType::LoroEphemeralStore;
    assert!(may.is_some_and(|may| shows_itself || *may == MaySend::Updates));
}
