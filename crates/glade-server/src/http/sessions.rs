//! The browsers that are signed in, and ending their sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::guard::Caller;
use super::session::signed_out;
use crate::app::App;
use crate::edge::extract::ApiQuery;
use crate::edge::problem::Problem;

/// A browser that is signed in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    id: String,
    subject: String,
    name: String,
    /// What the browser says it is.
    client: String,
    created_at: i64,
    last_seen: i64,
    /// Whether it is the one that asks.
    current: bool,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct EndAll {
    /// Leave the session that asks.
    #[serde(default)]
    others: bool,
}

/// The sessions that were opened with the caller's own token or one made from it, the newest first:
/// for the owner, all.
#[utoipa::path(get, path = "/api/sessions", responses((status = 200, body = Vec<SignedIn>)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Json<Vec<SignedIn>> {
    let listed = app.access.sessions.overseen_by(&caller.capability);
    let shown = listed.into_iter().map(|session| SignedIn {
        name: app.workspace.person(&session.subject).name,
        current: caller.session.as_ref() == Some(&session.id),
        id: session.id,
        subject: session.subject,
        client: session.client,
        created_at: session.created_ms,
        last_seen: session.seen_ms,
    });
    Json(shown.collect())
}

/// Ends one of these sessions. What it has open closes within a second. Its link opens a new one:
/// to shut that out too, revoke the link.
#[utoipa::path(delete, path = "/api/sessions/{id}", params(("id" = String, Path,)),
    responses((status = 204), (status = 404, body = Problem)))]
pub async fn end(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    parts: Parts,
) -> Result<Response, Problem> {
    let listed = app.access.sessions.overseen_by(&caller.capability);
    // Whether a session exists is told only to those who may end it.
    if !listed.iter().any(|session| session.id == id) {
        return Err(Problem::not_found("There is no such session of yours."));
    }
    end_these(&app, &caller, vec![id], &parts).await
}

/// Ends all of these sessions.
#[utoipa::path(delete, path = "/api/sessions", params(EndAll), responses((status = 204)))]
pub async fn end_all(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiQuery(which): ApiQuery<EndAll>,
    parts: Parts,
) -> Result<Response, Problem> {
    let listed = app.access.sessions.overseen_by(&caller.capability);
    let ids = listed.into_iter().map(|session| session.id);
    let ids = ids.filter(|id| !(which.others && caller.session.as_ref() == Some(id)));
    end_these(&app, &caller, ids.collect(), &parts).await
}

async fn end_these(
    app: &App,
    caller: &Caller,
    ids: Vec<String>,
    parts: &Parts,
) -> Result<Response, Problem> {
    if ids.is_empty() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let ended = app.access.sessions.end(&ids, &caller.capability.subject);
    ended.await.map_err(Problem::internal)?;
    let own = caller.session.as_ref().is_some_and(|id| ids.contains(id));
    if own {
        Ok((StatusCode::NO_CONTENT, signed_out(app, parts)?).into_response())
    } else {
        Ok(StatusCode::NO_CONTENT.into_response())
    }
}
