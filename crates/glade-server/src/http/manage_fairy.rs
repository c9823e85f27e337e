//! Fairies themselves: making and dismissing them, changing who they are and what they may do,
//! sending them to sleep or elsewhere, looking inside.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use base64::Engine as _;
use glade_access::{Op, Region};
use glade_agent::Input;
use glade_canvas::Point;
use glade_doc::PageId;
use glade_store::{AuditKind, StepRow, Unreadable};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::fairies::may;
use super::guard::Caller;
use super::workspaces::known;
use crate::app::App;
use crate::edge::extract::{ApiJson, ApiQuery, LONG};
use crate::edge::problem::Problem;
use glade_host::audit;
use glade_host::fairies::{FairyChange, Manage};
use glade_host::workspace::{Fairy, Scope};

/// Makes a fairy. What is left out is filled in: an unused name, sign, hat and colour.
#[utoipa::path(post, path = "/api/workspaces/{ws}/fairies", params(("ws" = String, Path,)), request_body = FairyChange,
    responses((status = 201, body = Fairy), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
    new: Option<ApiJson<FairyChange, LONG>>,
) -> Result<(StatusCode, Json<Fairy>), Problem> {
    known(&ws)?;
    let new = new.map(|ApiJson(new)| new).unwrap_or_default();
    let page = match &new.page {
        Some(page) => {
            caller.on_page(&app, page, Op::Command)?;
            page.clone()
        }
        None => {
            let pages = app.workspace.snapshot().pages;
            let mut own = pages.into_iter().map(|page| page.id);
            own.find(|page| caller.on_page(&app, page, Op::Command).is_ok())
                .ok_or_else(|| Problem::forbidden("This token may not set fairies to work."))?
        }
    };
    caller.tends_fairies()?;
    let new = in_scope(&app, &caller, new, None).await?;
    let fairy = app.host.create(&page, &new).await?;
    tell(&app, &caller, &fairy, "made").await?;
    Ok((StatusCode::CREATED, Json(fairy)))
}

/// Changes who it is, how it looks, what it thinks with, what it may do. A run under way goes on,
/// within the new limits.
#[utoipa::path(patch, path = "/api/fairies/{id}", params(("id" = String, Path,)), request_body = FairyChange,
    responses((status = 200, body = Fairy), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(change): ApiJson<FairyChange, LONG>,
) -> Result<Json<Fairy>, Problem> {
    let old = may(&app, &caller, &id, Op::Command)?;
    if let Some(page) = &change.page {
        caller.on_page(&app, page, Op::Command)?;
    }
    if !change.only_moves() {
        caller.tends_fairies()?;
    }
    let old = &old.settings.scope;
    let change = in_scope(&app, &caller, change, Some(old)).await?;
    let fairy = app
        .host
        .manage(&id, Manage::Change(Box::new(change)))
        .await?;
    tell(&app, &caller, &fairy, "changed").await?;
    Ok(Json(fairy))
}

/// Sends it away for good. What it was at ends as by a Stop; what it made stays, to be kept, undone
/// and asked about.
#[utoipa::path(delete, path = "/api/fairies/{id}", params(("id" = String, Path,)),
    responses((status = 204), (status = 404, body = Problem)))]
pub async fn dismiss(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    may(&app, &caller, &id, Op::Command)?;
    caller.tends_fairies()?;
    let fairy = app.host.manage(&id, Manage::Dismiss).await?;
    tell(&app, &caller, &fairy, "dismissed").await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sends it to sleep. What it was at ends as by a Stop; a message wakes it.
#[utoipa::path(post, path = "/api/fairies/{id}/sleep", params(("id" = String, Path,)),
    responses((status = 200, body = Fairy), (status = 404, body = Problem)))]
pub async fn sleep(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Fairy>, Problem> {
    may(&app, &caller, &id, Op::Command)?;
    Ok(Json(app.host.manage(&id, Manage::Sleep).await?))
}

/// Wakes it up. One that is not asleep stays as it is.
#[utoipa::path(post, path = "/api/fairies/{id}/wake", params(("id" = String, Path,)),
    responses((status = 200, body = Fairy), (status = 404, body = Problem)))]
pub async fn wake(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Fairy>, Problem> {
    may(&app, &caller, &id, Op::Command)?;
    Ok(Json(app.host.manage(&id, Manage::GetUp).await?))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Summons {
    page: String,
    /// Where on the page; left out, where it was on its own.
    position: Option<Point>,
}

/// Calls it to a page and a place there. A run on another page ends as by a Stop; one on this page
/// goes on.
#[utoipa::path(post, path = "/api/fairies/{id}/summon", params(("id" = String, Path,)), request_body = Summons,
    responses((status = 200, body = Fairy), (status = 403, body = Problem), (status = 404, body = Problem)))]
