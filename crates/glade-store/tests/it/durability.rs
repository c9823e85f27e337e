//! What is on the disk at the moment of the answer.

use std::fs;
use std::path::Path;

use glade_store::{Change, FairyRow, MessageRow, RunStatus, SpanRow, StepRow, Store};

use crate::suite::Place;
use crate::{bind, new_store, page, run, snapshot, touch, update};

/// Copies what a crash would leave: the database and its log, as they are now.
fn copy_as_after_a_crash(from: &Path, to: &Path) {
    for name in ["glade.db", "glade.db-wal"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
}

#[test]
fn everything_acknowledged_is_in_the_files_while_the_store_is_still_open() {
    let (dir, store) = new_store();
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    for n in 0..20u8 {
        store.write_blocking(vec![update("pg_1", &[n])]).unwrap();
        let copy = tempfile::tempdir().unwrap();
        copy_as_after_a_crash(dir.path(), copy.path());
        let survivor = Store::open(copy.path()).unwrap();
        assert_eq!(
            survivor.load_page("pg_1").unwrap(),
            store.load_page("pg_1").unwrap()
        );
        assert_eq!(survivor.last_seq("pg_1").unwrap(), i64::from(n) + 1);
    }
}

#[test]
fn a_log_cut_short_by_a_crash_loses_only_its_torn_end() {
    let (dir, store) = new_store();
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    let wal = dir.path().join("glade.db-wal");
    let mut lengths = Vec::new();
    for n in 0..5u8 {
        store.write_blocking(vec![update("pg_1", &[n])]).unwrap();
        lengths.push(fs::metadata(&wal).unwrap().len());
    }
    for (acknowledged, length) in lengths.iter().enumerate() {
        let copy = tempfile::tempdir().unwrap();
        copy_as_after_a_crash(dir.path(), copy.path());
        let torn = fs::File::options()
            .write(true)
            .open(copy.path().join("glade.db-wal"))
            .unwrap();
        // A few bytes of the next write reached the disk.
        torn.set_len((length + 100).min(lengths[4])).unwrap();
        let survivor = Store::open(copy.path()).unwrap();
        let expected: Vec<_> = (0..=acknowledged as u8).map(|n| vec![n]).collect();
        assert_eq!(survivor.load_page("pg_1").unwrap().updates, expected);
    }
}

pub fn every_kind_of_row_comes_back_whole_after_a_reopen<P: Place>() {
    let (place, store) = P::opened();
    let fairy = FairyRow {
        id: "fy_1".to_owned(),
        name: "Wren".to_owned(),
        page: "pg_1".to_owned(),
        model: "sketch".to_owned(),
        sign: "♎".to_owned(),
        hat: "beanie".to_owned(),
        hat_color: "#112233".to_owned(),
        color: "#aabbcc".to_owned(),
        settings_json: "{\"planFirst\":true}".to_owned(),
        state_json: "{\"mode\":\"idling\"}".to_owned(),
        position_json: "{\"x\":1,\"y\":2}".to_owned(),
        created_ms: 9,
    };
    let mut done = run("run_1", 10);
    done.status = RunStatus::Failed;
    done.settled = true;
    done.ended_ms = Some(20);
    done.error = Some("the model said no".to_owned());
    let step = StepRow {
        run: "run_1".to_owned(),
        index: 0,
        model: "sketch".to_owned(),
        prompt_json: "[]".to_owned(),
        answer: "ok".to_owned(),
        started_ms: 11,
        ended_ms: Some(12),
        input_tokens: 3,
        output_tokens: 4,
        error: Some("cut off".to_owned()),
    };
    let message = MessageRow {
        id: "msg_1".to_owned(),
        chat: "fy_1".to_owned(),
        role: "user".to_owned(),
        body_json: "{}".to_owned(),
        created_ms: 3,
    };
    let span = SpanRow {
        run: "run_1".to_owned(),
        page: "pg_1".to_owned(),
        peer: u64::MAX,
        from: 0,
        to: 4,
    };
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutFairy(fairy.clone()),
            Change::PutRun(done.clone()),
            Change::PutStep(step.clone()),
            Change::PutSpan {
                run: span.run.clone(),
                page: span.page.clone(),
                peer: span.peer,
                from: span.from,
                to: span.to,
            },
            Change::PutTouches {
                page: "pg_1".to_owned(),
                rows: vec![touch("run_1", 1, "a", "x")],
            },
            Change::PutMessage(message.clone()),
            bind("pg_1", u64::MAX, "fairy:fy_1"),
            update("pg_1", b"one"),
            update("pg_1", b"two"),
            snapshot("pg_1", b"all of one", 1),
        ])
        .unwrap();
    let loaded = store.load_page("pg_1").unwrap();
    drop(store);

    let store = place.open();
    assert_eq!(store.pages().unwrap().rows, [page("pg_1")]);
    assert_eq!(store.load_page("pg_1").unwrap(), loaded);
    assert_eq!(loaded.snapshot.as_deref(), Some(&b"all of one"[..]));
    assert_eq!(loaded.updates, [b"two"]);
    assert_eq!(loaded.last_seq, 2);
    assert_eq!(store.fairies().unwrap().rows, std::slice::from_ref(&fairy));
    assert_eq!(store.fairy("fy_1").unwrap(), Some(fairy));
    assert_eq!(store.run("run_1").unwrap(), Some(done));
    assert_eq!(
        store.steps_of_run("run_1").unwrap(),
        std::slice::from_ref(&step)
    );
    let short = StepRow {
        prompt_json: String::new(),
        answer: String::new(),
        ..step
    };
    assert_eq!(store.steps_in_short("run_1").unwrap(), [short]);
    assert_eq!(store.spans_of_run("run_1").unwrap(), [span]);
    assert_eq!(
        store.touches_of_run("run_1").unwrap(),
        [touch("run_1", 1, "a", "x")]
    );
    assert_eq!(store.messages("fy_1").unwrap(), [message]);
}

#[test]
fn closing_folds_the_log_into_the_database() {
    let (dir, store) = new_store();
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    drop(store);
    let names: Vec<_> = {
        let mut names: Vec<_> = fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names, ["glade.db", "glade.lock", "reserve"]);
}

pub fn writes_queued_when_the_store_is_dropped_are_finished<P: Place>() {
    let (place, store) = P::opened();
    let writes: Vec<_> = (0..50)
        .map(|n| store.write(vec![crate::setting(&n.to_string(), "there")]))
        .collect();
    drop(store);
    drop(writes);
    let store = place.open();
    for n in 0..50 {
        assert!(store.setting(&n.to_string()).unwrap().is_some(), "{n}");
    }
}
