//! Rooms beside a real store: who goes first, what is folded, what is closed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glade_access::{Capability, Narrower};
use glade_doc::{Edit, ElementId, PageId, PeerId, Props, RunTag};
use glade_store::{Change, RunOwner, RunRow, RunStatus, RunTarget, Store};
use serde_json::json;

use super::registry::{Rooms, Tuning};
use crate::first_start;

const ANNS_PEER: PeerId = 7;

fn rooms(dir: &std::path::Path, log_updates: usize) -> (Store, Rooms, PageId) {
    let store = Store::open(dir).unwrap();
    first_start::furnish(&store, "sketch").unwrap();
    let page = PageId::from(store.pages().unwrap().rows.remove(0).id);
    let tuning = Tuning {
        idle: Duration::from_secs(60),
        log_updates,
        ..Tuning::default()
    };
    (
        store.clone(),
        Rooms::tuned(store, tuning, Arc::new(|_| {})),
        page,
    )
}

/// What a fairy does on a page belongs to a run that the store knows.
async fn begin(store: &Store, page: &PageId, run: &str) {
    let row = RunRow {
        id: run.to_owned(),
        owner: RunOwner::Fairy(store.fairies().unwrap().rows.remove(0).id),
        target: RunTarget::Pages(page.to_string()),
        message: String::new(),
        status: RunStatus::Pending,
        settled: false,
        started_ms: 0,
        ended_ms: None,
        cost_json: "{}".to_owned(),
        error: None,
        elements_json: "[]".to_owned(),
    };
    store.write(vec![Change::PutRun(row)]).await.unwrap();
}

/// A fairy draws and leaves.
async fn draw(
    store: &Store,
    rooms: &Rooms,
    page: &PageId,
    run: &str,
    count: u32,
) -> BTreeMap<ElementId, Props> {
    begin(store, page, run).await;
    let room = rooms.room(page).await.unwrap();
    let capability = Capability::local("main", "fairy:fy_a").unwrap();
    let session = room
        .seat("fy_a", capability, crate::ids::peer())
        .await
        .unwrap();
    room.begin_run(&session, run.into(), None).await.unwrap();
    for action in 0..count {
        let tag = RunTag {
            run: run.into(),
            step: 1,
            action,
        };
        let edit = Edit::Put {
            id: format!("{run}-{action}").as_str().into(),
            props: json!({ "type": "rectangle", "x": action })
                .as_object()
                .unwrap()
                .clone(),
        };
        room.fairy_commit(&session, tag, "create", vec![edit])
            .await
            .unwrap();
        room.end_action(&session).await.unwrap();
    }
    room.elements().await.unwrap()
}

