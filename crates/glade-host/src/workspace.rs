//! The workspace: pages, fairies, people and runs, as rows that everyone sees.
//!
//! Not a document: a CRDT cannot be shown in part. One owner changes it, the store has every change
//! before anyone hears of it, and clients follow it as a snapshot and then changes.

mod around;
mod fairy;
mod names;
mod people;
mod plugins;
mod projects;
mod tasks;
mod values;

pub use around::Around;
pub use fairy::{Fairy, FairySettings, Scope};
pub use names::holds_unseen_signs;
pub use people::{Asker, Person, Rights};
pub use plugins::{PluginSettings, embed_host};
pub use projects::{BoardMessage, Held, NewProject, NotStarted, ProjectShown, ProjectTurn, job_of};
pub use tasks::{Task, TaskStatus};
pub use values::{CodeFolder, Cost, Page, PageKind, Run, Snapshot, Step};

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glade_access::{Capability, OWNER, Op, PageRef};
use glade_agent::projects::{Budget, Rules};
use glade_store::{
    Change, PageRow, PersonRow, RunFilter, RunStatus, Store, StoreError, Unreadable,
};
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use utoipa::ToSchema;

use crate::clock::now_ms;
use crate::rooms::ConnId;
use crate::set_aside;
use people::{People, Seat};

/// The one workspace there is for now.
pub const MAIN: &str = "main";
/// Settled runs that a snapshot still shows.
const RECENT_RUNS: u32 = 50;
/// Projects that are over and that a snapshot still shows.
const RECENT_PROJECTS: u32 = 50;
/// Changes that a slow listener may fall behind before it is told to start again.
const BACKLOG: usize = 1024;

/// One change, as clients see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum WorkspaceChange {
    Page {
        value: Page,
        /// The tier before, if it was another: who may read only that one loses the page.
        #[serde(skip)]
        was: Option<String>,
    },
    #[serde(rename = "page")]
    PageGone {
        removed: String,
        /// Who may hear of it.
        #[serde(skip)]
        tier: String,
    },
    Fairy {
        /// In a box: it is by far the largest.
        value: Box<Fairy>,
    },
    #[serde(rename = "fairy")]
    FairyGone {
        removed: String,
    },
    Person {
        value: Person,
    },
    Run {
        value: Run,
    },
    Task {
        value: Task,
    },
    Project {
        value: Box<ProjectShown>,
    },
    #[serde(rename = "task")]
    TaskGone {
        removed: String,
    },
    /// The names of all plugins that are switched off now.
    Plugins {
        value: Vec<&'static str>,
    },
}

pub struct Workspace {
    store: Store,
    state: Mutex<State>,
    changes: broadcast::Sender<Arc<WorkspaceChange>>,
    /// Held by whoever changes a task, from reading it to storing it.
    tasks_turn: tokio::sync::Mutex<()>,
    /// What follows from changes of projects, for the host.
    orders_in: mpsc::UnboundedSender<BoardMessage>,
    teams: Teams,
}

/// What the projects of a workspace are held to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Teams {
    pub rules: Rules,
    /// Of a project that is started without one of its own.
    pub budget: Budget,
}

#[derive(Default)]
struct State {
    pages: BTreeMap<String, PageRow>,
    fairies: BTreeMap<String, Fairy>,
    people: People,
    runs: BTreeMap<String, Run>,
    tasks: BTreeMap<String, Task>,
    projects: BTreeMap<String, Held>,
    plugins: PluginSettings,
    /// What was set aside.
    unreadable: Vec<Unreadable>,
    /// The project under way that a fairy is in.
    members: HashMap<String, String>,
    /// Held by whoever changes a project, or a task of one.
    turns: HashMap<String, Arc<tokio::sync::Mutex<()>>>,
    orders_out: Option<mpsc::UnboundedReceiver<BoardMessage>>,
}

