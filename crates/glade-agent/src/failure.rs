//! Why a run could not go on, in words for a person and with what a chat can offer them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What went wrong and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    /// When asking again makes sense: a countdown for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// Failures told apart by what a person can do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The key was refused.
    Auth,
    /// Too many requests for now.
    PlanLimit,
    /// The plan or the credits are used up.
    Credits,
    Timeout,
    /// The run has used what it may: it goes on when it is told to.
    Depth,
    #[default]
    Generic,
}

impl Failure {
    /// Something that there is no kind for.
    pub fn generic(message: impl Into<String>) -> Self {
        Self {
            kind: FailureKind::Generic,
            message: message.into(),
            retry_after_ms: None,
        }
    }

    /// A request that took too long.
    pub fn timeout(seconds: u64) -> Self {
        Self {
            kind: FailureKind::Timeout,
            ..Self::generic(format!(
                "This took longer than {seconds} seconds and was ended. What was changed so far is there to keep or undo; ask for less at once."
            ))
        }
    }

    /// A limit of the run was reached.
    pub fn spent(what: &str) -> Self {
        Self {
            kind: FailureKind::Depth,
            ..Self::generic(format!(
                "{what} What was changed so far is there to keep or undo. Say \"go on\" to continue."
            ))
        }
    }
}
