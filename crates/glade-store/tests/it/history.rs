//! Runs, what they touched, and chats.

use std::collections::BTreeSet;

use glade_store::{
    Change, FairyRow, MessageRow, RunFilter, RunOwner, RunRow, RunStatus, RunTarget, Store,
    StoreError, TaskRow, WhyRow,
};
use proptest::prelude::*;

use crate::suite::Place;
use crate::{page, run, touch};

fn ids(store: &Store, filter: RunFilter) -> Vec<String> {
    let runs = store.runs(filter).unwrap().rows;
    runs.into_iter().map(|run| run.id).collect()
}

pub fn runs_are_found_by_what_is_asked_newest_first<P: Place>() {
    let (_place, store) = P::opened();
    let with = |id: &str, at, change: fn(&mut RunRow)| {
        let mut row = run(id, at);
        change(&mut row);
        Change::PutRun(row)
    };
    store
        .write_blocking(vec![
            with("run_c", 30, |r| r.status = RunStatus::Pending),
            with("run_a", 10, |r| {
                r.status = RunStatus::Kept;
                r.settled = true;
            }),
            with("run_b", 30, |r| {
                r.owner = RunOwner::Fairy("fy_2".to_owned())
            }),
            with("run_d", 20, |r| {
                r.target = RunTarget::Pages("pg_2".to_owned())
            }),
        ])
        .unwrap();
    let all = RunFilter::default;
    assert_eq!(ids(&store, all()), ["run_b", "run_c", "run_d", "run_a"]);
    assert_eq!(
        ids(
            &store,
            RunFilter {
                since_ms: Some(20),
                until_ms: Some(29),
                ..all()
            }
        ),
        ["run_d"]
    );
    assert_eq!(
        ids(
            &store,
            RunFilter {
                settled: Some(false),
                ..all()
            }
        ),
        ["run_b", "run_c", "run_d"]
    );
    assert_eq!(
        ids(
            &store,
            RunFilter {
                status: Some(RunStatus::Running),
                ..all()
            }
        ),
        ["run_b", "run_d"]
    );
    assert_eq!(
        ids(
            &store,
            RunFilter {
                fairy: Some("fy_2".to_owned()),
                ..all()
            }
        ),
        ["run_b"]
    );
    assert_eq!(
        ids(
            &store,
            RunFilter {
                target: Some(RunTarget::Pages("pg_2".to_owned())),
                ..all()
            }
        ),
        ["run_d"]
    );
    assert_eq!(
        ids(
            &store,
            RunFilter {
                limit: Some(2),
                ..all()
            }
        ),
        ["run_b", "run_c"]
    );
}

pub fn every_status_comes_back_as_it_went_in<P: Place>() {
    let (_place, store) = P::opened();
    for status in RunStatus::ALL {
        let row = RunRow {
            status,
            ..run("run_1", 1)
        };
        store
            .write_blocking(vec![Change::PutRun(row.clone())])
            .unwrap();
        assert_eq!(store.run("run_1").unwrap(), Some(row));
    }
}

pub fn why_names_the_runs_that_touched_an_element_oldest_first<P: Place>() {
    let (_place, store) = P::opened();
    let late = [touch("run_2", 1, "a", "x"), touch("run_2", 3, "a", "x")];
    let early = [touch("run_1", 2, "a", "width"), touch("run_1", 2, "a", "x")];
    let mut rows = vec![touch("run_1", 1, "b", "x"), touch("run_3", 1, "b", "x")];
    rows.extend(late.clone());
    rows.extend(early.clone());
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutRun(run("run_2", 20)),
            Change::PutRun(run("run_1", 10)),
            Change::PutRun(run("run_3", 30)),
            Change::PutTouches {
                page: "pg_1".to_owned(),
                rows,
            },
        ])
        .unwrap();
    let expected = [
        WhyRow {
            run: run("run_1", 10),
            touches: early.to_vec(),
        },
        WhyRow {
            run: run("run_2", 20),
            touches: late.to_vec(),
        },
    ];
    assert_eq!(store.why("pg_1", "a").unwrap(), expected);
    assert_eq!(store.why("pg_1", "nothing").unwrap(), []);

    let order: Vec<_> = store
        .load_page("pg_1")
        .unwrap()
        .touches
        .into_iter()
        .map(|t| (t.run, t.action, t.element, t.property))
        .collect();
    let key = |r: &str, a, e: &str, p: &str| (r.to_owned(), a, e.to_owned(), p.to_owned());
    assert_eq!(
        order,
        [
            key("run_1", 1, "b", "x"),
            key("run_1", 2, "a", "width"),
            key("run_1", 2, "a", "x"),
            key("run_2", 1, "a", "x"),
            key("run_2", 3, "a", "x"),
            key("run_3", 1, "b", "x"),
        ]
    );
}

