//! Is the server there, and is it ready?

use std::sync::Arc;

use axum::extract::State;

use crate::app::App;
use crate::edge::problem::Problem;

/// Answers as soon as the server runs.
#[utoipa::path(get, path = "/healthz", responses((status = 200, body = String)), security(()))]
pub async fn alive() -> &'static str {
    "ok"
}

/// Answers once the store can be read.
#[utoipa::path(get, path = "/readyz", responses((status = 200, body = String)), security(()))]
pub async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    let store = app.store.clone();
    tokio::task::spawn_blocking(move || store.pages())
        .await
        .map_err(Problem::internal)?
        .map_err(Problem::internal)?;
    Ok("ready")
}
