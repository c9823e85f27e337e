use super::*;
use crate::sync::wire::Envelope;
use glade_host::rooms::frames::{FRAGMENT_BYTES, doc_update};
use loro_protocol::{MAX_MESSAGE_SIZE, MessageType};

const BATCH: BatchId = BatchId([1; 8]);
const LORO: CrdtType = CrdtType::Loro;

fn parts() -> Reassembly {
    Reassembly::new(Arc::default(), None)
}

fn round_trip(size: usize) {
    let update: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
    let mut whole = Vec::new();
    let mut parts = parts();
    for frame in doc_update(LORO, "pg_a", &update, BATCH) {
        assert!(frame.len() <= MAX_MESSAGE_SIZE);
        let envelope = Envelope::read(&frame).unwrap();
        match envelope.kind {
            MessageType::DocUpdate => whole = envelope.updates().unwrap().updates.concat(),
            MessageType::DocUpdateFragmentHeader => {
                let header = envelope.fragment_header().unwrap();
                parts
                    .begin(
                        LORO,
                        "pg_a",
                        BATCH,
                        header.count,
                        header.total,
                        Instant::now(),
                    )
                    .unwrap();
            }
            MessageType::DocUpdateFragment => {
                let fragment = envelope.fragment().unwrap();
                let added = parts.add(LORO, "pg_a", BATCH, fragment.index, fragment.bytes);
                if let Some(done) = added.unwrap() {
                    whole = done;
                }
            }
            other => panic!("unexpected {other:?}"),
        }
    }
    assert_eq!(whole, update);
    assert_eq!(parts.budget.held(), 0);
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
fn fragments_may_come_in_any_order() {
    let mut parts = parts();
    parts
        .begin(LORO, "p", BATCH, 3, 3000, Instant::now())
        .unwrap();
    let part = |n: u8| vec![n; 1000];
    assert_eq!(parts.add(LORO, "p", BATCH, 2, &part(3)), Ok(None));
    assert_eq!(parts.add(LORO, "p", BATCH, 0, &part(1)), Ok(None));
    let whole = [part(1), part(2), part(3)].concat();
    assert_eq!(parts.add(LORO, "p", BATCH, 1, &part(2)), Ok(Some(whole)));
}

#[test]
fn a_header_that_asks_for_too_much_is_refused() {
    let mut parts = parts();
    let now = Instant::now();
    for (count, total, refusal) in [
        (1, 1 << 40, FragmentError::TooLarge),
        (1, u64::MAX, FragmentError::TooLarge),
        (u64::MAX, 1000, FragmentError::Inconsistent),
        (1_000_000, 1_000_001, FragmentError::Inconsistent),
        (0, 0, FragmentError::Inconsistent),
    ] {
        let begun = parts.begin(LORO, "p", BATCH, count, total, now);
        assert_eq!(begun, Err(refusal), "{count} {total}");
    }
}

#[test]
fn one_connection_may_not_claim_more_than_one_large_update() {
    let mut parts = parts();
    let now = Instant::now();
    let half = CONNECTION_BYTES / 2;
    for n in 0..2 {
        parts
            .begin(LORO, "p", BatchId([n; 8]), 100, half, now)
            .unwrap();
    }
    let third = parts.begin(LORO, "p", BatchId([3; 8]), 1, 1, now);
    assert_eq!(third, Err(FragmentError::TooMany));
}

#[test]
fn a_claim_takes_nothing_from_the_budget_and_bytes_do_until_they_are_gone() {
    let budget = Arc::new(FragmentBudget::new(5000, 3000));
    let ann: Option<IpAddr> = Some([127, 0, 0, 2].into());
    let ben: Option<IpAddr> = Some([127, 0, 0, 3].into());
    let begin = |address| {
        let mut parts = Reassembly::new(Arc::clone(&budget), address);
        let total = 8 * 1024 * 1024;
        parts
            .begin(LORO, "p", BATCH, 5000, total, Instant::now())
            .unwrap();
        parts
    };
    let (mut first, mut second, mut third) = (begin(ann), begin(ann), begin(ben));
    assert_eq!(budget.held(), 0);
    assert_eq!(first.add(LORO, "p", BATCH, 0, &[0; 2000]), Ok(None));
    assert_eq!(
        second.add(LORO, "p", BATCH, 0, &[0; 2000]),
        Err(FragmentError::TooMany),
        "one address has 3000"
    );
    assert_eq!(third.add(LORO, "p", BATCH, 0, &[0; 2500]), Ok(None));
    assert_eq!(
        third.add(LORO, "p", BATCH, 1, &[0; 501]),
        Err(FragmentError::TooMany),
        "the server has 5000"
    );
    assert_eq!(budget.held(), 2000, "a refused batch is let go of");
    drop(first);
    assert_eq!(budget.held(), 0);
    assert!(budget.with(|held| held.by_address.is_empty()));
}

#[test]
fn unfinished_batches_are_few_and_expire() {
    let mut parts = parts();
    let start = Instant::now();
    for n in 0..MAX_UNFINISHED {
        parts
            .begin(LORO, "p", BatchId([n as u8; 8]), 2, 4000, start)
            .unwrap();
    }
    assert_eq!(
        parts.begin(LORO, "p", BatchId([99; 8]), 2, 4000, start),
        Err(FragmentError::TooMany)
    );
    let later = start + REASSEMBLY + Duration::from_secs(1);
    assert_eq!(parts.expire(later).len(), MAX_UNFINISHED);
    assert_eq!(
        parts.add(LORO, "p", BatchId([0; 8]), 0, &[1]),
        Err(FragmentError::Unknown)
    );
}

#[test]
fn a_fragment_sent_twice_drops_the_batch() {
    let mut parts = parts();
    parts
        .begin(LORO, "p", BATCH, 2, 2048, Instant::now())
        .unwrap();
    parts.add(LORO, "p", BATCH, 0, &[0; 1024]).unwrap();
    assert_eq!(
        parts.add(LORO, "p", BATCH, 0, &[0; 1024]),
        Err(FragmentError::Inconsistent)
    );
    assert!(parts.is_empty());
}
