//! A host on a stage of its own: a real store, real rooms, a model that says what it is told.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use glade_agent::{Input, Prompt, StopReason, Usage};
use glade_doc::{ElementId, PageId, Props};
use glade_model::{Model, ModelError, ModelEvent};
use glade_store::{RunStatus, Store};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::fairies::{Asked, Deps, Fetcher, Host, Started};
use crate::first_start;
use crate::models::Models;
use crate::rooms::Rooms;
use crate::workspace::{Teams, Workspace};

/// A model whose words come from the test, one channel for each request.
#[derive(Default)]
pub struct Scripted {
    pub asked: Mutex<Vec<mpsc::UnboundedSender<Result<ModelEvent, ModelError>>>>,
    /// What it was asked.
    pub prompts: Mutex<Vec<Prompt>>,
    pub has_eyes: AtomicBool,
}

impl Scripted {
    pub fn say(&self, text: &str) {
        let asked = self.asked.lock().unwrap();
        let _closed = asked
            .last()
            .unwrap()
            .send(Ok(ModelEvent::Text(text.to_owned())));
    }

    pub fn end(&self) {
        let done = ModelEvent::Done {
            usage: Usage {
                input_tokens: 7,
                output_tokens: 5,
            },
            stop: StopReason::Stop,
        };
        let _closed = self.asked.lock().unwrap().last().unwrap().send(Ok(done));
    }

    pub fn requests(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// What the last request was.
    pub fn prompt(&self) -> Prompt {
        self.prompts.lock().unwrap().last().unwrap().clone()
    }

    /// Sends anything to the last request.
    pub fn tell(&self, event: Result<ModelEvent, ModelError>) {
        let _closed = self.asked.lock().unwrap().last().unwrap().send(event);
    }

    /// Ends the last answer as a broken line does: with nothing.
    pub fn cut(&self) {
        let (nobody, _) = mpsc::unbounded_channel();
        *self.asked.lock().unwrap().last_mut().unwrap() = nobody;
    }

    /// A whole answer to one of the requests.
    pub fn answer_to(&self, request: usize, text: &str) {
        self.tell_to(request, Ok(ModelEvent::Text(text.to_owned())));
        let done = ModelEvent::Done {
            usage: Usage::default(),
            stop: StopReason::Stop,
        };
        self.tell_to(request, Ok(done));
    }

    /// Sends anything to one of the requests.
    pub fn tell_to(&self, request: usize, event: Result<ModelEvent, ModelError>) {
        let _closed = self.asked.lock().unwrap()[request].send(event);
    }

    /// A whole answer of these actions.
    pub fn answer(&self, actions: &str) {
        self.say(&format!(r#"{{"actions":[{actions}]}}"#));
        self.end();
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "sketch"
    }

    fn label(&self) -> &str {
        "scripted"
    }

    fn sees(&self) -> bool {
        self.has_eyes.load(Ordering::Relaxed)
    }

    fn ask(&self, prompt: Prompt) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.prompts.lock().unwrap().push(prompt);
        self.asked.lock().unwrap().push(sender);
        UnboundedReceiverStream::new(receiver).boxed()
    }
}

pub struct Stage {
    pub dir: tempfile::TempDir,
    pub deps: Deps,
    pub host: Arc<Host>,
    pub model: Arc<Scripted>,
    pub fairy: String,
    pub page: PageId,
}

impl Stage {
    pub async fn set() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap()).await
    }

    /// With projects that are held to this.
    pub async fn ruled(teams: Teams) -> Self {
        Self::made(tempfile::tempdir().unwrap(), usize::MAX, None, teams).await
    }

    pub async fn in_folder(dir: tempfile::TempDir) -> Self {
        Self::at_a_pace(dir, usize::MAX).await
    }

    pub async fn at_a_pace(dir: tempfile::TempDir, commits_a_second: usize) -> Self {
        Self::with(dir, commits_a_second, None).await
    }

    pub async fn with(
        dir: tempfile::TempDir,
        commits_a_second: usize,
        outside: Option<Arc<dyn Fetcher>>,
    ) -> Self {
        Self::made(dir, commits_a_second, outside, Teams::default()).await
    }

    async fn made(
        dir: tempfile::TempDir,
        commits_a_second: usize,
        outside: Option<Arc<dyn Fetcher>>,
        teams: Teams,
    ) -> Self {
        let store = Store::open(dir.path()).unwrap();
        first_start::furnish(&store, "sketch").unwrap();
        let model = Arc::new(Scripted::default());
        let deps = Deps {
            store: store.clone(),
            rooms: Arc::new(Rooms::new(store.clone())),
            workspace: Arc::new(Workspace::open(store.clone()).unwrap().with_teams(teams)),
            models: Arc::new(Models::new(
                [Arc::clone(&model) as Arc<dyn Model>],
                "sketch",
            )),
            commits_a_second,
            outside,
        };
        let fairy = store.fairies().unwrap().rows.remove(0).id;
        let page = PageId::from(store.pages().unwrap().rows.remove(0).id);
        let host = Host::start(deps.clone()).await.unwrap();
        Self {
            dir,
            deps,
            host,
            model,
            fairy,
            page,
        }
    }

    pub async fn prompt(&self, message: &str) -> String {
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

    pub async fn wait(&self, what: &str, done: impl Fn() -> bool) {
        for _ in 0..20_000 {
            if done() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("timed out: {what}");
    }

    pub async fn elements(&self) -> BTreeMap<ElementId, Props> {
        self.deps
            .rooms
            .room(&self.page)
            .await
            .unwrap()
            .elements()
            .await
            .unwrap()
    }

    /// What is on the page: each live element's type and words.
    pub async fn live(&self) -> Vec<(String, String)> {
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

    pub async fn wait_for_end(&self, run: &str) {
        self.wait("the run ends", || {
            self.deps
                .workspace
                .run(run)
                .is_some_and(|run| run.status != RunStatus::Running)
        })
        .await;
    }

    /// Waits until the model has been asked so often.
    pub async fn asked(&self, times: usize) {
        self.wait("the model is asked", || self.model.requests() >= times)
            .await;
    }

    pub async fn ask(&self, input: Input) -> Started {
        let asked = Asked {
            input,
            message: None,
            asker: None,
        };
        self.host.prompt(&self.fairy, asked).await.unwrap()
    }

    /// The same folder as a crash leaves it: nothing is told goodbye, it is simply opened again.
    pub async fn crash(&self) -> Self {
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(self.dir.path()).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        Self::in_folder(copy).await
    }

    pub async fn wait_for_live(&self, count: usize) {
        for _ in 0..5_000 {
            if self.live().await.len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        panic!("never {count} live elements: {:?}", self.live().await);
    }
}

pub fn answer() -> String {
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

pub fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut named: Vec<_> = pairs
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect();
    named.sort();
    named
}

/// The pages that whole actions can leave behind, in their order.
pub fn whole_pages() -> Vec<Vec<(String, String)>> {
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

pub const ONE_BOX: &str = r#"{"_type":"create","intent":"","shape":{"_type":"rectangle","shapeId":"a","x":0,"y":0,"w":160,"h":80,"text":"A"}}"#;
