//! Looking for words on all pages that the caller may read.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use glade_doc::PageId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::guard::Caller;
use super::workspaces::known;
use crate::app::App;
use crate::edge::extract::ApiQuery;
use crate::edge::problem::Problem;

const MOST: usize = 50;
/// Characters shown on either side of what was found.
const AROUND: usize = 60;

#[derive(Debug, Deserialize, IntoParams)]
pub struct Search {
    /// What to look for, in one piece; capitals do not matter.
    q: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    page: String,
    page_name: String,
    /// The shape or block that holds it.
    element: String,
    /// The words around it.
    text: String,
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
    let wanted = q.trim().to_lowercase();
    if wanted.is_empty() {
        return Err(Problem::bad_request("Say what to look for."));
    }
    let mut found = Vec::new();
    for page in app.workspace.snapshot().pages {
        if !caller.may_read(&page.id, &page.tier) || found.len() >= MOST {
            continue;
        }
        let room = app.rooms.room(&PageId::from(page.id.as_str())).await?;
        for (id, props) in room.elements().await? {
            let gone = props.get("isDeleted").is_some_and(|gone| gone == true);
            let text = props.get("originalText").and_then(|text| text.as_str());
            let Some(text) = text
                .filter(|_| !gone)
                .and_then(|text| around(text, &wanted))
            else {
                continue;
            };
            if found.len() < MOST {
                found.push(Found {
                    page: page.id.clone(),
                    page_name: page.name.clone(),
                    element: id.to_string(),
                    text,
                });
            }
        }
    }
    Ok(Json(found))
}

/// The words around what is looked for, if it is there.
fn around(text: &str, wanted: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let at = lower[..lower.find(wanted)?].chars().count();
    let from = at.saturating_sub(AROUND);
    let length = at - from + wanted.chars().count() + AROUND;
    Some(text.chars().skip(from).take(length).collect())
}

#[cfg(test)]
mod tests {
    use super::around;

    #[test]
    fn what_is_found_is_shown_among_its_neighbours() {
        assert_eq!(
            around("We meet on Monday.", "monday"),
            Some("We meet on Monday.".into())
        );
        assert_eq!(around("We meet.", "monday"), None);
        let long = format!("{}Ärger{}", "x".repeat(100), "y".repeat(100));
        let shown = around(&long, "ärger").unwrap();
        assert_eq!(shown.chars().count(), 125);
    }
}
