//! The host through its own doors: a real store, a real room, a model that says what it is told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use glade_agent::{Input, Prompt, StopReason, Usage};
use glade_doc::{Edit, ElementId, PageId, Props};
use glade_model::{Model, ModelError, ModelEvent};
use glade_store::{RunStatus, Store};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::{Asked, Host, Means};
use crate::first_start;
use crate::models::Models;
use crate::room::Rooms;
use crate::workspace::Workspace;

/// A model whose words come from the test, one channel for each request.
#[derive(Default)]
struct Scripted {
    asked: Mutex<Vec<mpsc::UnboundedSender<Result<ModelEvent, ModelError>>>>,
}

impl Scripted {
    fn say(&self, text: &str) {
        let asked = self.asked.lock().unwrap();
        let _closed = asked
            .last()
            .unwrap()
            .send(Ok(ModelEvent::Text(text.to_owned())));
    }

    fn end(&self) {
        let done = ModelEvent::Done {
            usage: Usage {
                input_tokens: 7,
                output_tokens: 5,
            },
            stop: StopReason::Stop,
        };
        let _closed = self.asked.lock().unwrap().last().unwrap().send(Ok(done));
    }

    fn requests(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "sketch"
    }

    fn label(&self) -> &str {
        "scripted"
    }

    fn ask(&self, _prompt: Prompt) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.asked.lock().unwrap().push(sender);
        UnboundedReceiverStream::new(receiver).boxed()
    }
}

struct Stage {
    dir: tempfile::TempDir,
    means: Means,
    host: Arc<Host>,
    model: Arc<Scripted>,
    fairy: String,
    page: PageId,
}

impl Stage {
    async fn set() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap()).await
    }

    async fn in_folder(dir: tempfile::TempDir) -> Self {
        let store = Store::open(dir.path()).unwrap();
        first_start::furnish(&store, "sketch").unwrap();
        let model = Arc::new(Scripted::default());
        let means = Means {
            store: store.clone(),
            rooms: Arc::new(Rooms::new(store.clone())),
            workspace: Arc::new(Workspace::open(store.clone()).unwrap()),
            models: Arc::new(Models::new(
                [Arc::clone(&model) as Arc<dyn Model>],
                "sketch",
            )),
        };
        let fairy = store.fairies().unwrap().remove(0).id;
        let page = PageId::from(store.pages().unwrap().remove(0).id);
        let host = Host::start(means.clone()).await.unwrap();
        Self {
            dir,
            means,
            host,
            model,
            fairy,
            page,
        }
    }

    async fn prompt(&self, message: &str) -> String {
        let before = self.model.requests();
        let asked = Asked {
            input: Input::message(message),
            message: None,
            asker: None,
        };
        let started = self.host.prompt(&self.fairy, asked).await.unwrap();
        self.wait("the model is asked", || self.model.requests() > before)
            .await;
        started.run
    }

    async fn wait(&self, what: &str, done: impl Fn() -> bool) {
        for _ in 0..2000 {
            if done() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("timed out: {what}");
    }

    async fn elements(&self) -> BTreeMap<ElementId, Props> {
        self.means
            .rooms
            .room(&self.page)
            .await
            .unwrap()
            .elements()
            .await
            .unwrap()
    }

    /// What is on the page: each live element's type and words.
    async fn live(&self) -> Vec<(String, String)> {
        let mut live: Vec<_> = self
            .elements()
            .await
            .into_values()
            .filter(|props| props.get("isDeleted") != Some(&json!(true)))
            .map(|props| {
                let word = |key: &str| {
                    props
                        .get(key)
                        .and_then(|v| v.as_str())
                        .unwrap_or_default()
                        .to_owned()
                };
                (word("type"), word("originalText"))
            })
            .collect();
        live.sort();
        live
    }

    async fn wait_for_end(&self, run: &str) {
        self.wait("the run ends", || {
            self.means
                .workspace
                .run(run)
                .is_some_and(|run| run.status != RunStatus::Running)
        })
        .await;
    }
}

