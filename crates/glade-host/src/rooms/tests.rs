//! The room's core by itself: what the simulator once found, kept small.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use glade_access::{Capability, Narrower};
use glade_canvas::Scene;
use glade_doc::{Edit, PageDoc, PeerId, Surface};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode, decode};
use serde_json::json;

use super::ConnId;
use super::core::RoomCore;
use super::output::{Outgoing, Output};

mod text;

const ANNS_PEER: PeerId = 7;

fn room() -> RoomCore {
    let scene = Arc::new(RwLock::new(Scene::new()));
    RoomCore::new(
        "pg_a".into(),
        "internal".to_owned(),
        PageDoc::new(),
        Vec::new(),
        HashMap::new(),
        99,
        scene,
    )
    .unwrap()
}

fn join(room: &mut RoomCore, conn: u64, subject: &str) {
    let capability = Capability::local("main", subject).unwrap();
    room.join(ConnId(conn), CrdtType::Loro, capability, &[]);
    status(room);
}

/// Lets the disk catch up and answers the last status that anybody was told.
fn status(room: &mut RoomCore) -> Option<UpdateStatusCode> {
    room.durable(u64::MAX);
    let mut last = None;
    for output in room.take_outputs() {
        if let Output::Send {
            what: Outgoing::Frame(frame),
            ..
        } = output
            && let ProtocolMessage::Ack { status, .. } = decode(&frame).unwrap()
        {
            last = Some(status);
        }
    }
    last
}

fn update(room: &mut RoomCore, conn: u64, blob: &[u8]) -> Option<UpdateStatusCode> {
    room.update(ConnId(conn), BatchId([1; 8]), &[blob.to_vec()]);
    room.durable(u64::MAX);
    status(room)
}

fn write(doc: &PageDoc, peer: PeerId, x: i32) -> Vec<u8> {
    let edit = Edit::Put {
        id: "a".into(),
        props: json!({ "x": x }).as_object().unwrap().clone(),
    };
    doc.commit(peer, None, &[edit]).unwrap().unwrap().update
}

#[test]
fn a_client_that_comes_back_goes_on_although_its_old_line_is_not_known_to_be_dead() {
    let mut room = room();
    let ann = PageDoc::new();
    join(&mut room, 1, "person:ann");
    assert_eq!(
        update(&mut room, 1, &write(&ann, ANNS_PEER, 1)),
        Some(UpdateStatusCode::Ok)
    );
    let in_flight = write(&ann, ANNS_PEER, 2);
    join(&mut room, 2, "person:ann");
    assert_eq!(
        update(&mut room, 2, &in_flight),
        Some(UpdateStatusCode::Ok),
        "sent again on the new line"
    );
    let late = write(&ann, ANNS_PEER, 3);
    assert_eq!(
        update(&mut room, 1, &late),
        Some(UpdateStatusCode::PermissionDenied),
        "the old line may not go on"
    );
    assert_eq!(update(&mut room, 2, &late), Some(UpdateStatusCode::Ok));
}

#[test]
fn nobody_else_takes_a_peer_over() {
    let mut room = room();
    let ann = PageDoc::new();
    join(&mut room, 1, "person:ann");
    join(&mut room, 2, "person:ben");
    update(&mut room, 1, &write(&ann, ANNS_PEER, 1));
    let forged = write(&ann.fork(), ANNS_PEER, 2);
    assert_eq!(
        update(&mut room, 2, &forged),
        Some(UpdateStatusCode::PermissionDenied)
    );
    assert_eq!(
        update(&mut room, 1, &write(&ann, ANNS_PEER, 3)),
        Some(UpdateStatusCode::Ok)
    );
}

mod tidy {
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    use glade_doc::{ElementId, PageId, Props, RunTag};
    use glade_store::{Change, RunOwner, RunRow, RunStatus, RunTarget, Store};

    use super::*;
    use crate::first_start;
    use crate::rooms::registry::{Rooms, Tuning};

