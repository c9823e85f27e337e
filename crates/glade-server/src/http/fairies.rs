//! Fairies: who they are, and telling them what to do.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use glade_access::Op;
use glade_agent::{ContextItem, Input, Mode};
use glade_canvas::Rect;
use glade_doc::{ElementId, PageId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::guard::Caller;
use super::workspaces::{known, visible};
use crate::app::App;
use crate::edge::extract::{ApiJson, LONG};
use crate::edge::problem::Problem;
use glade_host::fairies::{Asked, HostError};
use glade_host::workspace::Fairy;

/// What a run is asked to do.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Question {
    pub message: String,
    pub page: Option<String>,
    /// What the person sees, in page coordinates.
    pub bounds: Option<Rect>,
    pub selection: Vec<String>,
    /// Shapes, areas and points that the person picked.
    #[schema(value_type = Vec<Object>)]
    pub context_items: Vec<ContextItem>,
    /// What is to be known besides, as data.
    #[schema(value_type = Vec<Object>)]
    pub data: Vec<serde_json::Value>,
    /// The only parts that the prompt may have, by name.
    pub parts: Option<Vec<String>>,
    /// The model to ask, if not the fairy's usual one.
    pub model: Option<String>,
}

impl Question {
    pub fn into_input(self) -> Input {
        Input {
            message: self.message,
            page: self.page.map(PageId::from),
            bounds: self.bounds,
            selection: self.selection.into_iter().map(ElementId::from).collect(),
            context_items: self.context_items,
            data: self.data,
            parts: self.parts,
            model: self.model,
            ..Input::default()
        }
    }
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Interrupt {
    /// The mode to work in, if not the one that it would choose. Without an input the fairy rests in it:
    /// what it was at ends, and nothing starts.
    mode: Option<Mode>,
    input: Option<Question>,
}

#[derive(Serialize, ToSchema)]
pub struct Begun {
    /// The run that the input set off, if there was one.
    #[schema(required)]
    pub run: Option<String>,
}

impl From<HostError> for Problem {
    fn from(error: HostError) -> Self {
        match error {
            HostError::NoFairy(_) | HostError::NoPage(_) => Self::not_found(error.to_string()),
            HostError::NoModel(_) | HostError::Invalid(_) => Self::bad_request(error.to_string()),
            HostError::OutOfScope(..) => Self::forbidden(error.to_string()),
            HostError::TooMany | HostError::Busy(_) => Self::conflict(error.to_string()),
            other => Self::internal(other),
        }
    }
}

/// The fairies that the caller may see.
#[utoipa::path(get, path = "/api/workspaces/{ws}/fairies", params(("ws" = String, Path,)),
    responses((status = 200, body = Vec<Fairy>)))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
) -> Result<Json<Vec<Fairy>>, Problem> {
    known(&ws)?;
    Ok(Json(
        visible(&app, &caller, app.workspace.snapshot()).fairies,
    ))
}

#[utoipa::path(get, path = "/api/fairies/{id}", params(("id" = String, Path,)),
    responses((status = 200, body = Fairy), (status = 404, body = Problem)))]
pub async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Fairy>, Problem> {
    Ok(Json(may(&app, &caller, &id, Op::Read)?))
}

/// Stops what it does; with an input, sets it on that.
#[utoipa::path(post, path = "/api/fairies/{id}/interrupt", params(("id" = String, Path,)), request_body = Interrupt,
    responses((status = 202, body = Begun), (status = 404, body = Problem)))]
pub async fn interrupt(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(interrupt): ApiJson<Interrupt, LONG>,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let fairy = may(&app, &caller, &id, Op::Command)?;
    let run = match interrupt.input {
        Some(question) => {
            let page = question.page.clone().unwrap_or(fairy.page);
            caller.on_page(&app, &page, Op::Command)?;
            check(&question.message)?;
            let asked = Asked {
                input: Input {
                    mode: interrupt.mode,
                    ..question.into_input()
                },
                message: None,
                asker: Some(caller.capability.clone()),
            };
            Some(app.host.prompt(&id, asked).await?.run)
        }
        None => {
            match interrupt.mode {
                Some(mode) => app.host.rest_in(&id, mode).await?,
                None => app.host.stop(&id).await?,
            }
            None
        }
    };
    Ok((StatusCode::ACCEPTED, Json(Begun { run })))
}

/// Idle, it starts on the input now; busy, it takes it up after its current answer.
#[utoipa::path(post, path = "/api/fairies/{id}/schedule", params(("id" = String, Path,)), request_body = Question,
    responses((status = 202, body = Begun), (status = 404, body = Problem)))]
pub async fn schedule(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(question): ApiJson<Question, LONG>,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let fairy = may(&app, &caller, &id, Op::Command)?;
    let page = question.page.clone().unwrap_or(fairy.page);
    caller.on_page(&app, &page, Op::Command)?;
    check(&question.message)?;
    let asked = Asked {
        input: question.into_input(),
        message: None,
        asker: Some(caller.capability.clone()),
    };
    let run = app
        .host
        .schedule(&id, asked)
        .await?
        .map(|started| started.run);
    Ok((StatusCode::ACCEPTED, Json(Begun { run })))
}

/// Stops it and makes it forget its chat, todos and tasks.
#[utoipa::path(post, path = "/api/fairies/{id}/reset", params(("id" = String, Path,)),
    responses((status = 200, body = Fairy), (status = 404, body = Problem)))]
pub async fn reset(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Fairy>, Problem> {
    may(&app, &caller, &id, Op::Command)?;
    caller.tends_fairies()?;
    app.host.reset(&id).await?;
    Ok(Json(may(&app, &caller, &id, Op::Read)?))
}

/// Stops it now. When this answers, the document is quiet.
#[utoipa::path(post, path = "/api/fairies/{id}/stop", params(("id" = String, Path,)),
    responses((status = 200, body = Fairy), (status = 404, body = Problem)))]
pub async fn stop(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Fairy>, Problem> {
    may(&app, &caller, &id, Op::Command)?;
    app.host.stop(&id).await?;
    Ok(Json(may(&app, &caller, &id, Op::Read)?))
}

/// The fairy, if the caller may do `op` where it is.
pub fn may(app: &App, caller: &Caller, id: &str, op: Op) -> Result<Fairy, Problem> {
    let missing = || {
        Problem::not_found(format!(
            "There is no fairy {id}, or this token may not see it."
        ))
    };
    let fairy = app.workspace.fairy(id).ok_or_else(missing)?;
    caller
        .on_page(app, &fairy.page, Op::Read)
        .map_err(|_| missing())?;
    caller.on_page(app, &fairy.page, op)?;
    Ok(caller.shown(app, fairy))
}

pub const LONGEST_MESSAGE: usize = 100_000;

pub fn check(message: &str) -> Result<(), Problem> {
    if message.trim().is_empty() {
        return Err(Problem::bad_request(
            "The message is empty: say what the fairy should do.",
        ));
    }
    if message.len() > LONGEST_MESSAGE {
        return Err(Problem::too_large(format!(
            "The message is longer than {LONGEST_MESSAGE} bytes."
        )));
    }
    Ok(())
}
