//! One fairy's task: events to its core, effects to the world, one after another.

mod care;
mod effects;

pub use care::Debug;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt};
use glade_agent::{Agent, AgentConfig, Effect, Event, PresenceChange, StopReason, Usage, World};
use glade_canvas::Rect;
use glade_doc::{PageId, RunId};
use glade_model::{Model, ModelError, ModelEvent};
use glade_store::{Change, FairyRow};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::active::{ActiveRun, message_row};
use super::presence::FairyPresence;
use super::stream::RunStream;
use super::time::utc;
use super::transcript::Transcript;
use super::{Asked, Command, HostError, Means, Started};
use crate::clock::now_ms;
use crate::ids;
use crate::room::{CommitRefused, FairySession, RoomHandle};
use crate::workspace::{Cost, Fairy, Run};

const HEARTBEAT: Duration = Duration::from_secs(10);
/// A model's words are taken together while the room was busy, but not beyond this.
const MOST_WORDS_AT_ONCE: usize = 64;
/// Changes of modes that are remembered for whoever looks inside.
const MOST_MODE_CHANGES: usize = 50;
/// What a fairy sees before anyone has shown it a view.
const DEFAULT_VIEW: f64 = 1000.0;

pub struct FairyTask {
    means: Means,
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
    answer: BoxStream<'static, Result<ModelEvent, ModelError>>,
}

impl FairyTask {
    pub fn new(
        means: Means,
        row: FairyRow,
        current: Arc<Mutex<Option<Arc<RunStream>>>>,
    ) -> Result<Self, HostError> {
        let model = means
            .models
            .get_or_missing(&row.model)
            .ok_or_else(|| HostError::NoModel(row.model.clone()))?;
        let shown = Fairy::from_row(&row);
        let agent = serde_json::from_str(&row.state_json).unwrap_or_else(|_| {
            Agent::new(AgentConfig {
                fairy_id: row.id.clone(),
                name: row.name.clone(),
                personality: shown.character().to_owned(),
                view: Rect {
                    x: shown.position.x - DEFAULT_VIEW / 2.0,
                    y: shown.position.y - DEFAULT_VIEW / 2.0,
                    w: DEFAULT_VIEW,
                    h: DEFAULT_VIEW,
                },
            })
        });
        let presence = FairyPresence::new(&shown);
        let mut task = Self {
            means,
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
        };
        task.become_who_it_is();
        task.means.workspace.show_fairy(task.shown.clone());
        Ok(task)
    }

    /// Takes over what the row says of the fairy: how it looks, its character, its limits.
    fn become_who_it_is(&mut self) {
        let position = self.presence.position;
        self.shown = Fairy::from_row(&self.row);
        self.shown.position = position;
        self.shown.model = self.model.name().to_owned();
        self.shown.model_label = self.model.label().to_owned();
        self.shown.mode = self.agent.mode().name().to_owned();
        let books = self.agent.books();
        self.shown.todos = books.todos.iter().map(|todo| json!(todo)).collect();
        self.shown.tasks = books.tasks.iter().map(|task| json!(task)).collect();
        self.presence.dress(&self.shown);
        self.agent.rename(&self.shown.name, self.shown.character());
        self.agent.set_plan_first(self.shown.settings.plan_first);
        let only = self.shown.settings.scope.actions.clone();
        self.agent.limit_actions(only);
    }

