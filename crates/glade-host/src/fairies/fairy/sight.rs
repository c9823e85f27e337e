//! What a fairy sees besides the page itself: the other pages, what people did, the other fairies,
//! what looks wrong.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::PoisonError;

use glade_agent::diff::{Diff, updated};
use glade_agent::{Comment, Effect, Event, Lint, UserAction, World};
use glade_canvas::lint::lints_in;
use glade_canvas::{Rect, Scene};
use glade_doc::{ElementId, PageId, RunId, Surface};

use super::saying::comments_of;
use super::{FairyTask, Place};
use crate::clock::now_ms;
use crate::fairies::time::utc;
use crate::rooms::UserChange;
use crate::runs::reach::visible;
use crate::workspace::{Around, Person};

#[derive(Default)]
pub struct Sight {
    around: Around,
    /// What people did since the last step that was asked.
    user_actions: Vec<UserAction>,
    comments: Vec<Comment>,
    /// The first and the last block that it may change, if not all.
    part: Option<(ElementId, ElementId)>,
    /// The runs that whoever asks may know of, if not all.
    visible_runs: Option<BTreeSet<RunId>>,
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
    /// It may speak of what it sees: it sees no page that the asker may not.
    pub(super) fn may_see(&self, page: &str, tier: &str) -> bool {
        let asker = self.active.as_ref().and_then(|run| run.asker.as_ref());
        let page = glade_access::PageRef { id: page, tier };
        self.shown.settings.scope.has_page(page.id)
            && asker.is_none_or(|asker| asker.allows(glade_access::Op::Read, &page))
    }

    /// It remembers what it was asked and did elsewhere, for others; that is not for every asker.
    fn visible_runs(&self) -> Option<BTreeSet<RunId>> {
        let active = self.active.as_ref()?;
        let asker = active.asker.as_ref().filter(|asker| !asker.sees_all())?;
        let (history, agenda) = (self.agent.history(), self.agent.agenda());
        let set = agenda.tasks.iter().filter_map(|task| task.run.as_ref());
        let runs = history.runs().into_iter().chain(set);
        let mut visible = visible(&self.deps.store, &self.deps.workspace, asker, runs);
        // The store may not have it yet.
        visible.insert(RunId::from(active.id()));
        Some(visible)
    }

    pub(super) async fn look_around(&mut self) {
        let here = self.place.as_ref().map(|place| place.page.as_str());
        let sees = |page: &str, tier: &str| self.may_see(page, tier);
        self.sight.around = self.deps.workspace.around(&self.row.id, here, sees);
        if let Some(place) = &self.place
            && let Ok(deeds) = place.room.user_actions(&place.session).await
        {
            self.sight.user_actions.extend(actions_of(deeds));
        }
        self.sight.visible_runs = self.visible_runs();
        let text = |place: &&Place| {
            let scene = place.room.scene().read();
            let scene = scene.unwrap_or_else(PoisonError::into_inner);
            scene.surface() == Surface::Text
        };
        self.sight.comments.clear();
        self.sight.part = None;
        if let Some(place) = self.place.as_ref().filter(text) {
            self.sight.comments = comments_of(&place.room).await;
            let part = place.room.own_part(&place.session).await;
            self.sight.part = part.unwrap_or_default();
        }
    }

    /// Lets the core take a step in the world as it is now.
    pub(super) fn step(&mut self, event: Event) -> Option<Vec<Effect>> {
        let images = self.sees(&event);
        let board = OnceCell::new();
        let board_of = || self.deps.workspace.board_of(&self.row.id);
        let place = self.place.as_ref()?;
        let scene = place
            .room
            .scene()
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let time = utc(now_ms());
        let world = World {
            time: Some(&time),
            pages: &self.sight.around.pages,
            others: &self.sight.around.others,
            board: &|| board.get_or_init(board_of).as_ref(),
            open_items: &self.sight.around.open_items,
            user_actions: &self.sight.user_actions,
            comments: &self.sight.comments,
            part: self.sight.part.as_ref(),
            images,
            lints: Some(&lints),
            visible_runs: self.sight.visible_runs.as_ref(),
            ..World::new(&scene, &place.page)
        };
        let effects = self.agent.step(event, &world);
        let asked = |effect: &Effect| matches!(effect, Effect::Ask { .. });
        if effects.iter().any(asked) {
            self.sight.user_actions.clear();
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
        model.map_or_else(|| self.model.sees(), |model| model.sees())
    }

    /// Gives the core something to know that concerns no page.
    pub(super) async fn feed_anywhere(&mut self, event: Event) {
        if self.place.is_some() {
            return self.feed_both(event).await;
        }
        let page = PageId::from(self.row.page.as_str());
        let effects = self
            .agent
            .step(event, &World::new(&Scene::default(), &page));
        debug_assert!(effects.is_empty(), "{effects:?}");
    }

    /// What it would be asked now; nothing of it changes.
    pub(super) fn world_of<T>(
        &self,
        scene: &Scene,
        page: &PageId,
        see: impl FnOnce(&World<'_>) -> T,
    ) -> T {
        let time = utc(now_ms());
        let board = self.deps.workspace.board_of(&self.row.id);
        see(&World {
            board: &|| board.as_ref(),
            time: Some(&time),
            pages: &self.sight.around.pages,
            others: &self.sight.around.others,
            open_items: &self.sight.around.open_items,
            user_actions: &self.sight.user_actions,
            comments: &self.sight.comments,
            part: self.sight.part.as_ref(),
            images: self.model.sees(),
            lints: Some(&lints),
            ..World::new(scene, page)
        })
    }
}

fn lints(scene: &Scene, area: &Rect) -> Vec<Lint> {
    let found = lints_in(scene, area).into_iter();
    found.map(Lint::from).collect()
}

/// One person's deeds are one action.
fn actions_of(deeds: Vec<UserChange>) -> Vec<UserAction> {
    let mut actions: Vec<UserAction> = Vec::new();
    for deed in deeds {
        let by = Person::of(&deed.subject).name;
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
        match (&deed.before, &deed.after) {
            (None, Some(_)) => diff.added.push(deed.element),
            (Some(_), None) => diff.removed.push(deed.element),
            (Some(before), Some(after)) => diff.updated.extend(updated(before, after)),
            (None, None) => {}
        }
    }
    actions
}
