//! The only way to change a project: a turn holds it from reading to storing, and when what changed
//! is durable it is told, and the orders that follow go to the host.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use glade_access::Capability;
use glade_agent::Status;
use glade_agent::projects::{Board, Order};
use glade_store::{Change, StoreError};
use tokio::sync::OwnedMutexGuard;

use super::{BoardMessage, Held, tasks_of};
use crate::metrics;
use crate::workspace::{Task, TaskStatus, Workspace};

/// One change of a project, from reading it to telling it. Dropped, nothing has happened.
pub struct ProjectTurn {
    workspace: Arc<Workspace>,
    _turn: OwnedMutexGuard<()>,
    before: Board,
    tasks_before: BTreeMap<String, Task>,
    asker: Option<Capability>,
    pub board: Board,
    /// The rows of its tasks.
    pub tasks: BTreeMap<String, Task>,
    /// What follows.
    pub orders: Vec<Order>,
    /// When a task was marked as done, if that is what changes it.
    pub done_at: Option<Instant>,
}

impl ProjectTurn {
    /// What is to be stored.
    pub fn changes(&mut self) -> Vec<Change> {
        self.take_over();
        let mut changes = Vec::new();
        let held = self.held();
        if self.board.project != self.before.project || self.board.waits != self.before.waits {
            changes.push(Change::PutProject(held.to_row()));
        }
        for (id, task) in &self.tasks {
            if self.tasks_before.get(id) != Some(task) {
                changes.push(Change::PutTask(task.to_row()));
            }
        }
        for id in self.tasks_before.keys() {
            if !self.tasks.contains_key(id) {
                changes.push(Change::DeleteTask { id: id.clone() });
            }
        }
        changes
    }

    /// What the board says of tasks goes into their rows.
    fn take_over(&mut self) {
        let ids: BTreeSet<&str> = self.board.jobs.iter().map(|job| job.id.as_str()).collect();
        self.tasks.retain(|id, _| ids.contains(id.as_str()));
        let leader = self.board.project.leader();
        let maker = leader.map_or_else(String::new, |one| format!("fairy:{}", one.fairy));
        let mut last = self.workspace.last_task_position();
        for job in &self.board.jobs {
            let task = self.tasks.entry(job.id.clone()).or_insert_with(|| {
                last += 1.0;
                Task {
                    id: job.id.clone(),
                    title: String::new(),
                    text: String::new(),
                    page: String::new(),
                    bounds: None,
                    status: TaskStatus::Todo,
                    assignee: None,
                    project: Some(self.board.project.id.clone()),
                    created_by: maker.clone(),
                    created_at: self.board.now,
                    position: last,
                }
            });
            task.title.clone_from(&job.title);
            task.text.clone_from(&job.text);
            task.page.clone_from(&job.page);
            task.bounds = job.bounds;
            task.status = status_of(job.status);
            task.assignee.clone_from(&job.assignee);
        }
    }

    fn held(&self) -> Held {
        Held {
            project: self.board.project.clone(),
            waits: self.board.waits.clone(),
            asker: self.asker.clone(),
        }
    }

    /// What [`Self::changes`] said is durable: everybody hears of it.
    pub fn commit(mut self) {
        let held = self.held();
        let shown = (self.board.project != self.before.project
            || self.board.waits != self.before.waits)
            .then(|| held.shown());
        self.workspace.hold(held, shown);
        for (id, task) in &self.tasks {
            if self.tasks_before.get(id) != Some(task) {
                self.workspace.show_task(task.clone());
            }
        }
        for id in self.tasks_before.keys() {
            if !self.tasks.contains_key(id) {
                self.workspace.forget_task(id);
            }
        }
        self.count();
        let since = self.done_at;
        for order in std::mem::take(&mut self.orders) {
            let _gone = self
                .workspace
                .orders_in
                .send(BoardMessage::Order { order, since });
        }
    }

    fn count(&self) {
        let done = |board: &Board| {
            let jobs = board.jobs.iter();
            jobs.filter(|job| job.status == Status::Done).count()
        };
        let more = done(&self.board).saturating_sub(done(&self.before));
        metrics::TASKS_DONE.add_many(more as u64);
        if self.before.project.is_active() && !self.board.project.is_active() {
            metrics::PROJECTS_ENDED.add();
        }
    }

    /// Stores and tells it, with what belongs to the same moment.
    pub async fn finish(mut self, more: Vec<Change>) -> Result<(), StoreError> {
        let mut changes = self.changes();
        changes.extend(more);
        if !changes.is_empty() {
            self.workspace.store.write(changes).await?;
        }
        self.commit();
        Ok(())
    }
}

impl Workspace {
    /// Takes the turn to change a project.
    pub async fn turn(self: &Arc<Self>, id: &str) -> Option<ProjectTurn> {
        let lock = Arc::clone(self.state().turns.entry(id.to_owned()).or_default());
        let turn = lock.lock_owned().await;
        let state = self.state();
        let board = self.board_in(&state, id)?;
        let held = state.projects.get(id)?;
        let row = |task: &Task| (task.id.clone(), task.clone());
        let tasks: BTreeMap<String, Task> = tasks_of(&state, held).map(row).collect();
        let asker = held.asker.clone();
        drop(state);
        Some(ProjectTurn {
            workspace: Arc::clone(self),
            _turn: turn,
            before: board.clone(),
            tasks_before: tasks.clone(),
            asker,
            board,
            tasks,
            orders: Vec::new(),
            done_at: None,
        })
    }
}

fn status_of(status: Status) -> TaskStatus {
    match status {
        Status::Todo => TaskStatus::Todo,
        Status::InProgress => TaskStatus::InProgress,
        Status::Done => TaskStatus::Done,
    }
}
