//! A project and its tasks, as values.

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::Rect;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::agenda::Status;
use crate::mode::Mode;

/// Colours that projects are told apart by.
pub const COLORS: [&str; 10] = [
    "violet",
    "orange",
    "green",
    "blue",
    "red",
    "yellow",
    "light-blue",
    "light-green",
    "light-red",
    "light-violet",
];

/// What a member is in its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Plans and directs; draws nothing itself.
    Orchestrator,
    /// Plans, directs its one partner, and works too.
    DuoOrchestrator,
    /// Works on what it is given.
    Drone,
}

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Orchestrator => "orchestrator",
            Role::DuoOrchestrator => "duo-orchestrator",
            Role::Drone => "drone",
        }
    }

    pub fn leads(self) -> bool {
        self != Role::Drone
    }

    /// The mode in which it thinks.
    pub fn active(self) -> Mode {
        match self {
            Role::Orchestrator => Mode::OrchestratingActive,
            Role::DuoOrchestrator => Mode::DuoOrchestratingActive,
            Role::Drone => Mode::WorkingDrone,
        }
    }

    /// The mode in which it waits.
    pub fn waiting(self) -> Mode {
        match self {
            Role::Orchestrator => Mode::OrchestratingWaiting,
            Role::DuoOrchestrator => Mode::DuoOrchestratingWaiting,
            Role::Drone => Mode::StandingBy,
        }
    }

    /// The mode in which it does a task.
    pub fn working(self) -> Mode {
        match self {
            Role::Drone => Mode::WorkingDrone,
            Role::Orchestrator | Role::DuoOrchestrator => Mode::WorkingOrchestrator,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProjectStatus {
    #[default]
    Active,
    /// Ended by its orchestrator.
    Done,
    /// Given up by its orchestrator before it had a plan.
    Aborted,
    /// Ended by a person.
    Disbanded,
    /// It could not go on.
    Failed,
}

impl ProjectStatus {
    pub fn name(self) -> &'static str {
        match self {
            ProjectStatus::Active => "active",
            ProjectStatus::Done => "done",
            ProjectStatus::Aborted => "aborted",
            ProjectStatus::Disbanded => "disbanded",
            ProjectStatus::Failed => "failed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub fairy: String,
    pub role: Role,
}

/// What a project has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spending {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub usd: f64,
    /// Requests to models.
    pub steps: u32,
}

/// What a project may use. Reaching a limit ends it, with a word on what was done.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    pub tokens: u64,
    pub usd: f64,
    pub steps: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            tokens: 4_000_000,
            usd: 20.0,
            steps: 400,
        }
    }
}

/// Fairies that do something together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Project {
    pub id: String,
    pub name: String,
    pub description: String,
    /// One of [`COLORS`], unlike those of other active projects.
    pub color: String,
    pub plan: String,
    pub page: String,
    pub status: ProjectStatus,
    pub members: Vec<Member>,
    /// Who was one, and when it left.
    pub former: BTreeMap<String, i64>,
    /// What the person asked for.
    pub message: String,
    /// What the person looked at, in page coordinates.
    pub bounds: Option<Rect>,
    /// Its orchestrator has given it a name and a plan.
    pub titled: bool,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub ended_at: Option<i64>,
    pub cost: Spending,
    pub budget: Budget,
    #[serde(flatten)]
    pub progress: Progress,
    /// How it ended: what was done and what was not.
    pub summary: Option<String>,
}

/// How far a project has come. Stored among the project's own fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Progress {
    /// The ids of its tasks, in the order in which they were made.
    pub tasks: Vec<String>,
    /// What the orchestrator calls them.
    pub names: BTreeMap<String, String>,
    /// How often each was begun and given back.
    pub tries: BTreeMap<String, u32>,
    /// The tasks whose fairies have taken them up: until then, what a fairy does is not about them.
    pub taken: BTreeSet<String>,
    /// The orchestrator has taken the project up.
    pub led: bool,
    /// What was raised and nobody has waited for yet.
    pub unheard: Vec<Raised>,
}

/// An event of a project, by a name that its members agree on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Raised {
    pub name: String,
    pub data: Value,
}

impl Project {
    pub fn is_active(&self) -> bool {
        self.status == ProjectStatus::Active
    }

    pub fn leader(&self) -> Option<&Member> {
        self.members.iter().find(|member| member.role.leads())
    }

    pub fn member(&self, fairy: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.fairy == fairy)
    }

    /// Whether what a fairy began at that time was done for this project.
    pub fn had(&self, fairy: &str, at: i64) -> bool {
        let left = || self.former.get(fairy);
        self.member(fairy).is_some() || left().is_some_and(|left| at <= *left)
    }

    pub fn drones(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !member.role.leads())
    }
}

/// A task of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    pub id: String,
    pub title: String,
    pub text: String,
    pub page: String,
    /// In page coordinates; a person may have taken them away.
    pub bounds: Option<Rect>,
    pub status: Status,
    /// The fairy that is to do it.
    pub assignee: Option<String>,
}