/// The menu that a model is shown is not the enforcement: the room asks for every edit.
#[tokio::test(flavor = "multi_thread")]
async fn the_room_refuses_a_tool_that_the_fairy_or_the_asker_may_not_use_and_a_late_one() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, rooms, page) = rooms(dir.path(), 100);
    let room = rooms.room(&page).await.unwrap();
    let whole = Capability::local("main", "fairy:fy_a").unwrap();
    let labels = whole
        .narrow(&Narrower {
            tools: Some(["label".to_owned()].into()),
            ..Narrower::default()
        })
        .unwrap();
    let over = whole
        .narrow(&Narrower {
            expires_at: Some(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1)),
            ..Narrower::default()
        })
        .unwrap();
    let cases = [
        (&labels, None, "this fairy may not use create"),
        (
            &whole,
            Some(&labels),
            "the person who asks may not use create",
        ),
        (
            &over,
            None,
            "the time in which this fairy may change pages is over",
        ),
        (
            &whole,
            Some(&over),
            "the rights of the person who asks have expired",
        ),
    ];
    for (capability, asker, reason) in cases {
        let session = room
            .seat("fy_a", capability.clone(), crate::ids::peer())
            .await
            .unwrap();
        room.begin_run(&session, "run_a".into(), asker.cloned())
            .await
            .unwrap();
        let tag = RunTag {
            run: "run_a".into(),
            step: 1,
            action: 1,
        };
        let edit = Edit::Put {
            id: "a".into(),
            props: json!({ "type": "rectangle" }).as_object().unwrap().clone(),
        };
        let refused = room.fairy_commit(&session, tag, "create", vec![edit]).await;
        assert_eq!(
            refused,
            Err(crate::rooms::CommitRefused::Refused(reason.to_owned()))
        );
    }
    assert_eq!(room.elements().await.unwrap(), BTreeMap::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_goes_before_the_edits_that_wait_for_the_room() {
    let dir = tempfile::tempdir().unwrap();
    let (store, rooms, page) = rooms(dir.path(), 1000);
    begin(&store, &page, "run_a").await;
    let room = rooms.room(&page).await.unwrap();
    let capability = Capability::local("main", "fairy:fy_a").unwrap();
    let session = room
        .seat("fy_a", capability, crate::ids::peer())
        .await
        .unwrap();
    room.begin_run(&session, "run_a".into(), None)
        .await
        .unwrap();
    let edits = (0..300).map(|action| {
        let tag = RunTag {
            run: "run_a".into(),
            step: 1,
            action,
        };
        let edit = Edit::Put {
            id: format!("box-{action}").as_str().into(),
            props: json!({ "type": "rectangle" }).as_object().unwrap().clone(),
        };
        room.fairy_commit(&session, tag, "create", vec![edit])
    });
    // All are in the mailbox before Stop is said.
    let (edited, fenced) =
        futures_util::future::join(futures_util::future::join_all(edits), room.fence("fy_a")).await;
    assert!(fenced.unwrap().is_some());
    let late = Err(crate::rooms::CommitRefused::Fenced);
    assert!(edited.contains(&late), "Stop waited for all of them");
    // Those that were in time are there, but for the last, which was not finished; no other.
    let done = edited.iter().filter(|outcome| outcome.is_ok()).count();
    let live = room.elements().await.unwrap();
    let live = live
        .values()
        .filter(|props| props.get("isDeleted") != Some(&json!(true)));
    assert_eq!(live.count(), done.saturating_sub(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_waits_for_one_of_the_fairies_edits_at_most() {
    let dir = tempfile::tempdir().unwrap();
    let (store, rooms, page) = rooms(dir.path(), 1000);
    begin(&store, &page, "run_a").await;
    let room = rooms.room(&page).await.unwrap();
    let capability = Capability::local("main", "fairy:fy_a").unwrap();
    let session = room.seat("fy_a", capability, 8).await.unwrap();
    room.begin_run(&session, "run_a".into(), None)
        .await
        .unwrap();
    let shape = |id: String| Edit::Put {
        id: id.as_str().into(),
        props: json!({ "type": "rectangle" }).as_object().unwrap().clone(),
    };
    let (go_on, until) = std::sync::mpsc::channel();
    room.hold(until).await.unwrap();
    let edits = (0..3).map(|action| {
        let tag = RunTag {
            run: "run_a".into(),
            step: 1,
            action,
        };
        let edit = shape(format!("box-{action}"));
        room.fairy_commit(&session, tag, "create", vec![edit])
    });
    let person = async {
        let ann = Capability::local("main", "person:ann").unwrap();
        let drawn = room.edit_as(ann, ANNS_PEER, vec![shape("anns".to_owned())]);
        let all = async { go_on.send(()).unwrap() };
        futures_util::future::join(drawn, all).await.0
    };
    // The fairy's edits are asked for first.
    let (edited, drawn) =
        futures_util::future::join(futures_util::future::join_all(edits), person).await;
    assert!(edited.iter().all(Result::is_ok));
    assert!(drawn.is_ok());
    let logged = store.load_page(page.as_str()).unwrap().updates;
    let authors = logged
        .iter()
        .map(|blob| glade_doc::blob_spans(blob).unwrap()[0].peer);
    // Holding it was somebody's turn, after which one edit of a fairy is let in.
    assert_eq!(authors.collect::<Vec<_>>(), [8, ANNS_PEER, 8, 8]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_log_becomes_a_snapshot_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let (store, rooms, page) = rooms(dir.path(), 10);
    draw(&store, &rooms, &page, "run_a", 25).await;
    let elements = draw(&store, &rooms, &page, "run_b", 7).await;
    rooms.room(&page).await.unwrap().settled().await.unwrap();
    drop(rooms);
    // The snapshot may be the last thing in the queue.
    store.write(Vec::new()).await.unwrap();
    let stored = store.load_page(page.as_str()).unwrap();
    assert!(stored.snapshot.is_some());
    assert!(
        stored.updates.len() < 10,
        "{} updates",
        stored.updates.len()
    );
    assert_eq!(stored.last_seq, 32);

    let again = Rooms::new(store);
    let room = again.room(&page).await.unwrap();
    assert_eq!(room.elements().await.unwrap(), elements);
    let report = room.undo_run("run_a".into(), None).await.unwrap();
    assert_eq!(
        report.undone.len(),
        25,
        "a pending run outlives the folding"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_nobody_uses_closes_and_opens_again_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let (store, rooms, page) = rooms(dir.path(), 1000);
    let elements = draw(&store, &rooms, &page, "run_a", 3).await;
    let now = Instant::now();
    let held = rooms.room(&page).await.unwrap();
    rooms.close_idle(now).await;
    rooms.close_idle(now + Duration::from_secs(600)).await;
    assert_eq!(rooms.count().await, 1, "somebody holds it");
    drop(held);
    rooms.close_idle(now + Duration::from_secs(601)).await;
    rooms.close_idle(now + Duration::from_secs(660)).await;
    assert_eq!(rooms.count().await, 1, "not for long enough");
    rooms.close_idle(now + Duration::from_secs(661)).await;
    assert_eq!(rooms.count().await, 0);
    let room = rooms.room(&page).await.unwrap();
    assert_eq!(room.elements().await.unwrap(), elements);
}

fn recordings(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_room_replays_with_what_it_folded_and_what_was_undone() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("recordings");
    let (store, rooms, page) = rooms(&dir.path().join("data"), 10);
    let rooms = rooms.recorded_in(Some(folder.clone()));
    draw(&store, &rooms, &page, "run_a", 25).await;
    let room = rooms.room(&page).await.unwrap();
    room.undo_run("run_a".into(), None).await.unwrap();
    drop(room);
    rooms.close_all(Duration::from_secs(60)).await;
    drop(rooms);
    let files = recordings(&folder);
    let [file] = files.as_slice() else {
        panic!("{files:?}");
    };
    // The room's task writes the last line when it ends.
    let replayed = loop {
        let recorded = std::fs::read(file).unwrap();
        let replayed = glade_room::recording::replay(&recorded[..]).unwrap();
        if replayed.end == glade_room::recording::End::Left {
            break replayed;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert!(replayed.inputs > 50, "{replayed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_that_cannot_be_written_stops_no_room() {
    let dir = tempfile::tempdir().unwrap();
    let (store, rooms, page) = rooms(&dir.path().join("data"), 1000);
    let file = dir.path().join("a file");
    std::fs::write(&file, "no folder").unwrap();
    let rooms = rooms.recorded_in(Some(file));
    let elements = draw(&store, &rooms, &page, "run_a", 3).await;
    assert_eq!(elements.len(), 3);
}
