//! The list of pages: renaming, reordering, tiers, copies, the trash.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use glade_access::{Op, PageRef};
use glade_doc::{Edit, PageId, Surface};
use glade_store::{AuditKind, Change, PageRow};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::guard::Caller;
use super::pages::{good_name, good_tier};
use crate::app::App;
use crate::budget;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;
use glade_host::audit;
use glade_host::clock::now_ms;
use glade_host::workspace::Page;
use glade_host::{ids, rows};

/// What is to be different; what is left out stays.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PageChange {
    name: Option<String>,
    /// Who may read only the old one loses the page at once.
    tier: Option<String>,
    /// Where in the list: between the positions of its new neighbours.
    position: Option<f64>,
}

/// Renames a page, moves it in the list, gives it another tier.
#[utoipa::path(patch, path = "/api/pages/{page}", params(("page" = String, Path,)), request_body = PageChange,
    responses((status = 200, body = Page), (status = 404, body = Problem)))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
    ApiJson(change): ApiJson<PageChange>,
) -> Result<Json<Page>, Problem> {
    caller.on_whole_page(&app, &page, Op::Edit)?;
    let mut row = app.workspace.page(&page).ok_or_else(|| missing(&page))?;
    let old_tier = row.tier.clone();
    if let Some(name) = change.name {
        row.name = good_name(&name)?;
    }
    if let Some(tier) = change.tier {
        row.tier = good_tier(&tier)?;
        let may = caller.capability.allows(Op::Edit, &page_ref(&row));
        // Who else sees a page is not for those to say who were let in to see this one.
        let moves = row.tier != old_tier && caller.capability.pages().is_some();
        if !may || moves {
            return Err(Problem::forbidden("This token may not edit in that tier."));
        }
    }
    if let Some(position) = change.position {
        if !position.is_finite() {
            return Err(Problem::bad_request("A position is a number."));
        }
        row.position = position;
    }
    let told = json!({"page": row.id, "what": "changed", "tier": row.tier});
    let entry = audit::entry(AuditKind::Page, &caller.capability.subject, told);
    app.workspace
        .put_page_with(row.clone(), vec![entry])
        .await
        .map_err(Problem::internal)?;
    if row.tier != old_tier
        && let Some(room) = app.rooms.if_open(&PageId::from(page.as_str())).await
    {
        room.retier(row.tier.clone()).await?;
    }
    Ok(Json(Page::from(&row)))
}

/// Puts a page into the trash, from where it can be restored. Everyone on it is shown out.
#[utoipa::path(delete, path = "/api/pages/{page}", params(("page" = String, Path,)),
    responses((status = 204), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
) -> Result<StatusCode, Problem> {
    caller.on_whole_page(&app, &page, Op::Edit)?;
    let row = app.workspace.page(&page).ok_or_else(|| missing(&page))?;
    let homes = app.workspace.snapshot().fairies;
    if let Some(fairy) = homes.iter().find(|fairy| fairy.page == page) {
        return Err(Problem::conflict(format!(
            "{} is on this page: send it to another first.",
            fairy.name
        )));
    }
    let told = json!({"page": row.id, "what": "trashed"});
    let entry = audit::entry(AuditKind::Page, &caller.capability.subject, told);
    app.workspace
        .trash_page(&row, vec![entry])
        .await
        .map_err(Problem::internal)?;
    if let Some(room) = app.rooms.if_open(&PageId::from(page.as_str())).await {
        room.close().await?;
    }
    app.rooms.forget_words(&PageId::from(page.as_str()));
    Ok(StatusCode::NO_CONTENT)
}

/// Brings a deleted page back as it was.
#[utoipa::path(post, path = "/api/pages/{page}/restore", params(("page" = String, Path,)),
    responses((status = 200, body = Page), (status = 404, body = Problem)))]
