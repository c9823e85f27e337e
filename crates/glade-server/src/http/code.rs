//! The code project: its files, its chats, and what runs did to it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use glade_access::Op;
use glade_code::tools::list_files::ListFiles;
use glade_code::{Cancel, ProjectPath, Seen, Tool as _, ToolContext, digest};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::guard::Caller;
use crate::app::App;
use crate::budget;
use crate::edge::extract::{ApiJson, ApiQuery};
use crate::edge::problem::Problem;
use glade_host::code::{Chat, CodeError, CodeHost, Decision, FileChange, OfKept, TakenBack};
use glade_host::runs::Undone;
use glade_host::runs::reach::only_people;
use glade_host::workspace::{CodeFolder, Run};

/// A chat's title at the longest.
const LONGEST_TITLE: usize = 200;
/// A file larger than this is not sent to be shown.
const LARGEST_SHOWN: u64 = 2 * 1024 * 1024;

impl From<CodeError> for Problem {
    fn from(error: CodeError) -> Self {
        match error {
            CodeError::NoChat(_) => Self::not_found(error.to_string()),
            CodeError::Busy => Self::conflict(error.to_string()),
            CodeError::Wrong(why) => Self::conflict(why),
            CodeError::Forbidden(why) => Self::forbidden(why),
            CodeError::Store(error) => Self::internal(error),
        }
    }
}

/// The project, if one is open and the caller may do this to it.
pub fn project<'a>(app: &'a App, caller: &Caller, op: Op) -> Result<&'a Arc<CodeHost>, Problem> {
    Ok(app.runs.project(&caller.capability, op)?)
}

/// The same for one chat. One whose files the caller does not reach is answered like one that is
/// not there.
pub fn chat<'a>(
    app: &'a App,
    caller: &Caller,
    id: &str,
    op: Op,
) -> Result<&'a Arc<CodeHost>, Problem> {
    let code = project(app, caller, Op::Read)?;
    if !code.shows_chat(&caller.capability, id) {
        return Err(CodeError::NoChat(id.to_owned()).into());
    }
    project(app, caller, op)
}

/// The project's name, for those who may see it.
pub fn seen(app: &App, caller: &Caller) -> Option<CodeFolder> {
    let code = project(app, caller, Op::Read).ok()?;
    Some(CodeFolder { name: name(code) })
}

fn name(code: &CodeHost) -> String {
    let name = code.project().root().file_name();
    name.map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Whether an id is that of a chat about code; a fairy's is its own.
pub fn is_chat(id: &str) -> bool {
    id.starts_with("ch_")
}

#[derive(Serialize, ToSchema)]
pub struct Overview {
    name: String,
    /// Where the folder is on the server's machine: for the owner alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The newest change first.
    chats: Vec<Chat>,
    /// The runs still to be kept or undone, and recent ones.
    runs: Vec<Run>,
}

/// The project, its chats and runs.
#[utoipa::path(get, path = "/api/code",
    responses((status = 200, body = Overview), (status = 404, body = Problem)))]
pub async fn show(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<Overview>, Problem> {
    let code = project(&app, &caller, Op::Read)?;
    let mut runs = app.workspace.snapshot().runs;
    runs.retain(|run| run.target.has_files() && app.runs.lists(&caller.capability, run));
    let mut chats = code.list();
    chats.retain(|chat| code.shows_chat(&caller.capability, &chat.id));
    Ok(Json(Overview {
        name: name(code),
        path: (caller.capability.is_owner()).then(|| code.project().root().display().to_string()),
        chats,
        runs,
    }))
}

#[derive(Deserialize, IntoParams)]
pub struct PathQuery {
    /// Relative to the project's folder; the folder itself when absent.
    #[serde(default)]
    path: String,
}

fn at(caller: &Caller, code: &CodeHost, path: &str) -> Result<ProjectPath, Problem> {
    let path = ProjectPath::parse(path, code.project().root())
        .map_err(|error| Problem::bad_request(error.words))?;
    reaches(caller, &path)?;
    let real = code.project().real(&path);
    let real = real.map_err(|error| Problem::not_found(error.words))?;
    // A link is as good as what it leads to, and no better.
    reaches(caller, &real)?;
    Ok(path)
}

/// Asked before anything is looked at: what a path is, or leads to, is for who may reach it.
fn reaches(caller: &Caller, path: &ProjectPath) -> Result<(), Problem> {
    let reached = if path.is_root() {
        caller.capability.reaches_all_paths()
    } else {
        caller.capability.allows_path(path.as_str())
    };
    if reached {
        Ok(())
    } else {
        Err(Problem::forbidden(
            "This token may not reach this part of the project.",
        ))
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Problem::internal)?
}

/// A file or a folder.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Entry {
    path: String,
    #[serde(rename = "type")]
    kind: EntryKind,
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    File,
    Directory,
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    files: Vec<Entry>,
    /// How many there are, listed or not.
    total_files: usize,
    truncated: bool,
}