    pub async fn run(mut self, mut inbox: mpsc::Receiver<Command>) {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        loop {
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
                event = next_event(&mut self.asking) => self.hear(event).await,
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
                session,
                answer,
            } => {
                let started = self.prompt(*asked, session).await;
                // The caller may be gone; the run goes on.
                let _gone = answer.send(started);
            }
            Command::Schedule { asked, answer } => {
                let scheduled = self.schedule(*asked).await;
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
                self.feed(if reset { Event::Reset } else { Event::Stop })
                    .await;
                if reset {
                    self.forget().await;
                }
                let _gone = answer.send(());
            }
            Command::Tend {
                care,
                session,
                answer,
            } => {
                let tended = self.tend(care, session).await;
                let _gone = answer.send(tended);
            }
            Command::Preview { input, answer } => {
                let prompt = self.preview(*input).await;
                let _gone = answer.send(prompt);
            }
            Command::Debug { answer } => {
                let _gone = answer.send(self.debug());
            }
        }
    }

    async fn prompt(
        &mut self,
        asked: Asked,
        session: Option<FairySession>,
    ) -> Result<Started, HostError> {
        let page = asked
            .input
            .page
            .clone()
            .unwrap_or_else(|| PageId::from(self.row.page.as_str()));
        self.go_to(&page, session).await?;
        let run = Run {
            id: ids::run(),
            fairy: self.row.id.clone(),
            status: glade_store::RunStatus::Running,
            page: page.to_string(),
            message: asked.input.message.clone(),
            started_at: now_ms(),
            ended_at: None,
            cost: Cost::default(),
            steps: Vec::new(),
            elements: Vec::new(),
            settled: false,
            error: None,
        };
        let id = run.id.clone();
        if let Some(place) = &self.place {
            match place
                .room
                .begin_run(
                    &place.session,
                    RunId::from(id.as_str()),
                    asked.asker.clone(),
                )
                .await
            {
                // Fenced already: the command that did it comes next and ends this run.
                Ok(()) | Err(CommitRefused::Fenced) => {}
                Err(error) => tracing::error!(fairy = self.row.id, %error, "a run could not begin"),
            }
        }
        self.store_question(&asked).await?;
        self.means.workspace.put_run(run.clone()).await?;
        let stream = RunStream::new();
        let transcript =
            Transcript::begin(ids::message(), &id, run.started_at, Arc::clone(&stream));
        self.ending = self
            .active
            .replace(ActiveRun::new(run, transcript, asked.asker.clone()));
        self.asking = None;
        self.wake = None;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&stream));
        let event = Event::Prompt {
            run: RunId::from(id.as_str()),
            input: asked.input,
            seed: ids::seed(),
        };
        self.feed(event).await;
        Ok(Started { run: id, stream })
    }

    /// Gives a busy fairy something for after its current answer; sets an idle one on it now.
    async fn schedule(&mut self, asked: Asked) -> Result<Option<Started>, HostError> {
        if self.active.is_none() {
            return self.prompt(asked, None).await.map(Some);
        }
        // It will be done as a part of the run under way, with that run's rights and on its page.
        let same_page =
            |page: &PageId| self.place.as_ref().is_some_and(|place| place.page == *page);
        let fits = self
            .active
            .as_ref()
            .is_some_and(|run| run.asker == asked.asker)
            && asked.input.page.as_ref().is_none_or(same_page);
        if !fits {
            return Err(HostError::Busy(self.row.name.clone()));
        }
        self.store_question(&asked).await?;
        self.feed(Event::Schedule {
            run: RunId::from(ids::run()),
            input: asked.input,
            seed: ids::seed(),
        })
        .await;
        Ok(None)
    }

    /// Keeps what is left of a fairy that was reset.
    async fn forget(&mut self) {
        self.row.state_json = serde_json::to_string(&self.agent).unwrap_or_default();
        self.write(vec![Change::PutFairy(self.row.clone())]).await;
    }

    async fn go_to(
        &mut self,
        page: &PageId,
        session: Option<FairySession>,
    ) -> Result<(), HostError> {
        if let Some(place) = &mut self.place
            && place.page == *page
            && place.room.is_open()
        {
            if let Some(session) = session {
                place.session = session;
            }
            return Ok(());
        }
        let scope = &self.shown.settings.scope;
        if !scope.has_page(page.as_str()) {
            return Err(HostError::OutOfScope(
                self.row.name.clone(),
                page.to_string(),
            ));
        }
        let room = self.means.rooms.room(page).await?;
        let capability = scope.capability(&self.row.id)?;
        let session = room.seat(&self.row.id, capability, ids::peer()).await?;
        let place = Place {
            page: page.clone(),
            room,
            session,
        };
        if let Some(left) = self.place.replace(place)
            && left.room.is_open()
        {
            let gone = left.room.unseat(&left.session).await;
            self.note(gone);
        }
        self.row.page = page.to_string();
        self.shown.page = page.to_string();
        // Told at once: a Stop looks here for the room to fence.
        self.means.workspace.show_fairy(self.shown.clone());
        Ok(())
    }

    async fn store_question(&mut self, asked: &Asked) -> Result<(), HostError> {
        if asked.asker.is_none() {
            // The server asks again what was asked before a crash: the chat has it already.
            return Ok(());
        }
        let given = asked
            .message
            .as_ref()
            .and_then(|message| message["id"].as_str());
        let id = given.map_or_else(ids::message, str::to_owned);
        let body = asked.message.clone().unwrap_or_else(|| {
            json!({ "id": id, "role": "user", "parts": [{ "type": "text", "text": asked.input.message }] })
        });
        // The client chose its message's id: it may replace its own message, nobody else's.
        let key = format!("{}/user/{id}", self.row.id);
        let row = message_row(&key, &self.row.id, "user", &body, now_ms());
        self.means.store.write(vec![row]).await?;
        Ok(())
    }

    /// A piece of the model's answer, and whatever else of it has arrived by now.
    async fn hear(&mut self, first: Result<ModelEvent, ModelError>) {
        let Some(step) = self.asking.as_ref().map(|asking| asking.step) else {
            return;
        };
        match first {
            Ok(ModelEvent::Text(mut text)) => {
                let mut next = None;
                for _ in 0..MOST_WORDS_AT_ONCE {
                    match next_event(&mut self.asking).now_or_never() {
                        Some(Ok(ModelEvent::Text(more))) => text.push_str(&more),
                        other => {
                            next = other;
                            break;
                        }
                    }
                }
                if let Some(active) = &mut self.active {
                    active.heard(&text);
                }
                self.feed(Event::Delta { step, text }).await;
                // The fairy may have ended this answer itself and asked anew: what is left of the
                // old one is nobody's.
                let same = self
                    .asking
                    .as_ref()
                    .is_some_and(|asking| asking.step == step);
                if let Some(next) = next.filter(|_| same) {
                    Box::pin(self.hear(next)).await;
                }
            }
            Ok(ModelEvent::Thinking(text)) => self.feed(Event::Thinking { step, text }).await,
            Ok(ModelEvent::Spent(spent)) => {
                if let Some(active) = &mut self.active {
                    active.spent(&spent);
                }
            }
            Ok(ModelEvent::Done { usage, stop }) => {
                self.asking = None;
                self.end_step(usage, None).await;
                self.feed(Event::Answered { step, usage, stop }).await;
            }
            Err(error) => {
                self.asking = None;
                let words = error.to_string();
                let spent = self.spent();
                self.end_step(spent, Some(words.clone())).await;
                let retry_after = error.retry_after().map(|wait| wait.as_millis());
                self.feed(Event::Failed {
                    step,
                    error: words,
                    retryable: error.retryable(),
                    retry_after_ms: retry_after.and_then(|ms| u64::try_from(ms).ok()),
                })
                .await;
            }
        }
    }

    /// What a step that broke off has cost, as far as anyone can tell.
    fn spent(&self) -> Usage {
        let run = self.ending.as_ref().or(self.active.as_ref());
        run.map(ActiveRun::guess).unwrap_or_default()
    }

    async fn end_step(&mut self, usage: Usage, error: Option<String>) {
        if let Some(active) = &mut self.active
            && let Some(change) = active.end_step(usage, error, now_ms())
        {
            self.write(vec![change]).await;
        }
    }

    /// Gives the core an event and carries out what it wants, until nothing follows.
    async fn feed(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let Some(effects) = self.step(event) else {
                return;
            };
            for effect in effects {
                if let Some(event) = self.carry_out(effect).await {
                    events.push_back(event);
                }
            }
        }
    }

    fn step(&mut self, event: Event) -> Option<Vec<Effect>> {
        let place = self.place.as_ref()?;
        let scene = place
            .room
            .scene()
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let time = utc(now_ms());
        let world = World {
            time: Some(&time),
            ..World::new(&scene, &place.page)
        };
        Some(self.agent.step(event, &world))
    }
}

async fn next_event(asking: &mut Option<Asking>) -> Result<ModelEvent, ModelError> {
    match asking {
        None => std::future::pending().await,
        Some(asking) => match asking.answer.next().await {
            Some(event) => event,
            None => Ok(ModelEvent::Done {
                usage: Usage::default(),
                stop: StopReason::Other,
            }),
        },
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
