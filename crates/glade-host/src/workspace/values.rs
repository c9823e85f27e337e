//! What clients see of the workspace, and how it lies in the store's rows.

use glade_store::{PageRow, RunRow, RunStatus, StepRow, Unreadable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::fairy::Fairy;
use super::people::Person;
use super::{ProjectShown, Task};

/// Everything in a workspace that a client may see.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Snapshot {
    pub id: String,
    pub pages: Vec<Page>,
    pub fairies: Vec<Fairy>,
    pub people: Vec<Person>,
    pub tasks: Vec<Task>,
    /// Those under way, and recent ones.
    pub projects: Vec<ProjectShown>,
    /// The runs still to be kept or undone, and recent ones.
    pub runs: Vec<Run>,
    /// The names of the plugins of text pages that are switched off.
    #[serde(rename = "pluginsOff")]
    pub plugins_off: Vec<&'static str>,
    /// Rows that cannot be read and are set aside; only the owner is told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub unreadable: Vec<Unreadable>,
    /// The folder that the server was started with, if the client may see it.
    pub code: Option<CodeFolder>,
}

/// The code project as a workspace names it; `/api/code` has the rest.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CodeFolder {
    pub name: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Page {
    pub id: String,
    pub name: String,
    /// `canvas` or `text`.
    pub kind: String,
    pub tier: String,
    pub position: f64,
}

impl From<&PageRow> for Page {
    fn from(row: &PageRow) -> Self {
        Self {
            id: row.id.clone(),
            name: row.name.clone(),
            kind: row.kind.clone(),
            tier: row.tier.clone(),
            position: row.position,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Cost {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub usd: f64,
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub index: i64,
    pub model: String,
    pub started_at: i64,
    pub ended_at: Option<i64>,
    pub input_tokens: i64,
    pub output_tokens: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<&StepRow> for Step {
    fn from(row: &StepRow) -> Self {
        Self {
            index: row.index,
            model: row.model.clone(),
            started_at: row.started_ms,
            ended_at: row.ended_ms,
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            error: row.error.clone(),
        }
    }
}

/// All that one message to a fairy set off, or what somebody drew who may only suggest: the unit that
/// people keep and undo.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub id: String,
    /// Empty for a suggestion.
    pub fairy: String,
    /// The subject whose work it is: `fairy:…`, or `person:…` for a suggestion.
    pub author: String,
    #[schema(value_type = String)]
    pub status: RunStatus,
    pub page: String,
    pub message: String,
    /// Milliseconds since 1970.
    pub started_at: i64,
    pub ended_at: Option<i64>,
    pub cost: Cost,
    pub steps: Vec<Step>,
    /// The elements that it touched and that are still pending.
    pub elements: Vec<String>,
    /// Nothing of it waits to be kept or undone.
    pub settled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Run {
    pub fn from_rows(row: RunRow, steps: Vec<StepRow>) -> Result<Self, Unreadable> {
        // A fairy of the house is stored by its id, whoever suggests by their subject.
        let (fairy, author) = if row.fairy.contains(':') {
            (String::new(), row.fairy)
        } else {
            (row.fairy.clone(), format!("fairy:{}", row.fairy))
        };
        Ok(Self {
            cost: Unreadable::json("run", &row.id, "cost_json", &row.cost_json)?,
            elements: Unreadable::json("run", &row.id, "elements_json", &row.elements_json)?,
            steps: steps.iter().map(Step::from).collect(),
            id: row.id,
            fairy,
            author,
            status: row.status,
            page: row.page,
            message: row.message,
            started_at: row.started_ms,
            ended_at: row.ended_ms,
            settled: row.settled,
            error: row.error,
        })
    }

    /// Whether it came over a line, from somebody who may only suggest.
    pub fn is_suggestion(&self) -> bool {
        self.fairy.is_empty()
    }

    pub fn to_row(&self) -> RunRow {
        RunRow {
            id: self.id.clone(),
            fairy: if self.is_suggestion() {
                self.author.clone()
            } else {
                self.fairy.clone()
            },
            page: self.page.clone(),
            message: self.message.clone(),
            status: self.status,
            settled: self.settled,
            started_ms: self.started_at,
            ended_ms: self.ended_at,
            cost_json: serde_json::to_string(&self.cost).unwrap_or_default(),
            error: self.error.clone(),
            elements_json: serde_json::to_string(&self.elements).unwrap_or_default(),
        }
    }
}
