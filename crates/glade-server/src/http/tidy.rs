//! Laying out what somebody has selected: computed here, and made by their own editor as an edit that it can undo.

use std::sync::{Arc, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use glade_access::Op;
use glade_canvas::layout;
use glade_doc::{Edit, ElementId, PageId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::guard::Caller;
use crate::app::App;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;

/// More than anybody selects.
const MOST: usize = 5_000;

#[derive(Debug, Deserialize, ToSchema)]
pub struct Selected {
    /// The shapes to lay out; none: all of the page.
    elements: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Tidied {
    changes: Vec<ElementChange>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ElementChange {
    id: String,
    /// The properties that change, as the page has them.
    #[schema(value_type = Object)]
    props: Map<String, Value>,
}

/// Where these shapes would go if they were laid out, whoever drew them. Nothing is changed.
#[utoipa::path(post, path = "/api/pages/{page}/tidy", params(("page" = String, Path,)), request_body = Selected,
    responses((status = 200, body = Tidied), (status = 400, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem)))]
pub async fn tidy(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(page): Path<String>,
    ApiJson(selected): ApiJson<Selected>,
) -> Result<Json<Tidied>, Problem> {
    caller.on_page(&app, &page, Op::Edit)?;
    if selected.elements.len() > MOST {
        return Err(Problem::bad_request(format!(
            "At most {MOST} shapes are laid out at once."
        )));
    }
    let turn = app.work.turn(&caller.capability.subject).await?;
    let room = app.rooms.room(&PageId::from(page.as_str())).await?;
    if room.surface().has_styled_words() {
        return Err(Problem::bad_request(
            "Only the shapes of a canvas page can be laid out.",
        ));
    }
    room.shown().await?;
    let scene = {
        let scene = room.scene().read().unwrap_or_else(PoisonError::into_inner);
        scene.clone()
    };
    let laid = turn.run(move || {
        let ids: Vec<ElementId> = if selected.elements.is_empty() {
            scene.live().map(|element| element.id.clone()).collect()
        } else {
            selected.elements.into_iter().map(ElementId).collect()
        };
        layout::tidy(&scene, &ids)
    });
    let edits = laid
        .await?
        .map_err(|error| Problem::bad_request(format!("This cannot be laid out: {error}.")))?;
    let changes = edits.into_iter().filter_map(|edit| match edit {
        Edit::Put { id, props } => Some(ElementChange { id: id.0, props }),
        Edit::Delete { .. } | Edit::Rewrite { .. } => None,
    });
    Ok(Json(Tidied {
        changes: changes.collect(),
    }))
}
