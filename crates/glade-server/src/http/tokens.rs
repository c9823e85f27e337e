//! Handing on less than one has.

use std::sync::Arc;
use std::time::SystemTime;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use glade_access::NarrowerRequest;
use glade_store::AuditKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::guard::Caller;
use crate::app::App;
use crate::audit;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct Token {
    token: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Revoke {
    /// The token to take back.
    token: String,
}

/// Takes a token back, and every token made from it. Its sessions end within a second. For the
/// owner, and for whoever holds the token itself or one that it was made from.
#[utoipa::path(post, path = "/api/tokens/revoke", request_body = Revoke,
    responses((status = 204), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiJson(revoke): ApiJson<Revoke>,
) -> Result<StatusCode, Problem> {
    let target = app
        .access
        .keys
        .verify(&revoke.token, SystemTime::now())
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    // Every token begins with the owner's block: with it, all of them would go.
    let [_, .., last] = target.revocation_ids() else {
        return Err(Problem::bad_request(
            "The owner's token cannot be revoked: move owner.key out of the data folder and restart, which makes a new one.",
        ));
    };
    if !target
        .revocation_ids()
        .starts_with(caller.capability.revocation_ids())
    {
        return Err(Problem::forbidden(
            "Only the owner, or a holder of a token that this one was made from, may revoke it.",
        ));
    }
    app.access
        .revoked
        .add(last, &caller.capability.subject)
        .await
        .map_err(Problem::internal)?;
    Ok(StatusCode::NO_CONTENT)
}

/// A token with less rights than the caller's own: `ops` (of `read`, `comment`, `suggest`, `edit`,
/// `command`), `pages`, `tiers`, `tools`, `region` (`{x, y, w, h}` in whole page
/// units, where it may write), `paths`, `expiresIn` (seconds), `subject`.
#[utoipa::path(post, path = "/api/tokens/attenuate", request_body = Object,
    responses((status = 201, body = Token), (status = 400, body = Problem)))]
pub async fn attenuate(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiJson(request): ApiJson<NarrowerRequest>,
) -> Result<(StatusCode, Json<Token>), Problem> {
    let narrower = request.at(SystemTime::now());
    let token = app
        .access
        .keys
        .attenuate(&caller.token, &narrower)
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    let made = app
        .access
        .keys
        .verify(&token, SystemTime::now())
        .map_err(|error| Problem::bad_request(error.to_string()))?;
    let told = serde_json::json!({
        "from": caller.capability.revocation_ids().last(),
        "token": made.revocation_ids().last(),
        "for": made.subject,
        "ops": made.ops().iter().map(|op| op.as_str()).collect::<Vec<_>>(),
    });
    let entry = audit::entry(AuditKind::TokenAttenuated, &caller.capability.subject, told);
    app.store
        .write(vec![entry])
        .await
        .map_err(Problem::internal)?;
    Ok((StatusCode::CREATED, Json(Token { token })))
}
