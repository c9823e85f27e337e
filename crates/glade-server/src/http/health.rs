//! Is the server there, and is it ready?

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use glade_access::{Op, PageRef};

use super::guard::Caller;
use crate::app::App;
use crate::edge::problem::Problem;
use glade_host::metrics;

/// Answers as soon as the server runs.
#[utoipa::path(get, path = "/healthz", responses((status = 200, body = String)), security(()))]
pub async fn alive() -> &'static str {
    "ok"
}

/// Answers once the store can be read and written; otherwise 503 with the reason.
#[utoipa::path(get, path = "/readyz", security(()),
    responses((status = 200, body = String), (status = 503, body = Problem)))]
pub async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    let store = app.store.clone();
    tokio::task::spawn_blocking(move || store.pages())
        .await
        .map_err(Problem::internal)?
        .map_err(Problem::internal)?;
    let unready = |why| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "Not ready", why);
    app.readiness.check(&app.store).await.map_err(unready)?;
    Ok("ready")
}

/// Counts in Prometheus' text format, for tokens that are not limited to some pages or tiers.
#[utoipa::path(get, path = "/metrics",
    responses((status = 200, content_type = "text/plain", body = String), (status = 403, body = Problem)))]
pub async fn metrics(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Problem> {
    // A page that no limit can name.
    let any = PageRef { id: "", tier: "" };
    if !caller.capability.allows(Op::Read, &any) {
        return Err(Problem::forbidden(
            "This token is limited to a part of the workspace; the counts are about all of it.",
        ));
    }
    let text = metrics::text(
        app.rooms.count().await,
        app.fragments.held(),
        &app.store.stats(),
    );
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], text).into_response())
}
