//! What is stored of a fairy: its core as of the step at work, the run it is on, what waits.
//!
//! It is written in the transaction that ends a step, before the next is asked: a crash at any moment
//! finds the state that belongs to the steps that ended, and the step after them is done once more.

use glade_access::Capability;
use glade_agent::{Agent, Input};
use glade_store::{FairyRow, Unreadable};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::transcript::SavedTranscript;
use crate::stored::{self, BEFORE, Cell};

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
    /// `None` is the server itself, so it is never left out.
    #[serde(deserialize_with = "stored::whole")]
    pub asker: Option<Capability>,
    pub input: Input,
    pub transcript: SavedTranscript,
}

/// Something to do once the run at work is over: of somebody else, or for another page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    pub input: Input,
    #[serde(deserialize_with = "stored::whole")]
    pub asker: Option<Capability>,
}

impl Saved {
    /// What stands in the row of a fairy that has done nothing yet.
    pub const NONE_YET: &str = "null";

    /// `None`: a new fairy has none yet.
    pub fn of(row: &FairyRow) -> Result<Option<Self>, Unreadable> {
        if row.state_json == Self::NONE_YET {
            return Ok(None);
        }
        let cell = Cell {
            table: "fairy",
            key: &row.id,
            column: "state_json",
        };
        let (format, mut body) = cell.body(&row.state_json)?;
        if format == BEFORE {
            for waiting in body
                .get_mut("waiting")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                fill_in(cell, waiting)?;
            }
            if let Some(run) = body.get_mut("run") {
                fill_in(cell, run)?;
            }
        }
        if format == BEFORE && body.get("agent").is_none() {
            // As it was written before runs were stored with it.
            return Ok(Some(Self {
                agent: cell.value(body)?,
                run: None,
                waiting: Vec::new(),
            }));
        }
        cell.value(body).map(Some)
    }

    /// As the row has it.
    pub fn written(&self) -> String {
        stored::written(self)
    }
}

/// Gives an asker from before the parts that capabilities have got since.
fn fill_in(cell: Cell<'_>, asked: &mut Value) -> Result<(), Unreadable> {
    if let Some(asker) = asked.get_mut("asker") {
        let known: Option<Capability> = cell.value(asker.take())?;
        *asker = json!(known);
    }
    Ok(())
}
