//! People beside a fairy: what they lock, change and undo.

use std::sync::Arc;

use glade_doc::Edit;
use serde_json::json;
use tokio::sync::mpsc;

use super::stage::{Stage, answer, named};

/// A person's connection to the room, without a socket.
pub struct Person {
    pub room: crate::rooms::RoomHandle,
    pub doc: glade_doc::PageDoc,
    pub peer: u64,
    pub conn: crate::rooms::ConnId,
    pub frames: mpsc::Receiver<crate::rooms::Outgoing>,
    pub batch: u8,
}

impl Person {
    pub async fn join(stage: &Stage) -> Self {
        use crate::rooms::{ConnId, Line};
        let room = stage.deps.rooms.room(&stage.page).await.unwrap();
        let (sender, frames) = mpsc::channel(1000);
        let conn = ConnId(u64::MAX - crate::ids::peer() % 1000);
        let line = Line {
            frames: sender,
            cut: Arc::default(),
            account: Arc::new(crate::connection::penalties::Account::new(Arc::default())),
            queued: Arc::default(),
        };
        let capability = glade_access::Capability::local("main", "person:ann").unwrap();
        let doc = glade_doc::PageDoc::new();
        room.join(
            conn,
            line,
            loro_protocol::CrdtType::Loro,
            capability,
            doc.version(),
        )
        .await
        .unwrap();
        let mut person = Self {
            room,
            doc,
            peer: crate::ids::peer(),
            conn,
            frames,
            batch: 0,
        };
        // The answer to the join, then the page if it holds anything.
        person.next().await;
        person
    }

    pub async fn next(&mut self) -> loro_protocol::ProtocolMessage {
        loop {
            match self.frames.recv().await.unwrap() {
                crate::rooms::Outgoing::Frame(frame) => {
                    let message = loro_protocol::decode(&frame).unwrap();
                    if let loro_protocol::ProtocolMessage::DocUpdate { updates, .. } = &message {
                        for update in updates {
                            self.doc.import(update).unwrap();
                        }
                        continue;
                    }
                    return message;
                }
                other => panic!("{other:?}"),
            }
        }
    }

    pub async fn put(&mut self, id: &str, props: serde_json::Value) {
        // Whatever is on its way arrives before this person writes.
        self.room.settled().await.unwrap();
        while let Ok(crate::rooms::Outgoing::Frame(frame)) = self.frames.try_recv() {
            if let Ok(loro_protocol::ProtocolMessage::DocUpdate { updates, .. }) =
                loro_protocol::decode(&frame)
            {
                for update in updates {
                    self.doc.import(&update).unwrap();
                }
            }
        }
        let edit = Edit::Put {
            id: id.into(),
            props: props.as_object().unwrap().clone(),
        };
        let commit = self.doc.commit(self.peer, None, &[edit]).unwrap().unwrap();
        self.batch += 1;
        let batch = loro_protocol::BatchId([self.batch; 8]);
        self.room
            .update(self.conn, batch, vec![commit.update])
            .await
            .unwrap();
        match self.next().await {
            loro_protocol::ProtocolMessage::Ack { ref_id, status, .. } => {
                assert_eq!(
                    (ref_id, status),
                    (batch, loro_protocol::UpdateStatusCode::Ok)
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_shape_stays_as_it_is_and_the_model_hears_why() {
    let stage = Stage::set().await;
    let mut ann = Person::join(&stage).await;
    ann.put(
        "mine",
        json!({ "type": "rectangle", "x": 10, "y": 20, "width": 50, "height": 40, "locked": true }),
    )
    .await;
    let run = stage.prompt("go").await;
    stage
        .model
        .say(r#"{"actions":[{"_type":"delete","intent":"away","shapeId":"mine"}]}"#);
    stage.model.end();
    // It is told, and asked once more.
    stage
        .wait("the model is asked again", || stage.model.requests() == 2)
        .await;
    stage
        .model
        .say(r#"{"actions":[{"_type":"message","text":"I see."}]}"#);
    stage.model.end();
    stage.wait_for_end(&run).await;
    assert_eq!(stage.live().await, named(&[("rectangle", "")]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undo_keeps_the_box_that_a_person_recoloured_with_its_words() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    stage.model.say(&answer());
    stage.model.end();
    stage.wait_for_end(&run).await;
    let mut ann = Person::join(&stage).await;
    let (ellipse, _) = stage
        .elements()
        .await
        .into_iter()
        .find(|(_, p)| p["type"] == "ellipse")
        .unwrap();
    ann.put(ellipse.as_str(), json!({ "backgroundColor": "#ffc9c9" }))
        .await;
    let room = stage.deps.rooms.room(&stage.page).await.unwrap();
    let report = room.undo_run(run.as_str().into(), None).await.unwrap();
    let whole = named(&[("ellipse", ""), ("text", "Other words")]);
    assert_eq!(stage.live().await, whole);
    assert_eq!(report.kept.len(), 1, "{report:?}");
    assert_eq!(
        (report.kept[0].what.clone(), report.kept[0].by.as_str()),
        (ellipse, "person:ann")
    );
}
