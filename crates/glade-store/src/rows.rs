//! The rows of the store as plain values.
//!
//! Fields named `…_json` hold text that the store keeps and never reads: their meaning belongs to
//! the crate that wrote them. Times are milliseconds since the Unix epoch. Peers are `u64` here
//! and everywhere outside the database (see [`crate::peer`] for how they lie inside it).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::run::{RunOwner, RunTarget};

/// A page of the workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageRow {
    pub id: String,
    pub name: String,
    /// `canvas` or `text`.
    pub kind: String,
    /// The tag that tokens may be limited to, such as `public` or `internal`.
    pub tier: String,
    /// Where the page stands in the list; a float so that a page moves between two without
    /// renumbering the rest.
    pub position: f64,
    pub created_ms: i64,
}

/// A page's document as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    pub snapshot: Option<Vec<u8>>,
    /// Logged since, oldest first.
    pub updates: Vec<Vec<u8>>,
}

/// Everything needed to open a page: import the snapshot, then the updates in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredPage {
    pub snapshot: Option<Vec<u8>>,
    /// The updates after the snapshot, oldest first.
    pub updates: Vec<Vec<u8>>,
    pub peers: Vec<PeerRow>,
    /// What can still be taken back.
    pub touches: Vec<TouchRow>,
    /// The sequence number of the last update, 0 for a page that never had one.
    pub last_seq: i64,
    /// How often its past was let go of.
    pub epoch: i64,
}

/// Whose a peer id is on one page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PeerRow {
    pub peer: u64,
    pub subject: String,
}

/// One entry of a page's update log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateRow {
    pub seq: i64,
    /// `(peer, from, to)`: the counters `from..to` of `peer` that the blob carries.
    pub peer_spans: Vec<(u64, i32, i32)>,
    pub blob: Vec<u8>,
    pub subject: String,
    pub at_ms: i64,
}

/// A fairy: who it is, how it looks, and what its core remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FairyRow {
    pub id: String,
    pub name: String,
    /// The page it is on.
    pub page: String,
    pub model: String,
    pub sign: String,
    pub hat: String,
    pub hat_color: String,
    pub color: String,
    /// What people set about it.
    pub settings_json: String,
    /// The agent core's state.
    pub state_json: String,
    pub position_json: String,
    pub created_ms: i64,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    Running,
    Pending,
    Kept,
    Undone,
    Cancelled,
    Failed,
}

impl RunStatus {
    pub const ALL: [RunStatus; 6] = [
        RunStatus::Running,
        RunStatus::Pending,
        RunStatus::Kept,
        RunStatus::Undone,
        RunStatus::Cancelled,
        RunStatus::Failed,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            RunStatus::Running => "running",
            RunStatus::Pending => "pending",
            RunStatus::Kept => "kept",
            RunStatus::Undone => "undone",
            RunStatus::Cancelled => "cancelled",
            RunStatus::Failed => "failed",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<RunStatus> {
        RunStatus::ALL.into_iter().find(|s| s.as_str() == text)
    }
}

/// All that one input to a fairy set off, or what a person who may only suggest has drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    pub id: String,
    pub owner: RunOwner,
    pub target: RunTarget,
    /// What the person asked.
    pub message: String,
    pub status: RunStatus,
    /// Kept or undone by a person: nothing is pending any more.
    pub settled: bool,
    pub started_ms: i64,
    pub ended_ms: Option<i64>,
    pub cost_json: String,
    pub error: Option<String>,
    /// The ids of the elements it touched.
    pub elements_json: String,
}

/// One request to a model inside a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepRow {
    pub run: String,
    pub index: i64,
    pub model: String,
    pub prompt_json: String,
    pub answer: String,
    pub started_ms: i64,
    pub ended_ms: Option<i64>,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub error: Option<String>,
}

/// Counters `from..to` of a peer on a page that belong to a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SpanRow {
    pub run: String,
    pub page: String,
    pub peer: u64,
    pub from: i32,
    pub to: i32,
}

/// What an action of a run changed. All but the body is its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TouchRow {
    pub run: String,
    pub page: String,
    /// The number of the action inside its run.
    pub action: i64,
    pub element: String,
    pub property: String,
    pub body_json: String,
}

