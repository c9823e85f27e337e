//! What is in a workspace, as far as the caller may see it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};

use glade_access::PageRef;

use super::code;
use super::guard::Caller;
use crate::app::App;
use crate::edge::problem::Problem;
use glade_host::workspace::{MAIN, Page, Snapshot, Task};

/// Pages, fairies, people, tasks, projects and runs.
#[utoipa::path(get, path = "/api/workspaces/{ws}", params(("ws" = String, Path,)),
    responses((status = 200, body = Snapshot), (status = 404, body = Problem)))]
pub async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
) -> Result<Json<Snapshot>, Problem> {
    known(&ws)?;
    Ok(Json(visible(&app, &caller, app.workspace.snapshot())))
}

pub fn known(ws: &str) -> Result<(), Problem> {
    if ws == MAIN {
        Ok(())
    } else {
        Err(Problem::not_found(format!(
            "There is no workspace {ws}: this server has `{MAIN}`."
        )))
    }
}

fn page_ref(page: &Page) -> PageRef<'_> {
    PageRef {
        id: &page.id,
        tier: &page.tier,
    }
}

/// A task without the fairy that it is given to, where that is on a page that the caller may not read.
pub fn task_seen(app: &App, caller: &Caller, mut task: Task) -> Task {
    task.assignee = task.assignee.filter(|id| {
        // One that is gone tells nothing.
        app.workspace.fairy(id).is_none_or(|fairy| {
            let page = app.workspace.page(&fairy.page);
            page.is_some_and(|page| caller.may_read(&page.id, &page.tier))
        })
    });
    task
}

/// Only the pages that the caller may read, and what belongs to them; and the code project.
pub fn visible(app: &App, caller: &Caller, mut snapshot: Snapshot) -> Snapshot {
    snapshot.code = code::seen(app, caller);
    // A row's name may tell of pages that others may not know of.
    if !caller.capability.is_owner() {
        snapshot.unreadable.clear();
    }
    snapshot
        .pages
        .retain(|page| caller.may_read(&page.id, &page.tier));
    snapshot
        .runs
        .retain(|run| app.runs.lists(&caller.capability, run));
    let readable = |id: &str| snapshot.pages.iter().any(|page| page.id == id);
    snapshot.tasks.retain(|task| readable(&task.page));
    let tasks = std::mem::take(&mut snapshot.tasks).into_iter();
    snapshot.tasks = tasks.map(|task| task_seen(app, caller, task)).collect();
    snapshot.projects.retain(|project| readable(&project.page));
    snapshot.fairies.retain(|fairy| readable(&fairy.page));
    let fairies = std::mem::take(&mut snapshot.fairies).into_iter();
    snapshot.fairies = fairies.map(|fairy| caller.shown(app, fairy)).collect();
    let pages = &snapshot.pages;
    snapshot.people = std::mem::take(&mut snapshot.people)
        .into_iter()
        .filter_map(|person| person.seen_by(&caller.capability, pages.iter().map(page_ref)))
        .collect();
    snapshot
}
