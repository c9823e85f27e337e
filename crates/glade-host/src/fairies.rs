//! The fairies' host: gives each fairy's pure core its clock, model, room and chat.
//!
//! A fairy lives here, not in a browser tab. [`fairy`] is the task that runs one; [`active`] is the
//! run that it works on; [`roster`] is who fairies are; [`transcript`] and [`stream`] are what the chat hears of it;
//! [`recovery`] puts right what a crash left behind.
//!
//! Stop and a new message go to the room first (the fence), then to the fairy's task: the document
//! is quiet before the task has even heard.

mod active;
mod card;
mod deadlines;
mod fairy;
mod orders;
mod outside;
mod pace;
mod picture;
mod presence;
mod projects;
mod recovery;
mod rights;
mod roster;
mod saved;
mod stream;
mod threads;
mod time;
mod transcript;

#[cfg(test)]
mod tests;

pub use fairy::Debug;
pub use outside::{Fetcher, Web};
pub use pace::COMMITS_A_SECOND;
pub use projects::ProjectAsked;
pub use rights::Validity;
pub use roster::FairyChange;
pub use saved::Saved;
pub use stream::RunStream;
pub use time::utc;
pub use transcript::text_of;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use glade_access::{AccessError, Capability};
use glade_agent::projects::Leaving;
use glade_agent::{Input, Mode, Prompt};
use glade_canvas::Point;
use glade_doc::PageId;
use glade_store::{Change, FairyRow, Store, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use self::orders::QueuedOrder;
use crate::models::Models;
use crate::rooms::{FairySession, RoomError, Rooms};
use crate::workspace::{Fairy, Workspace};

/// What the host works with.
#[derive(Clone)]
pub struct Deps {
    pub store: Store,
    pub rooms: Arc<Rooms>,
    pub workspace: Arc<Workspace>,
    pub models: Arc<Models>,
    /// How often a fairy may write in any second: [`COMMITS_A_SECOND`] where people watch.
    pub commits_a_second: usize,
    /// Who fetches what lies outside, if that is switched on.
    pub outside: Option<Arc<dyn Fetcher>>,
}

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("there is no fairy {0}")]
    NoFairy(String),
    #[error("there is no model {0}: choose one of those that GET /api/models lists")]
    NoModel(String),
    #[error("there is no page {0}")]
    NoPage(String),
    #[error("{0}")]
    Invalid(String),
    #[error("{0} may not go to page {1}: its scope leaves that page out")]
    OutOfScope(String, String),
    #[error("there are {} fairies already: dismiss one first", roster::MOST)]
    TooMany,
    #[error("{0}")]
    Busy(String),
    #[error("the fairy's task has ended: restart the server")]
    Gone,
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Access(#[from] AccessError),
}

/// A message to a fairy.
pub struct Asked {
    pub input: Input,
    /// The chat's own message, as the client made it.
    pub message: Option<Value>,
    /// Who asks: a run may do no more than they may. `None` is the server itself.
    pub asker: Option<Capability>,
}

/// When a busy fairy hears what it is given for later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// After its current answer, as a part of the run under way.
    NextAnswer,
    /// When the run under way is over.
    NextRun,
}

/// Whether the chat has the message already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChatMessage {
    New,
    Stored,
}

/// What becomes of a run that the stored state still has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StoredRun {
    Resume,
    Drop,
}

enum Command {
    Prompt {
        asked: Box<Asked>,
        message: ChatMessage,
        session: Option<FairySession>,
        answer: oneshot::Sender<Result<Started, HostError>>,
    },
    Schedule {
        asked: Box<Asked>,
        when: When,
        answer: oneshot::Sender<Result<Option<Started>, HostError>>,
    },
    Stop {
        session: Option<FairySession>,
        /// Forget the chat as well.
        reset: bool,
        answer: oneshot::Sender<()>,
    },
    Manage {
        manage: Manage,
        session: Option<FairySession>,
        answer: oneshot::Sender<Result<Fairy, HostError>>,
    },
    Preview {
        input: Box<Input>,
        answer: oneshot::Sender<Result<Prompt, HostError>>,
    },
    Debug {
        answer: oneshot::Sender<Debug>,
    },
    /// A person kept what a run did, or took it back.
    Settled {
        run: String,
        kept: bool,
    },
    /// Its project wants it to rest in this mode.
    Rest {
        mode: Mode,
        session: Option<FairySession>,
        answer: oneshot::Sender<()>,
    },
    /// What it may do has changed.
    Rescope,
}

