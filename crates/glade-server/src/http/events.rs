//! The workspace as an event stream: a snapshot, then changes, as far as the caller may see them.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::{Stream, StreamExt, stream};
use glade_access::Capability;
use serde::Serialize;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::wrappers::errors::BroadcastStreamRecvError;

use super::guard::Caller;
use super::workspaces::{known, task_seen, visible};
use crate::app::App;
use crate::edge::problem::Problem;
use glade_host::workspace::{Person, Snapshot, WorkspaceChange};

/// `snapshot` first, then `change`. A listener that fell behind gets a fresh `snapshot`.
#[utoipa::path(get, path = "/api/workspaces/{ws}/events", params(("ws" = String, Path,)),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
pub async fn follow(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(ws): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    known(&ws)?;
    let gone = app.access.until_over(caller.capability.clone());
    let over = futures_util::future::select(Box::pin(gone), Box::pin(app.closing.begun()));
    let (snapshot, changes) = app.workspace.follow();
    let presence = Visit::begin(&app, &caller.capability);
    let mut viewer = Viewer::new(caller, Arc::clone(&app));
    let first = stream::iter(viewer.snapshot(snapshot));
    let rest = BroadcastStream::new(changes).flat_map(move |change| {
        let _here = &presence;
        let events = match change {
            Ok(change) => viewer.events(&change),
            Err(BroadcastStreamRecvError::Lagged(_)) => viewer.afresh().into_iter().collect(),
        };
        stream::iter(events)
    });
    // A token that was revoked or has expired hears nothing more, and a server that stops says no more.
    let events = first.chain(rest).take_until(over).map(Ok);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

/// One listener, and what it has been shown: nothing is told twice that only differs in what it may
/// not see, and what goes where it may not look is said to be gone.
struct Viewer {
    caller: Caller,
    app: Arc<App>,
    fairies: HashSet<String>,
    tasks: HashSet<String>,
    people: HashMap<String, Person>,
}

impl Viewer {
    fn new(caller: Caller, app: Arc<App>) -> Self {
        Self {
            caller,
            app,
            fairies: HashSet::new(),
            tasks: HashSet::new(),
            people: HashMap::new(),
        }
    }

    fn afresh(&mut self) -> Option<Event> {
        self.snapshot(self.app.workspace.snapshot())
    }

    fn snapshot(&mut self, snapshot: Snapshot) -> Option<Event> {
        let shown = visible(&self.app, &self.caller, snapshot);
        self.fairies = shown.fairies.iter().map(|it| it.id.clone()).collect();
        self.tasks = shown.tasks.iter().map(|it| it.id.clone()).collect();
        self.people = shown
            .people
            .iter()
            .map(|person| (person.subject.clone(), person.clone()))
            .collect();
        Event::default().event("snapshot").json_data(shown).ok()
    }

    fn readable(&self, page: &str) -> bool {
        let row = self.app.workspace.page(page);
        row.is_some_and(|row| self.caller.may_read(&row.id, &row.tier))
    }

    fn events(&mut self, change: &WorkspaceChange) -> Vec<Event> {
        let mut events: Vec<Event> = self.change(change).into_iter().collect();
        if let WorkspaceChange::Page {
            value,
            was: Some(was),
        } = change
        {
            let lost = self.caller.may_read(&value.id, was)
                && !self.caller.may_read(&value.id, &value.tier);
            if lost {
                // With it go the fairies, runs and tasks that were on it.
                events.extend(self.afresh());
            }
        }
        events
    }

    fn change(&mut self, change: &WorkspaceChange) -> Option<Event> {
        match change {
            WorkspaceChange::Page { value, was } => {
                let now = self.caller.may_read(&value.id, &value.tier);
                let before = was.as_deref().unwrap_or(&value.tier);
                match (self.caller.may_read(&value.id, before), now) {
                    (true, true) => tell(change),
                    (true, false) => tell(&Gone {
                        kind: "page",
                        removed: &value.id,
                    }),
                    // With all that was on it before.
                    (false, true) => self.afresh(),
                    (false, false) => None,
                }
            }
            WorkspaceChange::PageGone { removed, tier } => {
                tell(change).filter(|_| self.caller.may_read(removed, tier))
            }
            WorkspaceChange::Fairy { value } if self.readable(&value.page) => {
                self.fairies.insert(value.id.clone());
                let value = Box::new(self.caller.shown(&self.app, (**value).clone()));
                tell(&WorkspaceChange::Fairy { value })
            }
            WorkspaceChange::Fairy { value } => {
                let gone = Gone {
                    kind: "fairy",
                    removed: &value.id,
                };
                tell(&gone).filter(|_| self.fairies.remove(&value.id))
            }
            WorkspaceChange::FairyGone { removed } => {
                tell(change).filter(|_| self.fairies.remove(removed))
            }
            WorkspaceChange::Run { value } => {
                tell(change).filter(|_| self.app.runs.lists(&self.caller.capability, value))
            }
            WorkspaceChange::Person { value } => self.person(value),
            WorkspaceChange::Task { value } if self.readable(&value.page) => {
                self.tasks.insert(value.id.clone());
                let value = task_seen(&self.app, &self.caller, value.clone());
                tell(&WorkspaceChange::Task { value })
            }
            WorkspaceChange::Task { value } => {
                let gone = Gone {
                    kind: "task",
                    removed: &value.id,
                };
                tell(&gone).filter(|_| self.tasks.remove(&value.id))
            }
            // A project stays on its page: who may not read that has never heard of it.
            WorkspaceChange::Project { value } => {
                tell(change).filter(|_| self.readable(&value.page))
            }
            WorkspaceChange::TaskGone { removed } => {
                tell(change).filter(|_| self.tasks.remove(removed))
            }
            WorkspaceChange::Plugins { .. } => tell(change),
        }
    }

    fn person(&mut self, person: &Person) -> Option<Event> {
        let seen = self
            .app
            .workspace
            .as_seen_by(person.clone(), &self.caller.capability);
        match seen {
            Some(value) if self.people.get(&value.subject) != Some(&value) => {
                self.people.insert(value.subject.clone(), value.clone());
                tell(&WorkspaceChange::Person { value })
            }
            Some(_) => None,
            None => self.people.remove(&person.subject).and_then(|_| {
                tell(&Gone {
                    kind: "person",
                    removed: &person.subject,
                })
            }),
        }
    }
}

/// What this listener no longer sees.
#[derive(Serialize)]
struct Gone<'a> {
    kind: &'static str,
    removed: &'a str,
}

fn tell(change: &impl Serialize) -> Option<Event> {
    Event::default().event("change").json_data(change).ok()
}

/// A person is here for as long as they listen.
struct Visit {
    app: Arc<App>,
    subject: String,
}

impl Visit {
    fn begin(app: &Arc<App>, capability: &Capability) -> Self {
        app.workspace.person_came(capability);
        Self {
            app: Arc::clone(app),
            subject: capability.subject.clone(),
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.app.workspace.person_left(&self.subject);
    }
}
