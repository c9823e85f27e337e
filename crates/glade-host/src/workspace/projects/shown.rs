//! A project as it is held, as its row has it, and as people see it.

use std::collections::BTreeMap;

use glade_access::Capability;
use glade_agent::projects::{Board, Budget, Member, Project};
use glade_agent::waits::Wait;
use glade_store::ProjectRow;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::workspace::Cost;

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
    /// Who was one, and when it left.
    pub former: BTreeMap<String, i64>,
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
    pub(in crate::workspace) fn from_row(row: &ProjectRow) -> Option<Self> {
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

    pub(super) fn to_row(&self) -> ProjectRow {
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
            former: project.former.clone(),
            message: project.message.clone(),
            created_at: project.created_at,
            ended_at: project.ended_at,
            cost: Cost {
                input_tokens: project.cost.input_tokens,
                output_tokens: project.cost.output_tokens,
                usd: project.cost.usd,
            },
            budget: project.budget,
            tasks: project.progress.tasks.clone(),
            summary: project.summary.clone(),
        }
    }
}
