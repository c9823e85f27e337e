//! What clients see of the workspace, and how it lies in the store's rows.

use glade_store::{PageRow, RunOwner, RunRow, RunStatus, RunTarget, StepRow, Unreadable};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::fairy::Fairy;
use super::people::Person;
use super::{ProjectShown, Task};
use crate::clock::now_ms;
use crate::ids;

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
    pub unreadable: Vec<Unreadable>,
    /// The folder that the server was started with, if the client may see it.
    #[schema(required)]
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
    #[schema(value_type = PageKind)]
    pub kind: String,
    pub tier: String,
    pub position: f64,
}

/// What a page is made of.
#[derive(ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(
    dead_code,
    reason = "a row says it as text; this is how the interface describes it"
)]
pub enum PageKind {
    Canvas,
    Text,
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
    #[schema(required)]
    pub input_tokens: u64,
    #[schema(required)]
    pub output_tokens: u64,
    #[schema(required)]
    pub usd: f64,
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    pub index: i64,
    pub model: String,
    pub started_at: i64,
    #[schema(required)]
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
    #[serde(flatten, serialize_with = "show_owner")]
    #[schema(value_type = OwnerShown)]
    pub owner: RunOwner,
    pub status: RunStatus,
    /// The page that it began on; `code` for files of the code project.
    #[serde(rename = "page", serialize_with = "show_target")]
    #[schema(value_type = String)]
    pub target: RunTarget,
    pub message: String,
    /// Milliseconds since 1970.
    pub started_at: i64,
    #[schema(required)]
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

/// Whose a run is, as clients see it.
#[derive(Serialize, ToSchema)]
pub struct OwnerShown {
    /// Empty for what came over a line.
    fairy: String,
    /// The subject whose work it is: `fairy:…`, or `person:…` for a suggestion.
    author: String,
}

fn show_owner<S: Serializer>(owner: &RunOwner, to: S) -> Result<S::Ok, S::Error> {
    let shown = OwnerShown {
        fairy: owner.fairy().unwrap_or_default().to_owned(),
        author: owner.subject(),
    };
    shown.serialize(to)
}

fn show_target<S: Serializer>(target: &RunTarget, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(target.name())
}

impl Run {
    /// One that begins now.
    pub fn begin(owner: RunOwner, target: RunTarget, message: String) -> Self {
        Self {
            id: ids::run(),
            owner,
            status: RunStatus::Running,
            target,
            message,
            started_at: now_ms(),
            ended_at: None,
            cost: Cost::default(),
            steps: Vec::new(),
            elements: Vec::new(),
            settled: false,
            error: None,
        }
    }

    pub fn from_rows(row: RunRow, steps: Vec<StepRow>) -> Result<Self, Unreadable> {
        Ok(Self {
            cost: Unreadable::json("run", &row.id, "cost_json", &row.cost_json)?,
            elements: Unreadable::json("run", &row.id, "elements_json", &row.elements_json)?,
            steps: steps.iter().map(Step::from).collect(),
            id: row.id,
            owner: row.owner,
            status: row.status,
            target: row.target,
            message: row.message,
            started_at: row.started_ms,
            ended_at: row.ended_ms,
            settled: row.settled,
            error: row.error,
        })
    }

    pub fn to_row(&self) -> RunRow {
        RunRow {
            id: self.id.clone(),
            owner: self.owner.clone(),
            target: self.target.clone(),
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
