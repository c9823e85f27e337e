//! Projects: the boards that count. A [`ProjectTurn`] is the only way to change one; orders that
//! follow from a change go to the host.

mod shown;
mod turn;

pub use shown::{Held, ProjectShown};
pub use turn::ProjectTurn;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use glade_access::Capability;
use glade_agent::projects::{Board, Budget, COLORS, Job, Member, Order, Project, ProjectStatus};
use glade_agent::waits::Wait;
use glade_agent::{Mode, Status};
use glade_canvas::Rect;
use glade_store::{Change, StoreError};

use super::{State, Task, TaskStatus, Workspace, WorkspaceChange};
use crate::clock::now_ms;

/// A task as a project's board holds it.
pub fn job_of(task: &Task) -> Job {
    Job {
        id: task.id.clone(),
        title: task.title.clone(),
        text: task.text.clone(),
        page: task.page.clone(),
        bounds: task.bounds,
        status: match task.status {
            TaskStatus::Todo => Status::Todo,
            TaskStatus::InProgress => Status::InProgress,
            TaskStatus::Done => Status::Done,
        },
        assignee: task.assignee.clone(),
    }
}

/// What the host is told.
pub enum BoardMessage {
    Order {
        order: Order,
        /// When the task was marked as done that led to it.
        since: Option<Instant>,
    },
    /// It has everything before this.
    Mark(tokio::sync::oneshot::Sender<()>),
}

/// What a new project is made of.
pub struct NewProject {
    pub id: String,
    pub page: String,
    pub message: String,
    pub bounds: Option<Rect>,
    pub members: Vec<Member>,
    pub budget: Budget,
    pub asker: Option<Capability>,
}

