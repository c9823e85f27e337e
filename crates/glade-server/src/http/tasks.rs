//! Tasks: making them, changing them, setting a fairy on one.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use glade_access::Op;
use glade_canvas::Rect;
use glade_store::{AuditKind, Change, StoreError};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use utoipa::ToSchema;

use super::fairies::{self, Begun, Question};
use super::guard::Caller;
use super::workspaces::{known, task_seen, visible};
use crate::app::App;
use crate::budget;
use crate::edge::extract::{ApiJson, LONG};
use crate::edge::problem::Problem;
use glade_host::audit;
use glade_host::clock::now_ms;
use glade_host::fairies::Asked;
use glade_host::ids;
use glade_host::workspace::{Task, TaskStatus};

const LONGEST_TITLE: usize = 200;
const LONGEST_TEXT: usize = 20_000;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTask {
    title: String,
    #[serde(default)]
    text: String,
    page: String,
    bounds: Option<Rect>,
    #[serde(default)]
    status: TaskStatus,
    assignee: Option<String>,
}

/// What is to be different; what is left out stays. `null` takes bounds or assignee away.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TaskChange {
    title: Option<String>,
    text: Option<String>,
    page: Option<String>,
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<Rect>)]
    bounds: Option<Option<Rect>>,
    status: Option<TaskStatus>,
    #[serde(deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    assignee: Option<Option<String>>,
    position: Option<f64>,
}

/// Tells `null` from nothing at all.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

/// The tasks on the pages that the caller may read, in order.
#[utoipa::path(get, path = "/api/workspaces/{ws}/tasks", params(("ws" = String, Path,)),
    responses((status = 200, body = Vec<Task>), (status = 404, body = Problem)))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
) -> Result<Json<Vec<Task>>, Problem> {
    known(&ws)?;
    Ok(Json(visible(&app, &caller, app.workspace.snapshot()).tasks))
}

/// Makes a task at the end of the list. Needs the right to edit its page.
#[utoipa::path(post, path = "/api/workspaces/{ws}/tasks", params(("ws" = String, Path,)), request_body = NewTask,
    responses((status = 201, body = Task), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
    ApiJson(new): ApiJson<NewTask, LONG>,
) -> Result<(StatusCode, Json<Task>), Problem> {
    known(&ws)?;
    caller.on_whole_page(&app, &new.page, Op::Edit)?;
    if let Some(fairy) = &new.assignee {
        fairies::may(&app, &caller, fairy, Op::Command)?;
    }
    let there = app.workspace.snapshot().tasks.len();
    budget::room_for(there, budget::TASKS, "tasks")?;
    let task = Task {
        id: ids::task(),
        title: good_title(&new.title)?,
        text: good_text(new.text)?,
        page: new.page,
        bounds: good_bounds(new.bounds)?,
        status: new.status,
        assignee: new.assignee,
        project: None,
        created_by: caller.capability.subject.clone(),
        created_at: now_ms(),
        position: 0.0,
    };
    let entry = told(&caller, &task, "made");
    let task = app.workspace.add_task(task, vec![entry]).await?;
    Ok((StatusCode::CREATED, Json(task)))
}

/// Changes a task. Needs the right to edit its page, and to command a fairy that it is given to.
#[utoipa::path(patch, path = "/api/tasks/{id}", params(("id" = String, Path,)), request_body = TaskChange,
    responses((status = 200, body = Task), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(wanted): ApiJson<TaskChange, LONG>,
) -> Result<Json<Task>, Problem> {
    may(&app, &caller, &id, Op::Edit)?;
    caller.beyond_regions()?;
    if let Some(page) = &wanted.page {
        caller.on_page(&app, page, Op::Edit)?;
    }
    if let Some(Some(fairy)) = &wanted.assignee {
        fairies::may(&app, &caller, fairy, Op::Command)?;
    }
    let changed = app
        .workspace
        .change_task(&id, |task| {
            apply(task, wanted)?;
            Ok::<_, Problem>(vec![told(&caller, task, "changed")])
        })
        .await?;
    let changed = changed.ok_or_else(|| missing(&id))?;
    Ok(Json(task_seen(&app, &caller, changed)))
}

fn apply(task: &mut Task, wanted: TaskChange) -> Result<(), Problem> {
    if let Some(title) = wanted.title {
        task.title = good_title(&title)?;
    }
    if let Some(text) = wanted.text {
        task.text = good_text(text)?;
    }
    if let Some(bounds) = wanted.bounds {
        task.bounds = good_bounds(bounds)?;
    }
    if let Some(position) = wanted.position {
        if !position.is_finite() {
            return Err(Problem::bad_request("A position is a number."));
        }
        task.position = position;
    }
    task.page = wanted.page.unwrap_or_else(|| task.page.clone());
    task.status = wanted.status.unwrap_or(task.status);
    if let Some(assignee) = wanted.assignee {
        task.assignee = assignee;
    }
    Ok(())
}