pub async fn restore(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
) -> Result<Json<Page>, Problem> {
    let (store, id) = (app.store.clone(), page.clone());
    let row = tokio::task::spawn_blocking(move || store.trashed_page(&id))
        .await
        .map_err(Problem::internal)?
        .map_err(Problem::internal)?
        .filter(|row| caller.may_read(&row.id, &row.tier))
        .ok_or_else(|| missing(&page))?;
    if !caller.capability.allows(Op::Edit, &page_ref(&row)) {
        return Err(Problem::forbidden("This token may not edit this page."));
    }
    caller.beyond_regions()?;
    let there = app.workspace.snapshot().pages.len();
    budget::room_for(there, budget::PAGES, "pages")?;
    let told = json!({"page": row.id, "what": "restored"});
    let changes = vec![
        Change::RestorePage { id: row.id.clone() },
        audit::entry(AuditKind::Page, &caller.capability.subject, told),
    ];
    app.workspace
        .put_page_with(row.clone(), changes)
        .await
        .map_err(Problem::internal)?;
    Ok(Json(Page::from(&row)))
}

/// Makes a copy of a page, beside it: what is on it now, without its history.
#[utoipa::path(post, path = "/api/pages/{page}/duplicate", params(("page" = String, Path,)),
    responses((status = 201, body = Page), (status = 404, body = Problem)))]
pub async fn duplicate(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
) -> Result<(StatusCode, Json<Page>), Problem> {
    caller.on_whole_page(&app, &page, Op::Read)?;
    let source = app.workspace.page(&page).ok_or_else(|| missing(&page))?;
    let pages = app.workspace.snapshot().pages;
    budget::room_for(pages.len(), budget::PAGES, "pages")?;
    let after = pages
        .iter()
        .map(|page| page.position)
        .find(|position| *position > source.position);
    let name: String = format!("{} (copy)", source.name)
        .chars()
        .take(200)
        .collect();
    let row = PageRow {
        id: ids::page(),
        name,
        position: after.map_or(source.position + 1.0, |next| {
            f64::midpoint(source.position, next)
        }),
        created_ms: now_ms(),
        ..source
    };
    if !caller.capability.allows(Op::Edit, &page_ref(&row)) {
        return Err(Problem::forbidden("This token may not make pages."));
    }
    let turn = app.work.turn(&caller.capability.subject).await?;
    let room = app.rooms.room(&PageId::from(page.as_str())).await?;
    let elements = room.elements().await?;
    let subject = caller.capability.subject.clone();
    let (id, surface) = (row.id.clone(), room.surface());
    let copying = turn.run(move || copied(&id, surface, &subject, elements));
    let mut changes = copying.await?.map_err(Problem::internal)?;
    let told = json!({"page": row.id, "what": "copied", "from": page});
    changes.push(audit::entry(
        AuditKind::Page,
        &caller.capability.subject,
        told,
    ));
    app.workspace
        .put_page_with(row.clone(), changes)
        .await
        .map_err(Problem::internal)?;
    Ok((StatusCode::CREATED, Json(Page::from(&row))))
}

/// What is on a page, as the first update of another.
fn copied(
    page: &str,
    surface: Surface,
    subject: &str,
    elements: std::collections::BTreeMap<glade_doc::ElementId, glade_doc::Props>,
) -> Result<Vec<Change>, glade_doc::DocError> {
    let edits: Vec<Edit> = elements
        .into_iter()
        .filter(|(_, props)| props.get("isDeleted").and_then(|v| v.as_bool()) != Some(true))
        .map(|(id, props)| Edit::Put { id, props })
        .collect();
    rows::filled(page, surface, subject, &edits)
}

fn page_ref(row: &PageRow) -> PageRef<'_> {
    PageRef {
        id: &row.id,
        tier: &row.tier,
    }
}

fn missing(page: &str) -> Problem {
    Problem::not_found(format!(
        "There is no page {page}, or this token may not read it."
    ))
}