#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    #[error("{0} is in a project already: disband that first, or choose another fairy")]
    Taken(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Workspace {
    /// Starts a project; its members get their first orders.
    pub async fn start_project(
        self: &Arc<Self>,
        new: NewProject,
        more: Vec<Change>,
    ) -> Result<ProjectShown, NotStarted> {
        // Nobody else starts one with the same fairies meanwhile.
        let _turn = self.tasks_turn.lock().await;
        let held = {
            let state = self.state();
            if let Some(member) = new
                .members
                .iter()
                .find(|one| state.members.contains_key(&one.fairy))
            {
                let fairy = state.fairies.get(&member.fairy);
                let name = fairy.map_or(member.fairy.as_str(), |fairy| &fairy.name);
                return Err(NotStarted::Taken(name.to_owned()));
            }
            let taken = colors(&state, &new.id);
            let color = COLORS.into_iter().find(|color| !taken.contains(*color));
            Held {
                project: Project {
                    name: title_of(&new.message),
                    color: color.unwrap_or(COLORS[0]).to_owned(),
                    id: new.id,
                    page: new.page,
                    message: new.message,
                    bounds: new.bounds,
                    members: new.members,
                    budget: new.budget,
                    created_at: now_ms(),
                    ..Project::default()
                },
                waits: Vec::new(),
                asker: new.asker,
            }
        };
        let mut changes = vec![Change::PutProject(held.to_row())];
        changes.extend(more);
        self.store.write(changes).await?;
        let shown = held.shown();
        let board = Board {
            project: held.project.clone(),
            ..Board::default()
        };
        self.hold(held, Some(shown.clone()));
        for order in board.begin() {
            self.order(order);
        }
        Ok(shown)
    }

    /// The project that a fairy is in, if it is under way.
    pub fn project_of(&self, fairy: &str) -> Option<String> {
        self.state().members.get(fairy).cloned()
    }

    pub fn project(&self, id: &str) -> Option<Held> {
        self.state().projects.get(id).cloned()
    }

    /// The board of the project that a fairy is in, to look at.
    pub fn board_of(&self, fairy: &str) -> Option<Board> {
        let state = self.state();
        let project = state.members.get(fairy)?;
        self.board_in(&state, project)
    }

    /// The task of its project that a fairy works on.
    pub fn job_of(&self, fairy: &str) -> Option<Job> {
        task_in_hand(&self.state(), fairy).map(job_of)
    }

    /// The projects under way.
    pub fn active_projects(&self) -> Vec<String> {
        let state = self.state();
        let active = state
            .projects
            .values()
            .filter(|held| held.project.is_active());
        active.map(|held| held.project.id.clone()).collect()
    }

    /// The projects in which somebody has waited long enough.
    pub fn overdue(&self, now: i64) -> Vec<String> {
        let state = self.state();
        let over = |wait: &Wait| wait.until.is_some_and(|until| until <= now);
        let late = state
            .projects
            .values()
            .filter(|held| held.project.is_active() && held.waits.iter().any(over));
        late.map(|held| held.project.id.clone()).collect()
    }

    /// The board of a project.
    fn board_in(&self, state: &State, id: &str) -> Option<Board> {
        let mut board = board_of(state, id)?;
        board.rules = self.teams.rules;
        Some(board)
    }

    /// Where the host hears of orders; there is one host.
    pub fn take_orders(&self) -> Option<tokio::sync::mpsc::UnboundedReceiver<BoardMessage>> {
        self.state().orders_out.take()
    }

    pub fn order(&self, order: Order) {
        // A server that ends carries nothing out; the next start looks at every project.
        let _gone = self
            .orders_in
            .send(BoardMessage::Order { order, since: None });
    }

    /// Resolves when the host has all orders that were given by now.
    pub async fn passed(&self) {
        let (mark, reached) = tokio::sync::oneshot::channel();
        let _gone = self.orders_in.send(BoardMessage::Mark(mark));
        let _gone = reached.await;
    }

    fn hold(&self, held: Held, shown: Option<ProjectShown>) {
        let mut state = self.state();
        let (id, active) = (held.project.id.clone(), held.project.is_active());
        state.members.retain(|_, project| *project != id);
        if active {
            for member in &held.project.members {
                state.members.insert(member.fairy.clone(), id.clone());
            }
        } else {
            state.turns.remove(&id);
        }
        state.projects.insert(id, held);
        drop(state);
        if let Some(value) = shown {
            self.tell(
                WorkspaceChange::Project {
                    value: Box::new(value),
                },
                |_| {},
            );
        }
    }
}

/// Words of a request that can stand for it until the project has a name.
fn title_of(message: &str) -> String {
    let line = message.lines().find(|line| !line.trim().is_empty());
    let line = line.unwrap_or_default().trim();
    match line.char_indices().nth(48) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// The colours of the other projects under way.
fn colors(state: &State, but: &str) -> BTreeSet<String> {
    let others = state
        .projects
        .values()
        .filter(|held| held.project.is_active() && held.project.id != but);
    others.map(|held| held.project.color.clone()).collect()
}

/// The task of its project that a fairy works on.
pub(super) fn task_in_hand<'a>(state: &'a State, fairy: &str) -> Option<&'a Task> {
    let held = state.projects.get(state.members.get(fairy)?)?;
    tasks_of(state, held).find(|task| {
        task.status == TaskStatus::InProgress && task.assignee.as_deref() == Some(fairy)
    })
}

fn board_of(state: &State, id: &str) -> Option<Board> {
    let held = state.projects.get(id)?;
    let mut board = Board {
        project: held.project.clone(),
        jobs: tasks_of(state, held).map(job_of).collect(),
        waits: held.waits.clone(),
        faces: BTreeMap::new(),
        taken_colors: colors(state, id),
        now: now_ms(),
        ..Board::default()
    };
    for member in &held.project.members {
        if let Some(fairy) = state.fairies.get(&member.fairy) {
            let mode = Mode::parse(&fairy.mode).unwrap_or_default();
            board.meet(&member.fairy, &fairy.name, mode);
        }
    }
    Some(board)
}

/// The rows of a project's tasks.
fn tasks_of<'a>(state: &'a State, held: &'a Held) -> impl Iterator<Item = &'a Task> {
    let ids = held.project.progress.tasks.iter();
    ids.filter_map(|id| state.tasks.get(id))
}

/// Every member of a project under way, and which.
pub(super) fn members(
    projects: &BTreeMap<String, Held>,
) -> std::collections::HashMap<String, String> {
    let active = projects
        .values()
        .filter(|held| held.project.status == ProjectStatus::Active);
    active
        .flat_map(|held| {
            let members = held.project.members.iter();
            members.map(|one| (one.fairy.clone(), held.project.id.clone()))
        })
        .collect()
}
