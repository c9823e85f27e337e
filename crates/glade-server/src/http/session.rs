//! A browser's session: the link's key becomes a cookie.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse};
use glade_access::Capability;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::guard::Caller;
use crate::app::App;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;

/// Longest name that a person may give themselves, in characters.
const LONGEST_NAME: usize = 80;

#[derive(Deserialize, ToSchema)]
pub struct Open {
    /// The token of the link.
    key: String,
}

/// Who this session is, and whether it may write.
#[derive(Serialize, ToSchema)]
pub struct Session {
    subject: String,
    name: String,
    /// `write` or `read`: whether it may edit.
    permission: &'static str,
    /// All that it may do: `read`, `comment`, `suggest`, `edit`, `command`.
    ops: Vec<&'static str>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// What others see: 1 to 80 characters.
    name: String,
}

impl Session {
    fn of(app: &App, capability: &Capability) -> Self {
        let person = app.workspace.person(&capability.subject);
        Self {
            subject: person.subject,
            name: person.name,
            ops: capability.ops().iter().map(|op| op.as_str()).collect(),
            permission: if capability.may_write() {
                "write"
            } else {
                "read"
            },
        }
    }
}

/// Exchanges a key for a session cookie.
#[utoipa::path(post, path = "/api/session", request_body = Open, security(()),
    responses((status = 200, body = Session), (status = 401, body = Problem)))]
pub async fn open(
    State(app): State<Arc<App>>,
    ApiJson(open): ApiJson<Open>,
) -> Result<impl IntoResponse, Problem> {
    let capability = app.access.verify(&open.key).map_err(|denied| {
        let reason = denied.to_string();
        let about = json!({ "code": "session" });
        app.refusals.enter(denied.subject(), &reason, about);
        Problem::unauthorized(reason)
    })?;
    let cookie = app
        .access
        .cookie
        .set(&open.key)
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    Ok((
        AppendHeaders([(SET_COOKIE, cookie)]),
        Json(Session::of(&app, &capability)),
    ))
}

/// The session that this request carries.
#[utoipa::path(get, path = "/api/session",
    responses((status = 200, body = Session), (status = 401, body = Problem)))]
pub async fn show(State(app): State<Arc<App>>, caller: Caller) -> Json<Session> {
    Json(Session::of(&app, &caller.capability))
}

/// Gives the caller another name for people to see. The subject stays what it is.
#[utoipa::path(patch, path = "/api/session", request_body = Rename,
    responses((status = 200, body = Session), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub async fn rename(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiJson(rename): ApiJson<Rename>,
) -> Result<Json<Session>, Problem> {
    let name = rename.name.trim();
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    if !fits || name.chars().any(char::is_control) {
        return Err(Problem::bad_request(format!(
            "A name has 1 to {LONGEST_NAME} characters."
        )));
    }
    let subject = &caller.capability.subject;
    if subject == glade_access::OWNER && !caller.capability.is_owner() {
        return Err(Problem::forbidden(
            "This link is the owner's own with fewer rights: only the owner's link names the owner.",
        ));
    }
    app.workspace
        .call_person(name, &caller.capability)
        .await
        .map_err(Problem::internal)?;
    Ok(Json(Session::of(&app, &caller.capability)))
}