pub fn touches_are_replaced_and_closed_by_key_and_closed_ones_stay_as_history<P: Place>() {
    let (_place, store) = P::opened();
    let (kept, closed) = (touch("run_1", 1, "a", "x"), touch("run_1", 2, "a", "x"));
    let put = |rows| Change::PutTouches {
        page: "pg_1".to_owned(),
        rows,
    };
    let mut replaced = kept.clone();
    replaced.body_json = "\"new\"".to_owned();
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutRun(run("run_1", 1)),
            put(vec![kept, closed.clone()]),
            put(vec![replaced.clone()]),
            Change::CloseTouches {
                keys: vec![closed.key()],
            },
            Change::PutRun(RunRow {
                settled: true,
                ..run("run_1", 1)
            }),
        ])
        .unwrap();
    assert_eq!(
        store.touches_of_run("run_1").unwrap(),
        [replaced.clone(), closed]
    );
    assert_eq!(store.load_page("pg_1").unwrap().touches, [replaced]);
}

pub fn an_epoch_keeps_the_past_in_the_archive_and_counts<P: Place>() {
    let (place, store) = P::opened();
    let update = |n: u8| Change::AppendUpdate {
        page: "pg_1".to_owned(),
        peer_spans: vec![(1, i32::from(n), i32::from(n) + 1)],
        blob: vec![n],
        subject: "person:owner".to_owned(),
        at_ms: 1,
    };
    let compact = |through_seq| Change::CompactPage {
        page: "pg_1".to_owned(),
        blob: b"present".to_vec(),
        whole: b"past and present".to_vec(),
        through_seq,
    };
    let changes = vec![Change::PutPage(page("pg_1")), update(0), update(1)];
    store.write_blocking(changes).unwrap();
    assert_eq!(store.load_page("pg_1").unwrap().epoch, 0);
    assert!(store.write_blocking(vec![compact(3)]).is_err());
    store.write_blocking(vec![compact(2), update(2)]).unwrap();
    store.write_blocking(vec![compact(3)]).unwrap();
    drop(store);
    let stored = place.open().load_page("pg_1").unwrap();
    assert_eq!(stored.epoch, 2);
    assert_eq!(stored.snapshot.as_deref(), Some(&b"present"[..]));
    assert_eq!((stored.updates, stored.last_seq), (vec![], 3));
}

pub fn the_spans_of_what_can_be_undone_or_is_under_way_are_pending<P: Place>() {
    let (_place, store) = P::opened();
    let span = |run: &str, on: &str, peer| Change::PutSpan {
        run: run.to_owned(),
        page: on.to_owned(),
        peer,
        from: 3,
        to: 5,
    };
    let (open, closed) = (touch("run_1", 1, "a", "x"), touch("run_2", 1, "a", "x"));
    let pending = |id: &str| RunRow {
        status: RunStatus::Pending,
        ..run(id, 1)
    };
    let running = RunRow {
        status: RunStatus::Running,
        ..run("run_3", 3)
    };
    let rows = vec![open, closed.clone()];
    let on = "pg_1".to_owned();
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutPage(page("pg_2")),
            Change::PutRun(pending("run_1")),
            Change::PutRun(pending("run_2")),
            Change::PutRun(running),
            Change::PutTouches { page: on, rows },
            Change::CloseTouches {
                keys: vec![closed.key()],
            },
            span("run_1", "pg_1", 1),
            span("run_1", "pg_2", 1),
            span("run_2", "pg_1", 2),
            span("run_3", "pg_1", 3),
        ])
        .unwrap();
    let pending: Vec<_> = store
        .pending_spans("pg_1")
        .unwrap()
        .into_iter()
        .map(|span| (span.run, span.peer, span.from))
        .collect();
    assert_eq!(
        pending,
        [("run_1".to_owned(), 1, 3), ("run_3".to_owned(), 3, 3)]
    );
}

pub fn tasks_come_in_order_and_go_with_their_page<P: Place>() {
    let (place, store) = P::opened();
    let task = |id: &str, page: &str, position| TaskRow {
        id: id.to_owned(),
        title: "Draw".to_owned(),
        text: "Three boxes".to_owned(),
        page: page.to_owned(),
        bounds_json: Some("{}".to_owned()),
        status: "todo".to_owned(),
        assignee: None,
        project: None,
        created_by: "person:owner".to_owned(),
        created_ms: 7,
        position,
    };
    let changed = TaskRow {
        status: "done".to_owned(),
        assignee: Some("fy_1".to_owned()),
        bounds_json: None,
        ..task("tk_1", "pg_1", 2.5)
    };
    let write = |change| store.write_blocking(vec![change]);
    write(Change::PutPage(page("pg_1"))).unwrap();
    write(Change::PutPage(page("pg_2"))).unwrap();
    for task in [
        task("tk_1", "pg_1", 1.0),
        task("tk_2", "pg_2", 2.0),
        task("tk_3", "pg_1", 3.0),
        changed.clone(),
    ] {
        write(Change::PutTask(task)).unwrap();
    }
    let nowhere = write(Change::PutTask(task("tk_4", "pg_9", 1.0))).unwrap_err();
    assert!(
        matches!(nowhere, StoreError::Missing { kind: "page", .. }),
        "{nowhere}"
    );
    let id = "tk_3".to_owned();
    write(Change::DeleteTask { id }).unwrap();
    drop(store);
    let store = place.open();
    assert_eq!(
        store.tasks().unwrap().rows,
        [task("tk_2", "pg_2", 2.0), changed.clone()]
    );
    let id = "pg_2".to_owned();
    store
        .write_blocking(vec![Change::DeletePage { id }])
        .unwrap();
    assert_eq!(store.tasks().unwrap().rows, [changed]);
}

