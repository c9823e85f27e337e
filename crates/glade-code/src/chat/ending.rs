//! How a run of a conversation can end, in words for a person.

use glade_model::ModelError;
use serde::Serialize;
use utoipa::ToSchema;

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    Done,
    /// A person stopped it.
    Aborted,
    Failed(Failure),
}

/// What went wrong and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// `auth`, `plan-limit`, `credits`, `timeout`, `depth`, `generic`.
    pub kind: &'static str,
    pub message: String,
    /// When asking again makes sense: a countdown for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Failure {
    pub fn of(error: &ModelError) -> Self {
        let kind = match error {
            ModelError::Auth { .. } => "auth",
            ModelError::RateLimited { .. } | ModelError::Overloaded { .. } => "plan-limit",
            ModelError::PlanLimit { .. } => "credits",
            _ => "generic",
        };
        let wait = error.retry_after().map(|wait| wait.as_millis());
        Self {
            kind,
            message: error.to_string(),
            retry_after_ms: wait.and_then(|wait| u64::try_from(wait).ok()),
        }
    }

    pub fn timeout(seconds: u64) -> Self {
        Self {
            kind: "timeout",
            message: format!(
                "This took longer than {seconds} seconds and was ended. What was changed so far is there to keep or undo; ask for less at once."
            ),
            retry_after_ms: None,
        }
    }

    pub fn too_deep(turns: usize) -> Self {
        Self {
            kind: "depth",
            message: format!(
                "After {turns} rounds of tools this was ended so that it does not go on for ever. Say \"go on\" to continue."
            ),
            retry_after_ms: None,
        }
    }
}
