//! Damaged updates whose checksum is right: no panic, no poisoned room.

use glade_doc::PageDoc;
use loro_protocol::{CrdtType, UpdateStatusCode};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::json;

use crate::arena::Stage;
use crate::client::{Client, DENIED, Fate, INVALID, OK, write};

const TOO_LARGE: Fate = Fate::Answered(UpdateStatusCode::PayloadTooLarge);

/// Where the checksummed part of an update begins.
const BODY: usize = 20;

fn blobs() -> usize {
    if std::env::var_os("GLADE_SOAK").is_some() {
        100_000
    } else {
        2_000
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_updates_with_a_right_checksum_poison_nothing() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    stage.goes_on(&mut ann, &mut ben).await;
    let mut rng = StdRng::seed_from_u64(11);
    let mut eves = 0;
    let mut eve: Option<Client> = None;
    let (mut taken, mut refused) = (0, 0);
    for n in 0..blobs() {
        // A line that the room has closed is opened again by somebody new.
        if eve.is_none() {
            eves += 1;
            eve = Some(stage.someone(&format!("eve{eves}"), rng.random()).await);
        }
        let mut blob = write(&PageDoc::new(), rng.random(), "damaged", 7);
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(BODY + 2..blob.len());
            blob[at] ^= 1 << rng.random_range(0..8);
        }
        let sum = xxh32(&blob[BODY..], u32::from_le_bytes(*b"LORO"));
        blob[BODY - 4..BODY].copy_from_slice(&sum.to_le_bytes());
        let client = eve.as_mut().unwrap();
        match client.update(blob.clone()).await {
            OK => {
                // What the room takes, everybody can take.
                client.doc.import(&blob).unwrap();
                taken += 1;
            }
            Fate::Answered(_) => refused += 1,
            Fate::Closed(_) => eve = None,
        }
        if n % 500 == 499 {
            stage.goes_on(&mut ann, &mut ben).await;
        }
    }
    let panics = glade_doc::contained_panics();
    eprintln!("{refused} refused, {taken} taken, {panics} panics inside the gate");
    assert!(refused > blobs() / 4, "{refused} refused, {taken} taken");
    stage.goes_on(&mut ann, &mut ben).await;
}

/// The bodies of updates, or the presence, that the fuzzer begins with and that no client sends.
fn corpus(of: &str) -> Vec<Vec<u8>> {
    let folder = format!(
        "{}/../glade-doc/tests/corpus/{of}",
        env!("CARGO_MANIFEST_DIR")
    );
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    let hostile = files.filter(|file| !file.file_name().to_string_lossy().starts_with("npm-"));
    hostile
        .map(|file| std::fs::read(file.path()).unwrap())
        .collect()
}

fn sealed(body: &[u8]) -> Vec<u8> {
    let checked = [&[0, 4][..], body].concat();
    let sum = xxh32(&checked, u32::from_le_bytes(*b"LORO"));
    [&b"loro"[..], &[0; 12], &sum.to_le_bytes(), &checked].concat()
}

/// By every kind of token. Of those who cannot write, an update is not even read.
#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_claim_or_nest_too_much_harm_nobody_whoever_sends_them() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    let nested = [&[1, 1, b'7', 1][..], &[5, 1].repeat(100_000)].concat();
    for (peer, ops) in (10..).zip([
        &["read"][..],
        &["read", "comment"],
        &["read", "suggest"],
        &["read", "command"],
        &["read", "edit"],
    ]) {
        let limits = json!({ "ops": ops, "subject": format!("person:eve{peer}") });
        let token = stage.token(limits).await;
        let mut eve = Client::connect(stage.address, &stage.page, peer).await;
        eve.join(&token).await.unwrap();
        eve.ask_to_join(CrdtType::LoroEphemeralStore, &token).await;
        let may_write = ops
            .iter()
            .any(|op| ["comment", "suggest", "edit"].contains(op));
        for body in corpus("updates") {
            let fate = eve.update(sealed(&body)).await;
            if may_write {
                assert!([INVALID, TOO_LARGE].contains(&fate), "{ops:?}: {fate:?}")
            } else {
                assert_eq!(fate, DENIED, "{ops:?}")
            }
        }
        for bytes in corpus("presence").into_iter().chain([nested.clone()]) {
            let batch = eve.send(CrdtType::LoroEphemeralStore, bytes).await;
            assert_eq!(eve.fate(batch).await, INVALID, "{ops:?}");
        }
        stage.goes_on(&mut ann, &mut ben).await;
    }
}

#[test]
fn the_repaired_checksum_is_the_real_one() {
    let blob = write(&PageDoc::new(), 5, "a", 1);
    let sum = xxh32(&blob[BODY..], u32::from_le_bytes(*b"LORO"));
    assert_eq!(blob[BODY - 4..BODY], sum.to_le_bytes());
}

/// The checksum that Loro puts into its updates.
fn xxh32(input: &[u8], seed: u32) -> u32 {
    const P: [u32; 5] = [
        0x9e37_79b1,
        0x85eb_ca77,
        0xc2b2_ae3d,
        0x27d4_eb2f,
        0x1656_67b1,
    ];
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    let (stripes, rest) = input.split_at(input.len() / 16 * 16);
    let mut hash = if stripes.is_empty() {
        seed.wrapping_add(P[4])
    } else {
        let mut lanes = [
            seed.wrapping_add(P[0]).wrapping_add(P[1]),
            seed.wrapping_add(P[1]),
            seed,
            seed.wrapping_sub(P[0]),
        ];
        for stripe in stripes.chunks(16) {
            for (lane, bytes) in lanes.iter_mut().zip(stripe.chunks(4)) {
                let mixed = lane.wrapping_add(word(bytes).wrapping_mul(P[1]));
                *lane = mixed.rotate_left(13).wrapping_mul(P[0]);
            }
        }
        let turned = lanes.iter().zip([1, 7, 12, 18]);
        turned.fold(0u32, |sum, (lane, by)| {
            sum.wrapping_add(lane.rotate_left(by))
        })
    };
    hash = hash.wrapping_add(input.len() as u32);
    let words = rest.chunks_exact(4);
    let bytes = words.remainder();
    for four in words {
        let mixed = hash.wrapping_add(word(four).wrapping_mul(P[2]));
        hash = mixed.rotate_left(17).wrapping_mul(P[3]);
    }
    for byte in bytes {
        let mixed = hash.wrapping_add(u32::from(*byte).wrapping_mul(P[4]));
        hash = mixed.rotate_left(11).wrapping_mul(P[0]);
    }
    hash = (hash ^ (hash >> 15)).wrapping_mul(P[1]);
    hash = (hash ^ (hash >> 13)).wrapping_mul(P[2]);
    hash ^ (hash >> 16)
}
