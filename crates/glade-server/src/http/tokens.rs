//! Handing on less than one has.

use std::sync::Arc;
use std::time::SystemTime;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use glade_access::NarrowerRequest;
use glade_store::AuditKind;
use serde::Serialize;
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

/// A token with less rights than the caller's own: `ops` (of `read`, `comment`, `suggest`, `edit`,
/// `command`), `pages`, `tiers`, `tools`, `expiresIn` (seconds), `subject`.
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