impl Workspace {
    pub fn open(store: Store) -> Result<Self, StoreError> {
        let mut state = State {
            plugins: PluginSettings::read(&*store)?,
            ..State::default()
        };
        let mut unreadable: BTreeSet<Unreadable> = set_aside::find(&*store)?.into_iter().collect();
        let filters = [
            RunFilter {
                settled: Some(false),
                ..RunFilter::default()
            },
            RunFilter {
                limit: Some(RECENT_RUNS),
                ..RunFilter::default()
            },
        ];
        for filter in filters {
            unreadable.extend(set_aside::find_runs(&*store, filter.clone())?);
            for row in store.runs(filter)?.rows {
                if let Ok(steps) = store.steps_in_short(&row.id)
                    && let Ok(run) = Run::from_rows(row, steps)
                {
                    state.runs.insert(run.id.clone(), run);
                }
            }
        }
        // What was found to be unreadable is left out below.
        for row in store.pages()?.rows {
            state.pages.insert(row.id.clone(), row);
        }
        for row in store.fairies()?.rows {
            if let Ok(mut fairy) = Fairy::from_row(&row) {
                fairy.runs = runs_of(&state.runs, &fairy.id);
                state.fairies.insert(fairy.id.clone(), fairy);
            }
        }
        for row in store.tasks()?.rows {
            if let Ok(task) = Task::try_from(row) {
                state.tasks.insert(task.id.clone(), task);
            }
        }
        for row in store.projects(RECENT_PROJECTS)?.rows {
            if let Ok(held) = Held::from_row(&row) {
                state.projects.insert(row.id, held);
            }
        }
        state.members = projects::members(&state.projects);
        let (orders_in, orders_out) = mpsc::unbounded_channel();
        state.orders_out = Some(orders_out);
        state.people = People::open(store.people()?);
        let (changes, _) = broadcast::channel(BACKLOG);
        let workspace = Self {
            store,
            state: Mutex::new(state),
            changes,
            tasks_turn: tokio::sync::Mutex::default(),
            orders_in,
            teams: Teams::default(),
        };
        for one in unreadable {
            workspace.set_aside(one);
        }
        Ok(workspace)
    }

    /// Of a row that cannot be read: it does nothing, is left as it is, and the owner is told.
    pub fn set_aside(&self, unreadable: Unreadable) {
        tracing::error!("{unreadable}");
        let mut state = self.state();
        match unreadable.table.as_str() {
            "page" => drop(state.pages.remove(&unreadable.key)),
            "fairy" => drop(state.fairies.remove(&unreadable.key)),
            "run" => drop(state.runs.remove(&unreadable.key)),
            _ => {}
        }
        state.unreadable.push(unreadable);
    }

    pub fn with_teams(self, teams: Teams) -> Self {
        Self { teams, ..self }
    }

