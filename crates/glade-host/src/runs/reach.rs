//! What a run reached, who may know of it, and who may settle it.

use std::collections::BTreeSet;

use glade_access::{Capability, Op, SubjectKind};
use glade_doc::{PageId, RunId};
use glade_store::{RunStatus, RunTarget, Store, StoreError};

use super::{RunError, Runs};
use crate::rooms::{RoomHandle, Rooms};
use crate::workspace::{Run, Workspace};

/// The pages of a run that there still are: the one that it began on, and every other that it wrote on.
pub fn pages_of_run(
    store: &Store,
    workspace: &Workspace,
    run: &str,
    target: &RunTarget,
) -> Result<BTreeSet<String>, StoreError> {
    let spans = store.spans_of_run(run)?;
    let mut pages: BTreeSet<String> = spans.into_iter().map(|span| span.page).collect();
    pages.extend(target.first_page().map(str::to_owned));
    pages.retain(|page| workspace.page(page).is_some());
    Ok(pages)
}

/// Their rooms; what cannot be opened is left out, and said.
pub async fn rooms_of_run(
    store: &Store,
    workspace: &Workspace,
    rooms: &Rooms,
    run: &Run,
) -> Vec<RoomHandle> {
    let pages = pages_of_run(store, workspace, &run.id, &run.target);
    let pages = pages.unwrap_or_else(|error| {
        tracing::error!(run = run.id, %error, "the pages of a run could not be read");
        run.target
            .first_page()
            .map(str::to_owned)
            .into_iter()
            .collect()
    });
    let mut open = Vec::new();
    for page in pages {
        match rooms.room(&PageId::from(page.as_str())).await {
            Ok(room) => open.push(room),
            Err(error) => tracing::error!(run = run.id, page, %error, "a room could not be opened"),
        }
    }
    open
}

/// Stands among the pages of a run where nobody can tell which they are: no page has this name.
pub const NO_PAGE: &str = "";

/// All pages that a run was shown, those that are gone included: the one that it began on, where it
/// wrote, and where it only looked.
pub fn pages_shown(
    store: &Store,
    run: &str,
    target: &RunTarget,
) -> Result<BTreeSet<String>, StoreError> {
    let mut pages = store.pages_read_by(run)?;
    pages.extend(store.spans_of_run(run)?.into_iter().map(|span| span.page));
    pages.extend(target.first_page().map(str::to_owned));
    Ok(pages)
}

/// Whether somebody may know of a run on pages: they may read every page that it was shown, for it may
/// have said what stands there. Of a page that is gone nobody knows any more who might read it.
pub fn sees_work(
    store: &Store,
    workspace: &Workspace,
    who: &Capability,
    run: &str,
    target: &RunTarget,
) -> bool {
    if who.sees_all() {
        return true;
    }
    let pages = pages_shown(store, run, target).inspect_err(|error| {
        tracing::error!(run, %error, "the pages of a run could not be read");
    });
    target.first_page().is_some()
        && pages.is_ok_and(|pages| pages.iter().all(|page| workspace.may(who, page, Op::Read)))
}

/// Of these runs, those that somebody may know of.
pub fn visible<'r>(
    store: &Store,
    workspace: &Workspace,
    who: &Capability,
    runs: impl IntoIterator<Item = &'r RunId>,
) -> BTreeSet<RunId> {
    let sees = |run: &&RunId| {
        let known = workspace.find_run(run.as_str()).ok().flatten();
        known.is_some_and(|it| sees_work(store, workspace, who, run.as_str(), &it.target))
    };
    runs.into_iter().filter(sees).cloned().collect()
}

impl Runs {
    /// Whether somebody may know of a run.
    pub fn may_see(&self, who: &Capability, run: &Run) -> bool {
        if run.target.has_files() {
            let code = self.project(who, Op::Read);
            return code.is_ok_and(|code| code.shows_run(who, run));
        }
        sees_work(&self.store, &self.workspace, who, &run.id, &run.target)
    }

    /// The same, by id. A run that cannot be found is for those who see everything.
    pub fn may_see_id(&self, who: &Capability, id: &str) -> bool {
        let run = || self.workspace.find_run(id).ok().flatten();
        who.sees_all() || run().is_some_and(|run| self.may_see(who, &run))
    }

    /// Whether it is among the runs that somebody is shown: the page that it began on is still there.
    pub fn lists(&self, who: &Capability, run: &Run) -> bool {
        let first = run.target.first_page();
        first.is_none_or(|page| self.workspace.may(who, page, Op::Read)) && self.may_see(who, run)
    }

    /// The run and the rooms of all pages that it was on, if `who` may settle it on each of them.
    pub(super) async fn settleable(
        &self,
        who: &Capability,
        id: &str,
    ) -> Result<(Run, Vec<RoomHandle>), RunError> {
        let run = self.get(who, id, Op::Edit)?;
        // A suggestion is for whoever may edit; a fairy's run for whoever may also command fairies.
        let command = run.owner.fairy().is_some();
        if command {
            self.get(who, id, Op::Command)?;
        }
        only_people(who)?;
        if run.status == RunStatus::Running {
            return Err(RunError::Conflict(
                "The fairy is still at it: stop it first.",
            ));
        }
        let mut rooms = Vec::new();
        for page in pages_of_run(&self.store, &self.workspace, id, &run.target)? {
            self.on_page(who, &page, Op::Edit)?;
            if command {
                self.on_page(who, &page, Op::Command)?;
            }
            let room = self.rooms.room(&PageId::from(page.as_str())).await?;
            if let Some(region) = who.region()
                && !room.run_lies_in(RunId::from(id), *region).await?
            {
                return Err(RunError::Forbidden(
                    "This run reaches beyond the part of the page that this token may change."
                        .to_owned(),
                ));
            }
            rooms.push(room);
        }
        Ok((run, rooms))
    }
}

/// No fairy settles its own work, nor that of others.
pub fn only_people(who: &Capability) -> Result<(), RunError> {
    if who.kind == SubjectKind::Person {
        Ok(())
    } else {
        Err(RunError::Forbidden(
            "Only people keep or undo what was done: no fairy settles its own work.".to_owned(),
        ))
    }
}