pub async fn summon(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(summons): ApiJson<Summons, LONG>,
) -> Result<Json<Fairy>, Problem> {
    may(&app, &caller, &id, Op::Command)?;
    caller.on_page(&app, &summons.page, Op::Command)?;
    let sound = |at: &Point| at.x.is_finite() && at.y.is_finite();
    if summons.position.as_ref().is_some_and(|at| !sound(at)) {
        return Err(Problem::bad_request("A position is two numbers."));
    }
    let manage = Manage::Summon {
        page: PageId::from(summons.page),
        position: summons.position,
    };
    Ok(Json(app.host.manage(&id, manage).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct About {
    /// The page to look at, if not the one that it is on.
    page: Option<String>,
    /// What it would be asked.
    message: Option<String>,
}

/// What it would send to its model now: system text, messages, parts, schema, and for a model that
/// can look, the picture as a data URL. Nothing is sent.
#[utoipa::path(get, path = "/api/fairies/{id}/prompt", params(("id" = String, Path,), About),
    responses((status = 200, body = Object), (status = 404, body = Problem)))]
pub async fn prompt(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiQuery(about): ApiQuery<About>,
) -> Result<Json<Value>, Problem> {
    let fairy = may(&app, &caller, &id, Op::Command)?;
    caller.looks_into_fairies()?;
    let page = about.page.unwrap_or(fairy.page);
    caller.on_page(&app, &page, Op::Read)?;
    let input = Input {
        page: Some(PageId::from(page)),
        ..Input::message(about.message.unwrap_or_default())
    };
    let prompt = app.host.preview(&id, input).await?;
    let mut told = json!(prompt);
    if let Some(picture) = prompt.picture.filter(|picture| !picture.bytes.is_empty()) {
        let bytes = base64::engine::general_purpose::STANDARD.encode(&picture.bytes);
        told["picture"]["data"] = json!(format!("data:{};base64,{bytes}", picture.media_type));
    }
    Ok(Json(told))
}

/// How many of the last steps are told.
const STEPS: usize = 8;

/// One request to a model, with all that was said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepInFull {
    run: String,
    index: i64,
    model: String,
    prompt: Value,
    answer: String,
    started_at: i64,
    #[schema(required)]
    ended_at: Option<i64>,
    input_tokens: i64,
    output_tokens: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl TryFrom<StepRow> for StepInFull {
    type Error = Unreadable;

    fn try_from(row: StepRow) -> Result<Self, Unreadable> {
        let key = format!("{} {}", row.run, row.index);
        Ok(Self {
            prompt: Unreadable::json("step", &key, "prompt_json", &row.prompt_json)?,
            run: row.run,
            index: row.index,
            model: row.model,
            answer: row.answer,
            started_at: row.started_ms,
            ended_at: row.ended_ms,
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            error: row.error,
        })
    }
}

/// Its inside: state, recent changes of modes, and the last steps with prompt, raw answer, timings
/// and tokens, newest first.
#[utoipa::path(get, path = "/api/fairies/{id}/debug", params(("id" = String, Path,)),
    responses((status = 200, body = Object), (status = 404, body = Problem)))]
pub async fn debug(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let fairy = may(&app, &caller, &id, Op::Command)?;
    caller.looks_into_fairies()?;
    let inside = app.host.debug(&id).await?;
    let stored = tokio::task::spawn_blocking(move || app.runs.newest_steps(&id, STEPS as u32))
        .await
        .map_err(Problem::internal)?
        .map_err(Problem::internal)?;
    let steps: Vec<StepInFull> = inside
        .current
        .iter()
        .cloned()
        .chain(stored)
        .take(STEPS)
        .map(StepInFull::try_from)
        .collect::<Result<_, _>>()
        .map_err(Problem::internal)?;
    let mut told = json!(inside);
    told["fairy"] = json!(fairy);
    told["steps"] = json!(steps);
    Ok(Json(told))
}

/// A scope may name only pages that its author may see, and lasts no longer than the author's own
/// rights or the scope before. A range is tied to the text as it is now.
async fn in_scope(
    app: &App,
    caller: &Caller,
    mut change: FairyChange,
    old: Option<&Scope>,
) -> Result<FairyChange, Problem> {
    if old.is_none() {
        // A fairy that is made is given a scope, be it one without limits.
        change.scope.get_or_insert_default();
    }
    let Some(scope) = &mut change.scope else {
        return Ok(change);
    };
    let ends = caller.capability.expires_at();
    let ends = ends.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let ends = ends.and_then(|since| i64::try_from(since.as_millis()).ok());
    if let Some(ends) = ends {
        let was = old.map_or(Some(i64::MIN), |old| old.expires_at);
        let longest = was.map(|was| was.max(ends));
        if longest.is_some_and(|longest| scope.expires_at.is_none_or(|at| at > longest)) {
            scope.expires_at = longest;
        }
    }
    for page in scope.pages.iter().flatten() {
        caller.on_page(app, page, Op::Read)?;
    }
    if let Some(range) = scope.range.take() {
        caller.on_page(app, &range.page, Op::Read)?;
        let room = app.rooms.room(&PageId::from(range.page.as_str())).await?;
        let pinned = room.pin(range).await?.map_err(Problem::bad_request)?;
        scope.range = Some(pinned);
    }
    Ok(change)
}

async fn tell(app: &App, caller: &Caller, fairy: &Fairy, what: &str) -> Result<(), Problem> {
    let scope = &fairy.settings.scope;
    // The chain holds whole numbers only.
    let region = scope.region.map(|r| Region::around(r.x, r.y, r.w, r.h));
    let told = json!({
        "fairy": fairy.id,
        "what": what,
        "page": fairy.page,
        "model": fairy.model,
        "pages": scope.pages,
        "actions": scope.actions,
        "region": region.map(|r| [r.left, r.top, r.right, r.bottom]),
        "range": scope.range,
        "expiresAt": scope.expires_at,
    });
    let entry = audit::entry(AuditKind::Fairy, &caller.capability.subject, told);
    app.store
        .write(vec![entry])
        .await
        .map_err(Problem::internal)
}
