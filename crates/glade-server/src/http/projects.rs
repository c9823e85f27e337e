//! Projects: starting one, talking to it, ending it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use glade_access::Op;
use glade_agent::projects::{Budget, Raised};
use glade_canvas::Rect;
use glade_store::{AuditKind, Change};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::fairies::{self, Begun, Question, check};
use super::guard::Caller;
use super::workspaces::{known, visible};
use crate::app::App;
use crate::edge::extract::{ApiJson, LONG};
use crate::edge::problem::Problem;
use glade_host::audit;
use glade_host::fairies::{Asked, ProjectAsked};
use glade_host::workspace::{Held, ProjectShown, Run};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProject {
    /// The one that leads comes first; two are a duo.
    fairies: Vec<String>,
    page: String,
    message: String,
    /// What the person sees, in page coordinates.
    #[serde(default)]
    bounds: Option<Rect>,
    /// What it may use: `tokens`, `usd`, `steps`.
    #[serde(default)]
    budget: Option<Budget>,
}

/// The projects on the pages that the caller may read, the oldest first.
#[utoipa::path(get, path = "/api/workspaces/{ws}/projects", params(("ws" = String, Path,)),
    responses((status = 200, body = Vec<ProjectShown>), (status = 404, body = Problem)))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
) -> Result<Json<Vec<ProjectShown>>, Problem> {
    known(&ws)?;
    Ok(Json(
        visible(&app, &caller, app.workspace.snapshot()).projects,
    ))
}

/// Sets several fairies on something together, stopping what they do.
#[utoipa::path(post, path = "/api/workspaces/{ws}/projects", params(("ws" = String, Path,)), request_body = NewProject,
    responses((status = 201, body = ProjectShown), (status = 400, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
    ApiJson(new): ApiJson<NewProject, LONG>,
) -> Result<(StatusCode, Json<ProjectShown>), Problem> {
    known(&ws)?;
    caller.on_page(&app, &new.page, Op::Command)?;
    check(&new.message)?;
    for fairy in &new.fairies {
        fairies::may(&app, &caller, fairy, Op::Command)?;
    }
    let budget_is_good = |budget: &Budget| budget.steps > 0 && budget.usd >= 0.0;
    if !new.budget.as_ref().is_none_or(budget_is_good) {
        return Err(Problem::bad_request(
            "A budget is {tokens, usd, steps}: at least 1 step, and an amount that is not negative.",
        ));
    }
    if let Some(budget) = &new.budget {
        may_spend(&app, &caller, budget)?;
    }
    let page = new.page.clone();
    let asked = ProjectAsked {
        fairies: new.fairies,
        page: new.page,
        message: new.message,
        bounds: new.bounds,
        budget: new.budget,
        asker: Some(caller.capability.clone()),
    };
    let entry = |id: &str| vec![told(&caller, id, &page, "started")];
    let project = app.host.start_project(asked, entry).await?;
    Ok((StatusCode::CREATED, Json(project)))
}

/// Whoever may not set fairies' limits may not set aside those of projects either.
fn may_spend(app: &App, caller: &Caller, wanted: &Budget) -> Result<(), Problem> {
    let most = app.workspace.teams().budget;
    let more = wanted.tokens > most.tokens || wanted.usd > most.usd || wanted.steps > most.steps;
    if more && caller.tends_fairies().is_err() {
        return Err(Problem::forbidden(format!(
            "This token may start projects of at most {} tokens, {} dollars and {} requests.",
            most.tokens, most.usd, most.steps
        )));
    }
    Ok(())
}

/// All that its members have done since it began and until they left, the oldest run first, on the pages that the caller may read.
#[utoipa::path(get, path = "/api/projects/{id}/runs", params(("id" = String, Path,)),
    responses((status = 200, body = Vec<Run>), (status = 404, body = Problem)))]
