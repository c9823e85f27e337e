//! Pictures: brought once, kept under the hash of their bytes.

use std::sync::Arc;

use axum::Json;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use glade_access::Op;
use glade_store::{Blob, BlobKind, Change, MAX_BLOB, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

use super::guard::Caller;
use super::pieces;
use crate::app::App;
use crate::budget::PICTURE_BYTES;
use crate::edge::problem::Problem;
use glade_host::clock::now_ms;

/// A picture opened by itself can load nothing, run nothing and reach nothing.
const SANDBOXED: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredPicture {
    /// The SHA-256 of the bytes.
    id: String,
    /// `image/png`, `image/jpeg`, `image/gif`, `image/webp` or `image/svg+xml`.
    content_type: &'static str,
    size: usize,
}

/// Keeps a picture: PNG, JPEG, GIF, WebP or SVG, told apart by their bytes; 10 MB at the most.
#[utoipa::path(post, path = "/api/blobs", request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = StoredPicture), (status = 403, body = Problem), (status = 413, body = Problem), (status = 415, body = Problem)))]
pub async fn add(
    State(app): State<Arc<App>>,
    caller: Caller,
    request: Request,
) -> Result<(StatusCode, Json<StoredPicture>), Problem> {
    // Whoever suggests may suggest a picture.
    let ops = caller.capability.ops();
    if !ops.contains(&Op::Edit) && !ops.contains(&Op::Suggest) {
        return Err(Problem::forbidden("This token may not bring pictures."));
    }
    let turn = app.work.turn(&caller.capability.subject).await?;
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, MAX_BLOB).await.map_err(|_| {
        Problem::too_large(StoreError::BlobTooLarge { limit: MAX_BLOB }.to_string())
    })?;
    let read = turn.run(move || Blob::new(bytes.to_vec())).await?;
    let blob = read.map_err(|error| unsupported(error.to_string()))?;
    agrees(&parts.headers, blob.kind())?;
    let kept = StoredPicture {
        id: blob.id().to_owned(),
        content_type: blob.kind().mime(),
        size: blob.bytes().len(),
    };
    room_for_pictures(&app, kept.size).await?;
    let put = Change::PutBlob {
        blob,
        subject: caller.capability.subject.clone(),
        at_ms: now_ms(),
    };
    app.store
        .write(vec![put])
        .await
        .map_err(Problem::internal)?;
    Ok((StatusCode::CREATED, Json(kept)))
}

/// Refuses more pictures than a workspace may hold.
pub(super) async fn room_for_pictures(app: &App, bytes: usize) -> Result<(), Problem> {
    let store = app.store.clone();
    let there = tokio::task::spawn_blocking(move || store.blob_bytes())
        .await
        .map_err(Problem::internal)?
        .map_err(Problem::internal)?;
    if there.saturating_add(bytes as u64) <= PICTURE_BYTES {
        Ok(())
    } else {
        Err(Problem::conflict(format!(
            "The pictures here take {} GB already, which is as much as there can be.",
            PICTURE_BYTES >> 30
        )))
    }
}

/// A picture's bytes. They never change, and are never shown as a page: an SVG comes as a download.
#[utoipa::path(get, path = "/api/blobs/{id}", params(("id" = String, Path,)),
    responses((status = 200, content_type = "image/*", body = Vec<u8>), (status = 404, body = Problem)))]
pub async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("There is no such picture.");
    if !caller.capability.ops().contains(&Op::Read) {
        return Err(missing());
    }
    let place = pieces::place(&app, &caller).await?;
    let store = app.store.clone();
    let blob = tokio::task::spawn_blocking(move || store.blob(&id))
        .await
        .map_err(Problem::internal)?
        .map_err(Problem::internal)?
        .ok_or_else(missing)?;
    let mut headers = HeaderMap::new();
    let mut put = |name, value| drop(headers.insert(name, HeaderValue::from_static(value)));
    put(CONTENT_TYPE, blob.kind().mime());
    put(CONTENT_SECURITY_POLICY, SANDBOXED);
    put(CACHE_CONTROL, "private, max-age=31536000, immutable");
    if blob.kind() == BlobKind::Svg {
        put(CONTENT_DISPOSITION, "attachment; filename=\"picture.svg\"");
    }
    let tag = format!("\"{}\"", blob.id());
    headers.insert(
        ETAG,
        HeaderValue::from_str(&tag).map_err(Problem::internal)?,
    );
    Ok(pieces::answer(headers, blob.into_bytes().into(), place))
}

/// What the request calls the bytes, if it says so, must be what they are.
fn agrees(headers: &HeaderMap, kind: BlobKind) -> Result<(), Problem> {
    let said = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(|value| value.trim().to_ascii_lowercase());
    match said.as_deref() {
        None | Some("" | "application/octet-stream") => Ok(()),
        Some(said) if said == kind.mime() => Ok(()),
        Some(said) => Err(unsupported(format!(
            "the request says {said}, the bytes are {}: send the right Content-Type",
            kind.mime()
        ))),
    }
}

fn unsupported(detail: String) -> Problem {
    Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "Unsupported media type",
        detail,
    )
}
