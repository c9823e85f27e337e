//! What a fairy sees besides the page itself: the other pages, what people did, the other fairies,
//! what looks wrong.

use std::cell::OnceCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::PoisonError;

use glade_access::Capability;
use glade_agent::diff::{Diff, updated};
use glade_agent::{Comment, Effect, Event, Lint, UserAction, World};
use glade_canvas::lint::lints_in;
use glade_canvas::{Rect, Scene};
use glade_doc::{ElementId, PageId, RunId};

use super::comments::comments_of;
use super::{FairyTask, RoomSeat};
use crate::clock::now_ms;
use crate::fairies::HostError;
use crate::fairies::time::utc;
use crate::rooms::UserChange;
use crate::runs::reach::visible;
use crate::workspace::{Around, Person, Workspace};

#[derive(Default)]
pub struct Surroundings {
    around: Around,
    /// What people did since the last step that was asked.
    user_actions: Vec<UserAction>,
    comments: Vec<Comment>,
    /// The first and the last block that it may change, if not all.
    part: Option<(ElementId, ElementId)>,
    /// The runs that whoever asks may know of, if not all.
    visible_runs: Option<BTreeSet<RunId>>,
}

/// A page as the model that is asked sees it.
pub struct PageView<'a> {
    pub scene: &'a Scene,
    pub page: &'a PageId,
    /// The model can look at pictures.
    pub images: bool,
    /// Where the fairy may change something, if not everywhere.
    pub area: Option<Rect>,
}

impl Surroundings {
    /// Shows a page with all that is known around it.
    pub fn show<T>(
        &self,
        page: PageView<'_>,
        workspace: &Workspace,
        fairy: &str,
        look: impl FnOnce(&World<'_>) -> T,
    ) -> T {
        let time = utc(now_ms());
        let board = OnceCell::new();
        let board_of = || workspace.board_of(fairy);
        look(&World {
            time: Some(&time),
            pages: &self.around.pages,
            others: &self.around.others,
            board: &|| board.get_or_init(board_of).as_ref(),
            open_items: &self.around.open_items,
            user_actions: &self.user_actions,
            comments: &self.comments,
            part: self.part.as_ref(),
            images: page.images,
            area: page.area,
            lints: Some(&lints),
            visible_runs: self.visible_runs.as_ref(),
            ..World::new(page.scene, page.page)
        })
    }
}

/// Whether a prompt may follow from an event, so that it is worth looking around before.
pub fn may_ask(event: &Event) -> bool {
    matches!(
        event,
        Event::Prompt { .. }
            | Event::Schedule { .. }
            | Event::Answered { .. }
            | Event::Failed { .. }
            | Event::Woken { .. }
            | Event::Resume { .. }
    )
}

impl FairyTask {
    /// Who asked for the run at work; `None`: nobody, or the server itself.
    pub(super) fn asker(&self) -> Option<&Capability> {
        self.phase.run().and_then(|run| run.asker.as_ref())
    }

    /// It may speak of what it sees: it sees no page that the asker may not.
    pub(super) fn may_see(&self, page: &str, tier: &str) -> bool {
        let asker = self.asker();
        let page = glade_access::PageRef { id: page, tier };
        self.identity.shown.settings.scope.has_page(page.id)
            && asker.is_none_or(|asker| asker.allows(glade_access::Op::Read, &page))
    }

    /// It remembers what it was asked and did elsewhere, for others; that is not for every asker.
    fn visible_runs(&self) -> Option<BTreeSet<RunId>> {
        let active = self.phase.run()?;
        let asker = active.asker.as_ref().filter(|asker| !asker.sees_all())?;
        let (history, agenda) = (self.agent.history(), self.agent.agenda());
        let runs = history.runs().into_iter().chain(agenda.runs());
        let mut visible = visible(&self.deps.store, &self.deps.workspace, asker, runs);
        // The store may not have it yet.
        visible.insert(RunId::from(active.id()));
        Some(visible)
    }

