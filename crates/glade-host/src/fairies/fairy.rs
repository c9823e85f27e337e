//! One fairy's task: events to its core, effects to the world, one after another.

mod asked;
mod effects;
mod hearing;
mod list;
mod manage;
mod pages;
mod project;
mod saying;
mod sight;

pub use manage::Debug;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{BoxStream, FuturesUnordered};
use glade_agent::{Agent, AgentConfig, Event, PresenceChange};
use glade_canvas::Rect;
use glade_doc::{PageId, RunId};
use glade_model::{Model, ModelError, ModelEvent};
use glade_store::{Change, FairyRow, StoreError};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Instant;

use self::project::Report;
use self::sight::Sight;
use super::active::ActiveRun;
use super::pace::Pace;
use super::presence::FairyPresence;
use super::saved::{Saved, SavedRun, Waiting};
use super::stream::RunStream;
use super::{Command, Deps, HostError, Past};
use crate::rooms::{FairySession, RoomHandle};
use crate::workspace::{Fairy, Run};

const HEARTBEAT: Duration = Duration::from_secs(10);
/// Changes of modes that are remembered for whoever looks inside.
const MOST_MODE_CHANGES: usize = 50;
/// What a fairy sees before anyone has shown it a view.
const DEFAULT_VIEW: f64 = 1000.0;

pub struct FairyTask {
    deps: Deps,
    row: FairyRow,
    shown: Fairy,
    agent: Agent,
    model: Arc<dyn Model>,
    place: Option<Place>,
    presence: FairyPresence,
    later: Option<(Instant, PresenceChange)>,
    active: Option<ActiveRun>,
    /// A run that a new message has ended, while its last effects are carried out.
    ending: Option<ActiveRun>,
    asking: Option<Asking>,
    /// When the core wants to hear from us, and of which step.
    wake: Option<(Instant, u32)>,
    current: Arc<Mutex<Option<Arc<RunStream>>>>,
    mode_changes: VecDeque<ModeChange>,
    dismissed: bool,
    /// The fairy and its run as of the beginning of the step at work.
    kept: Option<Kept>,
    /// A run that a crash cut, until it goes on.
    cut: Option<SavedRun>,
    /// What is done once the run at work is over.
    waiting: VecDeque<Waiting>,
    /// What will be stored with the next state: steps that have ended, what was asked.
    due: Vec<Change>,
    /// A run that begins. It is stored with the next state, and people see it from then on.
    begun: Option<Run>,
    pace: Pace,
    /// The room fenced the fairy: what is left of this turn's edits goes nowhere.
    fenced: bool,
    sight: Sight,
    /// What it has to tell its project with the next state.
    report: Report,
    /// What is being fetched, by the actions that want it.
    fetching: FuturesUnordered<Fetching>,
    /// The end of an answer that waits for what is being fetched.
    held: Option<Event>,
}

type Fetching = BoxFuture<'static, (u32, Result<serde_json::Value, String>)>;

/// What a crash in the middle of a step goes back to.
struct Kept {
    agent: Agent,
    run: SavedRun,
}

/// A change of modes, for whoever looks inside.
#[derive(Debug, Clone, Serialize)]
pub struct ModeChange {
    pub at: i64,
    pub from: &'static str,
    pub to: &'static str,
}

/// Where the fairy is: a room, and its session there.
struct Place {
    page: PageId,
    room: RoomHandle,
    session: FairySession,
}

struct Asking {
    step: u32,
    model: String,
    answer: BoxStream<'static, Result<ModelEvent, ModelError>>,
    /// What was taken from the answer and is not heard yet.
    ahead: Option<ModelEvent>,
}

impl FairyTask {
    pub fn new(
        deps: Deps,
        row: FairyRow,
        current: Arc<Mutex<Option<Arc<RunStream>>>>,
        past: Past,
    ) -> Result<Self, HostError> {
        let model = deps
            .models
            .get_or_missing(&row.model)
            .ok_or_else(|| HostError::NoModel(row.model.clone()))?;
        let shown = Fairy::from_row(&row).map_err(StoreError::from)?;
        let saved = Saved::of(&row).map_err(StoreError::from)?;
        let saved = saved.unwrap_or_else(|| Saved {
            agent: Agent::new(AgentConfig {
                fairy_id: row.id.clone(),
                name: row.name.clone(),
                personality: shown.character().to_owned(),
                view: Rect {
                    x: shown.position.x - DEFAULT_VIEW / 2.0,
                    y: shown.position.y - DEFAULT_VIEW / 2.0,
                    w: DEFAULT_VIEW,
                    h: DEFAULT_VIEW,
                },
            }),
            run: None,
            waiting: Vec::new(),
        });
        let mut agent = saved.agent;
        let cut = saved.run.filter(|_| past == Past::GoOn);
        if cut.is_none() {
            agent.forget_run();
        }
        let presence = FairyPresence::new(&shown);
        let pace = Pace::new(deps.commits_a_second);
        let mut task = Self {
            deps,
            row,
            shown,
            agent,
            model,
            place: None,
            presence,
            later: None,
            active: None,
            ending: None,
            asking: None,
            wake: None,
            current,
            mode_changes: VecDeque::new(),
            dismissed: false,
            kept: None,
            cut,
            waiting: saved.waiting.into(),
            due: Vec::new(),
            begun: None,
            pace,
            fenced: false,
            sight: Sight::default(),
            report: Report::default(),
            fetching: FuturesUnordered::new(),
            held: None,
        };
        task.become_who_it_is();
        task.deps.workspace.show_fairy(task.shown.clone());
        Ok(task)
    }