pub fn a_chat_reads_in_the_order_its_messages_first_came<P: Place>() {
    let (_place, store) = P::opened();
    let message = |id: &str, chat: &str, body: &str, created_ms| MessageRow {
        id: id.to_owned(),
        chat: chat.to_owned(),
        role: "user".to_owned(),
        body_json: body.to_owned(),
        created_ms,
    };
    let put = |row: &MessageRow| Change::PutMessage(row.clone());
    let (first, second) = (
        message("msg_b", "fy_1", "1", 50),
        message("msg_a", "fy_1", "2", 40),
    );
    let grown = message("msg_b", "fy_1", "1 and more", 50);
    let elsewhere = message("msg_c", "fy_2", "3", 1);
    store
        .write_blocking(vec![
            put(&first),
            put(&second),
            put(&elsewhere),
            put(&grown),
        ])
        .unwrap();
    assert_eq!(store.messages("fy_1").unwrap(), [grown, second]);
    assert_eq!(store.messages("fy_2").unwrap(), [elsewhere]);
}

pub fn a_chat_is_read_no_further_back_than_memory_allows<P: Place>() {
    let (_place, store) = P::opened();
    let message = |at: i64| MessageRow {
        id: format!("msg_{at}"),
        chat: "fy_1".to_owned(),
        role: "user".to_owned(),
        body_json: format!("\"{}\"", "ü".repeat(2 << 20)),
        created_ms: at,
    };
    for at in 0..5 {
        store
            .write_blocking(vec![Change::PutMessage(message(at))])
            .unwrap();
    }
    let read = store.messages("fy_1").unwrap();
    let read: Vec<i64> = read.iter().map(|row| row.created_ms).collect();
    assert_eq!(read, [2, 3, 4], "the newest 16 MB, in order");
}

pub fn a_dismissed_fairy_leaves_its_name_its_runs_and_its_chat<P: Place>() {
    let (_place, store) = P::opened();
    let fairy = FairyRow {
        id: "fy_1".to_owned(),
        ..FairyRow::default()
    };
    store
        .write_blocking(vec![
            Change::PutFairy(fairy.clone()),
            Change::PutRun(run("run_1", 1)),
            Change::DismissFairy {
                id: "fy_1".to_owned(),
                at_ms: 2,
            },
        ])
        .unwrap();
    assert_eq!(store.fairies().unwrap().rows, []);
    assert_eq!(store.fairy("fy_1").unwrap(), Some(fairy));
    assert_eq!(store.run("run_1").unwrap(), Some(run("run_1", 1)));
}

pub fn a_runs_spans_cover_exactly_what_was_put<P: Place>() {
    proptest!(ProptestConfig::with_cases(24), |(spans in prop::collection::vec((0..3u64, 0..20i32, 1..6i32), 1..15))| {
        let (_place, store) = P::opened();
        let mut changes = vec![Change::PutRun(run("run_1", 1))];
        let mut covered = BTreeSet::new();
        for (peer, from, length) in spans {
            let peer = peer + u64::MAX / 2;
            covered.extend((from..from + length).map(|counter| (peer, counter)));
            changes.push(Change::PutSpan {
                run: "run_1".to_owned(),
                page: "pg_1".to_owned(),
                peer,
                from,
                to: from + length,
            });
        }
        store.write_blocking(changes).unwrap();
        let stored = store.spans_of_run("run_1").unwrap();
        for pair in stored.windows(2) {
            prop_assert!(pair[0].peer != pair[1].peer || pair[0].to < pair[1].from);
        }
        let found: BTreeSet<_> = stored
            .into_iter()
            .flat_map(|span| (span.from..span.to).map(move |counter| (span.peer, counter)))
            .collect();
        prop_assert_eq!(found, covered);
    });
}

pub fn the_pages_that_a_run_read_are_known_by_run<P: Place>() {
    let (_place, store) = P::opened();
    let read = |run: &str, pages: &[&str]| Change::NoteRead {
        run: run.to_owned(),
        pages: pages.iter().map(|&page| page.to_owned()).collect(),
    };
    store
        .write_blocking(vec![
            Change::PutRun(run("run_1", 1)),
            Change::PutRun(run("run_2", 2)),
            read("run_1", &["pg_2", "pg_3"]),
            read("run_2", &["pg_4"]),
        ])
        .unwrap();
    store
        .write_blocking(vec![read("run_1", &["pg_3", "pg_5"])])
        .unwrap();
    let known = |run| store.pages_read_by(run).unwrap();
    let named = |pages: &[&str]| pages.iter().map(|&page| page.to_owned()).collect();
    assert_eq!(known("run_1"), named(&["pg_2", "pg_3", "pg_5"]));
    assert_eq!(known("run_2"), named(&["pg_4"]));
    assert_eq!(known("run_3"), BTreeSet::new());
}