/// What people do with a fairy besides asking it for something.
pub enum Manage {
    Change(Box<FairyChange>),
    Sleep,
    GetUp,
    /// To a page, and to a place there if one is given.
    Summon {
        page: PageId,
        position: Option<Point>,
    },
    Dismiss,
}

/// A run that has begun.
pub struct Started {
    pub run: String,
    pub stream: Arc<RunStream>,
}

#[derive(Clone)]
struct FairyHandle {
    commands: mpsc::Sender<Command>,
    /// The stream of the run under way, if any.
    current: Arc<Mutex<Option<Arc<RunStream>>>>,
    task: AbortHandle,
    /// What its project wants of it.
    orders: mpsc::UnboundedSender<QueuedOrder>,
    delivery: AbortHandle,
}

pub struct Host {
    deps: Deps,
    handles: Mutex<HashMap<String, FairyHandle>>,
    tasks: Mutex<Vec<AbortHandle>>,
}

impl Host {
    /// Wakes every fairy of the store, after putting right what a crash cut short.
    pub async fn start(deps: Deps) -> Result<Arc<Self>, HostError> {
        let interrupted = recovery::recover(&deps).await?;
        let host = Arc::new(Self {
            deps,
            handles: Mutex::new(HashMap::new()),
            tasks: Mutex::default(),
        });
        for row in host.deps.store.fairies()?.rows {
            if host.deps.workspace.fairy(&row.id).is_none() {
                // Set aside: it cannot be read, and does nothing.
                continue;
            }
            let stored_run = if interrupted.resume.contains(&row.id) {
                StoredRun::Resume
            } else {
                StoredRun::Drop
            };
            host.spawn_fairy(row, stored_run)?;
        }
        let mut at_work = interrupted.resume;
        for again in interrupted.again {
            at_work.insert(again.fairy.clone());
            let asked = Asked {
                input: again.input,
                message: None,
                asker: again.asker,
            };
            if let Err(error) = host.prompt_again(&again.fairy, asked).await {
                tracing::error!(fairy = again.fairy, %error, "a run cut by a crash could not start again");
            }
        }
        host.route_orders();
        host.take_up_projects(&at_work).await?;
        host.keep_time();
        Ok(host)
    }

    /// Gives a stored fairy its task.
    fn spawn_fairy(
        self: &Arc<Self>,
        row: FairyRow,
        stored_run: StoredRun,
    ) -> Result<(), HostError> {
        let (commands, inbox) = mpsc::channel(16);
        let current = Arc::new(Mutex::new(None));
        let id = row.id.clone();
        let task = fairy::FairyTask::new(self.deps.clone(), row, Arc::clone(&current), stored_run)?;
        let task = threads::spawn(task.run(inbox)).abort_handle();
        let (orders, queue) = mpsc::unbounded_channel();
        let delivery = tokio::spawn(orders::run(Arc::downgrade(self), queue)).abort_handle();
        self.lock().insert(
            id,
            FairyHandle {
                commands,
                current,
                task,
                orders,
                delivery,
            },
        );
        Ok(())
    }

