//! Pages, their logs, snapshots and peers.

use glade_store::{Change, PageRow, PeerRow, StoreError, StoredPage, UpdateRow};
use proptest::prelude::*;

use crate::suite::Place;
use crate::{bind, page, run, snapshot, touch, update};

pub fn pages_come_in_the_order_of_their_positions<P: Place>() {
    let (_place, store) = P::opened();
    let at = |id: &str, position| PageRow {
        position,
        ..page(id)
    };
    let put = |row: &PageRow| {
        store
            .write_blocking(vec![Change::PutPage(row.clone())])
            .unwrap();
    };
    let (a, b, c) = (at("pg_a", 2.0), at("pg_b", 1.0), at("pg_c", 1.5));
    [&a, &b, &c].into_iter().for_each(put);
    assert_eq!(
        store.pages().unwrap().rows,
        [b.clone(), c.clone(), a.clone()]
    );
    let moved = PageRow {
        name: "Moved".to_owned(),
        ..at("pg_a", 0.5)
    };
    put(&moved);
    assert_eq!(store.pages().unwrap().rows, [moved.clone(), b, c]);
    assert_eq!(store.page("pg_a").unwrap(), Some(moved));
    assert_eq!(store.page("pg_x").unwrap(), None);
}

pub fn changing_a_pages_row_keeps_what_lies_under_it<P: Place>() {
    let (_place, store) = P::opened();
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            update("pg_1", b"one"),
            bind("pg_1", 7, "person:owner"),
        ])
        .unwrap();
    let before = store.load_page("pg_1").unwrap();
    store
        .write_blocking(vec![Change::PutPage(PageRow {
            name: "Renamed".to_owned(),
            ..page("pg_1")
        })])
        .unwrap();
    assert_eq!(store.load_page("pg_1").unwrap(), before);
}

pub fn deleting_a_page_takes_its_log_and_touches_and_leaves_its_runs<P: Place>() {
    let (_place, store) = P::opened();
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutPage(page("pg_2")),
            Change::PutRun(run("run_1", 1)),
            update("pg_1", b"one"),
            update("pg_2", b"two"),
            bind("pg_1", 7, "person:owner"),
            snapshot("pg_1", b"one", 1),
            Change::PutTouches {
                page: "pg_1".to_owned(),
                rows: vec![touch("run_1", 1, "a", "x")],
            },
        ])
        .unwrap();
    let other = store.load_page("pg_2").unwrap();
    store
        .write_blocking(vec![Change::DeletePage {
            id: "pg_1".to_owned(),
        }])
        .unwrap();
    assert!(matches!(
        store.load_page("pg_1"),
        Err(StoreError::Missing { kind: "page", .. })
    ));
    assert_eq!(store.run("run_1").unwrap(), Some(run("run_1", 1)));
    assert_eq!(store.touches_of_run("run_1").unwrap(), []);
    assert_eq!(store.load_page("pg_2").unwrap(), other);

    // A page made anew under the same id starts from nothing.
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    assert_eq!(store.load_page("pg_1").unwrap(), StoredPage::default());
}

pub fn a_peer_belongs_to_the_first_that_writes_under_it_on_each_page<P: Place>() {
    let (_place, store) = P::opened();
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutPage(page("pg_2")),
            bind("pg_1", 7, "person:anna"),
            bind("pg_1", 7, "person:anna"),
            bind("pg_2", 7, "person:bob"),
        ])
        .unwrap();
    let error = store
        .write_blocking(vec![bind("pg_1", 7, "person:bob")])
        .unwrap_err();
    assert!(error.to_string().contains("person:anna"), "{error}");
    let owner = |peer, subject: &str| PeerRow {
        peer,
        subject: subject.to_owned(),
    };
    assert_eq!(
        store.load_page("pg_1").unwrap().peers,
        [owner(7, "person:anna")]
    );
    assert_eq!(
        store.load_page("pg_2").unwrap().peers,
        [owner(7, "person:bob")]
    );
}

pub fn the_log_tells_who_wrote_what_and_when<P: Place>() {
    let (_place, store) = P::opened();
    let spans = vec![(u64::MAX, 0, i32::MAX), (0, 3, 4), (1 << 63, 7, 9)];
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            update("pg_1", b"one"),
            Change::AppendUpdate {
                page: "pg_1".to_owned(),
                peer_spans: spans.clone(),
                blob: b"two".to_vec(),
                subject: "fairy:fy_1".to_owned(),
                at_ms: 8,
            },
        ])
        .unwrap();
    let second = UpdateRow {
        seq: 2,
        peer_spans: spans,
        blob: b"two".to_vec(),
        subject: "fairy:fy_1".to_owned(),
        at_ms: 8,
    };
    assert_eq!(store.updates_after("pg_1", 1).unwrap(), [second]);
    assert_eq!(store.updates_after("pg_1", 2).unwrap(), []);
}

