//! Projects: the boards that count. A [`ProjectTurn`] is the only way to change one: it holds the
//! project's turn from reading to storing, and when what changed is durable it is told, and the
//! orders that follow go to the host.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use glade_access::Capability;
use glade_agent::projects::{Board, Budget, COLORS, Job, Member, Order, Project, ProjectStatus};
use glade_agent::waits::Wait;
use glade_agent::{Mode, Status};
use glade_canvas::Rect;
use glade_store::{Change as StoreChange, ProjectRow, StoreError};
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedMutexGuard;
use utoipa::ToSchema;

use super::{Change, Cost, State, Task, TaskStatus, Workspace};
use crate::clock::now_ms;
use crate::metrics;

/// A project as people see it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectShown {
    pub id: String,
    pub name: String,
    pub description: String,
    pub color: String,
    pub plan: String,
    pub page: String,
    /// `active`, `done`, `aborted`, `disbanded` or `failed`.
    pub status: &'static str,
    #[schema(value_type = Vec<Object>)]
    pub members: Vec<Member>,
    /// What the person asked for.
    pub message: String,
    pub created_at: i64,
    pub ended_at: Option<i64>,
    pub cost: Cost,
    /// What it may use: `tokens`, `usd`, `steps`.
    #[schema(value_type = Object)]
    pub budget: Budget,
    /// The ids of its tasks.
    pub tasks: Vec<String>,
    /// The ids of the tasks that its orchestrator waits for.
    pub awaited: Vec<String>,
    /// All that its members wait for: `{fairy, on: {type, …}, until}`.
    #[schema(value_type = Vec<Object>)]
    pub waits: Vec<Wait>,
    /// How it ended: what was done and what was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// A project as it is held: who asked for it, and what its members wait for.
#[derive(Debug, Clone)]
pub struct Held {
    pub project: Project,
    pub waits: Vec<Wait>,
    /// Its runs may do no more than whoever asked for it.
    pub asker: Option<Capability>,
}

#[derive(Serialize, Deserialize)]
struct Body {
    project: Project,
    #[serde(default)]
    asker: Option<Capability>,
}

impl Held {
    pub(super) fn from_row(row: &ProjectRow) -> Option<Self> {
        let body: Body = serde_json::from_str(&row.body_json).ok()?;
        let waits = row.waits.iter();
        Some(Self {
            project: body.project,
            asker: body.asker,
            waits: waits
                .filter_map(|(_, body)| serde_json::from_str(body).ok())
                .collect(),
        })
    }

    fn to_row(&self) -> ProjectRow {
        let project = &self.project;
        let body = Body {
            project: project.clone(),
            asker: self.asker.clone(),
        };
        let members = project.members.iter();
        let waits = self.waits.iter();
        ProjectRow {
            id: project.id.clone(),
            page: project.page.clone(),
            status: project.status.name().to_owned(),
            created_ms: project.created_at,
            ended_ms: project.ended_at,
            body_json: serde_json::to_string(&body).unwrap_or_default(),
            members: members
                .map(|one| (one.fairy.clone(), one.role.name().to_owned()))
                .collect(),
            waits: waits
                .map(|wait| {
                    let body = serde_json::to_string(wait).unwrap_or_default();
                    (wait.fairy.clone(), body)
                })
                .collect(),
        }
    }

