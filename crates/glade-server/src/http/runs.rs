//! Runs: looking at one, keeping it, undoing it or a part. What may be done is decided by
//! [`glade_host::runs`].

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use glade_access::Op;

use super::guard::Caller;
use crate::app::App;
use crate::edge::extract::{ApiJson, LONG};
use crate::edge::problem::Problem;
use glade_host::rooms::RoomError;
use glade_host::runs::{Changed, Reopened, RunError, RunPart, Undone};
use glade_host::workspace::Run;

impl From<RoomError> for Problem {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::NoPage(_) => Self::not_found(error.to_string()),
            other => Self::internal(other),
        }
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Missing(_) | RunError::NoPage(_) | RunError::NoProject => {
                Self::not_found(error.to_string())
            }
            RunError::Forbidden(why) => Self::forbidden(why),
            RunError::Conflict(why) => Self::conflict(why),
            RunError::NoSuchPart(why) => Self::unexpected_json(why),
            RunError::Code(error) => error.into(),
            RunError::Room(error) => error.into(),
            RunError::Store(error) => Self::internal(error),
        }
    }
}

#[utoipa::path(get, path = "/api/runs/{run}", params(("run" = String, Path,)),
    responses((status = 200, body = Run), (status = 404, body = Problem)))]
pub async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Run>, Problem> {
    Ok(Json(app.runs.get(&caller.capability, &id, Op::Read)?))
}

/// What the run changed and how it was before, by action. Of a run that was kept or undone nothing
/// is left to compare.
#[utoipa::path(get, path = "/api/runs/{run}/changes", params(("run" = String, Path,)),
    responses((status = 200, body = Vec<Changed>), (status = 404, body = Problem)))]
pub async fn changes(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Vec<Changed>>, Problem> {
    Ok(Json(app.runs.changes(&caller.capability, &id).await?))
}

/// What the run did, or a part of it, is no longer pending. Files and places are for runs of code.
#[utoipa::path(post, path = "/api/runs/{run}/keep", params(("run" = String, Path,)), request_body = RunPart,
    responses((status = 200, body = Run), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub async fn keep(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    part: Option<ApiJson<RunPart, LONG>>,
) -> Result<Json<Run>, Problem> {
    let part = part.map(|ApiJson(part)| part).unwrap_or_default();
    Ok(Json(app.runs.keep(&caller.capability, &id, part).await?))
}

/// Takes back what the run did, or a part of it. What anyone else changed since stays.
#[utoipa::path(post, path = "/api/runs/{run}/undo", params(("run" = String, Path,)), request_body = RunPart,
    responses((status = 200, body = Undone), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub async fn undo(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    part: Option<ApiJson<RunPart, LONG>>,
) -> Result<Json<Undone>, Problem> {
    let part = part.map(|ApiJson(part)| part).unwrap_or_default();
    Ok(Json(app.runs.undo(&caller.capability, &id, part).await?))
}

/// Takes the undo of a run back: it is pending again. What anyone else changed since stays. One that
/// was not undone, or so long ago that its undo is no longer known, is a conflict.
#[utoipa::path(post, path = "/api/runs/{run}/reopen", params(("run" = String, Path,)),
    responses((status = 200, body = Reopened), (status = 409, body = Problem)))]
pub async fn reopen(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Reopened>, Problem> {
    Ok(Json(app.runs.reopen(&caller.capability, &id).await?))
}
