//! A conversation in which a model calls tools and hears what became of the calls.
//!
//! On a page a fairy answers a [`Prompt`](crate::Prompt) in one go; on code a model looks first, and
//! what it found is part of the next request. A [`Dialogue`] is that next request, whole: models
//! remember nothing.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One request of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dialogue {
    pub system: String,
    /// From the first word to the newest; never empty.
    pub turns: Vec<DialogueTurn>,
    pub tools: Vec<ToolSpec>,
    pub max_output_tokens: u32,
    pub temperature: f32,
    /// Tokens to think with before the answer, where the model does that by request.
    pub thinking: Option<u32>,
}

/// What somebody said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DialogueTurn {
    Person {
        text: String,
        images: Vec<Image>,
    },
    Model {
        thoughts: Vec<Thought>,
        text: String,
        calls: Vec<ToolCall>,
    },
    /// What became of the calls of the turn before: one for each of them.
    Results(Vec<ToolResult>),
}

/// A picture to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// `image/png`, `image/jpeg`, `image/webp`.
    pub media_type: String,
    pub base64: String,
}

impl Image {
    pub fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.base64)
    }
}

/// What a model thought, as it has to be given back to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    pub text: String,
    /// The provider's seal: without it the thought is not sent back.
    pub signature: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub tool: String,
    pub input: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    pub id: String,
    pub tool: String,
    pub output: String,
    pub failed: bool,
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub about: String,
    pub input: Value,
}

/// A call on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallEvent {
    Begun {
        id: String,
        tool: String,
    },
    /// More of the input's JSON.
    Input {
        id: String,
        piece: String,
    },
    /// The input is whole. A call that never gets here must not be carried out.
    Over {
        id: String,
    },
    /// The input will never be whole.
    Cut {
        id: String,
    },
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallResult {
    pub id: String,
    pub found: Result<Value, CallError>,
    /// How what was found reads to a model; `None`: as data.
    pub told: Option<String>,
    pub took_ms: u64,
}

/// Why a call failed: a code for programs, and words for a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallError {
    pub code: String,
    pub words: String,
}

impl std::fmt::Display for CallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.words)
    }
}
