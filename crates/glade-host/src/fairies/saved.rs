//! What is stored of a fairy: its core as of the step at work, the run it is on, what waits.
//!
//! It is written in the transaction that ends a step, before the next is asked: a crash at any moment
//! finds the state that belongs to the steps that ended, and the step after them is done once more.

use glade_access::Capability;
use glade_agent::{Agent, Input};
use serde::{Deserialize, Serialize};

use super::transcript::SavedTranscript;

#[derive(Debug, Serialize, Deserialize)]
pub struct Saved {
    pub agent: Agent,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<SavedRun>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
}

/// The run at work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedRun {
    pub id: String,
    pub asker: Option<Capability>,
    pub input: Input,
    pub transcript: SavedTranscript,
}

/// Something to do once the run at work is over: of somebody else, or for another page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    pub input: Input,
    pub asker: Option<Capability>,
}

impl Saved {
    /// Reads a row's state; `None`: there is none, or none that can be read.
    pub fn read(state_json: &str) -> Option<Self> {
        serde_json::from_str(state_json).ok().or_else(|| {
            // As it was written before runs were stored with it.
            let agent = serde_json::from_str(state_json).ok()?;
            Some(Self {
                agent,
                run: None,
                waiting: Vec::new(),
            })
        })
    }
}
