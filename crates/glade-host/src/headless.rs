//! A fairy and a page with nobody else around: no port, no browser, no data folder to keep.
//!
//! For work on a file. It is the same host, room, gate and store as the server's, in a folder that is
//! thrown away afterwards: a fairy cannot do more here than there, nor otherwise.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use futures_util::{Stream, StreamExt as _};
use glade_access::{AccessError, Capability, WORKSPACE};
use glade_agent::{ActionNote, Input};
use glade_canvas::{Rect, Scene};
use glade_doc::{Edit, PageId, Surface};
use glade_model::Model;
use glade_sketch::SketchModel;
use glade_store::{Change, PageRow, RunStatus, Store, StoreError};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;

use crate::fairies::{Asked, Deps, Host, HostError};
use crate::models::{Models, NoModel, SettingsError};
use crate::rooms::Rooms;
use crate::workspace::{Cost, Workspace};
use crate::{first_start, rows};

/// Who asks, when nobody else is around.
const OWNER: &str = "person:owner";

pub struct Headless {
    deps: Deps,
    host: Arc<Host>,
    fairy: String,
    page: PageId,
}

#[derive(Debug, thiserror::Error)]
pub enum HeadlessError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("the fairy could not start: {0}")]
    Host(String),
    #[error(transparent)]
    NoModel(#[from] NoModel),
    #[error(transparent)]
    Models(#[from] SettingsError),
}

impl From<HostError> for HeadlessError {
    fn from(error: HostError) -> Self {
        Self::Host(error.to_string())
    }
}

/// What one hears of a run while it lasts.
#[derive(Debug, Clone, PartialEq)]
pub enum RunProgress {
    /// What the fairy says, piece by piece.
    Words(String),
    WordsEnd,
    /// An action, each time anew as it grows.
    Action(ActionNote),
    /// The run failed, for this reason.
    Failed(String),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub model: String,
    pub cost: Cost,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

impl Headless {
    /// A page of this surface with this on it and a fairy on the page. `scratch` is an empty folder, to be thrown
    /// away afterwards; the settings of models are looked for in `data`, which is only read.
    pub async fn start(
        scratch: &Path,
        data: &Path,
        model: &str,
        surface: Surface,
        content: &[Edit],
    ) -> Result<Self, HeadlessError> {
        let store = Store::open(scratch)?;
        let sketch: Arc<dyn Model> = Arc::new(SketchModel::new(0.0));
        let environment = Box::new(|name: &str| std::env::var(name).ok());
        let models = Models::find([sketch], model, data, environment)?;
        models.need_default()?;
        first_start::furnish(&store, "")?;
        for row in store.pages()?.whole()? {
            let kind = surface.kind().to_owned();
            store
                .write(vec![Change::PutPage(PageRow { kind, ..row })])
                .await?;
        }
        let workspace = Workspace::open(store.clone())?;
        let snapshot = workspace.snapshot();
        let (Some(page), Some(fairy)) = (snapshot.pages.first(), store.fairies()?.whole()?.pop())
        else {
            return Err(HeadlessError::Host("the page has no fairy".to_owned()));
        };
        let page = PageId::from(page.id.as_str());
        let filled = rows::filled(page.as_str(), surface, OWNER, content).map_err(|error| {
            HeadlessError::Host(format!("the page could not be filled: {error}"))
        })?;
        store.write(filled).await?;
        let deps = Deps {
            rooms: Arc::new(Rooms::new(store.clone())),
            workspace: Arc::new(workspace),
            models: Arc::new(models),
            store,
            // Nobody watches.
            commits_a_second: usize::MAX,
            outside: None,
        };
        let host = Host::start(deps.clone()).await?;
        Ok(Self {
            deps,
            host,
            fairy: fairy.id,
            page,
        })
    }

    /// Sets the fairy on something; the stream ends with the run.
    pub async fn ask(
        &self,
        message: &str,
        view: Rect,
    ) -> Result<(String, impl Stream<Item = RunProgress> + Send + use<>), HeadlessError> {
        let asked = Asked {
            input: Input {
                page: Some(self.page.clone()),
                bounds: Some(view),
                ..Input::message(message)
            },
            message: None,
            asker: Some(Capability::local(WORKSPACE, OWNER)?),
        };
        let started = self.host.prompt(&self.fairy, asked).await?;
        let heard = started
            .stream
            .read(|_| true)
            .filter_map(|frame| async move { progress_of(&frame) });
        Ok((started.run, heard))
    }

    /// What the page looks like now, once all that was done to it is in.
    pub async fn scene(&self) -> Result<Scene, HeadlessError> {
        let gone = |error: crate::rooms::RoomError| HeadlessError::Host(error.to_string());
        let room = self.deps.rooms.room(&self.page).await.map_err(gone)?;
        room.shown().await.map_err(gone)?;
        let shared = room.scene().read().unwrap_or_else(PoisonError::into_inner);
        let scene = shared.clone();
        drop(shared);
        Ok(scene)
    }

    /// How a run ended; waits until it has.
    pub async fn outcome(&self, run: &str) -> Option<Outcome> {
        let (_, mut changes) = self.deps.workspace.follow();
        let run = loop {
            let known = self.deps.workspace.run(run)?;
            if known.status != RunStatus::Running {
                break known;
            }
            if let Err(RecvError::Closed) = changes.recv().await {
                return None;
            }
        };
        let failed = run.status == RunStatus::Failed;
        let step = run.steps.last();
        Some(Outcome {
            model: step.map(|step| step.model.clone()).unwrap_or_default(),
            cost: run.cost,
            error: run
                .error
                .or_else(|| failed.then(|| "the fairy gave up".to_owned())),
        })
    }
}

/// A frame of the run's stream, as far as somebody at a terminal wants to know.
fn progress_of(frame: &[u8]) -> Option<RunProgress> {
    let json = frame.strip_prefix(b"data: ")?;
    let chunk: Value = serde_json::from_slice(json).ok()?;
    let text = |key: &str| chunk[key].as_str().map(str::to_owned);
    match chunk["type"].as_str()? {
        "text-delta" => text("delta").map(RunProgress::Words),
        "text-end" => Some(RunProgress::WordsEnd),
        "data-action" => serde_json::from_value(chunk["data"].clone())
            .ok()
            .map(RunProgress::Action),
        "error" => text("errorText").map(RunProgress::Failed),
        _ => None,
    }
}
