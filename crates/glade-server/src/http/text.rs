//! Text pages as files, and files as text pages.

use axum::body::Bytes;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use glade_access::Capability;
use glade_doc::Edit;
use glade_text::{Page, html, markdown};

use super::import::{Imported, read_alone, refused};
use crate::budget;
use crate::edge::problem::Problem;
use crate::work::Turn;
use glade_host::rooms::RoomHandle;
use glade_host::{files, ids};

/// A Markdown file of this size is a book.
pub const MAX_FILE: usize = 2 << 20;
/// A page opened by itself can load nothing and run nothing.
const SANDBOXED: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// How many rows and columns of tables a file does not hold, being beyond the limits of tables.
const LEFT_OUT: HeaderName = HeaderName::from_static("x-glade-left-out");

/// The page in a format of text.
pub async fn file(
    turn: &Turn,
    room: &RoomHandle,
    page: &str,
    format: &str,
) -> Result<Response, Problem> {
    let (extension, kind, write): (_, _, fn(&Page) -> String) = match format {
        "markdown" | "md" => (
            "md",
            "text/markdown; charset=utf-8",
            markdown::to_markdown_file,
        ),
        "html" => ("html", "text/html; charset=utf-8", html::to_html),
        other => {
            return Err(Problem::bad_request(format!(
                "Text pages are exported as `markdown`, `html` or `json`, not as `{other}`."
            )));
        }
    };
    let elements = room.elements().await?;
    let (text, left_out) = turn
        .run(move || {
            let page = Page::read(&elements);
            (write(&page), page.set_aside.len())
        })
        .await?;
    let name = format!("attachment; filename=\"{page}.{extension}\"");
    let headers = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, name),
        (CONTENT_SECURITY_POLICY, SANDBOXED.to_owned()),
    ];
    let mut answer = (headers, text).into_response();
    if left_out > 0 {
        let count = HeaderValue::from(left_out);
        answer.headers_mut().insert(LEFT_OUT, count);
    }
    Ok(answer)
}

/// Markdown onto a page, as one edit of the caller's.
pub async fn bring(
    turn: &Turn,
    room: &RoomHandle,
    capability: Capability,
    replace: bool,
    bytes: Bytes,
) -> Result<Imported, Problem> {
    let elements = room.elements().await?;
    let read = read_alone(turn, move || {
        if files::load(&bytes).is_ok() {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Unsupported media type",
                "This is a drawing, and the page is a text page: bring it to a canvas page.",
            ));
        }
        let source = std::str::from_utf8(&bytes)
            .map_err(|_| Problem::bad_request("A text page takes Markdown in UTF-8."))?;
        let page = Page::read(&elements);
        let edits = files::markdown_onto(&page, source, replace);
        let brought = edits
            .iter()
            .filter(|edit| matches!(edit, Edit::Put { .. }))
            .map(|edit| edit.id().to_string());
        let brought: Vec<String> = brought.collect();
        budget::fits_a_page(&edits)?;
        Ok::<_, Problem>((edits, brought))
    });
    let (edits, brought) = read.await??;
    let deleted = edits.len() - brought.len();
    room.edit_as(capability, ids::peer(), edits)
        .await
        .map_err(refused)?;
    Ok(Imported {
        imported: brought.len(),
        deleted,
        elements: brought,
        notes: Vec::new(),
    })
}