/// What is in a folder; ignored files are left out.
#[utoipa::path(get, path = "/api/code/files", params(PathQuery),
    responses((status = 200, body = Listing), (status = 404, body = Problem)))]
pub async fn files(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiQuery(place): ApiQuery<PathQuery>,
) -> Result<Json<Listing>, Problem> {
    let code = Arc::clone(project(&app, &caller, Op::Read)?);
    let path = at(&caller, &code, &place.path)?;
    let listed = blocking(move || {
        let (seen, cancel) = (Seen::new(), Cancel::new());
        let context = ToolContext {
            project: code.project(),
            seen: &seen,
            cancel: &cancel,
        };
        let input = json!({"path": path.as_str(), "recursive": false});
        ListFiles
            .plan(context, &input)
            .map_err(|error| Problem::not_found(error.words))
    });
    serde_json::from_value(listed.await?.output)
        .map(Json)
        .map_err(Problem::internal)
}

#[derive(Serialize, ToSchema)]
pub struct File {
    path: String,
    /// Absent for what is no text.
    #[schema(required)]
    text: Option<String>,
    sha256: String,
    /// For each line, the run that wrote it, if it was one.
    authors: Vec<Option<String>>,
}

/// A file as it is now, and who wrote its lines.
#[utoipa::path(get, path = "/api/code/file", params(PathQuery),
    responses((status = 200, body = File), (status = 404, body = Problem)))]
pub async fn file(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiQuery(place): ApiQuery<PathQuery>,
) -> Result<Json<File>, Problem> {
    let code = Arc::clone(project(&app, &caller, Op::Read)?);
    let path = at(&caller, &code, &place.path)?;
    let file = blocking(move || {
        let bytes = code
            .project()
            .read_existing(&path, LARGEST_SHOWN)
            .map_err(|error| Problem::not_found(error.words))?;
        let sha256 = digest(&bytes);
        let text = String::from_utf8(bytes).ok();
        let authors = match text {
            Some(_) => code.authors(&path)?,
            None => Vec::new(),
        };
        Ok(File {
            path: path.as_str().to_owned(),
            text,
            sha256,
            authors,
        })
    });
    Ok(Json(file.await?))
}

/// What a run did, file by file, with its places numbered.
#[utoipa::path(get, path = "/api/code/runs/{run}/changes", params(("run" = String, Path,)),
    responses((status = 200, body = Vec<FileChange>), (status = 404, body = Problem)))]
pub async fn changes(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(run): Path<String>,
) -> Result<Json<Vec<FileChange>>, Problem> {
    let code = Arc::clone(project(&app, &caller, Op::Read)?);
    let known = app.runs.get(&caller.capability, &run, Op::Read);
    if !known.is_ok_and(|run| run.target.has_files()) {
        return Err(Problem::not_found(format!(
            "There is no run {run} of code, or this token may not see it."
        )));
    }
    let changes = blocking(move || {
        let mut changes = code.changes(&run)?;
        let project = code.project();
        // What was closed since it was written is shown to nobody.
        changes.retain(|change| {
            let path = ProjectPath::parse_file(&change.path, project.root());
            path.is_ok_and(|path| project.is_open(&path))
        });
        Ok(changes)
    });
    Ok(Json(changes.await?))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Title {
    title: Option<String>,
    /// The fairy that answers from now on.
    fairy: Option<String>,
}

impl Title {
    fn checked(&self) -> Result<Option<String>, Problem> {
        let title = self.title.as_ref().map(|title| title.trim().to_owned());
        if title
            .as_ref()
            .is_some_and(|it| it.chars().count() > LONGEST_TITLE)
        {
            return Err(Problem::bad_request("A title has at most 200 letters."));
        }
        Ok(title)
    }
}

/// A new chat. Its first message names it, if nobody did.
#[utoipa::path(post, path = "/api/code/chats", request_body = Title,
    responses((status = 201, body = Chat), (status = 404, body = Problem)))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    title: Option<ApiJson<Title>>,
) -> Result<(StatusCode, Json<Chat>), Problem> {
    let code = project(&app, &caller, Op::Command)?;
    let asked = title.map(|ApiJson(title)| title).unwrap_or_default();
    let title = asked.checked()?;
    budget::room_for(code.list().len(), budget::CODE_CHATS, "chats")?;
    let mut chat = code.create(title, &caller.capability).await?;
    if let Some(fairy) = &asked.fairy {
        chat = code.give_to(&chat.id, fairy, &caller.capability).await?;
    }
    Ok((StatusCode::CREATED, Json(chat)))
}

