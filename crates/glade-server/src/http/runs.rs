//! Runs: looking at one, keeping it, undoing it or a part.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glade_access::{Op, SubjectKind};
use glade_code::Clash;
use glade_doc::{
    CharId, CharSpan, DeletedSpan, ElementId, PageId, RollbackRequest, RunId, Surface, Touch,
    TouchKind, text,
};
use glade_store::{AuditKind, RunStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::guard::Caller;
use crate::app::App;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;
use glade_host::audit;
use glade_host::code::{CODE, CodeHost, Settled, Stayed};
use glade_host::fairies::pages_of_run;
use glade_host::rooms::{RoomError, RoomHandle, UndoReport};
use glade_host::workspace::Run;

/// A part of a run. What it does not know is refused: misread, it would be the whole run.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Part {
    /// Only these elements; all when absent.
    elements: Option<BTreeSet<String>>,
    /// Only these blocks of text pages, beside the elements.
    blocks: Option<BTreeSet<String>>,
    /// Only what this action did, by its number inside the run.
    action: Option<u32>,
    /// Only these files of a run of code.
    files: Option<BTreeSet<String>>,
    /// Only these places of files, by the numbers that `changes` gives them.
    hunks: Option<BTreeMap<String, BTreeSet<usize>>>,
}

impl Part {
    /// What was asked of a run on pages: it has no files.
    fn on_pages(asked: Option<ApiJson<Self>>) -> Result<Self, Problem> {
        let part = asked.map(|ApiJson(part)| part).unwrap_or_default();
        if part.files.is_some() || part.hunks.is_some() {
            return Err(Problem::unexpected_json(
                "This run was on pages: name the part by `elements`, `blocks` or `action`. `files` and `hunks` are \
                 for runs of code.",
            ));
        }
        Ok(part)
    }

    /// What was asked of a run of code: it has nothing but files.
    fn of_code(asked: Option<ApiJson<Self>>) -> Result<glade_host::code::Part, Problem> {
        let part = asked.map(|ApiJson(part)| part).unwrap_or_default();
        if !part.is_whole() {
            return Err(Problem::unexpected_json(
                "This is a run of code: name the part by `files` or `hunks`. `elements`, `blocks` and `action` are \
                 for runs on pages.",
            ));
        }
        Ok(glade_host::code::Part {
            files: part.files,
            hunks: part.hunks,
        })
    }

    /// The part of a run on pages, as rooms are asked for it.
    fn of_pages(&self, run: &str) -> RollbackRequest {
        let named = [&self.elements, &self.blocks].into_iter().flatten();
        let ids = named.flatten().map(|id| ElementId::from(id.as_str()));
        RollbackRequest::part(
            RunId::from(run),
            self.action,
            self.names_some().then(|| ids.collect()),
        )
    }

    fn names_some(&self) -> bool {
        self.elements.is_some() || self.blocks.is_some()
    }

    /// All of a run on pages.
    fn is_whole(&self) -> bool {
        !self.names_some() && self.action.is_none()
    }
}

#[derive(Serialize, ToSchema)]
pub struct Undone {
    /// How many elements went back to what they were.
    undone: usize,
    /// What stayed, and for whom.
    kept: Vec<Kept>,
}

#[derive(Serialize, ToSchema)]
pub struct Kept {
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<String>,
    by: String,
    /// Of a run of code: why it stayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    /// The lines that two changed, as they were before the run, after it, and are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    clash: Option<Clash>,
}

impl From<RoomError> for Problem {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::NoPage(_) => Self::not_found(error.to_string()),
            other => Self::internal(other),
        }
    }
}

#[utoipa::path(get, path = "/api/runs/{run}", params(("run" = String, Path,)),
    responses((status = 200, body = Run), (status = 404, body = Problem)))]
pub async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Run>, Problem> {
    Ok(Json(may(&app, &caller, &id, Op::Read)?))
}

/// One thing that a run changed, as it was before.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// The number of the action inside the run.
    action: i64,
    element: String,
    /// Empty for the element itself.
    property: String,
    /// The run made the element.
    created: bool,
    /// It only follows from something else, such as the way of an arrow whose box was moved.
    derived: bool,
    /// The value that undoing would bring back; absent for texts and for what was not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<serde_json::Value>,
    /// Of the words of a text page.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<WordsChanged>,
}

