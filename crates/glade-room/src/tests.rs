//! The room's core by itself: what the simulator once found, kept small.

use std::collections::BTreeMap;

use glade_access::Capability;
use glade_doc::{Edit, ElementId, PageDoc, PeerId, Props, Surface};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode, decode};
use serde_json::json;

use crate::{
    Answer, Barred, Call, CallId, CommitRefused, ConnId, FromAnswer, Input, Opening, Outgoing,
    Output, Room, Update,
};

mod text;

const ANNS_PEER: PeerId = 7;
const NOW: i64 = 1_700_000_000_000;

/// A room with a disk that is done at once.
struct Driven {
    room: Room,
    /// What was sent and not looked at yet.
    sent: Vec<(ConnId, Outgoing)>,
}

impl Driven {
    fn open(surface: Surface, snapshot: Option<Vec<u8>>, peers: BTreeMap<PeerId, String>) -> Self {
        let opening = Opening {
            page: "pg_a".into(),
            tier: "internal".to_owned(),
            surface,
            snapshot,
            updates: Vec::new(),
            touches: Vec::new(),
            peers,
            server_peer: 99,
            run_prefix: "run_suggestion".to_owned(),
            suggested: Vec::new(),
            barred: Barred::default(),
        };
        Self {
            room: Room::open(opening).unwrap(),
            sent: Vec::new(),
        }
    }

    /// Gives an input and lets the disk catch up; answers what was answered.
    fn give(&mut self, input: Input) -> Option<Answer> {
        let mut outputs = self.room.step(NOW, input);
        outputs.extend(self.room.step(NOW, Input::Durable { ticket: u64::MAX }));
        let mut answered = None;
        for output in outputs {
            match output {
                Output::Send { conn, what } => self.sent.push((conn, what)),
                Output::Answer { answer, .. } => answered = Some(answer),
                _ => {}
            }
        }
        answered
    }

    fn call<T: FromAnswer>(&mut self, call: Call) -> Result<T, CommitRefused> {
        let id = CallId(1);
        match self.give(Input::Call { id, call }).unwrap() {
            Answer::Refused(refused) => Err(refused),
            other => Ok(T::from_answer(other).unwrap()),
        }
    }

    fn elements(&mut self) -> BTreeMap<ElementId, Props> {
        self.call(Call::Elements).unwrap()
    }

    fn join(&mut self, conn: ConnId, subject: &str, version: Vec<u8>) {
        let capability = Capability::local("main", subject).unwrap();
        self.give(Input::Join {
            conn,
            crdt: CrdtType::Loro,
            capability: Box::new(capability),
            version,
        });
    }

    fn update(&mut self, conn: ConnId, batch: BatchId, blob: Vec<u8>) {
        let blobs = vec![blob];
        self.give(Input::Updates(vec![Update { conn, batch, blobs }]));
    }

    /// The messages that were sent since this was last asked.
    fn messages(&mut self) -> Vec<(ConnId, ProtocolMessage)> {
        let sent = std::mem::take(&mut self.sent).into_iter();
        let frames = sent.filter_map(|(conn, what)| match what {
            Outgoing::Frame(frame) => Some((conn, decode(&frame).unwrap())),
            _ => None,
        });
        frames.collect()
    }

    fn acks(&mut self) -> Vec<(ConnId, UpdateStatusCode)> {
        let messages = self.messages().into_iter();
        let acks = messages.filter_map(|(conn, message)| match message {
            ProtocolMessage::Ack { status, .. } => Some((conn, status)),
            _ => None,
        });
        acks.collect()
    }
}

fn room() -> Driven {
    Driven::open(Surface::Canvas, None, BTreeMap::new())
}

fn join(room: &mut Driven, conn: u64, subject: &str) {
    room.join(ConnId(conn), subject, Vec::new());
}

/// Answers the last status that anybody was told.
fn update(room: &mut Driven, conn: u64, blob: &[u8]) -> Option<UpdateStatusCode> {
    room.update(ConnId(conn), BatchId([1; 8]), blob.to_vec());
    room.acks().last().map(|(_, status)| *status)
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

#[test]
fn updates_taken_together_are_answered_as_if_they_had_come_one_by_one() {
    let (mut together, mut apart) = (room(), room());
    let people: Vec<(u64, PageDoc)> = (1..=3).map(|conn| (conn, PageDoc::new())).collect();
    let message = |conn: u64, blob: Vec<u8>| Update {
        conn: ConnId(conn),
        batch: BatchId([9; 8]),
        blobs: vec![blob],
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
        apart.give(Input::Updates(vec![message(*conn, blob.clone())]));
    }
    let all = arrived.into_iter();
    let all = all.map(|(conn, blob)| message(conn, blob)).collect();
    together.give(Input::Updates(all));

    assert_eq!(together.elements(), apart.elements());
    let expected = apart.acks();
    assert!(
        expected
            .iter()
            .any(|(_, status)| *status != UpdateStatusCode::Ok)
    );
    assert_eq!(together.acks(), expected);
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
    let mut room = Driven::open(Surface::Canvas, Some(stored.clone()), BTreeMap::new());

    let opened = |room: &mut Driven, conn: u64| -> Vec<u8> {
        room.messages();
        join(room, conn, "person:ann");
        let mut bytes = Vec::new();
        for (_, message) in room.messages() {
            match message {
                ProtocolMessage::DocUpdate { updates, .. } => bytes.extend(updates.concat()),
                ProtocolMessage::DocUpdateFragment { fragment, .. } => bytes.extend(fragment),
                _ => {}
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

#[test]
fn a_page_that_takes_too_many_bytes_grows_no_more_and_lets_delete() {
    let mut room = room();
    join(&mut room, 1, "person:ann");
    let client = PageDoc::new();
    assert_eq!(
        update(&mut room, 1, &write(&client, ANNS_PEER, 1)),
        Some(UpdateStatusCode::Ok)
    );
    room.room.document.bytes = crate::BYTES_OF_A_PAGE;
    let refused = client.fork();
    assert_eq!(
        update(&mut room, 1, &write(&refused, ANNS_PEER, 2)),
        Some(UpdateStatusCode::PermissionDenied)
    );
    let gone = client.commit(ANNS_PEER, None, &[Edit::Delete { id: "a".into() }]);
    let gone = gone.unwrap().unwrap().update;
    assert_eq!(update(&mut room, 1, &gone), Some(UpdateStatusCode::Ok));
    assert!(room.room.document.bytes > crate::BYTES_OF_A_PAGE);
}