    pub(super) async fn look_around(&mut self) {
        let here = self.seat.as_ref().map(|seat| seat.page.as_str());
        let sees = |page: &str, tier: &str| self.may_see(page, tier);
        self.surroundings.around = self
            .deps
            .workspace
            .around(&self.identity.row.id, here, sees);
        if let Some(seat) = &self.seat
            && let Ok(changes) = seat.room.user_actions(&seat.session).await
        {
            self.surroundings.user_actions.extend(actions_of(changes));
        }
        self.surroundings.visible_runs = self.visible_runs();
        let text = |seat: &&RoomSeat| seat.room.surface().has_styled_words();
        self.surroundings.comments.clear();
        self.surroundings.part = None;
        if let Some(seat) = self.seat.as_ref().filter(text) {
            self.surroundings.comments = comments_of(&seat.room, &self.deps.workspace).await;
            let part = seat.room.own_part(&seat.session).await;
            self.surroundings.part = part.unwrap_or_default();
        }
    }

    /// Lets the core take a step in the world as it is now.
    pub(super) fn step(&mut self, event: Event) -> Option<Vec<Effect>> {
        let images = self.sees(&event);
        let seat = self.seat.as_ref()?;
        let scene = seat.room.scene().read();
        let scene = scene.unwrap_or_else(PoisonError::into_inner);
        let page = PageView {
            scene: &scene,
            page: &seat.page,
            images,
            area: self.area(),
        };
        let fairy = &self.identity.row.id;
        let effects = self
            .surroundings
            .show(page, &self.deps.workspace, fairy, |world| {
                self.agent.step(event, world)
            });
        let asked = |effect: &Effect| matches!(effect, Effect::Ask { .. });
        if effects.iter().any(asked) {
            self.surroundings.user_actions.clear();
        }
        Some(effects)
    }

    /// Whether the model that this event leads to can look at pictures.
    fn sees(&self, event: &Event) -> bool {
        let wanted = match event {
            Event::Prompt { input, .. } | Event::Schedule { input, .. } => input.model.as_deref(),
            _ => self.agent.wanted_model(),
        };
        let model = wanted.and_then(|name| self.deps.models.get(name));
        model.map_or_else(|| self.identity.model.sees(), |model| model.sees())
    }

    /// Tells the core what became of a run, wherever the fairy is.
    pub(super) async fn settle(&mut self, run: RunId, kept: bool) {
        let event = Event::Settled { run, kept };
        if self.seat.is_some() {
            return self.feed(event).await;
        }
        let (scene, page) = (Scene::default(), self.own_page());
        let effects = self.agent.step(event, &World::new(&scene, &page));
        debug_assert!(effects.is_empty(), "{effects:?}");
    }

    /// Gives the core an event that needs no particular page.
    pub(super) async fn feed_on_own_page(&mut self, event: Event) -> Result<(), HostError> {
        let page = self.own_page();
        self.go_to(&page, None).await?;
        self.feed(event).await;
        Ok(())
    }

    /// Gives the core an event and carries out what it wants, until nothing follows.
    pub(super) async fn feed(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            let asks = may_ask(&event);
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
                if let Some(event) = self.perform(effect).await {
                    events.push_back(event);
                }
            }
        }
    }
}

fn lints(scene: &Scene, area: &Rect) -> Vec<Lint> {
    let found = lints_in(scene, area).into_iter();
    found.map(Lint::from).collect()
}

/// One person's changes are one action.
fn actions_of(changes: Vec<UserChange>) -> Vec<UserAction> {
    let mut actions: Vec<UserAction> = Vec::new();
    for change in changes {
        let by = Person::of(&change.subject).name;
        let diff = match actions.iter_mut().find(|action| action.by == by) {
            Some(action) => &mut action.diff,
            None => {
                actions.push(UserAction {
                    by,
                    diff: Diff::default(),
                });
                match actions.last_mut() {
                    Some(last) => &mut last.diff,
                    None => continue,
                }
            }
        };
        match (&change.before, &change.after) {
            (None, Some(_)) => diff.added.push(change.element),
            (Some(_), None) => diff.removed.push(change.element),
            (Some(before), Some(after)) => diff.updated.extend(updated(before, after)),
            (None, None) => {}
        }
    }
    actions
}