    /// Lets every fairy go as it is. A run under way stays one in the store: the next start takes
    /// it back and asks again, as after a crash.
    pub fn end(&self) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        for task in tasks.drain(..) {
            task.abort();
        }
        for (_, handle) in self.lock().drain() {
            handle.delivery.abort();
            handle.task.abort();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, FairyHandle>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn handle(&self, fairy: &str) -> Result<FairyHandle, HostError> {
        self.lock()
            .get(fairy)
            .cloned()
            .ok_or_else(|| HostError::NoFairy(fairy.to_owned()))
    }

    /// Stops what the fairy does and sets it on this.
    pub async fn prompt(&self, fairy: &str, asked: Asked) -> Result<Started, HostError> {
        self.start_run(fairy, asked, ChatMessage::New).await
    }

    /// Sets it on what it was asked before a crash.
    async fn prompt_again(&self, fairy: &str, asked: Asked) -> Result<Started, HostError> {
        self.start_run(fairy, asked, ChatMessage::Stored).await
    }

    async fn start_run(
        &self,
        fairy: &str,
        asked: Asked,
        message: ChatMessage,
    ) -> Result<Started, HostError> {
        self.check_model(&asked.input)?;
        let handle = self.handle(fairy)?;
        let session = self.fence(fairy).await?;
        let (answer, started) = oneshot::channel();
        let command = Command::Prompt {
            asked: Box::new(asked),
            message,
            session,
            answer,
        };
        handle
            .commands
            .send(command)
            .await
            .map_err(|_| HostError::Gone)?;
        started.await.map_err(|_| HostError::Gone)?
    }

    /// A model that nobody knows is refused before anything is stopped for it.
    fn check_model(&self, input: &Input) -> Result<(), HostError> {
        match &input.model {
            Some(name) if self.deps.models.get(name).is_none() => {
                Err(HostError::NoModel(name.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Gives the fairy something to do when it is done with what it does now; idle, it starts at
    /// once, and that run is the answer.
    pub async fn schedule(&self, fairy: &str, asked: Asked) -> Result<Option<Started>, HostError> {
        self.queue_or_start(fairy, asked, When::NextAnswer).await
    }

    async fn queue_or_start(
        &self,
        fairy: &str,
        asked: Asked,
        when: When,
    ) -> Result<Option<Started>, HostError> {
        self.check_model(&asked.input)?;
        let handle = self.handle(fairy)?;
        let (answer, scheduled) = oneshot::channel();
        let command = Command::Schedule {
            asked: Box::new(asked),
            when,
            answer,
        };
        handle
            .commands
            .send(command)
            .await
            .map_err(|_| HostError::Gone)?;
        scheduled.await.map_err(|_| HostError::Gone)?
    }

    /// Stops the fairy; when this answers, the document no longer changes by its hand.
    pub async fn stop(&self, fairy: &str) -> Result<(), HostError> {
        self.halt(fairy, false).await
    }

    /// Stops the fairy and makes it forget its chat, todos and tasks.
    pub async fn reset(&self, fairy: &str) -> Result<(), HostError> {
        self.halt(fairy, true).await
    }

    async fn halt(&self, fairy: &str, reset: bool) -> Result<(), HostError> {
        let handle = self.handle(fairy)?;
        let session = self.fence(fairy).await?;
        self.leave_project(fairy, Leaving::Stopped).await?;
        let (answer, stopped) = oneshot::channel();
        handle
            .commands
            .send(Command::Stop {
                session,
                reset,
                answer,
            })
            .await
            .map_err(|_| HostError::Gone)?;
        stopped.await.map_err(|_| HostError::Gone)
    }

    /// Makes a fairy on `page`; what `change` leaves out is filled in.
    pub async fn create(
        self: &Arc<Self>,
        page: &str,
        change: &FairyChange,
    ) -> Result<Fairy, HostError> {
        roster::check(change, &self.deps.models)?;
        let others = self.deps.workspace.snapshot().fairies;
        if others.len() >= roster::MOST {
            return Err(HostError::TooMany);
        }
        let here = others.iter().filter(|fairy| fairy.page == page).count();
        let row = roster::new_row(change, page, place_beside(here), &others);
        let scope = Fairy::from_row(&row)
            .map_err(StoreError::from)?
            .settings
            .scope;
        if !scope.has_page(page) {
            return Err(HostError::OutOfScope(row.name, page.to_owned()));
        }
        let id = row.id.clone();
        self.deps
            .store
            .write(vec![Change::PutFairy(row.clone())])
            .await?;
        self.spawn_fairy(row, StoredRun::Drop)?;
        self.deps.workspace.fairy(&id).ok_or(HostError::NoFairy(id))
    }

    /// Does something with a fairy itself; answers how it is then. What it was at ends where the
    /// care says so: the room is fenced first, as for a Stop.
    pub async fn manage(&self, fairy: &str, manage: Manage) -> Result<Fairy, HostError> {
        if let Manage::Change(change) = &manage {
            roster::check(change, &self.deps.models)?;
        }
        let handle = self.handle(fairy)?;
        let dismissed = matches!(manage, Manage::Dismiss);
        let leaves = match &manage {
            Manage::Sleep | Manage::Dismiss => true,
            Manage::Summon { page, .. } => self.is_elsewhere(fairy, page.as_str()),
            Manage::Change(change) => {
                let page = change.page.as_deref();
                page.is_some_and(|page| self.is_elsewhere(fairy, page))
            }
            Manage::GetUp => false,
        };
        let session = if leaves {
            let session = self.fence(fairy).await?;
            self.leave_project(fairy, Leaving::Taken).await?;
            session
        } else {
            None
        };
        let (answer, managed) = oneshot::channel();
        let command = Command::Manage {
            manage,
            session,
            answer,
        };
        handle
            .commands
            .send(command)
            .await
            .map_err(|_| HostError::Gone)?;
        let shown = managed.await.map_err(|_| HostError::Gone)??;
        if dismissed && let Some(gone) = self.lock().remove(fairy) {
            gone.delivery.abort();
        }
        Ok(shown)
    }

    fn is_elsewhere(&self, fairy: &str, page: &str) -> bool {
        let shown = self.deps.workspace.fairy(fairy);
        shown.is_some_and(|fairy| fairy.page != page)
    }

    /// What the fairy would ask a model now.
    pub async fn preview(&self, fairy: &str, input: Input) -> Result<Prompt, HostError> {
        let (answer, prompt) = oneshot::channel();
        let input = Box::new(input);
        self.handle(fairy)?
            .commands
            .send(Command::Preview { input, answer })
            .await
            .map_err(|_| HostError::Gone)?;
        prompt.await.map_err(|_| HostError::Gone)?
    }

    /// The inside of a fairy, for whoever wonders what it is at.
    pub async fn debug(&self, fairy: &str) -> Result<Debug, HostError> {
        let (answer, debug) = oneshot::channel();
        self.handle(fairy)?
            .commands
            .send(Command::Debug { answer })
            .await
            .map_err(|_| HostError::Gone)?;
        debug.await.map_err(|_| HostError::Gone)
    }

    /// Lets the fairy know that a person kept what a run of it did, or took it back.
    pub async fn settled(&self, fairy: &str, run: &str, kept: bool) {
        // A dismissed fairy needs to know nothing.
        if let Ok(handle) = self.handle(fairy) {
            let run = run.to_owned();
            let _gone = handle.commands.send(Command::Settled { run, kept }).await;
        }
    }

    async fn fence(&self, fairy: &str) -> Result<Option<FairySession>, HostError> {
        let Some(shown) = self.deps.workspace.fairy(fairy) else {
            return Err(HostError::NoFairy(fairy.to_owned()));
        };
        let room = self
            .deps
            .rooms
            .room(&PageId::from(shown.page.as_str()))
            .await?;
        Ok(room.fence(fairy).await?)
    }

    /// The stream of the run that the fairy is on, if it is on one.
    pub fn current_stream(&self, fairy: &str) -> Result<Option<Arc<RunStream>>, HostError> {
        let handle = self.handle(fairy)?;
        let current = handle
            .current
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(current.clone().filter(|stream| !stream.ended()))
    }
}

/// New fairies wait side by side, in rows, where a new page is looked at first.
fn place_beside(others: usize) -> String {
    let (column, row) = (others % 8, others / 8);
    format!(r#"{{"x":{},"y":{}}}"#, 120 + 80 * column, 120 + 100 * row)
}