pub async fn runs(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Vec<Run>>, Problem> {
    let project = may(&app, &caller, &id, Op::Read)?.project;
    let turn = app.work.turn(&caller.capability.subject).await?;
    let reading = turn.run(move || app.runs.of_project(&caller.capability, &project));
    Ok(Json(reading.await??))
}

/// Ends a project now: everybody stops. When this answers, the document is quiet.
#[utoipa::path(post, path = "/api/projects/{id}/disband", params(("id" = String, Path,)),
    responses((status = 200, body = ProjectShown), (status = 404, body = Problem)))]
pub async fn disband(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ProjectShown>, Problem> {
    let held = may(&app, &caller, &id, Op::Command)?;
    let entry = told(&caller, &id, &held.project.page, "disbanded");
    app.store.write(vec![entry]).await?;
    let ended = app.host.disband(&id).await?;
    ended
        .map(|held| Json(held.shown()))
        .ok_or_else(|| missing(&id))
}

/// Says something to a project under way: whoever leads it hears it.
#[utoipa::path(post, path = "/api/projects/{id}/messages", params(("id" = String, Path,)), request_body = Question,
    responses((status = 202, body = Begun), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub async fn message(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(question): ApiJson<Question, LONG>,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let held = may(&app, &caller, &id, Op::Command)?;
    speaks_for(&caller, &held)?;
    check(&question.message)?;
    let page = question.page.clone().unwrap_or(held.project.page);
    caller.on_page(&app, &page, Op::Command)?;
    let asked = Asked {
        input: question.into_input(),
        message: None,
        asker: Some(caller.capability.clone()),
    };
    let started = app.host.ask_project(&id, asked).await?;
    let begun = Begun {
        run: started.map(|started| started.run),
    };
    Ok((StatusCode::ACCEPTED, Json(begun)))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEvent {
    name: String,
    /// What there is to know of it; an object.
    #[serde(default)]
    #[schema(value_type = Object)]
    data: serde_json::Map<String, serde_json::Value>,
}

/// The longest name of an event, and the most that can be said of one.
const MOST_NAME: usize = 200;
const MOST_DATA: usize = 10_000;

/// Tells a project under way that something has happened: whoever waits for that is woken.
#[utoipa::path(post, path = "/api/projects/{id}/events", params(("id" = String, Path,)), request_body = NewEvent,
    responses((status = 202), (status = 400, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub async fn raise(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(event): ApiJson<NewEvent, LONG>,
) -> Result<StatusCode, Problem> {
    let held = may(&app, &caller, &id, Op::Command)?;
    speaks_for(&caller, &held)?;
    let name = event.name.trim().to_owned();
    let data = serde_json::Value::Object(event.data);
    if name.is_empty() || name.len() > MOST_NAME || data.to_string().len() > MOST_DATA {
        return Err(Problem::bad_request(
            "An event is {name, data}: a name of at most 200 bytes, and at most 10,000 bytes of data.",
        ));
    }
    app.host.raise(&id, Raised { name, data }).await?;
    Ok(StatusCode::ACCEPTED)
}

/// The project, if the caller may do `op` on its page.
fn may(app: &App, caller: &Caller, id: &str, op: Op) -> Result<Held, Problem> {
    let held = app.workspace.project(id).ok_or_else(|| missing(id))?;
    caller
        .on_page(app, &held.project.page, Op::Read)
        .map_err(|_| missing(id))?;
    caller.on_page(app, &held.project.page, op)?;
    Ok(held)
}

/// A project works with the rights of whoever started it: what others say to it is done with those, so
/// they must have them themselves.
fn speaks_for(caller: &Caller, held: &Held) -> Result<(), Problem> {
    let asker = held.asker.as_ref();
    if caller.capability.is_owner()
        || asker.is_some_and(|asker| caller.capability.covers_on_pages(asker))
    {
        return Ok(());
    }
    Err(Problem::forbidden(
        "The project works with the rights of whoever started it, and this token has fewer: ask them, or ask a fairy yourself.",
    ))
}

fn told(caller: &Caller, project: &str, page: &str, what: &str) -> Change {
    let body = json!({"project": project, "page": page, "what": what});
    audit::entry(AuditKind::Project, &caller.capability.subject, body)
}

fn missing(id: &str) -> Problem {
    Problem::not_found(format!(
        "There is no project {id}, or this token may not see it."
    ))
}