impl TouchRow {
    pub fn key(&self) -> TouchKey {
        TouchKey {
            run: self.run.clone(),
            page: self.page.clone(),
            action: self.action,
            element: self.element.clone(),
            property: self.property.clone(),
        }
    }
}

/// Names one [`TouchRow`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TouchKey {
    pub run: String,
    pub page: String,
    pub action: i64,
    pub element: String,
    pub property: String,
}

/// A run that touched an element, and how: the answer to "why is this so?".
#[derive(Clone, Debug, PartialEq)]
pub struct WhyRow {
    pub run: RunRow,
    /// Its touches of that element, in the order of its actions.
    pub touches: Vec<TouchRow>,
}

/// A message of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageRow {
    pub id: String,
    pub chat: String,
    /// `user` or `assistant`.
    pub role: String,
    pub body_json: String,
    pub created_ms: i64,
}

/// A conversation about the code project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeChatRow {
    pub id: String,
    pub title: String,
    pub settings_json: String,
    pub created_ms: i64,
    pub changed_ms: i64,
}

/// What a run did to a file at one time. `None`: there was no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileWriteRow {
    pub run: String,
    pub path: String,
    /// Counts a run's writes of one file.
    pub index: i64,
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    pub state: WriteState,
}

/// What became of a run's write of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteState {
    /// Kept; told by why.
    Kept,
    /// Still to be kept or undone.
    Pending,
    /// Not the run's write but that of its undo, which can be taken back.
    OfUndo,
}

impl WriteState {
    pub(crate) fn to_sql(self) -> i64 {
        match self {
            Self::Kept => 0,
            Self::Pending => 1,
            Self::OfUndo => 2,
        }
    }

    pub(crate) fn from_sql(number: i64) -> Option<Self> {
        let all = [Self::Kept, Self::Pending, Self::OfUndo];
        all.into_iter().find(|state| state.to_sql() == number)
    }
}

/// Something to be done on a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskRow {
    pub id: String,
    pub title: String,
    pub text: String,
    pub page: String,
    /// The part of the page that it is about.
    pub bounds_json: Option<String>,
    /// `todo`, `in-progress` or `done`.
    pub status: String,
    /// The fairy that is to do it.
    pub assignee: Option<String>,
    pub project: Option<String>,
    pub created_by: String,
    pub created_ms: i64,
    /// Where it stands in the list; a float for the same reason as a page's.
    pub position: f64,
}

/// Fairies that do something together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectRow {
    pub id: String,
    pub page: String,
    pub status: String,
    pub created_ms: i64,
    pub ended_ms: Option<i64>,
    pub body_json: String,
    /// Fairies and their roles, in order.
    pub members: Vec<(String, String)>,
    /// Fairies and what each waits for.
    pub waits: Vec<(String, String)>,
}

/// Somebody who came in at some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonRow {
    pub subject: String,
    pub name: String,
    pub rights_json: String,
    pub seen_ms: i64,
}

/// A token that somebody handed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkRow {
    /// The revocation id of its last block.
    pub id: String,
    pub label: String,
    /// The subject who handed it on.
    pub maker: String,
    /// The revocation ids of all its blocks, oldest first.
    pub chain_json: String,
    pub limits_json: String,
    pub created_ms: i64,
}

/// A browser that is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// The hash of the secret in its cookie.
    pub id: String,
    pub subject: String,
    /// The revocation ids of the token that opened it, oldest first.
    pub chain_json: String,
    /// That token, encrypted with a key that only the secret gives.
    pub sealed: Vec<u8>,
    /// What the browser says it is.
    pub client: String,
    pub created_ms: i64,
    pub seen_ms: i64,
}

/// Which runs [`crate::ReadRuns::runs`] answers with, newest first. The default asks for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFilter {
    pub fairy: Option<String>,
    /// For pages: the one that it began on.
    pub target: Option<RunTarget>,
    pub status: Option<RunStatus>,
    pub settled: Option<bool>,
    /// Begun at this moment or later, in milliseconds since 1970.
    pub since_ms: Option<i64>,
    /// Begun at this moment or earlier.
    pub until_ms: Option<i64>,
    /// At most this many.
    pub limit: Option<u32>,
}
