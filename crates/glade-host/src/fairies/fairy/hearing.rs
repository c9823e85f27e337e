//! What a fairy hears: the model's words, and what its core makes of them.

use std::collections::VecDeque;

use futures_util::FutureExt;
use glade_agent::{Event, Usage, World};
use glade_canvas::Scene;
use glade_doc::PageId;
use glade_model::{ModelError, ModelEvent};
use glade_store::{Change, FairyRow, StoreError};
use serde_json::json;

use super::{FairyTask, Kept, next_event, project, sight};
use crate::clock::now_ms;
use crate::fairies::active::ActiveRun;
use crate::fairies::saved::Saved;

/// What a model has said by now is taken together, but not beyond this many pieces …
const MOST_WORDS_AT_ONCE: usize = 2048;
/// … and bytes: a Stop waits for what was taken.
const MOST_BYTES_AT_ONCE: usize = 8 * 1024;

impl FairyTask {
    /// A piece of the model's answer, and whatever else of it has arrived by now.
    pub(super) async fn hear(&mut self, first: Result<ModelEvent, ModelError>) {
        let Some(step) = self.asking.as_ref().map(|asking| asking.step) else {
            return;
        };
        match first {
            Ok(ModelEvent::Text(text)) => {
                let (text, next) = self.gather(text, |event| match event {
                    ModelEvent::Text(more) => Ok(more),
                    other => Err(other),
                });
                if let Some(active) = &mut self.active {
                    active.heard(&text);
                }
                self.feed(Event::Delta { step, text }).await;
                self.hear_on(step, next).await;
            }
            Ok(ModelEvent::Thinking(text)) => {
                let (text, next) = self.gather(text, |event| match event {
                    ModelEvent::Thinking(more) => Ok(more),
                    other => Err(other),
                });
                self.feed(Event::Thinking { step, text }).await;
                self.hear_on(step, next).await;
            }
            // A prompt offers actions, not a conversation's tools.
            Ok(ModelEvent::Signed(_) | ModelEvent::Call(_)) => {}
            Ok(ModelEvent::Spent(spent)) => {
                if let Some(active) = &mut self.active {
                    active.spent(&spent);
                }
                let usd = spent.usd.unwrap_or(0.0);
                self.report.paid(usd);
                self.feed(Event::Spent { step, usd }).await;
            }
            Ok(ModelEvent::Done { usage, stop }) => {
                self.asking = None;
                self.end_step(usage, None);
                let answered = Event::Answered { step, usage, stop };
                if self.fetching.is_empty() {
                    self.feed(answered).await;
                } else {
                    self.held = Some(answered);
                }
            }
            Err(error) => {
                self.asking = None;
                let words = error.to_string();
                let spent = self.spent();
                self.end_step(spent, Some(words.clone()));
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

    /// Takes what has arrived by now and is of the same kind, and the first thing that is not.
    fn gather(
        &mut self,
        mut text: String,
        same_kind: impl Fn(ModelEvent) -> Result<String, ModelEvent>,
    ) -> (String, Option<Result<ModelEvent, ModelError>>) {
        for _ in 0..MOST_WORDS_AT_ONCE {
            if text.len() > MOST_BYTES_AT_ONCE {
                break;
            }
            match next_event(&mut self.asking).now_or_never() {
                None => break,
                Some(Err(error)) => return (text, Some(Err(error))),
                Some(Ok(event)) => match same_kind(event) {
                    Ok(more) => text.push_str(&more),
                    Err(other) => return (text, Some(Ok(other))),
                },
            }
        }
        (text, None)
    }

    /// Goes on with what came after, unless the fairy has ended this answer itself or the run has
    /// said all that one may.
    async fn hear_on(&mut self, step: u32, next: Option<Result<ModelEvent, ModelError>>) {
        let same = self
            .asking
            .as_ref()
            .is_some_and(|asking| asking.step == step);
        if !same {
            return; // what is left of the old answer is nobody's
        }
        let full = self
            .active
            .as_ref()
            .and_then(|active| active.told().over_budget());
        let Some(asking) = &mut self.asking else {
            return;
        };
        let next = match full {
            Some(most) => Some(Err(ModelError::TooMuch {
                model: asking.model.clone(),
                most,
            })),
            None => next,
        };
        match next {
            // Taken up in its turn, behind whatever people want meanwhile.
            Some(Ok(words @ (ModelEvent::Text(_) | ModelEvent::Thinking(_)))) => {
                asking.ahead = Some(words);
            }
            Some(next) => Box::pin(self.hear(next)).await,
            None => {}
        }
    }

    /// What a step that broke off has cost, as far as anyone can tell.
    pub(super) fn spent(&self) -> Usage {
        let run = self.ending.as_ref().or(self.active.as_ref());
        run.map(ActiveRun::guess).unwrap_or_default()
    }

    /// Closes the step; its row is stored with the state that follows from it.
    pub(super) fn end_step(&mut self, usage: Usage, error: Option<String>) {
        let run = self.ending.as_mut().or(self.active.as_mut());
        let ended = run.and_then(|run| run.end_step(usage, error, now_ms()));
        if ended.is_some() {
            self.report.used(usage);
        }
        self.due.extend(ended);
    }

    /// A step begins here: this is what a crash in the middle of it goes back to.
    pub(super) fn mark(&mut self) {
        self.kept = self.active.as_ref().map(|active| Kept {
            agent: self.agent.checkpoint(),
            run: active.save(),
        });
    }

    /// Lets the core know something, and the state that is kept for a crash as well.
    pub(super) async fn feed_both(&mut self, event: Event) {
        if let Some(kept) = &mut self.kept {
            let page = PageId::from(self.row.page.as_str());
            // What follows from it is done once, by the other.
            let _effects = kept
                .agent
                .step(event.clone(), &World::new(&Scene::default(), &page));
        }
        self.feed(event).await;
    }

    /// What is stored with the next state besides it.
    pub(super) fn take_due(&mut self) -> Vec<Change> {
        let mut due = std::mem::take(&mut self.due);
        due.extend(self.begun.as_ref().map(|run| Change::PutRun(run.to_row())));
        due
    }

    /// What was due is stored.
    pub(super) fn show_begun(&mut self) {
        if let Some(run) = self.begun.take() {
            self.deps.workspace.show_run(run);
        }
    }

    pub(super) async fn save(&mut self, more: Vec<Change>) {
        // It said why; people are told of it where something was to follow.
        let _stored = self.try_save(more).await;
    }

    /// Stores what is due, `more`, and the state that belongs to them, all or none.
    pub(super) async fn try_save(&mut self, more: Vec<Change>) -> Result<(), StoreError> {
        let mut changes = self.take_due();
        changes.extend(more);
        changes.push(Change::PutFairy(self.state_row()));
        let begins = self.report.begins_a_task();
        let turn = self.report_turn().await;
        let store = self.deps.store.clone();
        let stored = project::with(turn, changes, |changes| store.write(changes));
        let stored = stored.await;
        match &stored {
            Ok(()) => self.show_begun(),
            Err(error) => {
                tracing::error!(fairy = self.row.id, %error, "a fairy's state could not be stored");
            }
        }
        if begins {
            // Its mode was there first: only now is there a task that says where it may draw.
            self.rescope().await;
        }
        stored
    }

    /// The fairy's row with its state as of the step at work.
    pub(super) fn state_row(&mut self) -> FairyRow {
        let saved = Saved {
            agent: match &self.kept {
                Some(kept) => kept.agent.clone(),
                None => self.agent.checkpoint(),
            },
            run: self.kept.as_ref().map(|kept| kept.run.clone()),
            waiting: self.waiting.iter().cloned().collect(),
        };
        self.row.position_json = json!(self.presence.position).to_string();
        self.row.state_json = saved.written();
        self.row.clone()
    }

    /// Gives the core an event and carries out what it wants, until nothing follows.
    pub(super) async fn feed(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        self.fenced = false;
        while let Some(event) = events.pop_front() {
            let asks = sight::may_ask(&event);
            if asks {
                self.look_around().await;
            }
            // A prompt from a large page takes its time, which others need not wait for.
            let effects = if asks {
                tokio::task::block_in_place(|| self.step(event))
            } else {
                self.step(event)
            };
            let Some(effects) = effects else {
                return;
            };
            for effect in effects {
                if let Some(event) = self.carry_out(effect).await {
                    events.push_back(event);
                }
            }
        }
    }
}
