//! Order, atomicity, and what a failing write does to its neighbours.

use glade_store::{Change, Store, StoreError};

use crate::suite::{Place, waiting};
use crate::{bind, page, run, setting, update};

fn logged(store: &Store) -> Vec<Vec<u8>> {
    store.load_page("pg_1").unwrap().updates
}

pub fn writes_are_applied_in_the_order_of_their_calls_whatever_the_order_of_awaits<P: Place>() {
    waiting(async {
        let (_place, store) = P::opened();
        store
            .write(vec![Change::PutPage(page("pg_1"))])
            .await
            .unwrap();
        let writes: Vec<_> = (0..100u8)
            .map(|n| store.write(vec![update("pg_1", &[n])]))
            .collect();
        for write in writes.into_iter().rev() {
            write.await.unwrap();
        }
        assert_eq!(
            logged(&store),
            (0..100u8).map(|n| vec![n]).collect::<Vec<_>>()
        );
    })
}

pub fn a_write_happens_even_if_nobody_waits_for_it<P: Place>() {
    waiting(async {
        let (_place, store) = P::opened();
        drop(store.write(vec![setting("a", "1")]));
        store.write(vec![]).await.unwrap();
        assert_eq!(store.setting("a").unwrap().as_deref(), Some("1"));
    })
}

pub fn a_failing_change_leaves_nothing_of_its_write_and_everything_of_the_others<P: Place>() {
    waiting(async {
        let (_place, store) = P::opened();
        store
            .write(vec![
                Change::PutPage(page("pg_1")),
                bind("pg_1", 1, "person:owner"),
            ])
            .await
            .unwrap();
        // All queued before any is awaited, so that they share commits.
        let writes: Vec<_> = (0..60u8)
            .map(|n| {
                let last = if n % 3 == 0 {
                    bind("pg_1", 1, "person:thief")
                } else {
                    bind("pg_1", 1, "person:owner")
                };
                let name = format!("write {n}");
                store.write(vec![setting(&name, "there"), update("pg_1", &[n]), last])
            })
            .collect();
        let mut outcomes = Vec::new();
        for write in writes {
            outcomes.push(write.await);
        }
        for (n, outcome) in outcomes.into_iter().enumerate() {
            let kept = store.setting(&format!("write {n}")).unwrap();
            if n % 3 == 0 {
                let error = outcome.unwrap_err();
                assert!(
                    matches!(&error, StoreError::PeerTaken { peer: 1, owner, subject, .. }
                    if owner == "person:owner" && subject == "person:thief"),
                    "{error}"
                );
                assert_eq!(kept, None);
            } else {
                outcome.unwrap();
                assert_eq!(kept.as_deref(), Some("there"));
            }
        }
        let expected: Vec<_> = (0..60u8).filter(|n| n % 3 != 0).map(|n| vec![n]).collect();
        assert_eq!(logged(&store), expected);
    })
}

pub fn a_row_under_a_missing_one_is_refused_by_name<P: Place>() {
    let (_place, store) = P::opened();
    let missing = |change: Change| match store.write_blocking(vec![change]).unwrap_err() {
        StoreError::Missing { kind, id } => format!("{kind} {id}"),
        other => panic!("{other}"),
    };
    assert_eq!(missing(update("pg_9", b"x")), "page pg_9");
    assert_eq!(missing(bind("pg_9", 1, "person:owner")), "page pg_9");
    assert_eq!(missing(crate::snapshot("pg_9", b"x", 0)), "page pg_9");
    let span = Change::PutSpan {
        run: "run_9".to_owned(),
        page: "pg_1".to_owned(),
        peer: 1,
        from: 0,
        to: 1,
    };
    assert_eq!(missing(span), "run run_9");
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    let touches = Change::PutTouches {
        page: "pg_1".to_owned(),
        rows: vec![crate::touch("run_9", 1, "a", "x")],
    };
    assert_eq!(missing(touches), "run run_9");
}

pub fn writes_that_make_no_sense_are_refused_whole<P: Place>() {
    let (_place, store) = P::opened();
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutRun(run("run_1", 1)),
        ])
        .unwrap();
    let backwards = Change::AppendUpdate {
        page: "pg_1".to_owned(),
        peer_spans: vec![(1, 5, 5)],
        blob: vec![1],
        subject: "person:owner".to_owned(),
        at_ms: 1,
    };
    let empty_span = Change::PutSpan {
        run: "run_1".to_owned(),
        page: "pg_1".to_owned(),
        peer: 1,
        from: 3,
        to: 2,
    };
    let elsewhere = Change::PutTouches {
        page: "pg_2".to_owned(),
        rows: vec![crate::touch("run_1", 1, "a", "x")],
    };
    let nowhere = Change::PutPage(glade_store::PageRow {
        position: f64::NAN,
        ..page("pg_2")
    });
    for change in [backwards, empty_span, elsewhere, nowhere] {
        let error = store
            .write_blocking(vec![setting("a", "1"), change.clone()])
            .unwrap_err();
        assert!(
            matches!(error, StoreError::Invalid(_)),
            "{change:?}: {error}"
        );
    }
    assert_eq!(store.setting("a").unwrap(), None);
}

pub fn fifty_writers_at_once_are_all_durable_and_each_in_its_own_order<P: Place>() {
    waiting(async {
        let (place, store) = P::opened();
        let pages: Vec<_> = (0..50).map(|n| format!("pg_{n}")).collect();
        for id in &pages {
            store.write(vec![Change::PutPage(page(id))]).await.unwrap();
        }
        let writers: Vec<_> = pages
            .iter()
            .cloned()
            .map(|id| {
                let store = store.clone();
                tokio::spawn(async move {
                    for n in 0..20u8 {
                        store.write(vec![update(&id, &[n])]).await.unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
        drop(store);
        let store = place.open();
        let expected: Vec<_> = (0..20u8).map(|n| vec![n]).collect();
        for id in &pages {
            assert_eq!(store.load_page(id).unwrap().updates, expected);
        }
    })
}

pub fn what_was_acknowledged_is_read_at_once<P: Place>() {
    let (_place, store) = P::opened();
    for n in 0..50 {
        let value = n.to_string();
        store.write_blocking(vec![setting("n", &value)]).unwrap();
        assert_eq!(store.setting("n").unwrap(), Some(value));
    }
}
