//! What the core wants done, done: through the room, the model, the chat and the store.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use glade_agent::{Effect, Event, Outcome, PresenceChange, Usage};
use glade_doc::{ElementId, PageId, RunId, RunTag};
use glade_store::Change;
use serde_json::json;
use tokio::time::Instant;

use super::{Asking, FairyTask};
use crate::clock::now_ms;
use crate::room::{CommitRefused, RoomError, Rooms};

impl FairyTask {
    pub(super) async fn carry_out(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::Ask { step, prompt } => {
                // The settings may have changed since the last step.
                if let Some(model) = self.means.models.get_or_missing(&self.row.model) {
                    self.model = model;
                }
                let wanted = self.agent.wanted_model();
                let wanted = wanted.and_then(|name| self.means.models.get(name));
                let model = wanted.unwrap_or_else(|| Arc::clone(&self.model));
                if let Some(active) = &mut self.active {
                    active.begin_step(step, model.name(), &prompt, now_ms());
                }
                let answer = model.ask(*prompt);
                self.asking = Some(Asking { step, answer });
                None
            }
            Effect::CancelAsk { step } => {
                if self
                    .asking
                    .as_ref()
                    .is_some_and(|asking| asking.step == step)
                {
                    self.asking = None;
                }
                let spent = self.spent();
                self.end_step(spent, Some("cancelled".to_owned())).await;
                None
            }
            Effect::Wake { step, after_ms } => {
                self.wake = Some((Instant::now() + Duration::from_millis(after_ms), step));
                None
            }
            Effect::Books(books) => {
                let values = |list: serde_json::Value| match list {
                    serde_json::Value::Array(items) => items,
                    _ => Vec::new(),
                };
                self.shown.todos = values(json!(books.todos));
                self.shown.tasks = values(json!(books.tasks));
                self.means.workspace.show_fairy(self.shown.clone());
                None
            }
            Effect::Edit {
                action,
                name,
                edits,
            } => {
                let run = self
                    .active
                    .as_ref()
                    .map(|active| RunId::from(active.id()))?;
                let step = self.asking.as_ref().map_or(0, |asking| asking.step);
                let place = self.place.as_ref()?;
                let tag = RunTag { run, step, action };
                match place
                    .room
                    .fairy_commit(&place.session, tag, name, edits)
                    .await
                {
                    Ok(_) => None,
                    // The fence's own command follows; the core will hear of it there.
                    Err(CommitRefused::Fenced) => None,
                    Err(CommitRefused::Refused(reason) | CommitRefused::Broken(reason)) => {
                        Some(Event::Refused { action, reason })
                    }
                }
            }
            Effect::EndAction { .. } => {
                let place = self.place.as_ref()?;
                let ended = place.room.end_action(&place.session).await;
                self.note(ended);
                None
            }
            Effect::Revert { action } => {
                let run = self
                    .active
                    .as_ref()
                    .map(|active| RunId::from(active.id()))?;
                let place = self.place.as_ref()?;
                let reverted = place.room.revert_action(&place.session, run, action).await;
                self.note(reverted);
                None
            }
            Effect::Say(say) => {
                if let Some(active) = self.ending.as_mut().or(self.active.as_mut()) {
                    active.say(&say);
                }
                None
            }
            Effect::Presence(change) => {
                match change.after_ms {
                    Some(ms) => {
                        self.later = Some((
                            Instant::now() + Duration::from_millis(u64::from(ms)),
                            change,
                        ));
                    }
                    None => {
                        self.later = None;
                        self.show(change).await;
                    }
                }
                None
            }
            Effect::Mode { from, to } => {
                self.note_mode(from.name(), to.name());
                self.shown.mode = to.name().to_owned();
                self.shown.position = self.presence.position;
                self.means.workspace.show_fairy(self.shown.clone());
                None
            }
            Effect::EndRun { run, outcome } => {
                self.end_run(&run, &outcome).await;
                None
            }
        }
    }

    pub(super) fn note(&self, result: Result<(), CommitRefused>) {
        match result {
            Ok(()) | Err(CommitRefused::Fenced) => {}
            Err(error) => tracing::error!(fairy = self.row.id, %error, "the room did not follow"),
        }
    }

    async fn end_run(&mut self, run: &RunId, outcome: &Outcome) {
        let ended = if self
            .ending
            .as_ref()
            .is_some_and(|ending| ending.id() == run.as_str())
        {
            self.ending.take()
        } else if self
            .active
            .as_ref()
            .is_some_and(|active| active.id() == run.as_str())
        {
            self.active.take()
        } else {
            None
        };
        let Some(mut ended) = ended else {
            return;
        };
        // Where the run was, which the fairy may have left meanwhile.
        let page = PageId::from(ended.run.page.as_str());
        let touched = match touched(&self.means.rooms, &page, run).await {
            Ok(touched) => touched.into_iter().map(|id| id.to_string()).collect(),
            Err(error) => {
                tracing::error!(%error, "the room did not say what a run touched");
                Vec::new()
            }
        };
        let mut changes: Vec<Change> = ended
            .end_step(Usage::default(), None, now_ms())
            .into_iter()
            .collect();
        let (row, message) = ended.end(outcome, touched, now_ms());
        changes.push(message);
        self.row.position_json = serde_json::to_string(&self.presence.position).unwrap_or_default();
        self.row.state_json = serde_json::to_string(&self.agent).unwrap_or_default();
        changes.push(Change::PutFairy(self.row.clone()));
        self.write(changes).await;
        if let Err(error) = self.means.workspace.put_run(row).await {
            tracing::error!(%error, "a run's end could not be stored");
        }
    }

    pub(super) async fn write(&mut self, changes: Vec<Change>) {
        if let Err(error) = self.means.store.write(changes).await {
            tracing::error!(fairy = self.row.id, %error, "a fairy's state could not be stored");
        }
    }

    pub(super) async fn show(&mut self, change: PresenceChange) {
        self.presence.change(change);
        self.publish_presence().await;
    }

    pub(super) async fn publish_presence(&mut self) {
        if let Some(place) = &self.place
            && let Err(error) = place
                .room
                .set_fairy_presence(&place.session, self.presence.value())
                .await
        {
            tracing::debug!(%error, "presence went nowhere");
        }
    }
}

async fn touched(
    rooms: &Rooms,
    page: &PageId,
    run: &RunId,
) -> Result<BTreeSet<ElementId>, RoomError> {
    rooms.room(page).await?.touched_elements(run.clone()).await
}
