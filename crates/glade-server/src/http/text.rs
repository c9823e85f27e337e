//! Text pages as files, and files as text pages.

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use glade_access::Capability;
use glade_doc::Edit;
use glade_text::{Page, Place, html, markdown, write};

use super::import::{Imported, refused};
use crate::edge::problem::Problem;
use crate::ids;
use crate::room::RoomHandle;

/// A Markdown file of this size is a book.
pub const MAX_FILE: usize = 2 << 20;
/// A page opened by itself can load nothing and run nothing.
const ALONE: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// The page in a format of text.
pub async fn file(room: &RoomHandle, page: &str, format: &str) -> Result<Response, Problem> {
    let (extension, kind, write): (_, _, fn(&Page) -> String) = match format {
        "markdown" | "md" => ("md", "text/markdown; charset=utf-8", markdown::to_markdown),
        "html" => ("html", "text/html; charset=utf-8", html::to_html),
        other => {
            return Err(Problem::bad_request(format!(
                "Text pages are exported as `markdown`, `html` or `json`, not as `{other}`."
            )));
        }
    };
    let elements = room.elements().await?;
    let text = tokio::task::spawn_blocking(move || write(&Page::read(&elements)))
        .await
        .map_err(Problem::internal)?;
    let name = format!("attachment; filename=\"{page}.{extension}\"");
    let headers = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, name),
        (CONTENT_SECURITY_POLICY, ALONE.to_owned()),
    ];
    Ok((headers, text).into_response())
}

/// Markdown onto a page, as one edit of the caller's.
pub async fn bring(
    room: &RoomHandle,
    capability: Capability,
    replace: bool,
    bytes: &[u8],
) -> Result<Imported, Problem> {
    let source = std::str::from_utf8(bytes)
        .map_err(|_| Problem::bad_request("A text page takes Markdown in UTF-8."))?;
    let elements = room.elements().await?;
    let page = Page::read(&elements);
    let mut edits: Vec<Edit> = write(
        &page,
        Place::End,
        &markdown::from_markdown(source),
        &mut ids::block,
    );
    let brought: Vec<String> = edits.iter().map(|edit| edit.id().to_string()).collect();
    // A page that holds one empty paragraph holds nothing.
    let blank = page
        .blocks
        .iter()
        .all(|block| block.all_text().is_empty() && block.kind == "paragraph");
    let gone = page
        .blocks
        .iter()
        .filter(|_| (replace || blank) && !brought.is_empty());
    let gone: Vec<Edit> = gone
        .map(|block| Edit::Delete {
            id: block.id.clone(),
        })
        .collect();
    let deleted = gone.len();
    edits.extend(gone);
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
