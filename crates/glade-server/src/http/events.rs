//! The workspace as an event stream: a snapshot, then changes, as far as the caller may see them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::{Stream, StreamExt, stream};
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::wrappers::errors::BroadcastStreamRecvError;

use super::guard::Caller;
use super::workspaces::{known, visible};
use crate::app::App;
use crate::edge::problem::Problem;
use crate::workspace::Change;

/// `snapshot` first, then `change`. A listener that fell behind gets a fresh `snapshot`.
#[utoipa::path(get, path = "/api/workspaces/{ws}/events", params(("ws" = String, Path,)),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    known(&ws)?;
    let gone = app
        .access
        .revoked
        .clone()
        .until_hit(caller.capability.clone());
    let over = futures_util::future::select(Box::pin(gone), Box::pin(app.closing.begun()));
    let caller = Arc::new(caller);
    let (snapshot, changes) = app.workspace.follow();
    let first = stream::iter(snapshot_event(&caller, &app, Some(snapshot)));
    let presence = Visit::begin(&app, &caller.capability.subject);
    let rest = listen(changes).filter_map(move |change| {
        let _here = &presence;
        let event = match change {
            Ok(change) => change_event(&caller, &app, &change),
            Err(BroadcastStreamRecvError::Lagged(_)) => snapshot_event(&caller, &app, None),
        };
        std::future::ready(event)
    });
    // A revoked token hears nothing more, and a server that stops says no more.
    let events = first.chain(rest).take_until(over).map(Ok);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

fn listen(changes: broadcast::Receiver<Arc<Change>>) -> BroadcastStream<Arc<Change>> {
    BroadcastStream::new(changes)
}

fn snapshot_event(
    caller: &Caller,
    app: &App,
    snapshot: Option<crate::workspace::Snapshot>,
) -> Option<Event> {
    let snapshot = snapshot.unwrap_or_else(|| app.workspace.snapshot());
    Event::default()
        .event("snapshot")
        .json_data(visible(caller, snapshot))
        .ok()
}

fn change_event(caller: &Caller, app: &App, change: &Change) -> Option<Event> {
    let readable = |page: &str| {
        app.workspace
            .page(page)
            .is_some_and(|row| caller.may_read(&row.id, &row.tier))
    };
    let may_see = match change {
        Change::Page { value, was } => {
            let lost = was
                .as_ref()
                .filter(|_| !caller.may_read(&value.id, &value.tier))
                .filter(|tier| caller.may_read(&value.id, tier));
            if let Some(tier) = lost {
                let gone = Change::PageGone {
                    removed: value.id.clone(),
                    tier: tier.clone(),
                };
                return change_event(caller, app, &gone);
            }
            caller.may_read(&value.id, &value.tier)
        }
        Change::PageGone { removed, tier } => caller.may_read(removed, tier),
        Change::Fairy { value } => readable(&value.page),
        Change::FairyGone { page, .. } => readable(page),
        Change::Run { value } => readable(&value.page),
        Change::Person { .. } => true,
        Change::Task { value, was } => {
            if !readable(&value.page)
                && let Some(page) = was.as_ref().filter(|page| readable(page))
            {
                let gone = Change::TaskGone {
                    removed: value.id.clone(),
                    page: page.clone(),
                };
                return change_event(caller, app, &gone);
            }
            readable(&value.page)
        }
        Change::TaskGone { page, .. } => readable(page),
    };
    may_see
        .then(|| Event::default().event("change").json_data(change).ok())
        .flatten()
}

/// A person is here for as long as they listen.
struct Visit {
    app: Arc<App>,
    subject: String,
}

impl Visit {
    fn begin(app: &Arc<App>, subject: &str) -> Self {
        app.workspace.person_came(subject);
        Self {
            app: Arc::clone(app),
            subject: subject.to_owned(),
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.app.workspace.person_left(&self.subject);
    }
}
