//! The room's core by itself: what the simulator once found, kept small.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use glade_access::Capability;
use glade_canvas::Scene;
use glade_doc::{CanvasDoc, Edit, PeerId};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode, decode};
use serde_json::json;

use super::ConnId;
use super::core::{Outgoing, Output, RoomCore};

const ANNS_PEER: PeerId = 7;

fn room() -> RoomCore {
    let scene = Arc::new(RwLock::new(Scene::new()));
    RoomCore::new(
        "pg_a".into(),
        "internal".to_owned(),
        CanvasDoc::new(),
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

fn write(doc: &CanvasDoc, peer: PeerId, x: i32) -> Vec<u8> {
    let edit = Edit::Put {
        id: "a".into(),
        props: json!({ "x": x }).as_object().unwrap().clone(),
    };
    doc.commit(peer, None, &[edit]).unwrap().unwrap().update
}

#[test]
fn a_client_that_comes_back_goes_on_although_its_old_line_is_not_known_to_be_dead() {
    let mut room = room();
    let ann = CanvasDoc::new();
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
    let ann = CanvasDoc::new();
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