    pub fn teams(&self) -> Teams {
        self.teams
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn snapshot(&self) -> Snapshot {
        snapshot_of(&self.state())
    }

    /// A snapshot and every change after it.
    pub fn follow(&self) -> (Snapshot, broadcast::Receiver<Arc<WorkspaceChange>>) {
        let state = self.state();
        (snapshot_of(&state), self.changes.subscribe())
    }

    pub fn page(&self, id: &str) -> Option<PageRow> {
        self.state().pages.get(id).cloned()
    }

    pub fn fairy(&self, id: &str) -> Option<Fairy> {
        self.state().fairies.get(id).cloned()
    }

    /// A run that waits, is under way, or is among the newest.
    pub fn run(&self, id: &str) -> Option<Run> {
        self.state().runs.get(id).cloned()
    }

    /// Any run that there ever was.
    pub fn find_run(&self, id: &str) -> Result<Option<Run>, StoreError> {
        if let Some(run) = self.run(id) {
            return Ok(Some(run));
        }
        let Some(row) = self.store.run(id)? else {
            return Ok(None);
        };
        let steps = self.store.steps_in_short(id)?;
        Ok(Some(Run::from_rows(row, steps)?))
    }

    /// Whether somebody may do this on a page that there is.
    pub fn may(&self, who: &Capability, page: &str, op: Op) -> bool {
        let state = self.state();
        let page = state.pages.get(page);
        page.is_some_and(|row| {
            let page = PageRef {
                id: &row.id,
                tier: &row.tier,
            };
            who.allows(op, &page)
        })
    }

    /// The run once it has ended; nothing if it is not known, or the server closes first.
    pub async fn ended(&self, id: &str) -> Option<Run> {
        let mut changes = self.changes.subscribe();
        loop {
            let run = self.find_run(id).ok()??;
            if run.status != RunStatus::Running {
                return Some(run);
            }
            if matches!(changes.recv().await, Err(RecvError::Closed)) {
                return None;
            }
        }
    }

    /// Puts a page together with what belongs to the same moment.
    pub async fn put_page_with(
        &self,
        row: PageRow,
        mut changes: Vec<Change>,
    ) -> Result<(), StoreError> {
        changes.insert(0, Change::PutPage(row.clone()));
        self.store.write(changes).await?;
        let before = self.page(&row.id).map(|before| before.tier);
        let new_to_some = before.as_ref() != Some(&row.tier);
        let was = before.filter(|tier| *tier != row.tier);
        let value = Page::from(&row);
        let page = row.id.clone();
        self.tell(WorkspaceChange::Page { value, was }, |state| {
            state.pages.insert(row.id.clone(), row);
        });
        if new_to_some {
            self.tell_tasks_of(&page);
        }
        Ok(())
    }

    /// Puts a page into the trash.
    pub async fn trash_page(
        &self,
        row: &PageRow,
        mut changes: Vec<Change>,
    ) -> Result<(), StoreError> {
        changes.push(Change::TrashPage {
            id: row.id.clone(),
            at_ms: now_ms(),
        });
        self.store.write(changes).await?;
        let gone = WorkspaceChange::PageGone {
            removed: row.id.clone(),
            tier: row.tier.clone(),
        };
        self.tell(gone, |state| {
            state.pages.remove(&row.id);
        });
        Ok(())
    }

    pub async fn put_run(&self, run: Run) -> Result<(), StoreError> {
        self.put_run_with(run, Vec::new()).await
    }

    /// Puts a run together with what belongs to the same moment.
    pub async fn put_run_with(&self, run: Run, mut changes: Vec<Change>) -> Result<(), StoreError> {
        changes.insert(0, Change::PutRun(run.to_row()));
        self.store.write(changes).await?;
        self.show_run(run);
        Ok(())
    }

    /// Shows a run that the store has.
    pub fn show_run(&self, run: Run) {
        self.tell(WorkspaceChange::Run { value: run.clone() }, |state| {
            let fairy = run.owner.fairy();
            if let Some(fairy) = fairy.and_then(|fairy| state.fairies.get_mut(fairy))
                && !fairy.runs.contains(&run.id)
            {
                fairy.runs.push(run.id.clone());
            }
            state.runs.insert(run.id.clone(), run);
            forget_settled(state);
        });
    }

    /// Shows a fairy; its row is the host's to store.
    pub fn show_fairy(&self, mut fairy: Fairy) {
        let mut state = self.state();
        // What it was shown with holds them all; one that comes back has them in the list of all runs.
        fairy.runs = match state.fairies.get_mut(&fairy.id) {
            Some(before) => std::mem::take(&mut before.runs),
            None => runs_of(&state.runs, &fairy.id),
        };
        state.fairies.insert(fairy.id.clone(), fairy.clone());
        drop(state);
        self.tell(
            WorkspaceChange::Fairy {
                value: Box::new(fairy),
            },
            |_| {},
        );
    }

    /// The fairy was dismissed. Its runs stay.
    pub fn remove_fairy(&self, id: &str) {
        let Some(fairy) = self.fairy(id) else {
            return;
        };
        let gone = WorkspaceChange::FairyGone {
            removed: fairy.id.clone(),
        };
        self.tell(gone, |state| {
            state.fairies.remove(&fairy.id);
        });
    }

    /// Somebody, as they are known here.
    pub fn person(&self, subject: &str) -> Person {
        let state = self.state();
        let known = state.people.get(subject);
        known.unwrap_or_else(|| state.people.stranger(subject))
    }

    /// A person as a viewer may see them. Everybody who listens asks this whenever anybody comes or goes.
    pub fn as_seen_by(&self, person: Person, viewer: &Capability) -> Option<Person> {
        let state = self.state();
        let pages = state.pages.values().map(|row| PageRef {
            id: &row.id,
            tier: &row.tier,
        });
        person.seen_by(viewer, pages)
    }

    /// What somebody is called here.
    pub fn name_of(&self, subject: &str) -> String {
        let state = self.state();
        let name = state.people.name(subject);
        name.unwrap_or_else(|| state.people.stranger(subject).name)
    }

    /// Who asks, as a message in a chat says it.
    pub fn asker(&self, asker: &Capability) -> Asker {
        Asker {
            name: self.name_of(&asker.subject),
            subject: asker.subject.clone(),
        }
    }

    /// Whether somebody else, a fairy included, is called that or something that looks like it; or whether it
    /// speaks of the owner.
    pub fn is_name_taken(&self, name: &str, subject: &str) -> bool {
        let state = self.state();
        let mut fairies = state.fairies.values();
        state.people.is_taken(name, subject)
            || fairies.any(|fairy| names::alike(&fairy.name, name))
            || (subject != OWNER && names::speaks_of_owner(name))
    }

    pub fn person_came(&self, capability: &Capability) {
        self.change_person(&capability.subject, |seat| seat.came(capability));
        self.remember(&capability.subject);
    }

    pub fn person_left(&self, subject: &str) {
        self.change_person(subject, |seat| seat.left());
        self.remember(subject);
    }

    pub fn page_opened(&self, conn: ConnId, page: &str, capability: &Capability) {
        self.change_person(&capability.subject, |seat| {
            seat.opened(conn, page, capability);
        });
    }

    pub fn page_closed(&self, conn: ConnId, page: &str, subject: &str) {
        self.change_person(subject, |seat| seat.closed(conn, page));
    }

    /// Gives somebody a name, with a number where somebody else has it.
    pub async fn call_person(&self, name: &str, holder: &Capability) -> Result<(), StoreError> {
        let name = &*self.state().people.free_name(name, &holder.subject);
        let mut row = self.person_row(&holder.subject);
        if let Some(row) = &mut row {
            row.name = name.to_owned();
        }
        self.store
            .write(row.into_iter().map(Change::PutPerson).collect())
            .await?;
        self.change_person(&holder.subject, |seat| seat.called(name, holder));
        self.remember(&holder.subject);
        Ok(())
    }

    /// Nobody waits for this row: it says when they were here, and what they were called.
    fn remember(&self, subject: &str) {
        if let Some(row) = self.person_row(subject) {
            drop(self.store.write(vec![Change::PutPerson(row)]));
        }
    }

    fn person_row(&self, subject: &str) -> Option<PersonRow> {
        let mut state = self.state();
        // Whoever asks is somebody from now on.
        state.people.change(subject, now_ms(), |_| {});
        state.people.row(subject, now_ms())
    }

    fn change_person(&self, subject: &str, change: impl FnOnce(&mut Seat<'_>)) {
        let mut state = self.state();
        if let Some(value) = state.people.change(subject, now_ms(), change) {
            // Nobody listening is no error.
            let _listeners = self
                .changes
                .send(Arc::new(WorkspaceChange::Person { value }));
        }
    }

    /// Changes the state and says so in one step, so that [`Workspace::follow`] misses nothing.
    fn tell(&self, change: WorkspaceChange, apply: impl FnOnce(&mut State)) {
        let mut state = self.state();
        apply(&mut state);
        // Nobody listening is no error.
        let _listeners = self.changes.send(Arc::new(change));
    }
}

/// Lets go of settled runs but the newest: the store has them. Many at once, so that it costs little.
fn forget_settled(state: &mut State) {
    let settled = state.runs.values().filter(|run| run.settled);
    let mut settled: Vec<(i64, String)> = settled
        .map(|run| (run.started_at, run.id.clone()))
        .collect();
    let most = RECENT_RUNS as usize;
    if settled.len() <= 2 * most {
        return;
    }
    settled.sort();
    for (_, id) in &settled[..settled.len() - most] {
        let run = state.runs.remove(id);
        let fairy = run.as_ref().and_then(|run| run.owner.fairy());
        if let Some(fairy) = fairy.and_then(|fairy| state.fairies.get_mut(fairy)) {
            fairy.runs.retain(|own| own != id);
        }
    }
}

fn runs_of(runs: &BTreeMap<String, Run>, fairy: &str) -> Vec<String> {
    let mut own: Vec<&Run> = runs
        .values()
        .filter(|run| run.owner.fairy() == Some(fairy))
        .collect();
    own.sort_by_key(|run| run.started_at);
    own.into_iter().map(|run| run.id.clone()).collect()
}

fn projects_of(state: &State) -> Vec<ProjectShown> {
    let mut projects: Vec<ProjectShown> = state.projects.values().map(Held::shown).collect();
    projects.sort_by(|a, b| {
        a.created_at
            .cmp(&b.created_at)
            .then_with(|| a.id.cmp(&b.id))
    });
    projects
}

fn pages_in_order(state: &State) -> Vec<&PageRow> {
    let mut pages: Vec<&PageRow> = state.pages.values().collect();
    pages.sort_by(|a, b| {
        a.position
            .total_cmp(&b.position)
            .then_with(|| a.id.cmp(&b.id))
    });
    pages
}

fn snapshot_of(state: &State) -> Snapshot {
    let mut runs: Vec<Run> = state.runs.values().cloned().collect();
    runs.sort_by_key(|run| run.started_at);
    Snapshot {
        id: MAIN.to_owned(),
        pages: pages_in_order(state).into_iter().map(Page::from).collect(),
        fairies: state.fairies.values().cloned().collect(),
        people: state.people.all(),
        tasks: tasks::in_order(state.tasks.values()),
        projects: projects_of(state),
        runs,
        plugins_off: state.plugins.off(),
        unreadable: state.unreadable.clone(),
        // Only the edge knows whether there is one.
        code: None,
    }
}

#[cfg(test)]
mod tests;
