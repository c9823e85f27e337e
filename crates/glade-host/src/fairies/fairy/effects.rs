//! Carries out the core's effects: through the room, the model, the chat and the store.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use glade_agent::{Effect, Event, Failure, Outcome, PresenceChange, Usage};
use glade_doc::{RunId, RunTag};
use glade_store::{AuditKind, Change, RunStatus};
use serde_json::json;
use tokio::time::Instant;

use super::phase::{Answer, Awaits};
use super::{FairyTask, project};
use crate::audit;
use crate::clock::now_ms;
use crate::fairies::Deps;
use crate::fairies::active::Keep;
use crate::fairies::pace::Pace;
use crate::fairies::picture;
use crate::rooms::{CommitRefused, RoomError, RoomHandle};
use crate::runs::reach::rooms_of_run;

impl FairyTask {
    pub(super) async fn perform(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::GoTo { action, page } => self.change_page(action, &page).await,
            Effect::MakePage {
                action,
                name,
                surface,
                go,
            } => self.make_page(action, name, surface, go).await,
            Effect::Ask { step, mut prompt } => {
                // The settings may have changed since the last step.
                self.identity.model = self.deps.models.get_or_missing(&self.identity.row.model);
                let model = self.agent.wanted_model().map_or_else(
                    || Arc::clone(&self.identity.model),
                    |name| self.deps.models.get_or_missing(name),
                );
                if let Some(seat) = &self.seat {
                    picture::draw(&mut prompt, seat.room.scene(), &self.deps.store).await;
                }
                let begun = self.phase.run_mut().map(|run| {
                    run.mark();
                    run.begin_step(step, model.name(), &prompt, now_ms())
                });
                let seen = picture::kept(&prompt, &self.subject(), now_ms());
                let stored = self.try_save(begun.into_iter().chain(seen).collect());
                if let Err(error) = stored.await {
                    let error = format!("The server could not store what was asked: {error}");
                    self.end_step(Usage::default(), Some(error.clone()));
                    return Some(Event::Failed {
                        step,
                        failure: Failure::generic(error),
                        retryable: false,
                    });
                }
                let project = self.deps.workspace.project_of(&self.identity.row.id);
                let group = project.unwrap_or_else(|| self.identity.row.id.clone());
                self.phase.set_awaits(Awaits::Answer(Answer {
                    step,
                    model: model.name().to_owned(),
                    events: self.deps.models.turns().ask(model, *prompt, group),
                    ahead: None,
                }));
                None
            }
            // Conversations about code have a driver of their own.
            Effect::Converse { .. } | Effect::RunCalls { .. } => None,
            Effect::Project { action, command } => self.project_command(action, command).await,
            Effect::CancelAsk { step } => {
                if self.phase.answer().is_some_and(|it| it.step == step) {
                    self.phase.set_awaits(Awaits::Nothing);
                }
                let spent = self.guess_usage();
                self.end_step(spent, Some("cancelled".to_owned()));
                None
            }
            Effect::Wake { step, after_ms } => {
                let at = Instant::now() + Duration::from_millis(after_ms);
                self.phase.set_awaits(Awaits::Timer { at, step });
                if let Some(run) = self.phase.run_mut() {
                    run.mark();
                }
                self.save().await;
                None
            }
            Effect::Agenda(agenda) => {
                self.identity.shown.show_agenda(&agenda);
                self.deps.workspace.show_fairy(self.identity.shown.clone());
                self.update_tasks(&agenda).await;
                None
            }
            Effect::Claim { action, item } => self.claim(action, &item).await,
            Effect::Fetch { action, what } => {
                let Some(outside) = &self.deps.outside else {
                    let found = Err("the network is switched off here".to_owned());
                    return Some(Event::Fetched { action, found });
                };
                if let Some(reason) = self.fetch_barred(&what) {
                    let found = Err(reason);
                    return Some(Event::Fetched { action, found });
                }
                let fetched = outside.fetch(what);
                self.phase
                    .fetch(async move { (action, fetched.await) }.boxed());
                None
            }
            Effect::Search { action, query } => {
                self.search(action, query);
                None
            }
            Effect::Comment {
                action,
                name,
                remark,
            } => self.comment(action, name, remark).await,
            Effect::Edit {
                action,
                name,
                edits,
            } => {
                let step = self.phase.answer().map_or(0, |answer| answer.step);
                let run = self.phase.run()?;
                let seat = self.seat.as_mut().filter(|seat| !seat.fenced)?;
                let tag = RunTag {
                    run: RunId::from(run.id()),
                    step,
                    action,
                };
                sleep_until_free(&self.pace).await;
                self.pace.note(Instant::now());
                let _span = run.log.span("commit");
                match seat
                    .room
                    .fairy_commit(&seat.session, tag, name, edits)
                    .await
                {
                    Ok(_) => None,
                    // The command of whoever fenced it follows.
                    Err(CommitRefused::Fenced) => {
                        seat.fenced = true;
                        None
                    }
                    Err(CommitRefused::Refused(reason) | CommitRefused::Broken(reason)) => {
                        Some(Event::Refused { action, reason })
                    }
                }
            }
            // Whoever stopped it waits for this turn to be over.
            Effect::EndAction { .. } if self.is_fenced() => None,
            Effect::EndAction { .. } => {
                let seat = self.seat.as_ref()?;
                let ended = seat.room.end_action(&seat.session).await;
                self.log_refusal(ended);
                None
            }
            Effect::Revert { action } => {
                let run = self.phase.run().map(|run| RunId::from(run.id()))?;
                let seat = self.seat.as_ref()?;
                let reverted = seat.room.revert_action(&seat.session, run, action).await;
                self.log_refusal(reverted);
                None
            }
            Effect::Say(say) => {
                if let Some(run) = self.phase.reporting() {
                    run.say(&say);
                }
                None
            }
            Effect::Presence(change) => {
                match change.after_ms {
                    Some(ms) => {
                        self.identity.delayed = Some((
                            Instant::now() + Duration::from_millis(u64::from(ms)),
                            change,
                        ));
                    }
                    None if self.is_fenced() => self.identity.presence.change(change),
                    None => {
                        self.identity.delayed = None;
                        self.show(change).await;
                    }
                }
                None
            }
            Effect::Mode { from, to } => {
                self.note_mode(from.name(), to.name());
                self.identity.shown.mode = to.name().to_owned();
                self.identity.shown.position = self.identity.presence.position;
                self.deps.workspace.show_fairy(self.identity.shown.clone());
                self.outbox.report.went(to);
                if from.is_of_a_project() || to.is_of_a_project() {
                    self.rescope().await;
                }
                None
            }
            Effect::EndRun { run, outcome } => {
                self.end_run(&run, &outcome).await;
                None
            }
        }
    }

    pub(super) fn log_refusal(&self, result: Result<(), CommitRefused>) {
        match result {
            Ok(()) | Err(CommitRefused::Fenced) => {}
            Err(error) => tracing::error!(fairy = self.identity.row.id, %error, "the room refused"),
        }
    }

    pub(super) async fn end_run(&mut self, run: &RunId, outcome: &Outcome) {
        let Some(mut ended) = self.phase.end(run.as_str()) else {
            return;
        };
        // Where the run was, which the fairy may have left meanwhile.
        let Deps {
            store,
            workspace,
            rooms,
            ..
        } = &self.deps;
        let rooms = rooms_of_run(store, workspace, rooms, &ended.log.run).await;
        let touched = match touched(&rooms, run).await {
            Ok(touched) => touched,
            Err(error) => {
                tracing::error!(%error, "what a run touched could not be read");
                Vec::new()
            }
        };
        // Begun and ended in one commit: the row of its end is enough.
        self.outbox.begun.take_if(|begun| begun.id == run.as_str());
        let mut changes = self.outbox.take_changes();
        changes.extend(ended.log.end_step(Usage::default(), None, now_ms()));
        let keep = if self.identity.shown.settings.keep_at_once {
            Keep::AtOnce
        } else {
            Keep::WhenAsked
        };
        changes.extend(ended.read());
        let pending = !touched.is_empty();
        let (row, message, stream) = ended.end(outcome, touched, keep, now_ms());
        let kept = pending && row.status == RunStatus::Kept;
        if kept {
            let told = json!({"run": row.id, "page": row.target.name(), "atOnce": 1});
            changes.push(audit::entry(AuditKind::RunKept, &self.subject(), told));
        }
        changes.push(message);
        changes.push(Change::PutFairy(self.state_row()));
        self.outbox.report.ended(outcome);
        let turn = self.report_turn().await;
        let workspace = std::sync::Arc::clone(&self.deps.workspace);
        let stored = project::with(turn, changes, |changes| {
            workspace.put_run_with(row, changes)
        });
        match stored.await {
            Ok(()) => self.show_begun(),
            Err(error) => tracing::error!(%error, "a run's end could not be stored"),
        }
        stream.end();
        // What was told is in the chat now, and in memory only for those who still read it.
        {
            let current = self.current.lock();
            let mut current = current.unwrap_or_else(PoisonError::into_inner);
            current.take_if(|told| Arc::ptr_eq(told, &stream));
        }
        if kept && let Err(error) = keep_run(&rooms, run).await {
            tracing::error!(%error, "a run could not be kept at once");
        }
    }

    pub(super) async fn show(&mut self, change: PresenceChange) {
        self.identity.presence.change(change);
        self.publish_presence().await;
    }

    pub(super) async fn publish_presence(&mut self) {
        if let Some(seat) = &self.seat
            && let Err(error) = seat
                .room
                .set_fairy_presence(&seat.session, self.identity.presence.value())
                .await
        {
            tracing::debug!(%error, "presence could not be set");
        }
    }
}

/// The elements that a run touched and that can still be taken back, on all of its pages.
async fn touched(rooms: &[RoomHandle], run: &RunId) -> Result<Vec<String>, RoomError> {
    let mut touched = Vec::new();
    for room in rooms {
        let elements = room.touched_elements(run.clone()).await?;
        touched.extend(elements.into_iter().map(|id| id.to_string()));
    }
    Ok(touched)
}

async fn keep_run(rooms: &[RoomHandle], run: &RunId) -> Result<(), RoomError> {
    for room in rooms {
        room.keep_run(run.clone()).await?;
    }
    Ok(())
}

async fn sleep_until_free(pace: &Pace) {
    if let Some(free) = pace.free_at(Instant::now()) {
        tokio::time::sleep_until(free).await;
    }
}
