//! Tasks: what is to be done on a page, and by which fairy.

use std::sync::Arc;

use glade_agent::projects::News;
use glade_canvas::Rect;
use glade_store::{Change, RunStatus, StoreError, TaskRow, Unreadable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ProjectTurn, Run, Workspace, WorkspaceChange, job_of};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskStatus {
    #[default]
    Todo,
    InProgress,
    Done,
}

impl TaskStatus {
    fn as_str(self) -> &'static str {
        match self {
            TaskStatus::Todo => "todo",
            TaskStatus::InProgress => "in-progress",
            TaskStatus::Done => "done",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [TaskStatus::Todo, TaskStatus::InProgress, TaskStatus::Done]
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: String,
    pub title: String,
    pub text: String,
    pub page: String,
    /// The part of the page that it is about.
    #[schema(required)]
    pub bounds: Option<Rect>,
    pub status: TaskStatus,
    /// The fairy that is to do it.
    #[schema(required)]
    pub assignee: Option<String>,
    #[schema(required)]
    pub project: Option<String>,
    /// The subject who made it.
    pub created_by: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub position: f64,
}

impl TryFrom<TaskRow> for Task {
    type Error = Unreadable;

    fn try_from(row: TaskRow) -> Result<Self, Unreadable> {
        let bounds = row
            .bounds_json
            .map(|json| Unreadable::json("task", &row.id, "bounds_json", &json));
        let status = TaskStatus::parse(&row.status).ok_or_else(|| {
            Unreadable::new("task", &row.id, "status", format!("is {:?}", row.status))
        })?;
        Ok(Self {
            bounds: bounds.transpose()?,
            status,
            id: row.id,
            title: row.title,
            text: row.text,
            page: row.page,
            assignee: row.assignee,
            project: row.project,
            created_by: row.created_by,
            created_at: row.created_ms,
            position: row.position,
        })
    }
}

impl Task {
    pub(super) fn to_row(&self) -> TaskRow {
        TaskRow {
            id: self.id.clone(),
            title: self.title.clone(),
            text: self.text.clone(),
            page: self.page.clone(),
            bounds_json: self
                .bounds
                .and_then(|bounds| serde_json::to_string(&bounds).ok()),
            status: self.status.as_str().to_owned(),
            assignee: self.assignee.clone(),
            project: self.project.clone(),
            created_by: self.created_by.clone(),
            created_ms: self.created_at,
            position: self.position,
        }
    }
}

pub(super) fn in_order<'a>(tasks: impl Iterator<Item = &'a Task>) -> Vec<Task> {
    let mut tasks: Vec<Task> = tasks.cloned().collect();
    tasks.sort_by(|a, b| {
        a.position
            .total_cmp(&b.position)
            .then_with(|| a.id.cmp(&b.id))
    });
    tasks
}

impl Workspace {
    pub fn task(&self, id: &str) -> Option<Task> {
        self.state().tasks.get(id).cloned()
    }

    pub(super) fn last_task_position(&self) -> f64 {
        let state = self.state();
        let positions = state.tasks.values().map(|task| task.position);
        positions.fold(0.0, f64::max)
    }

    /// Adds a task behind all others, together with what belongs to the same moment.
    pub async fn add_task(
        &self,
        mut task: Task,
        mut changes: Vec<Change>,
    ) -> Result<Task, StoreError> {
        let _turn = self.tasks_turn.lock().await;
        task.position = self.last_task_position() + 1.0;
        changes.insert(0, Change::PutTask(task.to_row()));
        self.store.write(changes).await?;
        self.show_task(task.clone());
        Ok(task)
    }

    /// Changes a task as it is now: nobody else's change comes between reading and storing it.
    /// `None` if there is no such task; an error of `change` leaves it as it is.
    pub async fn change_task<E: From<StoreError>>(
        self: &Arc<Self>,
        id: &str,
        change: impl FnOnce(&mut Task) -> Result<Vec<Change>, E>,
    ) -> Result<Option<Task>, E> {
        let Some(task) = self.task(id) else {
            return Ok(None);
        };
        // A task of a project under way changes with its project: who works on it hears of it.
        if let Some(mut turn) = self.turn_of(&task).await {
            let Some(task) = turn.tasks.get_mut(id) else {
                return Ok(None);
            };
            let changes = change(task)?;
            let job = job_of(task);
            let orders = turn.board.happened(News::JobChanged(job));
            turn.orders.extend(orders);
            turn.finish(changes).await?;
            return Ok(self.task(id));
        }
        let _turn = self.tasks_turn.lock().await;
        let Some(mut task) = self.task(id) else {
            return Ok(None);
        };
        let mut changes = change(&mut task)?;
        changes.insert(0, Change::PutTask(task.to_row()));
        self.store.write(changes).await?;
        self.show_task(task.clone());
        Ok(Some(task))
    }

    /// Notes on a task how the run went that it set off: done, or still to do where it was stopped or failed. Unless
    /// somebody has said so meanwhile, or the fairy was set on it again.
    pub async fn end_task(
        self: &Arc<Self>,
        id: &str,
        run: &Run,
        entry: impl FnOnce(&Task) -> Change,
    ) -> Result<(), StoreError> {
        let again = |it: &Run| it.owner == run.owner && it.status == RunStatus::Running;
        let status = match run.status {
            RunStatus::Cancelled | RunStatus::Failed if self.state().runs.values().any(again) => {
                return Ok(());
            }
            RunStatus::Cancelled | RunStatus::Failed => TaskStatus::Todo,
            _ => TaskStatus::Done,
        };
        let noted = self.change_task(id, |task| {
            if task.status != TaskStatus::InProgress
                || task.assignee.as_deref() != run.owner.fairy()
            {
                return Ok::<_, StoreError>(Vec::new());
            }
            task.status = status;
            Ok(vec![entry(task)])
        });
        noted.await.map(drop)
    }

    /// The turn of the project under way that a task belongs to.
    async fn turn_of(self: &Arc<Self>, task: &Task) -> Option<ProjectTurn> {
        let turn = self.turn(task.project.as_deref()?).await?;
        Some(turn).filter(|turn| turn.board.project.is_active())
    }

    pub async fn delete_task(
        self: &Arc<Self>,
        task: &Task,
        mut changes: Vec<Change>,
    ) -> Result<(), StoreError> {
        if let Some(mut turn) = self.turn_of(task).await {
            let gone = News::JobGone {
                task: task.id.clone(),
            };
            let orders = turn.board.happened(gone);
            turn.orders.extend(orders);
            return turn.finish(changes).await;
        }
        let _turn = self.tasks_turn.lock().await;
        changes.insert(
            0,
            Change::DeleteTask {
                id: task.id.clone(),
            },
        );
        self.store.write(changes).await?;
        self.forget_task(&task.id);
        Ok(())
    }

    pub(super) fn forget_task(&self, id: &str) {
        let gone = WorkspaceChange::TaskGone {
            removed: id.to_owned(),
        };
        self.tell(gone, |state| {
            state.tasks.remove(id);
        });
    }

    /// Says again what is to be done on a page that others may read than before.
    pub(super) fn tell_tasks_of(&self, page: &str) {
        let tasks = in_order(self.state().tasks.values().filter(|task| task.page == page));
        for task in tasks {
            self.show_task(task);
        }
    }

    pub(super) fn show_task(&self, task: Task) {
        let value = task.clone();
        self.tell(WorkspaceChange::Task { value }, |state| {
            state.tasks.insert(task.id.clone(), task);
        });
    }
}