pub fn a_snapshot_that_goes_back_or_ahead_is_refused<P: Place>() {
    let (_place, store) = P::opened();
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            update("pg_1", b"one"),
            update("pg_1", b"two"),
            snapshot("pg_1", b"one two", 2),
            update("pg_1", b"three"),
        ])
        .unwrap();
    let before = store.load_page("pg_1").unwrap();
    for through in [1, 4, -1] {
        let error = store
            .write_blocking(vec![snapshot("pg_1", b"wrong", through)])
            .unwrap_err();
        assert!(matches!(error, StoreError::Invalid(_)), "{error}");
    }
    assert_eq!(store.load_page("pg_1").unwrap(), before);
}

/// A stand-in for a document: its state is the updates one after another.
fn state(stored: &StoredPage) -> Vec<u8> {
    let snapshot = stored.snapshot.clone().unwrap_or_default();
    stored.updates.iter().fold(snapshot, |mut whole, update| {
        whole.extend(update);
        whole
    })
}

#[derive(Clone, Debug)]
enum Move {
    Append(u8),
    /// A snapshot of everything but this many of the last updates.
    Compact(usize),
    Reopen,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec(
        prop_oneof![
            6 => any::<u8>().prop_map(Move::Append),
            2 => (0..4usize).prop_map(Move::Compact),
            1 => Just(Move::Reopen),
        ],
        1..25,
    )
}

pub fn snapshot_and_rest_of_the_log_equal_the_whole_log<P: Place>() {
    proptest!(ProptestConfig::with_cases(24), |(moves in moves())| {
        let (place, mut store) = P::opened();
        store.write_blocking(vec![Change::PutPage(page("pg_1"))]).unwrap();
        let mut whole = Vec::new();
        let mut compacted = 0;
        for step in moves {
            match step {
                Move::Append(byte) => {
                    whole.push(byte);
                    store.write_blocking(vec![update("pg_1", &[byte])]).unwrap();
                }
                Move::Compact(behind) => {
                    let through = whole.len().saturating_sub(behind).max(compacted);
                    let seq = i64::try_from(through).unwrap();
                    store.write_blocking(vec![snapshot("pg_1", &whole[..through], seq)]).unwrap();
                    compacted = through;
                }
                Move::Reopen => {
                    drop(store);
                    store = place.open();
                }
            }
            let stored = store.load_page("pg_1").unwrap();
            prop_assert_eq!(state(&stored), whole.clone());
            prop_assert_eq!(stored.updates.len(), whole.len() - compacted);
            prop_assert_eq!(usize::try_from(stored.last_seq).unwrap(), whole.len());
        }
    });
}

pub fn every_peer_comes_back_as_it_went_in<P: Place>() {
    proptest!(ProptestConfig::with_cases(24), |(peers in prop::collection::btree_set(
            prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), Just(1 << 63), Just((1 << 63) - 1)],
            1..20,
        ))| {
        let (_place, store) = P::opened();
        let mut changes = vec![Change::PutPage(page("pg_1"))];
        changes.extend(peers.iter().map(|peer| bind("pg_1", *peer, &format!("person:{peer}"))));
        store.write_blocking(changes).unwrap();
        let expected: Vec<_> = peers
            .iter()
            .map(|peer| PeerRow { peer: *peer, subject: format!("person:{peer}") })
            .collect();
        prop_assert_eq!(store.load_page("pg_1").unwrap().peers, expected);
        for peer in peers {
            prop_assert_eq!(glade_store::peer::from_sql(glade_store::peer::to_sql(peer)), peer);
        }
    });
}

pub fn a_page_in_the_trash_is_not_found_until_it_is_brought_back_whole<P: Place>() {
    let (_place, store) = P::opened();
    let write = |change| store.write_blocking(vec![change]).unwrap();
    write(Change::PutPage(page("pg_1")));
    write(update("pg_1", b"one"));
    write(Change::TrashPage {
        id: "pg_1".to_owned(),
        at_ms: 9,
    });
    assert_eq!(store.pages().unwrap().rows, []);
    assert_eq!(store.page("pg_1").unwrap(), None);
    assert_eq!(store.trashed_page("pg_1").unwrap(), Some(page("pg_1")));
    write(Change::RestorePage {
        id: "pg_1".to_owned(),
    });
    assert_eq!(store.pages().unwrap().rows, [page("pg_1")]);
    assert_eq!(store.trashed_page("pg_1").unwrap(), None);
    assert_eq!(store.load_page("pg_1").unwrap().updates, [b"one"]);
}
