//! Signing a browser in and out: the link's key becomes a session, whose cookie the browser keeps.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, SET_COOKIE, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use glade_access::{Capability, Op, Region};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::guard::Caller;
use crate::access::Holder;
use crate::app::App;
use crate::edge::bearer::Credential;
use crate::edge::extract::ApiJson;
use crate::edge::problem::{PROBLEM_JSON, Problem};
use crate::edge::scheme::Scheme;
use crate::sessions::{IDLE_SECONDS, Secret};
use glade_host::workspace::holds_unseen_signs;

/// Longest name that a person may give themselves, in characters.
const LONGEST_NAME: usize = 80;

#[derive(Deserialize, ToSchema)]
pub struct Open {
    /// The token of the link.
    key: String,
    /// Signs out whoever else is signed in with this browser. Without it, their session stands and
    /// the answer is 409.
    #[serde(default)]
    replace: bool,
}

/// Whether a session may edit.
#[derive(ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(
    dead_code,
    reason = "it is said as text; this is how the interface describes it"
)]
enum Permission {
    Read,
    Write,
}

/// Who this session is, and whether it may write.
#[derive(Serialize, ToSchema)]
pub struct Session {
    subject: String,
    name: String,
    /// `write` or `read`: whether it may edit.
    #[schema(value_type = Permission)]
    permission: &'static str,
    /// All that it may do: `read`, `comment`, `suggest`, `edit`, `command`.
    #[schema(value_type = Vec<Op>)]
    ops: Vec<&'static str>,
    /// What it may do in the code project: `read`, `command` (ask in chats), `edit` (approve, keep, undo).
    #[schema(value_type = Vec<Op>)]
    project: Vec<&'static str>,
    /// What it is limited to: `pages`, `tiers`, `tools`, `region`, `paths`.
    limits: Vec<&'static str>,
    /// The id of the session that the cookie carries, as the list of sessions has it; absent for a
    /// token.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// The part of pages that it may write in: `x`, `y`, `w`, `h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<glade_canvas::Rect>)]
    region: Option<Region>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// What others see: 1 to 80 characters.
    name: String,
}

impl Session {
    fn of(app: &App, capability: &Capability, session: Option<String>) -> Self {
        let person = app.workspace.person(&capability.subject);
        Self {
            subject: person.subject,
            name: person.name,
            ops: capability.ops().iter().map(|op| op.as_str()).collect(),
            project: capability.project().iter().map(|op| op.as_str()).collect(),
            limits: capability.limits(),
            session,
            region: capability.region().copied(),
            permission: if capability.may_write() {
                "write"
            } else {
                "read"
            },
        }
    }
}

/// Somebody else is signed in with this browser.
#[derive(Serialize, ToSchema)]
pub struct Occupied {
    #[serde(flatten)]
    problem: Problem,
    /// Who is signed in.
    current: Session,
    /// Whose the link is.
    offered: Session,
}

impl Occupied {
    fn between(app: &App, current: &Capability, offered: &Capability) -> Self {
        let (current, offered) = (
            Session::of(app, current, None),
            Session::of(app, offered, None),
        );
        let detail = format!(
            "You are signed in here as {}. To open this link as {} instead, send it again with `replace` set to true.",
            current.name, offered.name
        );
        Self {
            problem: Problem::conflict(detail),
            current,
            offered,
        }
    }
}

impl IntoResponse for Occupied {
    fn into_response(self) -> Response {
        let kind = [(CONTENT_TYPE, PROBLEM_JSON)];
        (StatusCode::CONFLICT, kind, Json(self)).into_response()
    }
}

/// Exchanges a key for a session, which the cookie carries. A session of somebody else in the same
/// browser is replaced only when the request says so.
#[utoipa::path(post, path = "/api/session", request_body = Open, security(()),
    responses((status = 200, body = Session), (status = 401, body = Problem), (status = 409, body = Occupied)))]
