//! What strangers send makes nobody allocate by claim: bytes that pass the gate's first look cost
//! Loro a small multiple of their length, and the rest costs nothing.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::alloc::System;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap::Cap;
use glade_doc::{GuardedPage, PageDoc, Refusal, blob_spans, check_presence, check_version};
use loro::{ExportMode, LoroDoc};

/// More than any test here may use, in all. Beyond it the process ends, as a server's would.
const CEILING: usize = 1 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, CEILING);

/// Tests measure one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What `work` allocated in all, freed or not: no less than what it held at any moment.
fn cost_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.total_allocated();
    let result = work();
    (result, ALLOCATOR.total_allocated() - before)
}

/// A body behind a header with the right checksum.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut checked = vec![0, 4];
    checked.extend_from_slice(body);
    let sum = xxhash_rust::xxh32::xxh32(&checked, u32::from_le_bytes(*b"LORO"));
    let mut blob = b"loro".to_vec();
    blob.extend_from_slice(&[0; 12]);
    blob.extend_from_slice(&sum.to_le_bytes());
    blob.extend_from_slice(&checked);
    blob
}

fn number(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn zigzag(value: i64) -> Vec<u8> {
    number(((value << 1) ^ (value >> 63)) as u64)
}

fn sized(bytes: &[u8]) -> Vec<u8> {
    [number(bytes.len() as u64), bytes.to_vec()].concat()
}

/// A block that sets one key of a map, with each part to be replaced by a worse one.
#[derive(Clone)]
struct Block {
    length: u64,
    changes: u64,
    header: Vec<u8>,
    meta: Vec<u8>,
    containers: Vec<u8>,
    keys: Vec<u8>,
    positions: Vec<u8>,
    columns: [Vec<u8>; 4],
    deletions: Vec<u8>,
    values: Vec<u8>,
}

const MAP: u8 = 0;
const TEXT: u8 = 2;
/// The words of an element.
const WORDS: &str = "🤝:$elements>a>originalText";

impl Block {
    fn of(container: u8, kind: u8, values: &[u8]) -> Self {
        let root = match container {
            TEXT => WORDS,
            _ => "elements",
        };
        Self {
            length: 1,
            changes: 1,
            header: header(&[1], &[1, 0], &[]),
            meta: vec![1, 0, 0, 1, 0],
            containers: vec![1, 4, 1, container, 0, 0],
            keys: [sized(root.as_bytes()), b"\x01k".to_vec()].concat(),
            positions: Vec::new(),
            columns: [vec![1, 0], vec![1, 2], vec![1, kind], vec![1, 1]],
            deletions: Vec::new(),
            values: values.to_vec(),
        }
    }

    fn update(&self) -> Vec<u8> {
        let columns: Vec<u8> = self.columns.iter().flat_map(|it| sized(it)).collect();
        let block = [
            number(0),
            number(self.length),
            number(0),
            number(self.length),
            number(self.changes),
            sized(&self.header),
            sized(&self.meta),
            sized(&self.containers),
            sized(&self.keys),
            sized(&self.positions),
            sized(&[vec![1, 4], columns].concat()),
            sized(&self.deletions),
            sized(&self.values),
        ]
        .concat();
        sealed(&sized(&block))
    }
}

/// One peer; which changes follow their own, how many others each follows, and the rest.
fn header(own: &[u8], others: &[u8], rest: &[u8]) -> Vec<u8> {
    let peer = 7u64.to_le_bytes();
    [&[1][..], &peer, own, others, rest, &[0, 0, 0, 0]].concat()
}

fn run(count: i64, value: &[u8]) -> Vec<u8> {
    [zigzag(count), value.to_vec()].concat()
}

#[test]
fn the_block_that_the_hostile_ones_are_made_of_is_sound() {
    let _alone = alone();
    let update = Block::of(MAP, 11, &[2]).update();
    assert!(blob_spans(&update).is_ok());
    let doc = LoroDoc::new();
    doc.import(&update).unwrap();
    assert_eq!(
        doc.get_map("elements")
            .get("k")
            .unwrap()
            .into_value()
            .unwrap(),
        false.into()
    );
}

/// Each claims what it does not hold, in a hundred bytes or so.
fn claims() -> Vec<(&'static str, Block)> {
    let sound = Block::of(MAP, 11, &[2]);
    let value = |values: &[u8]| Block::of(MAP, 11, values);
    let with = |change: &dyn Fn(&mut Block)| {
        let mut block = sound.clone();
        change(&mut block);
        block
    };
    let million = run(1_000_000, &[0]);
    vec![
        (
            "four billion changes",
            with(&|it| it.changes = u64::from(u32::MAX)),
        ),
        (
            "changes that are as many as operations",
            with(&|it| {
                it.changes = 2_000_000;
                it.length = 2_000_000;
            }),
        ),
        (
            "a list of 2^28",
            value(&[&[7][..], &number(1 << 28)].concat()),
        ),
        (
            "a map of 2^28",
            value(&[&[8][..], &number(1 << 28)].concat()),
        ),
        (
            "a text of 2^40",
            value(&[&[5][..], &number(1 << 40)].concat()),
        ),
        (
            "bytes of 2^40",
            value(&[&[6][..], &number(1 << 40)].concat()),
        ),
        ("lists within lists", value(&[7, 1].repeat(500_000))),
        (
            "dependencies of 2^50",
            with(&|it| it.header = header(&[1], &run(1, &number(1 << 50)), &[])),
        ),
        ("2^60 peers", with(&|it| it.header = number(1 << 60))),
        (
            "containers of 2^50",
            with(&|it| it.containers = number(1 << 50)),
        ),
        ("keys of 2^50", with(&|it| it.keys = number(1 << 50))),
        (
            "a position, which only trees have",
            with(&|it| it.positions = [&[1, 2][..], &sized(&[1, 0]), &sized(&[1, 1, 7])].concat()),
        ),
        (
            "a billion deletions",
            with(&|it| {
                let column = sized(&run(1_000_000_000, &[0]));
                it.deletions = [&[1, 3][..], &column, &column, &column].concat();
            }),
        ),
        (
            "a billion keys removed",
            with(&|it| {
                it.length = 2_000_000;
                it.columns = [
                    run(1_000_000_000, &[0]),
                    run(1_000_000_000, &[0]),
                    run(1_000_000_000, &[8]),
                    run(1_000_000_000, &[1]),
                ];
                it.values.clear();
            }),
        ),
        (
            "operations of no length",
            with(&|it| {
                it.columns = [
                    million.clone(),
                    million.clone(),
                    run(1_000_000, &[8]),
                    run(1_000_000, &[0]),
                ];
                it.values.clear();
            }),
        ),
        (
            "the same long key set again and again",
            with(&|it| {
                let key = vec![b'k'; 100_000];
                it.keys = [sized(b"elements"), sized(&key)].concat();
                it.length = 60_000;
                it.columns = [
                    run(60_000, &[0]),
                    [run(1, &[2]), run(59_999, &[0])].concat(),
                    run(60_000, &[8]),
                    run(60_000, &[1]),
                ];
                it.values.clear();
            }),
        ),
        (
            "empty maps in a list",
            value(&[&[7][..], &number(100_000), &[8, 0].repeat(100_000)].concat()),
        ),
        (
            "the same long key in many maps",
            with(&|it| {
                let key = vec![b'k'; 100_000];
                it.keys = [b"\x08elements".to_vec(), sized(&key)].concat();
                it.values = [&[7][..], &number(10_000), &[8, 1, 1, 0].repeat(10_000)].concat();
            }),
        ),
        ("a text that is longer than it is", {
            let mut block = Block::of(TEXT, 5, b"\x01a");
            block.length = 1_000_000;
            block.columns = [
                vec![1, 0],
                vec![1, 0],
                vec![1, 5],
                [vec![1], number(1_000_000)].concat(),
            ];
            block
        }),
        (
            "messages of 2^32",
            with(&|it| it.meta = [vec![1, 0, 0], run(1, &number(u64::from(u32::MAX)))].concat()),
        ),
    ]
}

#[test]
fn what_is_claimed_is_not_allocated() {
    let _alone = alone();
    for (what, block) in claims() {
        let blob = block.update();
        let (refusal, cost) = cost_of(|| blob_spans(&blob).expect_err(what));
        let code = refusal.code();
        assert!(
            ["malformed", "too-many-operations"].contains(&code),
            "{what}: {code}"
        );
        assert!(cost <= 64 * 1024 + 16 * blob.len(), "{what}: {cost} bytes");
        let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
        assert_eq!(
            page.admit(&blob, &mut |_, _| Ok(())).unwrap_err(),
            refusal,
            "{what}"
        );
    }
}

/// By a name, Loro makes every container that it leads through, each with a name of its own.
#[test]
fn containers_within_containers_are_not_made() {
    let _alone = alone();
    let deep = format!("🤝:$elements{}", ">a".repeat(20_000));
    let long = format!("🤝:$elements>{}", "a".repeat(20_000));
    let slashes = format!("🤝:$elements{}", "\\>a".repeat(5));
    let based = "🤝:@7:0>a".to_owned();
    for name in [deep, long, slashes, based] {
        let mut block = Block::of(MAP, 11, &[2]);
        block.keys = [sized(name.as_bytes()), b"\x01k".to_vec()].concat();
        let blob = block.update();
        let (refusal, cost) = cost_of(|| blob_spans(&blob).unwrap_err());
        assert_eq!(refusal.code(), "unknown-container");
        assert!(cost < 4096 + 4 * blob.len(), "{cost} bytes");
    }
    let mut block = Block::of(MAP, 11, &[2]);
    block.containers = vec![1, 4, 0, MAP, 0, 2];
    let refusal = blob_spans(&block.update()).unwrap_err();
    assert_eq!(refusal.code(), "plain-container");
}

#[test]
fn the_smallest_claims_fit_into_a_frame_of_a_hundred_bytes() {
    let claims = claims();
    let small = claims
        .iter()
        .filter(|(_, block)| block.update().len() < 120);
    assert!(small.count() > 10);
}

#[test]
fn presence_and_versions_are_not_believed_either() {
    let _alone = alone();
    let many = number(1 << 40);
    let key = |value: &[u8]| [&[1, 1, b'7', 1][..], value, &[0]].concat();
    for (what, bytes) in [
        ("keys of 2^40", many.clone()),
        ("a key of 2^40 bytes", [&[1][..], &many].concat()),
        ("a list of 2^40", key(&[&[5][..], &many].concat())),
        ("a map of 2^40", key(&[&[6][..], &many].concat())),
        ("lists within lists", key(&[5, 1].repeat(200_000))),
        (
            "a time before all times",
            [&[1, 1, b'7', 0][..], &zigzag(i64::MIN)].concat(),
        ),
    ] {
        let (refused, cost) = cost_of(|| check_presence(&bytes).is_err());
        assert!(refused && cost < 4096, "{what}: {cost} bytes");
    }
    let negative = [number(1), number(7), zigzag(-3)].concat();
    for bytes in [many, negative, vec![0; (1 << 20) + 1]] {
        let (refused, cost) = cost_of(|| check_version(&bytes).is_err());
        assert!(refused && cost < 4096, "{cost} bytes");
    }
}

/// Everything that a page's clients do, by several peers, in one update each.
fn seeds() -> Vec<Vec<u8>> {
    let doc = LoroDoc::new();
    doc.set_peer_id(7).unwrap();
    let other = doc.fork();
    other.set_peer_id(8).unwrap();
    let map = doc.get_map("elements");
    let words = map.ensure_mergeable_map("words").unwrap();
    let text = words.ensure_mergeable_text("originalText").unwrap();
    for n in 0..12 {
        let element = map.ensure_mergeable_map(&format!("e{n}")).unwrap();
        element.insert("x", n * 1000).unwrap();
        element.insert("points", vec![n, 1, 2]).unwrap();
        element
            .ensure_mergeable_text("originalText")
            .unwrap()
            .insert(0, "some words")
            .unwrap();
        text.insert(0, "żółw 🐢 and more").unwrap();
        text.delete(2, 3).unwrap();
        doc.set_next_commit_message("why");
        doc.commit();
    }
    let element = other.get_map("elements").ensure_mergeable_map("f");
    let words = element
        .unwrap()
        .ensure_mergeable_text("originalText")
        .unwrap();
    for n in 0..9 {
        words.insert(0, "word").unwrap();
        words.delete(n, 2).unwrap();
    }
    other.commit();
    let first = other.export(ExportMode::all_updates()).unwrap();
    doc.import(&first).unwrap();
    map.insert("after", 1).unwrap();
    doc.commit();
    vec![first, doc.export(ExportMode::all_updates()).unwrap()]
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Bytes flipped, set, doubled and taken out, behind a checksum that is right again.
fn damaged(update: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut body = update[22..].to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(body.len());
        match dice.below(6) {
            0 => body[at] ^= 1 << dice.below(8),
            1 => body[at] = dice.below(256) as u8,
            2 => body[at] = 0xff,
            3 => body[at] = body[at].wrapping_add(1),
            4 => body.insert(at, dice.below(256) as u8),
            _ => drop(body.remove(at)),
        }
    }
    sealed(&body)
}

#[test]
fn whatever_passes_costs_loro_a_small_multiple_of_its_length() {
    let _alone = alone();
    std::panic::set_hook(Box::new(|_| {}));
    let rounds = match std::env::var_os("GLADE_SOAK") {
        Some(_) => 1_000_000,
        None => 4_000,
    };
    let seeds = seeds();
    let mut dice = Dice(18);
    let (mut passed, mut panicked, mut most) = (0u32, 0u32, 0usize);
    for round in 0..rounds {
        let blob = damaged(&seeds[round % seeds.len()], &mut dice);
        if blob_spans(&blob).is_err() {
            continue;
        }
        passed += 1;
        let doc = LoroDoc::new();
        doc.detach();
        let (outcome, cost) =
            cost_of(|| catch_unwind(AssertUnwindSafe(|| doc.import(&blob).is_ok())));
        if outcome.is_err() {
            panicked += 1;
            std::mem::forget(doc);
        }
        most = most.max(cost);
        assert!(
            cost <= (1 << 20) + 400 * blob.len(),
            "round {round}: {cost} for {}",
            blob.len()
        );
    }
    let _ = std::panic::take_hook();
    eprintln!("{passed} of {rounds} passed, {panicked} made Loro panic, {most} bytes at most");
    assert!(passed > 20, "{passed} of {rounds}");
}

#[test]
fn many_operations_in_few_bytes_are_bounded() {
    let _alone = alone();
    // 60,000 keys removed: as many rows as so few bytes may have.
    let rows = 60_000;
    let mut block = Block::of(MAP, 8, &[]);
    block.length = rows;
    let count = i64::try_from(rows).unwrap();
    block.columns = [
        run(count, &[0]),
        [run(1, &[2]), run(count - 1, &[0])].concat(),
        run(count, &[8]),
        run(count, &[1]),
    ];
    let blob = block.update();
    assert!(blob_spans(&blob).is_ok());
    let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
    let (outcome, cost) = cost_of(|| page.admit(&blob, &mut |_, _| Ok(())));
    assert!(
        matches!(outcome, Err(Refusal::KeyRemoved { .. })),
        "{outcome:?}"
    );
    assert!(cost < 128 << 20, "{cost} bytes for {}", blob.len());
}