/// Places in words are Loro cursors in base64: they stay right whatever is typed meanwhile.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct WordsChanged {
    typed: Vec<Typed>,
    removed: Vec<Removed>,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct Typed {
    /// The first and the last character.
    from: String,
    to: String,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct Removed {
    text: String,
    /// The character that they stood behind; absent at the beginning of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

impl WordsChanged {
    fn of(block: &ElementId, inserted: &[CharSpan], deleted: &[DeletedSpan]) -> Self {
        let place = |peer, counter| STANDARD.encode(text::cursor(block, CharId { peer, counter }));
        Self {
            typed: inserted
                .iter()
                .map(|span| Typed {
                    from: place(span.peer, span.from),
                    to: place(span.peer, span.to - 1),
                })
                .collect(),
            removed: deleted
                .iter()
                .map(|span| Removed {
                    text: span.text.clone(),
                    after: span.left.map(|left| place(left.peer, left.counter)),
                })
                .collect(),
        }
    }
}

impl Changed {
    fn of(touch: Touch, surface: Surface) -> Self {
        let words = match &touch.kind {
            TouchKind::Text { inserted, deleted } if surface == Surface::Text => {
                Some(WordsChanged::of(&touch.element, inserted, deleted))
            }
            _ => None,
        };
        let (created, before) = match touch.kind {
            TouchKind::Created { .. } => (true, None),
            TouchKind::Register { before, .. } => (false, before),
            TouchKind::Text { .. } | TouchKind::Marks { .. } => (false, None),
        };
        Self {
            action: i64::from(touch.action),
            element: touch.element.to_string(),
            property: touch.property,
            created,
            derived: touch.derived,
            before,
            words,
        }
    }
}

/// What the run changed and how it was before, by action. Of a run that was kept or undone nothing
/// is left to compare.
#[utoipa::path(get, path = "/api/runs/{run}/changes", params(("run" = String, Path,)),
    responses((status = 200, body = Vec<Changed>), (status = 404, body = Problem)))]
