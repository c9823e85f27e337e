//! What is in a workspace, as far as the caller may see it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};

use glade_access::PageRef;

use super::code;
use super::guard::Caller;
use crate::app::App;
use crate::edge::problem::Problem;
use glade_host::workspace::{MAIN, Page, Snapshot};

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
