//! A project as it is held, as its row has it, and as people see it.

use std::collections::BTreeMap;

use glade_access::Capability;
use glade_agent::projects::{Board, Budget, Member, Project};
use glade_agent::waits::Wait;
use glade_store::{ProjectRow, Unreadable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::stored::{self, BEFORE, Cell};
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
    #[schema(value_type = glade_agent::projects::ProjectStatus)]
    pub status: &'static str,
    pub members: Vec<Member>,
    /// Who was one, and when it left.
    pub former: BTreeMap<String, i64>,
    /// What the person asked for.
    pub message: String,
    pub created_at: i64,
    #[schema(required)]
    pub ended_at: Option<i64>,
    pub cost: Cost,
    /// What it may use: `tokens`, `usd`, `steps`.
    pub budget: Budget,
    /// The ids of its tasks.
    pub tasks: Vec<String>,
    /// The ids of the tasks that its orchestrator waits for.
    pub awaited: Vec<String>,
    /// All that its members wait for: `{fairy, on: {type, …}, until}`.
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
    /// `None` is the server itself, so it is never left out.
    #[serde(deserialize_with = "stored::whole")]
    asker: Option<Capability>,
}

/// As it was written before.
#[derive(Deserialize)]
struct OldBody {
    project: Project,
    #[serde(default)]
    asker: Option<Capability>,
}

impl Held {
    pub fn from_row(row: &ProjectRow) -> Result<Self, Unreadable> {
        let cell = |column| Cell {
            table: "project",
            key: &row.id,
            column,
        };
        let body = match cell("body_json").body(&row.body_json)? {
            (BEFORE, body) => {
                let OldBody { project, asker } = cell("body_json").value(body)?;
                Body { project, asker }
            }
            (_, body) => cell("body_json").value(body)?,
        };
        let waits = row.waits.iter().zip(0..).map(|((_, body), at)| {
            Unreadable::json("wait", &format!("{} {at}", row.id), "body_json", body)
        });
        let held = Self {
            project: body.project,
            asker: body.asker,
            waits: waits.collect::<Result<_, _>>()?,
        };
        // What others ask of the row stands in columns: they must say the same.
        let again = ProjectRow {
            body_json: row.body_json.clone(),
            waits: row.waits.clone(),
            ..held.to_row()
        };
        if again == *row {
            Ok(held)
        } else {
            Err(cell("body_json").unreadable("does not say what the other columns say"))
        }
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
            body_json: stored::written(&body),
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