fn answer() -> String {
    json!({ "actions": [
        { "_type": "message", "text": "Here \"you\" are \\ done" },
        { "_type": "create", "intent": "first", "shape": { "_type": "rectangle", "shapeId": "a", "x": 0, "y": 0, "w": 160, "h": 80, "color": "black", "fill": "none", "note": "", "text": "First word" } },
        { "_type": "create", "intent": "second", "shape": { "_type": "ellipse", "shapeId": "b", "x": 300, "y": 0, "w": 160, "h": 80, "color": "blue", "fill": "solid", "note": "", "text": "Other words" } },
        { "_type": "create", "intent": "join", "shape": { "_type": "arrow", "shapeId": "c", "fromId": "a", "toId": "b", "x1": 160, "y1": 40, "x2": 300, "y2": 40, "color": "black", "note": "" } },
        { "_type": "move", "intent": "apart", "shapeId": "b", "x": 400, "y": 100, "anchor": "top-left" },
        { "_type": "label", "intent": "rename", "shapeId": "a", "text": "Renamed" },
    ] })
    .to_string()
}

fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut named: Vec<_> = pairs
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect();
    named.sort();
    named
}

/// The pages that whole actions can leave behind, in their order.
fn whole_pages() -> Vec<Vec<(String, String)>> {
    let first = [("rectangle", ""), ("text", "First word")];
    let both = [
        ("rectangle", ""),
        ("text", "First word"),
        ("ellipse", ""),
        ("text", "Other words"),
    ];
    let joined = [
        ("rectangle", ""),
        ("text", "First word"),
        ("ellipse", ""),
        ("text", "Other words"),
        ("arrow", ""),
    ];
    let renamed = [
        ("rectangle", ""),
        ("text", "Renamed"),
        ("ellipse", ""),
        ("text", "Other words"),
        ("arrow", ""),
    ];
    vec![
        named(&[]),
        named(&first),
        named(&both),
        named(&joined),
        named(&renamed),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_answer_becomes_a_pending_run_that_can_be_undone() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    stage.model.say(&answer());
    stage.model.end();
    stage.wait_for_end(&run).await;
    assert_eq!(stage.live().await, whole_pages()[4]);
    let row = stage.means.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.settled), (RunStatus::Pending, false));
    assert_eq!(row.elements.len(), 5);
    assert_eq!((row.cost.input_tokens, row.cost.output_tokens), (7, 5));

    let room = stage.means.rooms.room(&stage.page).await.unwrap();
    let report = room.undo_run(run.as_str().into(), None).await.unwrap();
    assert_eq!(report.undone.len(), 5);
    assert_eq!(report.kept, []);
    assert_eq!(stage.live().await, named(&[]));
}