pub async fn changes(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Vec<Changed>>, Problem> {
    let run = may(&app, &caller, &id, Op::Read)?;
    let pages = pages_of_run(&app.store, &app.workspace, &id, &run.page);
    let mut changes = Vec::new();
    for page in pages.map_err(Problem::internal)? {
        if caller.on_page(&app, &page, Op::Read).is_err() {
            continue;
        }
        // The room has what is pending now; the store may be a moment behind.
        let room = app.rooms.room(&PageId::from(page.as_str())).await?;
        let kind = app.workspace.page(&page).map(|page| page.kind);
        let surface = Surface::of_kind(kind.as_deref().unwrap_or_default());
        let touches = room.touches(RunId::from(id.as_str())).await?;
        changes.extend(touches.into_iter().map(|touch| Changed::of(touch, surface)));
    }
    changes.sort_by_key(|change| change.action);
    Ok(Json(changes))
}

/// What the run did, or a part of it, is no longer pending. Files and places are for runs of code.
#[utoipa::path(post, path = "/api/runs/{run}/keep", params(("run" = String, Path,)), request_body = Part,
    responses((status = 200, body = Run), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub async fn keep(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    part: Option<ApiJson<Part>>,
) -> Result<Json<Run>, Problem> {
    if let Some(code) = of_code(&app, &caller, &id)? {
        let by = &caller.capability.subject;
        return Ok(Json(code.keep(&id, &Part::of_code(part)?, by).await?));
    }
    let (mut run, rooms) = settleable(&app, &caller, &id).await?;
    let part = Part::on_pages(part)?;
    if run.status == RunStatus::Kept {
        return Ok(Json(run));
    }
    if run.settled {
        return Err(Problem::conflict(
            "There is nothing of this run left to keep.",
        ));
    }
    let whole = part.is_whole();
    let mut told = serde_json::json!({"run": run.id, "page": run.page});
    if !whole {
        let left = keep_in(&rooms, &part.of_pages(&id)).await?;
        told["left"] = serde_json::json!(left.len());
        run.elements = left.iter().map(ToString::to_string).collect();
    }
    if whole || run.elements.is_empty() {
        run.status = RunStatus::Kept;
        run.settled = true;
    }
    let entry = audit::entry(AuditKind::RunKept, &caller.capability.subject, told);
    if whole && run.is_suggestion() {
        // Its author may be drawing right now: what the room takes from here on is another run.
        keep_in(&rooms, &part.of_pages(&id)).await?;
    }
    app.workspace
        .put_run_with(run.clone(), vec![entry])
        .await
        .map_err(Problem::internal)?;
    if whole && !run.is_suggestion() {
        keep_in(&rooms, &part.of_pages(&id)).await?;
    }
    if run.settled {
        app.host.settled(&run.fairy, &run.id, true).await;
    }
    Ok(Json(run))
}

async fn keep_in(
    rooms: &[RoomHandle],
    what: &RollbackRequest,
) -> Result<BTreeSet<ElementId>, Problem> {
    let mut left = BTreeSet::new();
    for room in rooms {
        left.extend(room.keep_part(what.clone()).await?);
    }
    Ok(left)
}

/// Takes back what the run did, or a part of it. What anyone else changed since stays.
#[utoipa::path(post, path = "/api/runs/{run}/undo", params(("run" = String, Path,)), request_body = Part,
    responses((status = 200, body = Undone), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub async fn undo(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    part: Option<ApiJson<Part>>,
) -> Result<Json<Undone>, Problem> {
    if let Some(code) = of_code(&app, &caller, &id)? {
        let by = &caller.capability.subject;
        return Ok(Json(
            code.undo(&id, &Part::of_code(part)?, by).await?.into(),
        ));
    }
    let (mut run, rooms) = settleable(&app, &caller, &id).await?;
    let part = Part::on_pages(part)?;
    if run.status == RunStatus::Kept {
        return Err(Problem::conflict(
            "This run was kept: it can no longer be undone.",
        ));
    }
    if run.settled {
        return Ok(Json(Undone {
            undone: 0,
            kept: Vec::new(),
        }));
    }
    let whole = part.is_whole();
    let mut report = UndoReport::default();
    for room in rooms {
        let undone = room.undo_part(part.of_pages(&id)).await?;
        report.undone.extend(undone.undone);
        report.kept.extend(undone.kept);
        report.remaining.extend(undone.remaining);
    }
    run.elements = report.remaining.iter().map(ToString::to_string).collect();
    if whole || run.elements.is_empty() {
        run.status = RunStatus::Undone;
        run.settled = true;
        run.elements = Vec::new();
    }
    let told = serde_json::json!({
        "run": run.id,
        "page": run.page,
        "undone": report.undone.len(),
        "kept": report.kept.len(),
        "whole": whole,
    });
    let entry = audit::entry(AuditKind::RunUndone, &caller.capability.subject, told);
    if run.settled {
        app.host.settled(&run.fairy, &run.id, false).await;
    }
    app.workspace
        .put_run_with(run, vec![entry])
        .await
        .map_err(Problem::internal)?;
    let kept = report
        .kept
        .into_iter()
        .map(|kept| Kept {
            what: kept.what.to_string(),
            property: kept.property,
            by: kept.by,
            why: None,
            clash: None,
        })
        .collect();
    Ok(Json(Undone {
        undone: report.undone.len(),
        kept,
    }))
}

/// The project, if this is a run of code that the caller may settle.
fn of_code<'a>(
    app: &'a App,
    caller: &Caller,
    id: &str,
) -> Result<Option<&'a Arc<CodeHost>>, Problem> {
    if app.workspace.run(id).is_none_or(|run| run.page != CODE) {
        return Ok(None);
    }
    may(app, caller, id, Op::Edit)?;
    only_people(caller)?;
    super::code::project(app, caller, Op::Edit).map(Some)
}

impl From<Settled> for Undone {
    fn from(settled: Settled) -> Self {
        let kept = |stayed: Stayed| Kept {
            what: stayed.path,
            property: None,
            by: "person".to_owned(),
            why: Some(stayed.why),
            clash: stayed.clash,
        };
        Self {
            undone: settled.undone,
            kept: settled.kept.into_iter().map(kept).collect(),
        }
    }
}

/// No fairy settles its own work, nor that of others.
pub fn only_people(caller: &Caller) -> Result<(), Problem> {
    match caller.capability.kind {
        SubjectKind::Person => Ok(()),
        _ => Err(Problem::forbidden(
            "Only people keep or undo what was done: no fairy settles its own work.",
        )),
    }
}

fn may(app: &App, caller: &Caller, id: &str, op: Op) -> Result<Run, Problem> {
    let missing = || {
        Problem::not_found(format!(
            "There is no run {id}, or this token may not see it."
        ))
    };
    let run = app.workspace.run(id).ok_or_else(missing)?;
    if run.page == CODE {
        if !super::code::sees_run(app, caller, &run) {
            return Err(missing());
        }
        super::code::project(app, caller, op)?;
        return Ok(run);
    }
    caller
        .on_page(app, &run.page, Op::Read)
        .map_err(|_| missing())?;
    if !caller.sees_work(app, id, &run.page) {
        return Err(missing());
    }
    caller.on_page(app, &run.page, op)?;
    Ok(run)
}

/// The run, and the rooms of all pages that it was on.
async fn settleable(
    app: &App,
    caller: &Caller,
    id: &str,
) -> Result<(Run, Vec<RoomHandle>), Problem> {
    let run = may(app, caller, id, Op::Edit)?;
    // A suggestion is for whoever may edit; a fairy's run for whoever may also command fairies.
    if !run.is_suggestion() {
        may(app, caller, id, Op::Command)?;
    }
    only_people(caller)?;
    if run.status == RunStatus::Running {
        return Err(Problem::conflict(
            "The fairy is still at it: stop it first.",
        ));
    }
    let pages = pages_of_run(&app.store, &app.workspace, id, &run.page);
    let mut rooms = Vec::new();
    for page in pages.map_err(Problem::internal)? {
        caller.on_page(app, &page, Op::Edit)?;
        let room = app.rooms.room(&PageId::from(page.as_str())).await?;
        if let Some(region) = caller.capability.region()
            && !room.run_lies_in(RunId::from(id), *region).await?
        {
            return Err(Problem::forbidden(
                "This run reaches beyond the part of the page that this token may change.",
            ));
        }
        rooms.push(room);
    }
    Ok((run, rooms))
}
