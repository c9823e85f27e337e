//! Fragments of two connections in any order. Done with every file of `tests/corpus/fragments` in
//! every test run, and by the fuzzer.
//!
//! A script is a list of turns of four bytes: who and what, which batch, two numbers; a fragment
//! takes as many bytes of the script as its second number says, and has them several times over.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loro_protocol::{BatchId, CrdtType};

use super::fragments::{FragmentBudget, REASSEMBLY, Reassembly};

/// Few enough bytes that a script can run into them.
const IN_ALL: usize = 9_000;
const PER_ADDRESS: usize = 8_000;
/// So many times: only what is long may come in several fragments.
const TIMES: usize = 16;
const ROOMS: [&str; 2] = ["pg_a", "pg_b"];

// What happens in a turn.
const BEGIN: u8 = 0;
const FORGET: u8 = 6;
const WAIT: u8 = 7;

/// What should come of a batch: how many fragments and bytes, and those that came.
type Expected = HashMap<(usize, usize, u8), (u64, u64, HashMap<u64, Vec<u8>>)>;

/// What comes out whole is what was sent, in order; what is held has arrived, and is let go.
pub fn put_together(mut script: &[u8]) {
    let budget = Arc::new(FragmentBudget::new(IN_ALL, PER_ADDRESS));
    let mut lines = [None, None].map(|address| Reassembly::new(Arc::clone(&budget), address));
    let mut expected = Expected::new();
    let mut now = Instant::now();
    while let Some(([what, which, first, second], rest)) = script.split_first_chunk() {
        script = rest;
        now += Duration::from_millis(1);
        let (line, room) = (usize::from(what >> 7), usize::from(which >> 7));
        let key = (line, room, which & 0x7f);
        let (batch, name) = (BatchId([which & 0x7f; 8]), ROOMS[room]);
        let reassembly = &mut lines[line];
        match what & 7 {
            BEGIN => {
                let (count, total) = (u64::from(*first), sized(*second));
                let begun = reassembly.begin(CrdtType::Loro, name, batch, count, total, now);
                if begun.is_ok() {
                    expected.insert(key, (count, total, HashMap::new()));
                }
            }
            FORGET => {
                reassembly.forget(CrdtType::Loro, name);
                expected.retain(|(of, at, _), _| (*of, *at) != (line, room));
            }
            WAIT => {
                now += REASSEMBLY + Duration::from_secs(1);
                for line in &mut lines {
                    line.expire(now);
                }
                expected.clear();
                assert_eq!(budget.held(), 0);
            }
            _ => {
                let (fragment, rest) = script.split_at(usize::from(*second).min(script.len()));
                script = rest;
                let (index, fragment) = (u64::from(*first), fragment.repeat(TIMES));
                match reassembly.add(CrdtType::Loro, name, batch, index, &fragment) {
                    Ok(None) => {
                        let (.., came) = expected.get_mut(&key).expect("a batch that was begun");
                        assert!(came.insert(index, fragment).is_none());
                    }
                    Ok(Some(whole)) => {
                        let (count, total, mut came) =
                            expected.remove(&key).expect("a batch that was begun");
                        came.insert(index, fragment);
                        let parts = (0..count).filter_map(|at| came.remove(&at));
                        assert_eq!(whole, parts.flatten().collect::<Vec<u8>>());
                        assert_eq!(whole.len() as u64, total);
                    }
                    Err(_) => drop(expected.remove(&key)),
                }
            }
        }
        let arrived = |(_, _, came): &(u64, u64, HashMap<u64, Vec<u8>>)| -> usize {
            came.values().map(Vec::len).sum()
        };
        assert_eq!(budget.held(), expected.values().map(arrived).sum::<usize>());
        assert!(budget.held() <= PER_ADDRESS.min(IN_ALL));
    }
    drop(lines);
    assert_eq!(budget.held(), 0);
}

/// Up to a few thousand bytes, or more than any update has.
fn sized(number: u8) -> u64 {
    match number {
        u8::MAX => u64::MAX,
        _ => (usize::from(number) * TIMES) as u64,
    }
}
