//! Damaged bytes whose checksum is right: whatever they do inside Loro ends as a refusal, and
//! nothing is poisoned.

use std::collections::BTreeMap;
use std::sync::Mutex;

use glade_doc::{GuardedPage, PageDoc, Surface};
use serde_json::json;

use crate::support::*;

fn xxh32(input: &[u8], seed: u32) -> u32 {
    const P: [u32; 5] = [0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1];
    let word = |at: usize| u32::from_le_bytes(input[at..at + 4].try_into().unwrap());
    let mut at = 0;
    let mut hash = if input.len() >= 16 {
        let mut lanes = [
            seed.wrapping_add(P[0]).wrapping_add(P[1]),
            seed.wrapping_add(P[1]),
            seed,
            seed.wrapping_sub(P[0]),
        ];
        while at + 16 <= input.len() {
            for lane in &mut lanes {
                *lane = lane
                    .wrapping_add(word(at).wrapping_mul(P[1]))
                    .rotate_left(13)
                    .wrapping_mul(P[0]);
                at += 4;
            }
        }
        [1, 7, 12, 18]
            .iter()
            .zip(lanes)
            .fold(0u32, |sum, (bits, lane)| {
                sum.wrapping_add(lane.rotate_left(*bits))
            })
    } else {
        seed.wrapping_add(P[4])
    };
    hash = hash.wrapping_add(input.len() as u32);
    while at + 4 <= input.len() {
        hash = hash
            .wrapping_add(word(at).wrapping_mul(P[2]))
            .rotate_left(17)
            .wrapping_mul(P[3]);
        at += 4;
    }
    for byte in &input[at..] {
        hash = hash
            .wrapping_add(u32::from(*byte).wrapping_mul(P[4]))
            .rotate_left(11)
            .wrapping_mul(P[0]);
    }
    hash = (hash ^ (hash >> 15)).wrapping_mul(P[1]);
    hash = (hash ^ (hash >> 13)).wrapping_mul(P[2]);
    hash ^ (hash >> 16)
}

const HEADER: usize = 20;

fn checksum(blob: &[u8]) -> [u8; 4] {
    xxh32(&blob[HEADER..], u32::from_le_bytes(*b"LORO")).to_le_bytes()
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

fn busy_update(page: &GuardedPage) -> Vec<u8> {
    let replica = page.doc().fork();
    let version = replica.version();
    replica
        .commit(
            BEN,
            None,
            &[put(
                "a",
                json!({"x": 9, "originalText": "hello there", "points": [[0, 1.5], [2, 3]]}),
            )],
        )
        .unwrap();
    replica
        .commit(
            FAIRY,
            Some(&tag("run_2", 1)),
            &[put("b", text("new words")), delete("a")],
        )
        .unwrap();
    replica
        .commit(
            BEN,
            None,
            &[put(
                "b",
                json!({"originalText": "old words", "customData": {"k": "v"}}),
            )],
        )
        .unwrap();
    replica.updates_since(&version).unwrap()
}

#[test]
fn the_repaired_checksum_is_the_real_one() {
    let blob = busy_update(&page());
    assert_eq!(blob[16..HEADER], checksum(&blob));
}

#[test]
fn damaged_updates_never_poison_and_a_panic_stays_in_the_gate() {
    static PLACES: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        if is_ours(&place) {
            told(panic);
        }
        *PLACES.lock().unwrap().entry(place).or_default() += 1;
    }));
    let mut start = page();
    person(&mut start, ANN, &[put("a", text("hello"))]);
    fairy(
        &mut start,
        "run_1",
        1,
        &[put("a", json!({"originalText": "hello world", "x": 3}))],
    );
    let (snapshot, rows) = (
        start.doc().snapshot().unwrap(),
        start.touches().cloned().collect::<Vec<_>>(),
    );
    let good = busy_update(&start);
    let open = || {
        GuardedPage::open(
            PageDoc::open(Surface::Canvas, Some(&snapshot), &[]).unwrap(),
            rows.clone(),
        )
        .unwrap()
    };
    let mut page = open();
    let mut dice = Dice(42);
    let (mut admitted, mut refused) = (0, 0);
    let rounds = if std::env::var_os("GLADE_SOAK").is_some() {
        100_000
    } else {
        400
    };
    for _ in 0..rounds {
        let mut blob = good.clone();
        for _ in 0..=dice.below(3) {
            let at = HEADER + 2 + dice.below(blob.len() - HEADER - 2);
            blob[at] ^= 1 << dice.below(8);
        }
        let sum = checksum(&blob);
        blob[16..HEADER].copy_from_slice(&sum);
        match page.admit(&blob, &mut anyone) {
            Err(_) => {
                refused += 1;
                assert_eq!(page.doc().version(), start.doc().version());
            }
            Ok(_) => {
                admitted += 1;
                let again = restart(&page);
                assert_eq!(again.doc().elements(), page.doc().elements());
                person(&mut page, ANN, &[put("z", rect(1))]);
                undo(&mut page, "run_2");
                undo(&mut page, "run_1");
                page.doc().snapshot().unwrap();
                page = open();
            }
        }
    }
    assert_eq!(page.doc().elements(), start.doc().elements());
    admit(&mut page, &good);
    assert_eq!(words(&page, "b"), "old words");
    // Both kinds of outcome were seen, or the test would show nothing.
    assert!(
        refused > 100 && admitted > 5,
        "{refused} refused, {admitted} admitted"
    );
    let places = PLACES.lock().unwrap();
    eprintln!("{refused} refused, {admitted} admitted; panics: {places:#?}");
    let ours: Vec<&String> = places.keys().filter(|place| is_ours(place)).collect();
    assert_eq!(ours, Vec::<&String>::new(), "only what decodes may panic");
}

fn is_ours(place: &str) -> bool {
    place.contains("glade-")
}

#[test]
fn a_clock_ahead_of_its_history_does_not_count() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", text("hello"))]);
    let replica = page.doc().fork();
    let commit = replica
        .commit(BEN, None, &[put("a", json!({"x": 9}))])
        .unwrap()
        .unwrap();
    // The first block says: counters from 0, one of them, logical time from here.
    let mut blob = commit.update;
    let block = HEADER + 2;
    let at = block
        + blob[block..]
            .windows(2)
            .position(|bytes| bytes == [0, 1])
            .unwrap()
        + 2;
    assert!(blob[at] > 0 && blob[at] < 100, "{:?}", &blob[block..at + 1]);
    blob[at] = 100;
    let sum = checksum(&blob);
    blob[16..HEADER].copy_from_slice(&sum);
    // Loro sets it right from the change's history; should it ever stop, the gate refuses.
    let admitted = admit(&mut page, &blob);
    assert!(admitted.changes[0].lamport < 100);
    person(&mut page, ANN, &[put("a", json!({"x": 10}))]);
    assert_eq!(get(&page, "a", "x"), 10);
}