    fn rooms(dir: &std::path::Path, log_updates: usize) -> (Store, Rooms, PageId) {
        let store = Store::open(dir).unwrap();
        first_start::furnish(&store, "sketch").unwrap();
        let page = PageId::from(store.pages().unwrap().remove(0).id);
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
            owner: RunOwner::Fairy(store.fairies().unwrap().remove(0).id),
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
            futures_util::future::join(futures_util::future::join_all(edits), room.fence("fy_a"))
                .await;
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
}

#[test]
fn updates_taken_together_are_answered_as_if_they_had_come_one_by_one() {
    let (mut together, mut apart) = (room(), room());
    let people: Vec<(u64, PageDoc)> = (1..=3).map(|conn| (conn, PageDoc::new())).collect();
    let message = |conn: u64, blob: Vec<u8>| super::batch::Update {
        conn: ConnId(conn),
        batch: BatchId([9; 8]),
        blobs: vec![blob],
        taken: None,
    };
    for room in [&mut together, &mut apart] {
        for (conn, _) in &people {
            join(room, *conn, &format!("person:{conn}"));
        }
    }
    let mut arrived = Vec::new();
    for x in 0..20 {
        for (conn, doc) in &people {
            let peer = match x {
                // Once, somebody uses an id that is another's by now.
                7 => 100 + conn % 3 + 1,
                _ => 100 + conn,
            };
            arrived.push((*conn, write(doc, peer, x)));
        }
    }
    for (conn, blob) in &arrived {
        apart.updates(vec![message(*conn, blob.clone())]);
    }
    let all = arrived.into_iter();
    together.updates(all.map(|(conn, blob)| message(conn, blob)).collect());

    assert_eq!(together.elements(), apart.elements());
    let acks = |room: &mut RoomCore| -> Vec<(ConnId, UpdateStatusCode)> {
        room.durable(u64::MAX);
        let outputs = room.take_outputs().into_iter();
        let acks = outputs.filter_map(|output| match output {
            Output::Send {
                conn,
                what: Outgoing::Frame(frame),
            } => match decode(&frame).unwrap() {
                ProtocolMessage::Ack { status, .. } => Some((conn, status)),
                _ => None,
            },
            _ => None,
        });
        acks.collect()
    };
    let expected = acks(&mut apart);
    assert!(
        expected
            .iter()
            .any(|(_, status)| *status != UpdateStatusCode::Ok)
    );
    assert_eq!(acks(&mut together), expected);
}

#[test]
fn who_has_nothing_gets_a_large_page_as_it_is_kept_and_as_it_is_after_a_change() {
    let doc = PageDoc::new();
    let boxes: Vec<Edit> = (0..2100)
        .map(|at| Edit::Put {
            id: format!("e{at}").as_str().into(),
            props: json!({
                "type": "rectangle", "x": at, "y": 0, "width": 1, "height": 1, "angle": 0,
                "strokeColor": "a", "opacity": 100, "seed": at
            })
            .as_object()
            .unwrap()
            .clone(),
        })
        .collect();
    doc.commit(3, None, &boxes).unwrap();
    let stored = doc.snapshot().unwrap();
    let scene = Arc::new(RwLock::new(Scene::new()));
    let (page, tier) = ("pg_a".into(), "internal".to_owned());
    let read = PageDoc::open(Surface::Canvas, Some(&stored), &[]).unwrap();
    let mut room = RoomCore::new(page, tier, read, Vec::new(), HashMap::new(), 99, scene).unwrap();
    room.was_read_from(Some(stored.clone()), Vec::new());

    let opened = |room: &mut RoomCore, conn: u64| -> Vec<u8> {
        let capability = Capability::local("main", "person:ann").unwrap();
        room.join(ConnId(conn), CrdtType::Loro, capability, &[]);
        room.durable(u64::MAX);
        let mut bytes = Vec::new();
        for output in room.take_outputs() {
            if let Output::Send {
                what: Outgoing::Frame(frame),
                ..
            } = output
            {
                match decode(&frame).unwrap() {
                    ProtocolMessage::DocUpdate { updates, .. } => bytes.extend(updates.concat()),
                    ProtocolMessage::DocUpdateFragment { fragment, .. } => bytes.extend(fragment),
                    _ => {}
                }
            }
        }
        bytes
    };
    assert!(opened(&mut room, 1) == stored, "as it lies in the store");
    assert_eq!(
        update(&mut room, 1, &write(&doc, ANNS_PEER, 5)),
        Some(UpdateStatusCode::Ok)
    );
    let after = opened(&mut room, 2);
    let newcomer = PageDoc::open(Surface::Canvas, Some(&after), &[]).unwrap();
    assert_eq!(newcomer.elements(), doc.elements());
    assert!(opened(&mut room, 3) == after, "made once");
}