    /// Takes over what the row says of the fairy: how it looks, its character, its limits.
    fn become_who_it_is(&mut self) {
        self.shown.page.clone_from(&self.row.page);
        self.shown.position = self.presence.position;
        self.shown.model = self.model.name().to_owned();
        self.shown.model_label = self.model.label().to_owned();
        self.shown.mode = self.agent.mode().name().to_owned();
        let agenda = self.agent.agenda();
        self.shown.todos = agenda.todos.iter().map(|todo| json!(todo)).collect();
        self.shown.tasks = agenda.tasks.iter().map(|task| json!(task)).collect();
        self.presence.dress(&self.shown);
        let settings = &self.shown.settings;
        let kept = self.kept.as_mut().map(|kept| &mut kept.agent);
        for agent in [&mut self.agent].into_iter().chain(kept) {
            agent.rename(&self.shown.name, self.shown.character());
            agent.set_plan_first(settings.plan_first);
            agent.set_limits(settings.limits);
            agent.limit_actions(settings.scope.actions.clone());
            agent.allow_outside(self.deps.outside.is_some());
            agent.set_plugins(self.deps.workspace.plugins().enabled);
        }
    }

    pub async fn run(mut self, mut inbox: mpsc::Receiver<Command>) {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        if let Some(cut) = self.cut.take() {
            self.resume(cut).await;
        }
        loop {
            self.start_waiting().await;
            // Out of breath: the model is not listened to until the fairy may write again.
            let breath = self.pace.free_at(Instant::now());
            let later = self.later.as_ref().map(|(at, _)| *at);
            let wake = self.wake.as_ref().map(|(at, _)| *at);
            tokio::select! {
                biased;
                command = inbox.recv() => match command {
                    Some(command) => {
                        self.obey(command).await;
                        if self.dismissed {
                            return;
                        }
                    }
                    None => return,
                },
                event = next_event(&mut self.asking), if breath.is_none() => self.hear(event).await,
                Some((action, found)) = self.fetching.next(), if !self.fetching.is_empty() => {
                    self.feed(Event::Fetched { action, found }).await;
                    if self.fetching.is_empty() && let Some(end) = self.held.take() {
                        self.feed(end).await;
                    }
                }
                () = sleep_until(breath) => {}
                () = sleep_until(wake) => {
                    if let Some((_, step)) = self.wake.take() {
                        self.feed(Event::Woken { step }).await;
                    }
                }
                () = sleep_until(later) => {
                    if let Some((_, change)) = self.later.take() {
                        self.show(change).await;
                    }
                }
                _ = heartbeat.tick() => self.publish_presence().await,
            }
        }
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Prompt {
                asked,
                question,
                session,
                answer,
            } => {
                let started = self.prompt(*asked, question, session).await;
                // The caller may be gone; the run goes on.
                let _gone = answer.send(started);
            }
            Command::Schedule {
                asked,
                when,
                answer,
            } => {
                let scheduled = self.schedule(*asked, when).await;
                let _gone = answer.send(scheduled);
            }
            Command::Stop {
                session,
                reset,
                answer,
            } => {
                if let (Some(place), Some(session)) = (&mut self.place, session) {
                    place.session = session;
                }
                self.drop_request();
                self.waiting.clear();
                if reset {
                    // Even one that has not been anywhere yet forgets its chat.
                    let home = self.feed_at_home(Event::Reset).await;
                    self.say_error(home);
                } else {
                    self.feed(Event::Stop).await;
                }
                self.save(Vec::new()).await;
                let _gone = answer.send(());
            }
            Command::Rest {
                mode,
                session,
                answer,
            } => {
                if let (Some(place), Some(session)) = (&mut self.place, session) {
                    place.session = session;
                }
                self.drop_request();
                let rested = self.feed_at_home(Event::Rest { mode }).await;
                self.say_error(rested);
                self.save(Vec::new()).await;
                let _gone = answer.send(());
            }
            Command::Rescope => {
                self.become_who_it_is();
                self.rescope().await;
            }
            Command::Manage {
                manage,
                session,
                answer,
            } => {
                let managed = self.manage(manage, session).await;
                let _gone = answer.send(managed);
            }
            Command::Preview { input, answer } => {
                let prompt = self.preview(*input).await;
                let _gone = answer.send(prompt);
            }
            Command::Debug { answer } => {
                let _gone = answer.send(self.debug());
            }
            Command::Settled { run, kept } => {
                let run = RunId::from(run);
                self.feed_anywhere(Event::Settled { run, kept }).await;
                self.save(Vec::new()).await;
            }
        }
    }
}

async fn next_event(asking: &mut Option<Asking>) -> Result<ModelEvent, ModelError> {
    match asking {
        None => std::future::pending().await,
        Some(asking) => match asking.ahead.take() {
            Some(ahead) => Ok(ahead),
            None => match asking.answer.next().await {
                Some(event) => event,
                // An answer ends with Done or an error: this one was cut.
                None => Err(ModelError::Cut {
                    model: asking.model.clone(),
                }),
            },
        },
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
