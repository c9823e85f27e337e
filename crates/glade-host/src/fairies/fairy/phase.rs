//! What a fairy is doing, and what it waits for meanwhile.
//!
//! | from | on | to |
//! |---|---|---|
//! | `Interrupted` | the task starts | `Working`, or `Idle` if the run cannot go on |
//! | `Idle` | `begin` | `Working` |
//! | `Working` | `begin` | `Replacing` |
//! | `Replacing` | `end` of either run | `Working` on the other |
//! | `Working` | `end` | `Idle` |
//! | any | `Dismissed` is set | the task is over |

use futures_util::StreamExt;
use futures_util::future::{BoxFuture, pending};
use futures_util::stream::{BoxStream, FuturesUnordered};
use glade_agent::Event;
use glade_model::{ModelError, ModelEvent};
use serde_json::Value;
use tokio::time::{Instant, sleep_until};

use crate::fairies::active::ActiveRun;
use crate::fairies::saved::SavedRun;

pub enum Phase {
    /// A crash cut this run; it goes on when the task starts.
    Interrupted(Box<SavedRun>),
    /// There is no run.
    Idle,
    Working(Box<Work>),
    /// A new message ended `old`, whose last effects are being carried out.
    Replacing {
        old: Box<ActiveRun>,
        new: Box<Work>,
    },
    Dismissed,
}

/// A run, and what has to come before it goes on.
pub struct Work {
    pub run: ActiveRun,
    pub awaits: Awaits,
    /// What the run's actions are fetching, each with the action's number.
    pub fetches: FuturesUnordered<Fetch>,
}

pub type Fetch = BoxFuture<'static, (u32, Result<Value, String>)>;

pub enum Awaits {
    /// What follows from the last event is being worked out.
    Nothing,
    Answer(Answer),
    /// All that is being fetched; then the core hears of the answer's end.
    Fetches {
        end: Event,
    },
    /// A time that the core asked for.
    Timer {
        at: Instant,
        step: u32,
    },
}

/// A model's answer to a step.
pub struct Answer {
    pub step: u32,
    pub model: String,
    pub events: BoxStream<'static, Result<ModelEvent, ModelError>>,
    /// What was read from the stream and is yet to be handled.
    pub ahead: Option<ModelEvent>,
}

/// Something that a run waited for.
pub enum Arrival {
    FromModel(Result<ModelEvent, ModelError>),
    Fetched(u32, Result<Value, String>),
    Woken { step: u32 },
}

impl Answer {
    pub async fn next(&mut self) -> Result<ModelEvent, ModelError> {
        match self.ahead.take() {
            Some(ahead) => Ok(ahead),
            // An answer ends with Done or an error: this one was cut.
            None => self.events.next().await.unwrap_or_else(|| {
                Err(ModelError::Cut {
                    model: self.model.clone(),
                })
            }),
        }
    }
}

impl Phase {
    pub fn work(&self) -> Option<&Work> {
        match self {
            Self::Working(work) | Self::Replacing { new: work, .. } => Some(work),
            Self::Interrupted(_) | Self::Idle | Self::Dismissed => None,
        }
    }

    pub fn work_mut(&mut self) -> Option<&mut Work> {
        match self {
            Self::Working(work) | Self::Replacing { new: work, .. } => Some(work),
            Self::Interrupted(_) | Self::Idle | Self::Dismissed => None,
        }
    }

    /// The run at work.
    pub fn run(&self) -> Option<&ActiveRun> {
        self.work().map(|work| &work.run)
    }

    pub fn run_mut(&mut self) -> Option<&mut ActiveRun> {
        self.work_mut().map(|work| &mut work.run)
    }

    /// The run whose effects are carried out: one that is being replaced has its last ones first.
    pub fn reporting(&mut self) -> Option<&mut ActiveRun> {
        match self {
            Self::Replacing { old, .. } => Some(old),
            other => other.run_mut(),
        }
    }

    pub fn begin(&mut self, run: ActiveRun) {
        let new = Box::new(Work {
            run,
            awaits: Awaits::Nothing,
            fetches: FuturesUnordered::new(),
        });
        *self = match std::mem::replace(self, Self::Idle) {
            Self::Working(work) | Self::Replacing { new: work, .. } => Self::Replacing {
                old: Box::new(work.run),
                new,
            },
            Self::Interrupted(_) | Self::Idle | Self::Dismissed => Self::Working(new),
        };
    }

    /// Takes the run of this id out, if it is here.
    pub fn end(&mut self, run: &str) -> Option<ActiveRun> {
        let (next, ended) = match std::mem::replace(self, Self::Idle) {
            Self::Working(work) if work.run.id() == run => (Self::Idle, Some(work.run)),
            Self::Replacing { old, new } if old.id() == run => (Self::Working(new), Some(*old)),
            Self::Replacing { old, new } if new.run.id() == run => {
                self.begin(*old);
                return Some(new.run);
            }
            other => (other, None),
        };
        *self = next;
        ended
    }

    pub fn answer(&mut self) -> Option<&mut Answer> {
        match &mut self.work_mut()?.awaits {
            Awaits::Answer(answer) => Some(answer),
            _ => None,
        }
    }

    pub fn set_awaits(&mut self, awaits: Awaits) {
        if let Some(work) = self.work_mut() {
            work.awaits = awaits;
        }
    }

    pub fn fetch(&mut self, fetch: Fetch) {
        if let Some(work) = self.work_mut() {
            work.fetches.push(fetch);
        }
    }

    /// The end of the answer, once nothing is being fetched any more.
    pub fn take_answer_end(&mut self) -> Option<Event> {
        let work = self.work_mut().filter(|work| work.fetches.is_empty())?;
        match std::mem::replace(&mut work.awaits, Awaits::Nothing) {
            Awaits::Fetches { end } => Some(end),
            other => {
                work.awaits = other;
                None
            }
        }
    }

    /// The run waits for nothing any more.
    pub fn drop_request(&mut self) {
        if let Some(work) = self.work_mut() {
            work.awaits = Awaits::Nothing;
            work.fetches.clear();
        }
    }

    /// The next thing that the run waits for. While it may not write, the model is not read.
    pub async fn arrival(&mut self, may_write: bool) -> Arrival {
        let Some(Work {
            awaits, fetches, ..
        }) = self.work_mut()
        else {
            return pending().await;
        };
        let awaited = async {
            match awaits {
                Awaits::Answer(answer) if may_write => Arrival::FromModel(answer.next().await),
                Awaits::Timer { at, step } => {
                    let step = *step;
                    sleep_until(*at).await;
                    *awaits = Awaits::Nothing;
                    Arrival::Woken { step }
                }
                Awaits::Nothing | Awaits::Answer(_) | Awaits::Fetches { .. } => pending().await,
            }
        };
        tokio::select! {
            biased;
            arrival = awaited => arrival,
            Some((action, found)) = fetches.next() => Arrival::Fetched(action, found),
        }
    }
}
