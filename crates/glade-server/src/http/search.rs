//! Looking for words on all pages that the caller may read.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::IntoParams;

use super::guard::Caller;
use super::workspaces::known;
use crate::app::App;
use crate::edge::extract::ApiQuery;
use crate::edge::problem::Problem;
use glade_host::search::{Found, Query, find};

/// Each word costs a look at the whole index.
const LONGEST_QUERY: usize = 200;

#[derive(Debug, Deserialize, IntoParams)]
pub struct Search {
    /// The words to look for; capitals do not matter, beginnings of words count.
    q: String,
}

/// Where words stand, on pages that the caller may read. At most 50 places.
#[utoipa::path(get, path = "/api/workspaces/{ws}/search", params(("ws" = String, Path,), Search),
    responses((status = 200, body = Vec<Found>), (status = 400, body = Problem)))]
pub async fn search(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
    ApiQuery(Search { q }): ApiQuery<Search>,
) -> Result<Json<Vec<Found>>, Problem> {
    known(&ws)?;
    if q.len() > LONGEST_QUERY {
        return Err(Problem::too_large(format!(
            "Look for at most {LONGEST_QUERY} bytes of words at once."
        )));
    }
    if Query::new(&q).is_empty() {
        return Err(Problem::bad_request("Say which words to look for."));
    }
    let mut pages = app.workspace.snapshot().pages;
    pages.retain(|page| caller.may_read(&page.id, &page.tier));
    let _turn = app.work.turn(&caller.capability.subject).await?;
    Ok(Json(find(&app.rooms, &pages, &q).await?))
}
