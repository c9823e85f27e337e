//! What people do with a fairy besides asking it for something: changing it, sending it to sleep or
//! elsewhere, looking inside.

use glade_agent::{Event, Input, Prompt};
use glade_canvas::{Point, Rect};
use glade_doc::PageId;
use glade_store::{Change, StepRow, StoreError};
use serde::Serialize;
use serde_json::Value;

use super::phase::Phase;
use super::surroundings::PageView;
use super::{FairyTask, MOST_MODE_CHANGES, ModeChange};
use crate::clock::now_ms;
use crate::fairies::picture;
use crate::fairies::roster::{self, FairyChange};
use crate::fairies::{HostError, Manage};
use crate::rooms::FairySession;
use crate::workspace::Fairy;

/// The inside of a fairy.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Debug {
    pub mode: &'static str,
    /// The run that it is on.
    pub run: Option<String>,
    /// The step whose answer it waits for.
    pub step: Option<u32>,
    pub position: Point,
    pub view: Rect,
    /// The core's whole state, as the store keeps it.
    pub state: Value,
    /// Oldest first.
    pub mode_changes: Vec<ModeChange>,
    /// The step under way, with what was heard so far.
    #[serde(skip)]
    pub current: Option<StepRow>,
}

impl FairyTask {
    pub(super) async fn manage(
        &mut self,
        manage: Manage,
        session: Option<FairySession>,
    ) -> Result<Fairy, HostError> {
        let was_fenced = session.is_some();
        self.renew_session(session);
        match manage {
            Manage::Change(change) => {
                let changed = self.change(*change).await;
                if changed.is_err() && was_fenced {
                    // It cannot go on in a room that was fenced for its leaving.
                    self.phase.drop_request();
                    self.feed(Event::Stop).await;
                    self.save().await;
                }
                changed?;
            }
            Manage::Sleep => {
                self.phase.drop_request();
                self.queue.clear();
                self.feed_on_own_page(Event::Sleep).await?;
            }
            Manage::GetUp => self.feed_on_own_page(Event::GetUp).await?,
            Manage::Summon { page, position } => self.summon(&page, position).await?,
            Manage::Dismiss => self.dismiss().await?,
        }
        if !matches!(self.phase, Phase::Dismissed) {
            self.save().await;
            self.deps.workspace.show_fairy(self.identity.shown.clone());
        }
        Ok(self.identity.shown.clone())
    }

    async fn change(&mut self, change: FairyChange) -> Result<(), HostError> {
        let mut row = self.identity.row.clone();
        roster::apply(&change, self.identity.shown.settings.clone(), &mut row);
        let after = Fairy::from_row(&row).map_err(StoreError::from)?;
        let page = change.page.clone().unwrap_or_else(|| row.page.clone());
        if !after.settings.scope.has_page(&page) {
            return Err(HostError::OutOfScope(row.name, page));
        }
        let model = self.deps.models.get_or_missing(&row.model);
        self.identity.row = row;
        self.identity.shown = after;
        self.identity.model = model;
        self.apply_row();
        self.rescope().await;
        if page != self.identity.row.page {
            self.summon(&PageId::from(page), None).await?;
        }
        self.publish_presence().await;
        Ok(())
    }

    /// Goes to a page and a place there. Whatever it does on another page ends.
    async fn summon(&mut self, page: &PageId, position: Option<Point>) -> Result<(), HostError> {
        if self.identity.row.page != page.as_str() {
            self.phase.drop_request();
            if self.seat.is_some() {
                self.feed(Event::Stop).await;
            }
        }
        self.go_to(page, None).await?;
        if let Some(to) = position {
            self.feed(Event::Moved { to }).await;
        }
        self.identity.shown.position = self.identity.presence.position;
        Ok(())
    }

    pub(super) fn log_error(&self, result: Result<(), HostError>) {
        if let Err(error) = result {
            tracing::error!(fairy = self.identity.row.id, %error, "a fairy's page could not be opened");
        }
    }

    /// It works no more. Its runs stay, to be kept, undone and asked about.
    async fn dismiss(&mut self) -> Result<(), HostError> {
        self.phase.drop_request();
        self.queue.clear();
        self.feed(Event::Stop).await;
        let gone = Change::DismissFairy {
            id: self.identity.row.id.clone(),
            at_ms: now_ms(),
        };
        self.deps.store.write(vec![gone]).await?;
        if let Some(seat) = self.seat.take() {
            let left = seat.room.unseat(&seat.session).await;
            self.log_refusal(left);
        }
        self.deps.workspace.remove_fairy(&self.identity.row.id);
        self.phase = Phase::Dismissed;
        Ok(())
    }

    /// What it would ask now; nothing of it changes.
    pub(super) async fn preview(&mut self, input: Input) -> Result<Prompt, HostError> {
        let page = input.page.clone();
        let page = page.unwrap_or_else(|| self.own_page());
        self.check_scope(&page)?;
        self.look_around().await;
        let room = self.deps.rooms.room(&page).await?;
        let mut prompt = {
            let scene = room
                .scene()
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            let view = PageView {
                scene: &scene,
                page: &page,
                images: self.identity.model.sees(),
                area: self.area(),
            };
            let fairy = &self.identity.row.id;
            self.surroundings
                .show(view, &self.deps.workspace, fairy, |world| {
                    self.agent.preview_prompt(&input, world)
                })
        };
        picture::draw(&mut prompt, room.scene(), &self.deps.store).await;
        Ok(prompt)
    }

    pub(super) fn debug(&self) -> Debug {
        Debug {
            mode: self.agent.mode().name(),
            run: self.agent.run().map(ToString::to_string),
            step: self.agent.awaited_step(),
            position: self.agent.position(),
            view: self.agent.view(),
            state: serde_json::to_value(self.agent.checkpoint()).unwrap_or_default(),
            mode_changes: self.identity.mode_changes.iter().cloned().collect(),
            current: self.phase.run().and_then(|run| run.log.step_now()),
        }
    }

    pub(super) fn note_mode(&mut self, from: &'static str, to: &'static str) {
        if self.identity.mode_changes.len() == MOST_MODE_CHANGES {
            self.identity.mode_changes.pop_front();
        }
        let at = now_ms();
        self.identity
            .mode_changes
            .push_back(ModeChange { at, from, to });
    }
}
