//! A page as a file: the scene, a picture, or the document's own values.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use bytes::Bytes;
use glade_access::Op;
use glade_canvas::render::{self, ImageFile, Options, RenderError, Theme};
use glade_canvas::{Scene, file};
use glade_doc::PageId;
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::IntoParams;

use super::guard::Caller;
use super::{pieces, text};
use crate::app::App;
use crate::edge::extract::ApiQuery;
use crate::edge::problem::Problem;
use glade_host::clock::now_ms;
use glade_host::files;

/// Pictures drawn at once: the largest takes a quarter of a gigabyte.
static DRAWING: Semaphore = Semaphore::const_new(2);
/// A picture opened by itself can load nothing, run nothing and reach nothing.
const SANDBOXED: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

#[derive(Debug, Deserialize, IntoParams)]
pub struct ExportAs {
    /// `excalidraw`, `svg`, `png`, `jpeg`, or `json` for the document's own values; a text page as
    /// `markdown`, `html` or `json`.
    format: String,
    /// Pixels for each unit of the page, from 0.01 to 100; a PNG or JPEG has at most 8000 a side.
    scale: Option<f64>,
    /// In the dark theme.
    dark: Option<bool>,
    /// On white rather than on nothing; a JPEG always is.
    background: Option<bool>,
    /// Whether a PNG or SVG carries the scene, so that it can be opened and edited again.
    embed: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Excalidraw,
    Svg,
    Png,
    Jpeg,
}

impl Form {
    fn extension(self) -> &'static str {
        match self {
            Self::Excalidraw => "excalidraw",
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }

    fn mime(self) -> &'static str {
        match self {
            Self::Excalidraw => "application/json",
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// The page as a file; its images are in it.
#[utoipa::path(get, path = "/api/pages/{page}/export", params(("page" = String, Path,), ExportAs),
    responses((status = 200, body = Object), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn export(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
    ApiQuery(wanted): ApiQuery<ExportAs>,
) -> Result<Response, Problem> {
    caller.on_page(&app, &page, Op::Read)?;
    let place = pieces::place(&app, &caller).await?;
    let turn = app.work.turn(&caller.capability.subject).await?;
    let room = app.rooms.room(&PageId::from(page.as_str())).await?;
    let form = match wanted.format.as_str() {
        "json" => {
            let (elements, comments) = (room.elements().await?, room.comments().await?);
            let written = turn.run(move || {
                serde_json::to_vec(
                    &serde_json::json!({ "elements": elements, "comments": comments }),
                )
            });
            let bytes = written.await?.map_err(Problem::internal)?;
            let headers = HeaderMap::from_iter([(
                CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            )]);
            return Ok(pieces::answer(headers, bytes.into(), place));
        }
        other if room.surface().has_styled_words() => {
            return text::file(&turn, &room, &page, other).await;
        }
        "excalidraw" => Form::Excalidraw,
        "svg" => Form::Svg,
        "png" => Form::Png,
        "jpeg" | "jpg" => Form::Jpeg,
        other => {
            return Err(Problem::bad_request(format!(
                "Pages are exported as `excalidraw`, `svg`, `png`, `jpeg` or `json`, not as `{other}`."
            )));
        }
    };
    let scale = wanted.scale.unwrap_or(1.0);
    if !(0.01..=100.0).contains(&scale) {
        return Err(Problem::bad_request("A scale is from 0.01 to 100."));
    }
    // Everything that the room has said so far is in the scene, and on disk.
    room.shown().await?;
    let scene = {
        let scene = room.scene().read().unwrap_or_else(PoisonError::into_inner);
        scene.clone()
    };
    let _drawing = DRAWING.acquire().await.map_err(Problem::internal)?;
    let store = app.store.clone();
    let drawn = turn.run(move || -> Result<Bytes, Problem> {
        let files = files::images(&scene, &store).map_err(Problem::internal)?;
        draw(&scene, files, form, scale, &wanted).map_err(Problem::internal)
    });
    let bytes = drawn.await??;
    let name = format!("attachment; filename=\"{page}.{}\"", form.extension());
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(form.mime())),
        (
            CONTENT_DISPOSITION,
            HeaderValue::from_str(&name).map_err(Problem::internal)?,
        ),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(SANDBOXED)),
    ]);
    Ok(pieces::answer(headers, bytes, place))
}

#[derive(Debug, thiserror::Error)]
enum ExportError {
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error(transparent)]
    File(#[from] file::FileError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

fn draw(
    scene: &Scene,
    files: BTreeMap<String, ImageFile>,
    form: Form,
    scale: f64,
    wanted: &ExportAs,
) -> Result<Bytes, ExportError> {
    let whole = |files: &BTreeMap<String, ImageFile>| {
        serde_json::to_vec(&file::to_excalidraw_with_images(scene, files))
    };
    if form == Form::Excalidraw {
        return Ok(whole(&files)?.into());
    }
    let embedded = if wanted.embed.unwrap_or(false) && form != Form::Jpeg {
        Some(whole(&files)?)
    } else {
        None
    };
    let options = Options {
        theme: if wanted.dark.unwrap_or(false) {
            Theme::Dark
        } else {
            Theme::Light
        },
        scale,
        background: wanted
            .background
            .unwrap_or(true)
            .then(|| "#ffffff".to_owned()),
        files,
        this_year: Some(now_ms() / 31_556_952_000 + 1970),
        ..Options::default()
    };
    Ok(match form {
        Form::Svg => {
            let svg = render::to_svg(scene, &options);
            match embedded {
                Some(embedded) => file::write_svg(&svg, &embedded).into(),
                // Lent: what it was drawn into is used again once it is sent.
                None => Bytes::from_owner(svg),
            }
        }
        Form::Jpeg => render::to_jpeg(scene, &options)?.into(),
        Form::Png | Form::Excalidraw => {
            let png = render::to_png(scene, &options)?;
            match embedded {
                Some(embedded) => file::write_png(&png, &embedded)?.into(),
                None => png.into(),
            }
        }
    })
}
