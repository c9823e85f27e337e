//! One fairy's task: takes commands and what its run waits for, feeds them to the core as events and
//! carries out the effects, one after another.

mod answer;
mod comments;
mod effects;
mod manage;
mod outbox;
mod pages;
mod phase;
mod project;
mod seat;
mod start;
mod surroundings;
mod tasks;

pub use manage::Debug;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use glade_agent::{Agent, AgentConfig, Event, PresenceChange, VIEW_SIDE};
use glade_canvas::{Rect, Size};
use glade_doc::RunId;
use glade_model::Model;
use glade_store::{FairyRow, StoreError};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::Instant;

use self::outbox::Outbox;
use self::phase::{Arrival, Phase};
use self::seat::RoomSeat;
use self::surroundings::Surroundings;
use super::pace::Pace;
use super::presence::FairyPresence;
use super::saved::{Saved, Waiting};
use super::stream::RunStream;
use super::{Command, Deps, HostError, StoredRun};
use crate::workspace::Fairy;

const HEARTBEAT: Duration = Duration::from_secs(10);
/// Changes of modes that are remembered for whoever looks inside.
const MOST_MODE_CHANGES: usize = 50;

pub struct FairyTask {
    deps: Deps,
    identity: Identity,
    agent: Agent,
    seat: Option<RoomSeat>,
    phase: Phase,
    /// What is done once the run at work is over.
    queue: VecDeque<Waiting>,
    outbox: Outbox,
    surroundings: Surroundings,
    pace: Pace,
    /// The stream of the run at work, for whoever asks the host.
    current: Arc<Mutex<Option<Arc<RunStream>>>>,
}

/// Who the fairy is, as stored and as people see it.
struct Identity {
    row: FairyRow,
    shown: Fairy,
    model: Arc<dyn Model>,
    presence: FairyPresence,
    /// A change of presence that is shown at that time, unless another comes first.
    delayed: Option<(Instant, PresenceChange)>,
    mode_changes: VecDeque<ModeChange>,
}

/// A change of modes, for whoever looks inside.
#[derive(Debug, Clone, Serialize)]
pub struct ModeChange {
    pub at: i64,
    pub from: &'static str,
    pub to: &'static str,
}

impl FairyTask {
    pub fn new(
        deps: Deps,
        row: FairyRow,
        current: Arc<Mutex<Option<Arc<RunStream>>>>,
        stored_run: StoredRun,
    ) -> Result<Self, HostError> {
        let model = deps.models.get_or_missing(&row.model);
        let shown = Fairy::from_row(&row).map_err(StoreError::from)?;
        let config = AgentConfig {
            fairy_id: row.id.clone(),
            name: row.name.clone(),
            personality: shown.character().to_owned(),
            view: Rect::centered(shown.position, Size::new(VIEW_SIDE, VIEW_SIDE)),
        };
        let (agent, run, queue) = match Saved::of(&row).map_err(StoreError::from)? {
            Some(mut saved) => {
                let run = saved.run.filter(|_| stored_run == StoredRun::Resume);
                if run.is_none() {
                    saved.agent.forget_run();
                }
                (Agent::restore(config, saved.agent), run, saved.waiting)
            }
            None => (Agent::new(config), None, Vec::new()),
        };
        let presence = FairyPresence::new(&shown);
        let pace = Pace::new(deps.commits_a_second);
        let mut task = Self {
            deps,
            identity: Identity {
                row,
                shown,
                model,
                presence,
                delayed: None,
                mode_changes: VecDeque::new(),
            },
            agent,
            seat: None,
            phase: run.map_or(Phase::Idle, |run| Phase::Interrupted(Box::new(run))),
            queue: queue.into(),
            outbox: Outbox::default(),
            surroundings: Surroundings::default(),
            pace,
            current,
        };
        task.apply_row();
        task.deps.workspace.show_fairy(task.identity.shown.clone());
        Ok(task)
    }

    /// Takes over what the row says of the fairy: how it looks, its character, its limits.
    fn apply_row(&mut self) {
        let Identity {
            row,
            shown,
            model,
            presence,
            ..
        } = &mut self.identity;
        shown.page.clone_from(&row.page);
        shown.position = presence.position;
        model.name().clone_into(&mut shown.model);
        model.label().clone_into(&mut shown.model_label);
        self.agent.mode().name().clone_into(&mut shown.mode);
        shown.show_agenda(self.agent.agenda());
        presence.dress(shown);
        let settings = &mut self.agent.settings;
        settings.config.name.clone_from(&shown.name);
        shown
            .character()
            .clone_into(&mut settings.config.personality);
        settings.plan_first = shown.settings.plan_first;
        settings.limits = shown.settings.limits;
        settings.only.clone_from(&shown.settings.scope.actions);
        settings.outside = self.deps.outside.is_some();
        settings.plugins = self.deps.workspace.plugins().enabled;
    }

    pub async fn run(mut self, mut inbox: mpsc::Receiver<Command>) {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        if let Phase::Interrupted(run) = std::mem::replace(&mut self.phase, Phase::Idle) {
            self.resume(*run).await;
        }
        while !matches!(self.phase, Phase::Dismissed) {
            self.start_queued().await;
            let free_at = self.pace.free_at(Instant::now());
            let delayed = self.identity.delayed.as_ref().map(|(at, _)| *at);
            tokio::select! {
                biased;
                command = inbox.recv() => match command {
                    Some(command) => self.handle(command).await,
                    None => return,
                },
                arrival = self.phase.arrival(free_at.is_none()) => self.take_in(arrival).await,
                () = sleep_until(free_at) => {}
                () = sleep_until(delayed) => {
                    if let Some((_, change)) = self.identity.delayed.take() {
                        self.show(change).await;
                    }
                }
                _ = heartbeat.tick() => self.publish_presence().await,
            }
        }
    }

    async fn take_in(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::FromModel(event) => self.on_model_event(event).await,
            Arrival::Woken { step } => self.feed(Event::Woken { step }).await,
            Arrival::Fetched(action, found) => {
                self.feed(Event::Fetched { action, found }).await;
                if let Some(end) = self.phase.take_answer_end() {
                    self.feed(end).await;
                }
            }
        }
    }

    async fn handle(&mut self, command: Command) {
        match command {
            Command::Prompt {
                asked,
                message,
                session,
                answer,
            } => {
                let started = self.prompt(*asked, message, session).await;
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
                self.renew_session(session);
                self.phase.drop_request();
                self.queue.clear();
                if reset {
                    // Even one that has not been on a page yet forgets its chat.
                    let reset = self.feed_on_own_page(Event::Reset).await;
                    self.log_error(reset);
                } else {
                    self.feed(Event::Stop).await;
                }
                self.save().await;
                let _gone = answer.send(());
            }
            Command::Rest {
                mode,
                session,
                answer,
            } => {
                self.renew_session(session);
                self.phase.drop_request();
                let rested = self.feed_on_own_page(Event::Rest { mode }).await;
                self.log_error(rested);
                self.save().await;
                let _gone = answer.send(());
            }
            Command::Rescope => {
                self.apply_row();
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
                self.settle(run, kept).await;
                self.save().await;
            }
        }
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
