//! The fairies' host: gives each fairy's pure core its clock, model, room and chat.
//!
//! A fairy lives here, not in a browser tab. [`fairy`] is the task that runs one; [`active`] is the
//! run that it works on; [`transcript`] and [`stream`] are what the chat hears of it;
//! [`recovery`] puts right what a crash left behind.
//!
//! Stop and a new message go to the room first (the fence), then to the fairy's task: the document
//! is quiet before the task has even heard.

mod active;
mod fairy;
mod presence;
mod recovery;
mod stream;
mod time;
mod transcript;

#[cfg(test)]
mod tests;

pub use stream::RunStream;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use glade_access::{AccessError, Capability, Narrower, Op, WORKSPACE};
use glade_agent::Input;
use glade_doc::PageId;
use glade_store::{FairyRow, Store, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::models::Models;
use crate::room::{FairySession, RoomError, Rooms};
use crate::workspace::Workspace;

/// What the host works with.
#[derive(Clone)]
pub struct Means {
    pub store: Store,
    pub rooms: Arc<Rooms>,
    pub workspace: Arc<Workspace>,
    pub models: Arc<Models>,
}

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("there is no fairy {0}")]
    NoFairy(String),
    #[error("there is no model {0}: choose one of those that GET /api/models lists")]
    NoModel(String),
    #[error("there is no page {0}")]
    NoPage(String),
    #[error("{0} is busy with what somebody else asked, or on another page: wait, or interrupt it")]
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

enum Command {
    Prompt {
        asked: Box<Asked>,
        session: Option<FairySession>,
        answer: oneshot::Sender<Result<Started, HostError>>,
    },
    Schedule {
        asked: Box<Asked>,
        answer: oneshot::Sender<Result<Option<Started>, HostError>>,
    },
    Stop {
        session: Option<FairySession>,
        /// Forget the chat as well.
        reset: bool,
        answer: oneshot::Sender<()>,
    },
}

/// A run that has begun.
pub struct Started {
    pub run: String,
    pub stream: Arc<RunStream>,
}

#[derive(Clone)]
struct Resident {
    commands: mpsc::Sender<Command>,
    /// The stream of the run under way, if any.
    current: Arc<Mutex<Option<Arc<RunStream>>>>,
}

pub struct Host {
    means: Means,
    residents: Mutex<HashMap<String, Resident>>,
}

impl Host {
    /// Wakes every fairy of the store, after putting right what a crash cut short.
    pub async fn start(means: Means) -> Result<Arc<Self>, HostError> {
        let interrupted = recovery::recover(&means).await?;
        let host = Arc::new(Self {
            means,
            residents: Mutex::new(HashMap::new()),
        });
        for row in host.means.store.fairies()? {
            host.house(row)?;
        }
        for again in interrupted {
            let input = Input {
                page: Some(PageId::from(again.page.as_str())),
                ..Input::message(&again.message)
            };
            if let Err(error) = host
                .prompt(
                    &again.fairy,
                    Asked {
                        input,
                        message: None,
                        asker: None,
                    },
                )
                .await
            {
                tracing::error!(fairy = again.fairy, %error, "a run cut by a crash could not start again");
            }
        }
        Ok(host)
    }

    /// Gives a stored fairy its task.
    pub fn house(&self, row: FairyRow) -> Result<(), HostError> {
        let (commands, inbox) = mpsc::channel(16);
        let current = Arc::new(Mutex::new(None));
        let id = row.id.clone();
        let task = fairy::FairyTask::new(self.means.clone(), row, Arc::clone(&current))?;
        tokio::spawn(task.run(inbox));
        self.lock().insert(id, Resident { commands, current });
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Resident>> {
        self.residents
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn resident(&self, fairy: &str) -> Result<Resident, HostError> {
        self.lock()
            .get(fairy)
            .cloned()
            .ok_or_else(|| HostError::NoFairy(fairy.to_owned()))
    }

    /// Stops what the fairy does and sets it on this.
    pub async fn prompt(&self, fairy: &str, asked: Asked) -> Result<Started, HostError> {
        let resident = self.resident(fairy)?;
        let session = self.fence(fairy).await?;
        let (answer, started) = oneshot::channel();
        let command = Command::Prompt {
            asked: Box::new(asked),
            session,
            answer,
        };
        resident
            .commands
            .send(command)
            .await
            .map_err(|_| HostError::Gone)?;
        started.await.map_err(|_| HostError::Gone)?
    }

    /// Gives the fairy something to do when it is done with what it does now; idle, it starts at
    /// once, and that run is the answer.
    pub async fn schedule(&self, fairy: &str, asked: Asked) -> Result<Option<Started>, HostError> {
        let resident = self.resident(fairy)?;
        let (answer, scheduled) = oneshot::channel();
        let command = Command::Schedule {
            asked: Box::new(asked),
            answer,
        };
        resident
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
        let resident = self.resident(fairy)?;
        let session = self.fence(fairy).await?;
        let (answer, stopped) = oneshot::channel();
        resident
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

    async fn fence(&self, fairy: &str) -> Result<Option<FairySession>, HostError> {
        let Some(shown) = self.means.workspace.fairy(fairy) else {
            return Err(HostError::NoFairy(fairy.to_owned()));
        };
        let room = self
            .means
            .rooms
            .room(&PageId::from(shown.page.as_str()))
            .await?;
        Ok(room.fence(fairy).await?)
    }

    /// The stream of the run that the fairy is on, if it is on one.
    pub fn current_stream(&self, fairy: &str) -> Result<Option<Arc<RunStream>>, HostError> {
        let resident = self.resident(fairy)?;
        let current = resident
            .current
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(current.clone().filter(|stream| !stream.ended()))
    }
}

/// What a fairy may do by itself: read and edit, under its own name.
fn capability_of(fairy: &str) -> Result<Capability, AccessError> {
    let narrower = Narrower {
        ops: Some([Op::Read, Op::Edit].into()),
        ..Narrower::default()
    };
    Capability::local(WORKSPACE, &format!("fairy:{fairy}"))?.narrow(&narrower)
}