/// Stop at every byte: whatever had been said so far, the page holds whole actions only, and
/// nothing moves after the answer to Stop.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stop_at_any_byte_leaves_whole_actions_only() {
    let stage = Stage::set().await;
    let answer = answer();
    let pages = whole_pages();
    let mut reached = 0;
    // Every byte is cut in the pure core's own test; here every third, through store and room.
    for cut in (0..=answer.len())
        .filter(|cut| answer.is_char_boundary(*cut))
        .step_by(3)
    {
        let run = stage.prompt("go").await;
        let (said, _) = answer.split_at(cut);
        let half = said.len() / 2;
        stage.model.say(&said[..half]);
        if cut % 2 == 0 {
            tokio::time::sleep(Duration::from_millis(u64::from(cut % 4 == 0) * 4)).await;
        }
        stage.model.say(&said[half..]);
        if cut % 5 == 0 {
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        stage.host.stop(&stage.fairy).await.unwrap();
        let after = stage.live().await;
        let found = pages.iter().position(|page| *page == after);
        assert!(found.is_some(), "cut at {cut}: {after:?}");
        reached = reached.max(found.unwrap());
        // Late words of the old request go nowhere.
        stage.model.say("{\"actions\":[{\"_type\":\"create\"");
        let version = stage.elements().await;
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert_eq!(stage.elements().await, version, "cut at {cut}");
        assert_eq!(
            stage.means.workspace.run(&run).unwrap().status,
            RunStatus::Cancelled
        );

        let room = stage.means.rooms.room(&stage.page).await.unwrap();
        room.undo_run(run.as_str().into(), None).await.unwrap();
        assert_eq!(stage.live().await, named(&[]), "undo after a cut at {cut}");
    }
    assert!(reached >= 3, "the cuts reached into the answer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_message_takes_over_and_the_old_run_keeps_only_whole_actions() {
    let stage = Stage::set().await;
    let answer = answer();
    let old = stage.prompt("go").await;
    let cut = answer.find("Other wo").unwrap() + 8;
    stage.model.say(&answer[..cut]);
    stage.wait_for_live(4).await;
    let new = stage.prompt("something else").await;
    assert_eq!(stage.live().await, whole_pages()[1]);
    stage
        .model
        .say(r#"{"actions":[{"_type":"message","text":"Fine."}]}"#);
    stage.model.end();
    stage.wait_for_end(&new).await;
    assert_eq!(
        stage.means.workspace.run(&old).unwrap().status,
        RunStatus::Cancelled
    );
    assert_eq!(stage.live().await, whole_pages()[1]);
}

const ONE_BOX: &str = r#"{"_type":"create","intent":"","shape":{"_type":"rectangle","shapeId":"a","x":0,"y":0,"w":160,"h":80,"text":"A"}}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_the_fairy_ends_itself_is_not_mistaken_for_the_next() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let fly = r#"{"_type":"fly-to-bounds","intent":"","x":900,"y":0,"w":500,"h":400}"#;
    // The rest of the old answer, and its end, arrive together with the action that ends it.
    let late = ONE_BOX.replace("\"A\"", "\"Late\"");
    for piece in format!(r#"{{"actions":[{ONE_BOX},{fly},{late}]}}"#).split_inclusive(',') {
        stage.model.say(piece);
    }
    stage.model.end();
    stage
        .wait("the model is asked again", || stage.model.requests() == 2)
        .await;
    assert_eq!(stage.live().await.len(), 2, "the box, not the late one");
    assert_eq!(
        stage.means.workspace.run(&run).unwrap().status,
        RunStatus::Running
    );
    stage
        .model
        .say(r#"{"actions":[{"_type":"message","text":"Nothing here."}]}"#);
    stage.model.end();
    stage.wait_for_end(&run).await;
    let row = stage.means.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.steps.len()), (RunStatus::Pending, 2));
    assert!(
        row.cost.input_tokens > 7 && row.cost.output_tokens > 5,
        "the cut answer has its cost too: {:?}",
        row.cost
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_that_passes_is_tried_again_in_the_same_run() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let error = ModelError::RateLimited {
        model: "sketch".to_owned(),
        retry_after: Some(Duration::from_millis(20)),
    };
    let _closed = stage.model.asked.lock().unwrap()[0].send(Err(error));
    stage
        .wait("the model is asked again", || stage.model.requests() == 2)
        .await;
    stage.model.say(&format!(r#"{{"actions":[{ONE_BOX}]}}"#));
    stage.model.end();
    stage.wait_for_end(&run).await;
    let row = stage.means.workspace.run(&run).unwrap();
    assert_eq!(row.status, RunStatus::Pending);
    let errors: Vec<bool> = row.steps.iter().map(|step| step.error.is_some()).collect();
    assert_eq!(errors, [true, false]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn todos_are_shown_while_they_are_worked_off_and_what_is_scheduled_waits() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let later = Asked {
        input: Input::message("and in red"),
        message: None,
        asker: None,
    };
    let started = stage.host.schedule(&stage.fairy, later).await.unwrap();
    assert!(started.is_none(), "it is busy");
    stage.model.say(r#"{"actions":[{"_type":"upsert-personal-todo-item","id":"1","status":"todo","text":"paint"}]}"#);
    stage.model.end();
    stage
        .wait("the model is asked again", || stage.model.requests() == 2)
        .await;
    let todos = stage.means.workspace.fairy(&stage.fairy).unwrap().todos;
    assert_eq!(
        todos,
        [json!({"id": "1", "status": "todo", "text": "paint"})]
    );
    stage.model.say(r#"{"actions":[{"_type":"upsert-personal-todo-item","id":"1","status":"done","text":"paint"}]}"#);
    stage.model.end();
    stage.wait_for_end(&run).await;
    let fairy = stage.means.workspace.fairy(&stage.fairy).unwrap();
    assert_eq!((fairy.mode.as_str(), fairy.todos), ("idling", vec![]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_stops_and_survives_a_restart() {
    let stage = Stage::set().await;
    let run = stage.prompt("a secret").await;
    stage.host.reset(&stage.fairy).await.unwrap();
    assert_eq!(
        stage.means.workspace.run(&run).unwrap().status,
        RunStatus::Cancelled
    );
    let row = stage.means.store.fairies().unwrap().remove(0);
    assert!(!row.state_json.contains("a secret"), "{}", row.state_json);
}

impl Stage {
    async fn wait_for_live(&self, count: usize) {
        for _ in 0..500 {
            if self.live().await.len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        panic!("never {count} live elements: {:?}", self.live().await);
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
async fn undo_keeps_the_box_that_a_person_recoloured() {
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
    let room = stage.means.rooms.room(&stage.page).await.unwrap();
    let report = room.undo_run(run.as_str().into(), None).await.unwrap();
    assert_eq!(stage.live().await, named(&[("ellipse", "")]));
    assert_eq!(report.kept.len(), 1, "{report:?}");
    assert_eq!(
        (report.kept[0].what.clone(), report.kept[0].by.as_str()),
        (ellipse, "person:ann")
    );
}

/// A person's connection to the room, without a socket.
struct Person {
    room: crate::room::RoomHandle,
    doc: glade_doc::CanvasDoc,
    peer: u64,
    conn: crate::room::ConnId,
    frames: mpsc::Receiver<crate::room::Outgoing>,
    batch: u8,
}

impl Person {
    async fn join(stage: &Stage) -> Self {
        use crate::room::{ConnId, Line};
        let room = stage.means.rooms.room(&stage.page).await.unwrap();
        let (sender, frames) = mpsc::channel(1000);
        let conn = ConnId(u64::MAX - crate::ids::peer() % 1000);
        let line = Line {
            frames: sender,
            cut: Arc::default(),
            account: Arc::new(crate::sync::penalties::Account::new(Arc::default())),
            queued: Arc::default(),
        };
        let capability = glade_access::Capability::local("main", "person:ann").unwrap();
        let doc = glade_doc::CanvasDoc::new();
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

    async fn next(&mut self) -> loro_protocol::ProtocolMessage {
        loop {
            match self.frames.recv().await.unwrap() {
                crate::room::Outgoing::Frame(frame) => {
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

    async fn put(&mut self, id: &str, props: serde_json::Value) {
        // Whatever is on its way arrives before this person writes.
        self.room.settled().await.unwrap();
        while let Ok(crate::room::Outgoing::Frame(frame)) = self.frames.try_recv() {
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
async fn a_run_cut_by_a_crash_is_taken_back_and_asked_again() {
    let stage = Stage::set().await;
    let answer = answer();
    let run = stage.prompt("draw it").await;
    stage.model.say(&answer[..answer.find("Other").unwrap()]);
    stage.wait_for_live(3).await;
    // As a crash leaves it: nothing is told goodbye, the folder is simply opened again.
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(stage.dir.path()).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    let again = Stage::in_folder(copy).await;
    again
        .wait("asked again", || again.model.requests() == 1)
        .await;
    assert_eq!(again.live().await, named(&[]));
    let row = again.means.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.settled), (RunStatus::Failed, true));
    again.model.say(&answer);
    again.model.end();
    let running = again
        .means
        .workspace
        .snapshot()
        .runs
        .iter()
        .find(|r| r.id != run)
        .unwrap()
        .id
        .clone();
    again.wait_for_end(&running).await;
    assert_eq!(again.live().await, whole_pages()[4]);
    assert_eq!(
        again.means.workspace.run(&running).unwrap().message,
        "draw it"
    );
}