    pub fn shown(&self) -> ProjectShown {
        let project = &self.project;
        let board = Board {
            waits: self.waits.clone(),
            ..Board::default()
        };
        let leader = project.leader().map_or("", |one| one.fairy.as_str());
        let awaited = board.awaited_by(leader).map(str::to_owned).collect();
        ProjectShown {
            awaited,
            waits: self.waits.clone(),
            id: project.id.clone(),
            name: project.name.clone(),
            description: project.description.clone(),
            color: project.color.clone(),
            plan: project.plan.clone(),
            page: project.page.clone(),
            status: project.status.name(),
            members: project.members.clone(),
            message: project.message.clone(),
            created_at: project.created_at,
            ended_at: project.ended_at,
            cost: Cost {
                input_tokens: project.cost.input_tokens,
                output_tokens: project.cost.output_tokens,
                usd: project.cost.usd,
            },
            budget: project.budget,
            tasks: project.tasks.clone(),
            summary: project.summary.clone(),
        }
    }
}

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
    pub fn changes(&mut self) -> Vec<StoreChange> {
        self.take_over();
        let mut changes = Vec::new();
        let held = self.held();
        if self.board.project != self.before.project || self.board.waits != self.before.waits {
            changes.push(StoreChange::PutProject(held.to_row()));
        }
        for (id, task) in &self.tasks {
            if self.tasks_before.get(id) != Some(task) {
                changes.push(StoreChange::PutTask(task.to_row()));
            }
        }
        for id in self.tasks_before.keys() {
            if !self.tasks.contains_key(id) {
                changes.push(StoreChange::DeleteTask { id: id.clone() });
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
            let _gone = self.workspace.orders_in.send(Told::Order { order, since });
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
    pub async fn finish(mut self, more: Vec<StoreChange>) -> Result<(), StoreError> {
        let mut changes = self.changes();
        changes.extend(more);
        if !changes.is_empty() {
            self.workspace.store.write(changes).await?;
        }
        self.commit();
        Ok(())
    }
}

fn status_of(status: Status) -> TaskStatus {
    match status {
        Status::Todo => TaskStatus::Todo,
        Status::InProgress => TaskStatus::InProgress,
        Status::Done => TaskStatus::Done,
    }
}

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
pub enum Told {
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
        more: Vec<StoreChange>,
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
        let mut changes = vec![StoreChange::PutProject(held.to_row())];
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
        self.board_in(&state, project).map(|(board, _)| board)
    }

    /// The task of its project that a fairy works on.
    pub fn job_of(&self, fairy: &str) -> Option<Job> {
        let state = self.state();
        let held = state.projects.get(state.members.get(fairy)?)?;
        let mut tasks = held
            .project
            .tasks
            .iter()
            .filter_map(|id| state.tasks.get(id));
        let mine = |task: &&Task| {
            task.status == TaskStatus::InProgress && task.assignee.as_deref() == Some(fairy)
        };
        tasks.find(mine).map(job_of)
    }

    /// Takes the turn to change a project.
    pub async fn turn(self: &Arc<Self>, id: &str) -> Option<ProjectTurn> {
        let lock = Arc::clone(self.state().turns.entry(id.to_owned()).or_default());
        let turn = lock.lock_owned().await;
        let state = self.state();
        let (board, tasks) = self.board_in(&state, id)?;
        let asker = state.projects.get(id)?.asker.clone();
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

    /// The board of a project, with the rows of its tasks.
    fn board_in(&self, state: &State, id: &str) -> Option<(Board, BTreeMap<String, Task>)> {
        let (mut board, tasks) = board_of(state, id)?;
        board.rules = self.teams.rules;
        Some((board, tasks))
    }

    /// Where the host hears of orders; there is one host.
    pub fn take_orders(&self) -> Option<tokio::sync::mpsc::UnboundedReceiver<Told>> {
        self.state().orders_out.take()
    }

    pub fn order(&self, order: Order) {
        // A server that ends carries nothing out; the next start looks at every project.
        let _gone = self.orders_in.send(Told::Order { order, since: None });
    }

    /// Resolves when the host has all orders that were given by now.
    pub async fn passed(&self) {
        let (mark, reached) = tokio::sync::oneshot::channel();
        let _gone = self.orders_in.send(Told::Mark(mark));
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
                Change::Project {
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

fn board_of(state: &State, id: &str) -> Option<(Board, BTreeMap<String, Task>)> {
    let held = state.projects.get(id)?;
    let ids = held.project.tasks.iter();
    let tasks: Vec<&Task> = ids.filter_map(|id| state.tasks.get(id)).collect();
    let mut board = Board {
        project: held.project.clone(),
        jobs: tasks.iter().map(|task| job_of(task)).collect(),
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
    let tasks = tasks
        .into_iter()
        .map(|task| (task.id.clone(), task.clone()));
    Some((board, tasks.collect()))
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
