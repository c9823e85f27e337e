//! What a fairy writes down for itself: its todo list, and the tasks of its solo work.

use std::collections::BTreeSet;

use glade_canvas::Rect;
use glade_doc::RunId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::budget::noted;

/// How far a todo or a task is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = TodoStatus)]
pub enum Status {
    #[default]
    Todo,
    InProgress,
    Done,
}

impl Status {
    pub const NAMES: [&'static str; 3] = ["todo", "in-progress", "done"];

    pub fn parse(name: &str) -> Option<Status> {
        match name {
            "todo" => Some(Status::Todo),
            "in-progress" | "in_progress" => Some(Status::InProgress),
            "done" => Some(Status::Done),
            _ => None,
        }
    }
}

/// A thing to do, of one fairy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Todo {
    pub id: String,
    pub status: Status,
    pub text: String,
    /// The run that wrote it; of one from before this was noted nobody knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub run: Option<RunId>,
}

/// A larger thing to do, with its place on the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: String,
    pub title: String,
    pub text: String,
    pub status: Status,
    /// In page coordinates. A bound of 0 is a bound like any other.
    pub bounds: Rect,
    /// The run that set it; of one from before this was noted nobody knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
}

impl Todo {
    /// Whether it may be told of where only these runs may.
    pub fn is_shown(&self, visible: Option<&BTreeSet<RunId>>) -> bool {
        is_among(self.run.as_ref(), visible)
    }

    /// As people and models are told of it: which run wrote it says nothing to them.
    pub fn told(&self) -> Self {
        Self {
            run: None,
            ..self.clone()
        }
    }
}

impl Task {
    /// Whether it may be told of where only these runs may.
    pub fn is_shown(&self, visible: Option<&BTreeSet<RunId>>) -> bool {
        is_among(self.run.as_ref(), visible)
    }
}

fn is_among(run: Option<&RunId>, visible: Option<&BTreeSet<RunId>>) -> bool {
    visible.is_none_or(|runs| run.is_some_and(|run| runs.contains(run)))
}

/// Todos and tasks of one fairy.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Agenda {
    pub todos: Vec<Todo>,
    pub tasks: Vec<Task>,
    /// The task being worked on.
    pub current: Option<String>,
}

impl Agenda {
    pub fn open_todos(&self) -> impl Iterator<Item = &Todo> {
        self.todos.iter().filter(|todo| todo.status != Status::Done)
    }

    pub fn open_tasks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|task| task.status != Status::Done)
    }

    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    pub fn todo(&self, id: &str) -> Option<&Todo> {
        self.todos.iter().find(|todo| todo.id == id)
    }

    /// The runs that any of this is owed to.
    pub fn runs(&self) -> impl Iterator<Item = &RunId> {
        let todos = self.todos.iter().filter_map(|todo| todo.run.as_ref());
        todos.chain(self.tasks.iter().filter_map(|task| task.run.as_ref()))
    }

    /// Todos and tasks that were not there before, and todos that say something else, are this run's.
    pub fn note_run(&mut self, before: &Agenda, run: &RunId) {
        for todo in &mut self.todos {
            if before
                .todo(&todo.id)
                .is_none_or(|was| was.text != todo.text)
            {
                todo.run = Some(run.clone());
            }
        }
        for task in &mut self.tasks {
            if before.task(&task.id).is_none() {
                task.run = Some(run.clone());
            }
        }
    }

    pub fn current_task(&self) -> Option<&Task> {
        self.task(self.current.as_deref()?)
    }

    /// Adds a todo or changes the one of that id; words that are not given stay.
    pub fn upsert_todo(&mut self, id: &str, status: Status, text: Option<String>) {
        let text = text.map(noted);
        match self.todos.iter_mut().find(|todo| todo.id == id) {
            Some(todo) => {
                todo.status = status;
                if let Some(text) = text {
                    todo.text = text;
                }
            }
            None => self.todos.push(Todo {
                id: id.to_owned(),
                status,
                text: text.unwrap_or_default(),
                run: None,
            }),
        }
    }

    /// Sets a task's status; false: there is no such task.
    pub fn set_task(&mut self, id: &str, status: Status) -> bool {
        match self.tasks.iter_mut().find(|task| task.id == id) {
            Some(task) => {
                task.status = status;
                true
            }
            None => false,
        }
    }
}
