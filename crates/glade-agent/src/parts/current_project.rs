//! The project that the fairy is in: all of it for whoever leads, what a drone needs to know for a drone.

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};

use crate::agenda::Status;
use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::projects::Role;
use crate::prompt::PromptMessage;
use crate::waits::Wait;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CurrentProject {
    pub name: String,
    pub description: String,
    pub color: String,
    pub plan: String,
    /// It has a name and a plan.
    pub started: bool,
    /// What the person asked for.
    pub request: String,
    /// This fairy's own id and role.
    pub you: String,
    pub role: Role,
    /// Colours that no other project has; only for whoever leads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub free_colors: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<ProjectTaskLine>,
    /// What it waits for: tasks by their ids, the rest in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaited: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberLine {
    pub fairy_id: String,
    pub name: String,
    pub role: Role,
    pub mode: String,
    /// The task that it works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectTaskLine {
    pub task_id: String,
    pub title: String,
    pub text: String,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Rect>,
    /// How often it was begun and given back.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub given_back: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

pub struct CurrentProjectPart;

static FACTS: PartFacts = PartFacts::new("current-project", Topic::Project, On::Any);

impl Part for CurrentProjectPart {
    type Data = CurrentProject;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<CurrentProject> {
        let board = (view.world.board)()?;
        let you = view.config.fairy_id.clone();
        let role = board.project.member(&you)?.role;
        let project = &board.project;
        let mut data = CurrentProject {
            name: project.name.clone(),
            description: project.description.clone(),
            color: project.color.clone(),
            plan: project.plan.clone(),
            started: project.titled,
            request: project.message.clone(),
            you: you.clone(),
            role,
            free_colors: Vec::new(),
            members: Vec::new(),
            tasks: Vec::new(),
            awaited: Vec::new(),
        };
        if role.leads() && !view.row.edits() {
            data.free_colors = board.free_colors().map(str::to_owned).collect();
            for member in &project.members {
                let face = board.faces.get(&member.fairy);
                let job = board.job_of(&member.fairy);
                data.members.push(MemberLine {
                    fairy_id: member.fairy.clone(),
                    name: board.name(&member.fairy).to_owned(),
                    role: member.role,
                    mode: face.map_or_else(String::new, |face| face.mode.name().to_owned()),
                    task_id: job.map(|job| board.handle(&job.id).to_owned()),
                });
            }
            for job in &board.jobs {
                data.tasks.push(ProjectTaskLine {
                    task_id: board.handle(&job.id).to_owned(),
                    title: job.title.clone(),
                    text: job.text.clone(),
                    status: job.status,
                    assigned_to: job.assignee.clone(),
                    bounds: job.bounds.map(|bounds| view.coords.show_rect(bounds)),
                    given_back: project.progress.tries.get(&job.id).copied().unwrap_or(0),
                });
            }
            let told = |wait: &Wait| board.told_wait(&wait.on);
            data.awaited = board.waits_of(&you).map(told).collect();
        }
        Some(data)
    }

    fn print(&self, data: &CurrentProject) -> Vec<PromptMessage> {
        let mut head = data.clone();
        head.members.clear();
        head.tasks.clear();
        let mut text = format!("Your project:\n{}", fenced(&[head]));
        if !data.members.is_empty() {
            text.push_str(&format!("\nIts members:\n{}", fenced(&data.members)));
        }
        if !data.tasks.is_empty() {
            text.push_str(&format!("\nIts tasks:\n{}", fenced(&data.tasks)));
        }
        told(text)
    }
}
