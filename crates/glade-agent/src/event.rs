//! What happens to a fairy. The host turns the world (chat messages, model streams, refusals of the
//! room, a person's Stop) into these values; nothing else reaches the core.

use glade_canvas::{Rect, Scene};
use glade_doc::{ElementId, PageId, RunId};
use serde::{Deserialize, Serialize};

/// Read access to the page at this instant.
///
/// The host shows the page *with* every effect of earlier steps applied (edits merged, reverts
/// rolled back), so the core never has to guess which of its own edits have landed. Edits that it
/// makes within one [`crate::Agent::step`] it remembers itself.
#[derive(Debug, Clone, Copy)]
pub struct World<'a> {
    pub scene: &'a Scene,
    pub page: &'a PageId,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Event {
    /// A new input. It interrupts whatever runs (the host has fenced the session and rolled back the
    /// unfinished action already) and starts a run. `seed` is the host's entropy for element ids and
    /// the roughness of strokes: the core has none of its own.
    Prompt { run: RunId, input: Input, seed: u64 },
    /// A piece of the model's answer to `step`.
    Delta { step: u32, text: String },
    /// A piece of the model's own thinking, where it has such a channel.
    Thinking { step: u32, text: String },
    /// The answer to `step` ended.
    Answered {
        step: u32,
        usage: Usage,
        stop: StopReason,
    },
    /// The request of `step` failed; no more of it will come.
    Failed {
        step: u32,
        error: String,
        retryable: bool,
    },
    /// The room refused an edit of `action` and has rolled the whole action back.
    Refused { action: u32, reason: String },
    /// A person pressed Stop. The host has fenced the session and rolled back the open action.
    Stop,
}

/// What a run is asked to do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    pub message: String,
    pub page: Option<PageId>,
    /// What the person sees, in page coordinates.
    pub bounds: Option<Rect>,
    pub selection: Vec<ElementId>,
    pub source: Source,
}

impl Input {
    /// A message from a person who points at nothing in particular.
    pub fn message(text: impl Into<String>) -> Self {
        Self {
            message: text.into(),
            ..Self::default()
        }
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    #[default]
    User,
    #[serde(rename = "self")]
    Own,
    OtherAgent,
}

/// Tokens a step cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

/// Why a model stopped answering.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    #[default]
    Stop,
    Length,
    ContentFilter,
    Other,
}
