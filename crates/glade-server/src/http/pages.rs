//! Pages: making one, and asking why something in it is as it is.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use glade_access::{Op, PageRef};
use glade_doc::{DocError, Edit, Surface};
use glade_store::{Change, PageRow};
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::guard::Caller;
use super::workspaces::known;
use crate::app::App;
use crate::budget;
use crate::edge::extract::{ApiJson, ApiQuery};
use crate::edge::problem::Problem;
use glade_host::clock::now_ms;
use glade_host::rooms::SERVER;
use glade_host::runs::Why;
use glade_host::workspace::{Page, PageKind};
use glade_host::{ids, rows};

#[derive(Debug, Deserialize, ToSchema)]
pub struct NewPage {
    name: String,
    #[schema(value_type = PageKind)]
    kind: String,
    tier: Option<String>,
}

/// Makes a page at the end of the list.
#[utoipa::path(post, path = "/api/workspaces/{ws}/pages", params(("ws" = String, Path,)), request_body = NewPage,
    responses((status = 201, body = Page), (status = 400, body = Problem)))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
    ApiJson(new): ApiJson<NewPage>,
) -> Result<(StatusCode, Json<Page>), Problem> {
    known(&ws)?;
    let surface = Surface::of_kind(&new.kind)
        .ok_or_else(|| Problem::bad_request("A page is of kind `canvas` or `text`."))?;
    let name = good_name(&new.name)?;
    let tier = good_tier(new.tier.as_deref().unwrap_or("internal"))?;
    let pages = app.workspace.snapshot().pages;
    budget::room_for(pages.len(), budget::PAGES, "pages")?;
    let last = pages.last().map_or(0.0, |page| page.position);
    let row = PageRow {
        id: ids::page(),
        name,
        kind: new.kind,
        tier,
        position: last + 1.0,
        created_ms: now_ms(),
    };
    let page_ref = PageRef {
        id: &row.id,
        tier: &row.tier,
    };
    if !caller.capability.allows(Op::Edit, &page_ref) {
        return Err(Problem::forbidden("This token may not make pages."));
    }
    caller.beyond_regions()?;
    let page = Page::from(&row);
    let first = first_content(&row.id, surface).map_err(Problem::internal)?;
    app.workspace
        .put_page_with(row, first)
        .await
        .map_err(Problem::internal)?;
    Ok((StatusCode::CREATED, Json(page)))
}

/// What a page begins with. A text page has a paragraph to write in: the server's, so that two people
/// who open it at once do not each make one.
fn first_content(page: &str, surface: Surface) -> Result<Vec<Change>, DocError> {
    match surface {
        Surface::Canvas => Ok(Vec::new()),
        Surface::Text => {
            let props =
                json!({"nodeName": "paragraph", "parent": null, "index": "V", "originalText": ""});
            let first = Edit::Put {
                id: ids::block().into(),
                props: props.as_object().cloned().unwrap_or_default(),
            };
            rows::filled(page, surface, SERVER, &[first])
        }
    }
}

pub fn good_name(name: &str) -> Result<String, Problem> {
    rows::good_name(name).map_err(Problem::bad_request)
}

pub fn good_tier(tier: &str) -> Result<String, Problem> {
    rows::good_tier(tier).map_err(Problem::bad_request)
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct Asked {
    /// The element's id.
    element: Option<String>,
    /// A block's id, on a text page.
    block: Option<String>,
    /// One operation of the document: `peer:counter`.
    op: Option<String>,
}

/// Who made this, and why?
#[utoipa::path(get, path = "/api/pages/{page}/why", params(("page" = String, Path,), Asked),
    responses((status = 200, body = Why), (status = 404, body = Problem)))]
pub async fn why(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
    ApiQuery(asked): ApiQuery<Asked>,
) -> Result<Json<Why>, Problem> {
    let element = asked.element.or(asked.block);
    let op = asked.op.as_deref().map(op_of).transpose();
    let reading = tokio::task::spawn_blocking(move || {
        let who = &caller.capability;
        match (op?, element) {
            (Some((peer, counter)), None) => Ok(app.runs.why_op(who, &page, peer, counter)?),
            (None, Some(element)) => Ok(app.runs.why(who, &page, element)?),
            _ => Err(Problem::bad_request(
                "Ask with one of `element`, `block` and `op`.",
            )),
        }
    });
    Ok(Json(reading.await.map_err(Problem::internal)??))
}

fn op_of(text: &str) -> Result<(u64, i32), Problem> {
    let parsed = text
        .split_once(':')
        .and_then(|(peer, counter)| Some((peer.parse().ok()?, counter.parse().ok()?)));
    parsed.ok_or_else(|| Problem::bad_request("An operation is written `peer:counter`."))
}
