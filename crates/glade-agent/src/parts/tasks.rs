//! The tasks of its plan: all while planning, the one at hand while working.

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};

use crate::agenda::Status;
use crate::facts::On;
use crate::mode::WhileOpen;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tasks {
    pub tasks: Vec<TaskLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskLine {
    pub task_id: String,
    pub title: String,
    pub text: String,
    pub status: Status,
    pub bounds: Rect,
}

pub struct TasksPart;

static FACTS: PartFacts = PartFacts::new("tasks", Topic::Tasks, On::Any);

impl Part for TasksPart {
    type Data = Tasks;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<Tasks> {
        if view.row.hooks.while_open == WhileOpen::ProjectTask {
            let board = (view.world.board)()?;
            let job = board.job_of(&view.config.fairy_id)?;
            let tasks = vec![TaskLine {
                task_id: board.handle(&job.id).to_owned(),
                title: job.title.clone(),
                text: job.text.clone(),
                status: job.status,
                bounds: view.coords.show_rect(job.bounds.unwrap_or(view.area)),
            }];
            return Some(Tasks { tasks });
        }
        let current = view.agenda.current.as_deref();
        let working = view.row.hooks.while_open == WhileOpen::CurrentTask;
        let tasks: Vec<TaskLine> = view
            .agenda
            .tasks
            .iter()
            .filter(|task| task.is_shown(view.world.visible_runs))
            .filter(|task| !working || current == Some(task.id.as_str()))
            .map(|task| TaskLine {
                task_id: task.id.clone(),
                title: task.title.clone(),
                text: task.text.clone(),
                status: task.status,
                bounds: view.coords.show_rect(task.bounds),
            })
            .collect();
        (!tasks.is_empty()).then_some(Tasks { tasks })
    }

    fn print(&self, data: &Tasks) -> Vec<PromptMessage> {
        told(format!("Your tasks:\n{}", fenced(&data.tasks)))
    }
}
