//! The door to `/sync`.

use std::sync::Arc;

use axum::extract::{State, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;

use super::guard::verify;
use crate::app::App;
use crate::edge::bearer;
use crate::edge::problem::Problem;
use crate::sync::socket;

/// A token may come with the upgrade (cookie or header) or with each join; without any, nothing
/// can be joined.
pub async fn upgrade(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    socket: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let token = bearer::credential(&headers, &app.access.cookie)?;
    // A cookie that no longer holds is no reason to refuse a client that joins with a token.
    let capability = token.and_then(|credential| verify(&app, credential.token()).ok());
    Ok(socket
        .max_message_size(socket::MAX_FRAME)
        .max_frame_size(socket::MAX_FRAME)
        .on_upgrade(move |socket| socket::serve(app, socket, capability)))
}