#[utoipa::path(patch, path = "/api/code/chats/{chat}", params(("chat" = String, Path,)), request_body = Title,
    responses((status = 200, body = Chat), (status = 404, body = Problem)))]
pub async fn rename(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(asked): ApiJson<Title>,
) -> Result<Json<Chat>, Problem> {
    let code = chat(&app, &caller, &id, Op::Command)?;
    let title = asked.checked()?.filter(|title| !title.is_empty());
    if title.is_none() && asked.fairy.is_none() {
        let why = "Say what the chat is to be called, or which fairy is to answer.";
        return Err(Problem::bad_request(why));
    }
    if let Some(fairy) = &asked.fairy {
        code.give_to(&id, fairy, &caller.capability).await?;
    }
    if let Some(title) = title {
        code.rename(&id, &title).await?;
    }
    Ok(Json(code.chat(&id)?))
}

/// Forgets the chat, for those who may change files; not while changes of it wait to be kept or undone.
#[utoipa::path(delete, path = "/api/code/chats/{chat}", params(("chat" = String, Path,)),
    responses((status = 204), (status = 409, body = Problem)))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let code = chat(&app, &caller, &id, Op::Edit)?;
    code.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stops the run under way. Answers when nothing changes any more.
#[utoipa::path(post, path = "/api/code/chats/{chat}/abort", params(("chat" = String, Path,)),
    responses((status = 200, body = Chat), (status = 404, body = Problem)))]
pub async fn abort(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Chat>, Problem> {
    let code = chat(&app, &caller, &id, Op::Command)?;
    code.abort(&id).await?;
    Ok(Json(code.chat(&id)?))
}

/// Answers the question whether a file may be written. For people who may change that file themselves.
#[utoipa::path(post, path = "/api/code/chats/{chat}/approve", params(("chat" = String, Path,)), request_body = Decision,
    responses((status = 204), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub async fn approve(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(decision): ApiJson<Decision>,
) -> Result<StatusCode, Problem> {
    let code = chat(&app, &caller, &id, Op::Edit)?;
    only_people(&caller.capability)?;
    code.decide(&id, decision, &caller.capability).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes back what was allowed without asking: `{"scope": "chat"}` or `{"scope": "paths", "paths": […]}`,
/// and `kind` for changes of one kind only.
#[utoipa::path(post, path = "/api/code/chats/{chat}/take-back", params(("chat" = String, Path,)), request_body = TakenBack,
    responses((status = 200, body = Chat), (status = 404, body = Problem)))]
pub async fn take_back(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    ApiJson(what): ApiJson<TakenBack>,
) -> Result<Json<Chat>, Problem> {
    let code = chat(&app, &caller, &id, Op::Edit)?;
    Ok(Json(code.take_back(&id, &what).await?))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct UndoTo {
    /// A message of a person; the latest when absent.
    message: Option<String>,
    /// Undo also what was kept already.
    kept: bool,
}

/// Takes the chat, and the files, back to before a message.
#[utoipa::path(post, path = "/api/code/chats/{chat}/undo", params(("chat" = String, Path,)), request_body = UndoTo,
    responses((status = 200, body = Undone), (status = 409, body = Problem)))]
pub async fn undo(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    to: Option<ApiJson<UndoTo>>,
) -> Result<Json<Undone>, Problem> {
    let code = chat(&app, &caller, &id, Op::Edit)?;
    only_people(&caller.capability)?;
    let UndoTo { message, kept } = to.map(|ApiJson(to)| to).unwrap_or_default();
    let of_kept = if kept {
        OfKept::UndoneToo
    } else {
        OfKept::Stay
    };
    let by = &caller.capability.subject;
    let settled = code.undo_to(&id, message.as_deref(), of_kept, by).await?;
    Ok(Json(settled.into()))
}
