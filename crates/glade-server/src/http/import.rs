//! Files brought onto a page: Excalidraw scenes and libraries, pictures that carry a scene, tldraw files.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use glade_access::Op;
use glade_canvas::file::{FileError, Onto, to_excalidraw_with};
use glade_doc::{Edit, PageId};
use glade_store::Change;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};

use super::blobs::room_for_pictures;
use super::guard::Caller;
use super::text;
use crate::app::App;
use crate::budget;
use crate::edge::extract::ApiQuery;
use crate::edge::problem::Problem;
use crate::work::Turn;
use glade_host::rooms::CommitRefused;
use glade_host::{files, ids};

const MAX_FILE: usize = 64 << 20;
/// Files that are read at once: as values one may take a few hundred megabytes.
static READING: Semaphore = Semaphore::const_new(1);

/// Reads a file, when no other is being read.
pub async fn read_alone<T: Send + 'static>(
    turn: &Turn,
    read: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let _alone = READING.acquire().await.map_err(Problem::internal)?;
    Ok(turn.run(read).await?)
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct ImportAs {
    /// `replace`: what is on the page is deleted; `append`: it stays, and what is new comes beside it.
    mode: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Imported {
    /// How many elements came.
    pub imported: usize,
    /// How many were deleted to make room.
    pub deleted: usize,
    /// The ids that came, bottom first.
    pub elements: Vec<String>,
    /// In words: what was left out, repaired, or brought as something else.
    pub notes: Vec<String>,
}

/// Brings a file onto a page: `.excalidraw`, `.excalidrawlib`, `.tldr`, or a PNG or SVG with a scene in it. It is
/// one edit of the caller's.
#[utoipa::path(post, path = "/api/pages/{page}/import", params(("page" = String, Path,), ImportAs),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Imported), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem)))]
pub async fn import(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
    ApiQuery(wanted): ApiQuery<ImportAs>,
    request: Request,
) -> Result<Json<Imported>, Problem> {
    caller.on_page(&app, &page, Op::Edit)?;
    let onto = match wanted.mode.as_str() {
        "replace" => Onto::Replace,
        "append" => Onto::Append,
        other => {
            return Err(Problem::bad_request(format!(
                "A file is brought to `replace` what is on the page or to `append` to it, not to `{other}`."
            )));
        }
    };
    let turn = app.work.turn(&caller.capability.subject).await?;
    let room = app.rooms.room(&PageId::from(page.as_str())).await?;
    if room.surface().has_styled_words() {
        let bytes = to_bytes(request.into_body(), text::MAX_FILE)
            .await
            .map_err(|_| Problem::too_large("A Markdown file has at most 2 MB: split it."))?;
        let replace = onto == Onto::Replace;
        let imported = text::bring(&turn, &room, caller.capability, replace, bytes).await?;
        return Ok(Json(imported));
    }
    let bytes = file_in(request).await?;
    let subject = caller.capability.subject.clone();
    let read = read_alone(&turn, move || files::read(&bytes, &subject)).await?;
    let (loaded, notes, blobs) = read.map_err(unreadable)?;
    if !blobs.is_empty() {
        let bytes = blobs.iter().map(|blob| match blob {
            Change::PutBlob { blob, .. } => blob.bytes().len(),
            _ => 0,
        });
        room_for_pictures(&app, bytes.sum()).await?;
        app.store.write(blobs).await.map_err(Problem::internal)?;
    }
    let room = app.rooms.room(&PageId::from(page.as_str())).await?;
    room.shown().await?;
    let scene = {
        let scene = room.scene().read().unwrap_or_else(PoisonError::into_inner);
        scene.clone()
    };
    let edits = turn.run(move || loaded.edits_onto(&scene, onto)).await?;
    let elements: Vec<String> = edits
        .iter()
        .filter_map(|edit| match edit {
            Edit::Put { id, .. } => Some(id.to_string()),
            Edit::Delete { .. } | Edit::Rewrite { .. } => None,
        })
        .collect();
    budget::fits_a_page(&edits)?;
    let deleted = edits.len() - elements.len();
    room.edit_as(caller.capability, ids::peer(), edits)
        .await
        .map_err(refused)?;
    Ok(Json(Imported {
        imported: elements.len(),
        deleted,
        elements,
        notes,
    }))
}

/// A file as the editor reads it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readable {
    /// An `.excalidraw` file, its pictures in it.
    #[schema(value_type = Object)]
    scene: Value,
    /// In words: what was left out, repaired, or brought as something else.
    notes: Vec<String>,
}

/// Reads a file as an import does, and brings nothing: for an editor, which adds what is in it as an edit that it can
/// undo.
#[utoipa::path(post, path = "/api/pages/{page}/read", params(("page" = String, Path,)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Readable), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem)))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
    request: Request,
) -> Result<Json<Readable>, Problem> {
    caller.on_page(&app, &page, Op::Edit)?;
    let turn = app.work.turn(&caller.capability.subject).await?;
    let bytes = file_in(request).await?;
    let read = read_alone(&turn, move || {
        let loaded = files::load(&bytes)?;
        Ok(Readable {
            scene: to_excalidraw_with(
                &loaded.scene(),
                Value::Object(loaded.app_state),
                Value::Object(loaded.files),
            ),
            notes: loaded.notes.iter().map(ToString::to_string).collect(),
        })
    });
    Ok(Json(read.await?.map_err(unreadable)?))
}

async fn file_in(request: Request) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    let kind = parts.headers.get(CONTENT_TYPE);
    known(kind.map_or("", |kind| kind.to_str().unwrap_or("?")))?;
    to_bytes(body, MAX_FILE)
        .await
        .map_err(|_| Problem::too_large("A file has at most 64 MB: split it."))
}

/// What a browser or a script calls such files. What they are is told by their bytes.
fn known(kind: &str) -> Result<(), Problem> {
    let kind = kind
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .to_ascii_lowercase();
    let fits = matches!(
        kind.as_str(),
        "" | "application/json"
            | "application/octet-stream"
            | "text/plain"
            | "image/png"
            | "image/svg+xml"
    ) || kind.starts_with("application/vnd.excalidraw")
        || kind.starts_with("application/vnd.tldraw");
    if fits {
        Ok(())
    } else {
        Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Unsupported media type",
            format!(
                "A page takes Excalidraw scenes and libraries, tldraw files, and PNG or SVG pictures with a scene in them, not {kind}."
            ),
        ))
    }
}

fn unreadable(error: FileError) -> Problem {
    match error {
        FileError::TooLarge { .. } => Problem::too_large(error.to_string()),
        other => Problem::bad_request(other.to_string()),
    }
}

pub(super) fn refused(error: CommitRefused) -> Problem {
    match error {
        CommitRefused::Refused(reason) => Problem::forbidden(reason),
        other => Problem::internal(other),
    }
}