pub async fn open(
    State(app): State<Arc<App>>,
    parts: Parts,
    ApiJson(open): ApiJson<Open>,
) -> Result<Response, Problem> {
    let capability = app.access.verify(&open.key).map_err(|denied| {
        let reason = denied.to_string();
        let about = json!({ "code": "session" });
        app.refusals.enter(denied.subject(), &reason, about);
        Problem::from(denied)
    })?;
    let scheme = Scheme::of(&parts.extensions);
    let mut cookies = app.access.cookie.read_all(&parts.headers, scheme);
    let current = cookies.find_map(|secret| signed_in(&app, secret));
    let secret = match &current {
        // A second tab: what the first has open goes on.
        Some((holder, secret))
            if holder.capability.revocation_ids() == capability.revocation_ids() =>
        {
            secret.clone()
        }
        Some((holder, _)) if holder.capability.subject != capability.subject && !open.replace => {
            let occupied = Occupied::between(&app, &holder.capability, &capability);
            return Ok(occupied.into_response());
        }
        _ => begin(&app, &parts, &open.key, &capability, current.as_ref()).await?,
    };
    let session = Secret::parse(&secret).map(|secret| secret.id());
    let cookie = app.access.cookie.set(&secret, scheme, IDLE_SECONDS);
    let cookie = cookie.map_err(Problem::internal)?;
    Ok((
        AppendHeaders([(SET_COOKIE, cookie)]),
        Json(Session::of(&app, &capability, session)),
    )
        .into_response())
}

/// Whose session the browser has, and its secret.
fn signed_in(app: &App, secret: &str) -> Option<(Holder, String)> {
    let credential = Credential::Cookie(secret.to_owned());
    let holder = app.access.holder(&credential).ok()?;
    Some((holder, secret.to_owned()))
}

/// A new session in the place of the browser's old one.
async fn begin(
    app: &App,
    parts: &Parts,
    key: &str,
    capability: &Capability,
    old: Option<&(Holder, String)>,
) -> Result<String, Problem> {
    let client = parts.headers.get(USER_AGENT);
    let client = client.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let sessions = &app.access.sessions;
    let secret = sessions.begin(key, capability, client).await;
    let secret = secret.map_err(Problem::internal)?;
    if let Some(id) = old.and_then(|(holder, _)| holder.session.clone()) {
        let by = &capability.subject;
        sessions.end(&[id], by).await.map_err(Problem::internal)?;
    }
    Ok(secret.text())
}

/// Signs this browser out. What its session has open closes.
#[utoipa::path(delete, path = "/api/session",
    responses((status = 204), (status = 400, body = Problem), (status = 401, body = Problem)))]
pub async fn close(
    State(app): State<Arc<App>>,
    caller: Caller,
    parts: Parts,
) -> Result<Response, Problem> {
    let Some(id) = caller.session else {
        return Err(Problem::bad_request(
            "This request came with a token, not with a session: a token is taken back with /api/tokens/revoke.",
        ));
    };
    let by = &caller.capability.subject;
    let ended = app.access.sessions.end(&[id], by).await;
    ended.map_err(Problem::internal)?;
    Ok((StatusCode::NO_CONTENT, signed_out(&app, &parts)?).into_response())
}

/// Takes the cookie out of the browser.
pub(super) fn signed_out(
    app: &App,
    parts: &Parts,
) -> Result<AppendHeaders<[(axum::http::HeaderName, HeaderValue); 1]>, Problem> {
    let cookie = app.access.cookie.clear(Scheme::of(&parts.extensions));
    let cookie = cookie.map_err(Problem::internal)?;
    Ok(AppendHeaders([(SET_COOKIE, cookie)]))
}

/// The session that this request carries.
#[utoipa::path(get, path = "/api/session",
    responses((status = 200, body = Session), (status = 401, body = Problem)))]
pub async fn show(State(app): State<Arc<App>>, caller: Caller) -> Json<Session> {
    Json(Session::of(&app, &caller.capability, caller.session))
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
    if !fits || holds_unseen_signs(name) {
        return Err(Problem::bad_request(format!(
            "A name has 1 to {LONGEST_NAME} characters, all of which can be seen."
        )));
    }
    let subject = &caller.capability.subject;
    if subject == glade_access::OWNER && !caller.capability.is_owner() {
        return Err(Problem::forbidden(
            "This link is the owner's own with fewer rights: only the owner's link names the owner.",
        ));
    }
    if app.workspace.is_name_taken(name, subject) {
        return Err(Problem::conflict(
            "Somebody here is called that already, or nearly so: choose another name.",
        ));
    }
    app.workspace
        .call_person(name, &caller.capability)
        .await
        .map_err(Problem::internal)?;
    Ok(Json(Session::of(&app, &caller.capability, caller.session)))
}
