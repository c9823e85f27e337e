//! A browser's session: the link's key becomes a cookie.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse};
use glade_access::Capability;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::guard::{Caller, verify};
use crate::app::App;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;
use crate::workspace::Person;

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

impl From<&Capability> for Session {
    fn from(capability: &Capability) -> Self {
        let person = Person::of(&capability.subject);
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
    let capability = verify(&app, &open.key)?;
    let cookie = app
        .access
        .cookie
        .set(&open.key)
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    Ok((
        AppendHeaders([(SET_COOKIE, cookie)]),
        Json(Session::from(&capability)),
    ))
}

/// The session that this request carries.
#[utoipa::path(get, path = "/api/session",
    responses((status = 200, body = Session), (status = 401, body = Problem)))]
pub async fn show(caller: Caller) -> Json<Session> {
    Json(Session::from(&caller.capability))
}