/// Deletes a task. A fairy that is at work on it goes on: stop it if it should not.
#[utoipa::path(delete, path = "/api/tasks/{id}", params(("id" = String, Path,)),
    responses((status = 204), (status = 404, body = Problem)))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let task = may(&app, &caller, &id, Op::Edit)?;
    caller.beyond_regions()?;
    let entry = told(&caller, &task, "deleted");
    app.workspace.delete_task(&task, vec![entry]).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sets the assigned fairy on the task, stopping what it does, and marks it as in progress; when
/// that run has ended, as done, or as still to do where it was stopped or failed.
#[utoipa::path(post, path = "/api/tasks/{id}/start", params(("id" = String, Path,)),
    responses((status = 202, body = Begun), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub async fn start(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Begun>), Problem> {
    let task = may(&app, &caller, &id, Op::Command)?;
    let Some(fairy) = &task.assignee else {
        return Err(Problem::conflict(
            "Nobody is to do this task: give it to a fairy first.",
        ));
    };
    fairies::may(&app, &caller, fairy, Op::Command)?;
    let question = Question {
        message: match task.text.trim() {
            "" => task.title.clone(),
            text => format!("{}\n\n{text}", task.title),
        },
        page: Some(task.page.clone()),
        bounds: task.bounds,
        ..Question::default()
    };
    let asked = Asked {
        input: question.into_input(),
        message: None,
        asker: Some(caller.capability.clone()),
    };
    let started = app.host.prompt(fairy, asked).await?;
    app.workspace
        .change_task(&id, |task| {
            task.status = TaskStatus::InProgress;
            Ok::<_, Problem>(vec![told(&caller, task, "started")])
        })
        .await?;
    tokio::spawn(note_end(Arc::clone(&app), caller, id, started.run.clone()));
    let begun = Begun {
        run: Some(started.run),
    };
    Ok((StatusCode::ACCEPTED, Json(begun)))
}

/// Waits for the end of the run that a task set off, and notes on the task how it went.
async fn note_end(app: Arc<App>, caller: Caller, id: String, run: String) {
    let Some(run) = app.workspace.ended(&run).await else {
        return;
    };
    let noted = app
        .workspace
        .end_task(&id, &run, |task| told(&caller, task, "ended"));
    if let Err(error) = noted.await {
        tracing::error!(%error, task = id, "how a task went could not be noted");
    }
}

/// The task, if the caller may do `op` on its page.
fn may(app: &App, caller: &Caller, id: &str, op: Op) -> Result<Task, Problem> {
    let task = app.workspace.task(id).ok_or_else(|| missing(id))?;
    caller
        .on_page(app, &task.page, Op::Read)
        .map_err(|_| missing(id))?;
    caller.on_page(app, &task.page, op)?;
    Ok(task)
}

fn told(caller: &Caller, task: &Task, what: &str) -> Change {
    let body = json!({
        "task": task.id,
        "page": task.page,
        "what": what,
        "status": task.status,
        "assignee": task.assignee,
    });
    audit::entry(AuditKind::Task, &caller.capability.subject, body)
}

fn missing(id: &str) -> Problem {
    Problem::not_found(format!(
        "There is no task {id}, or this token may not see it."
    ))
}

fn good_title(title: &str) -> Result<String, Problem> {
    let title = title.trim();
    if title.is_empty() || title.chars().count() > LONGEST_TITLE {
        return Err(Problem::bad_request(format!(
            "A task's title has 1 to {LONGEST_TITLE} letters."
        )));
    }
    Ok(title.to_owned())
}

fn good_text(text: String) -> Result<String, Problem> {
    if text.len() > LONGEST_TEXT {
        return Err(Problem::bad_request(format!(
            "A task's text has at most {LONGEST_TEXT} bytes."
        )));
    }
    Ok(text)
}

fn good_bounds(bounds: Option<Rect>) -> Result<Option<Rect>, Problem> {
    let whole = bounds.is_none_or(|b| {
        [b.x, b.y, b.w, b.h].iter().all(|n| n.is_finite()) && b.w > 0.0 && b.h > 0.0
    });
    if !whole {
        return Err(Problem::bad_request(
            "Bounds are {x, y, w, h}, with a width and a height above 0.",
        ));
    }
    Ok(bounds)
}
