//! A file goes; undo brings it back.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct DeleteFile;

static FACTS: Facts = Facts::new(
    "delete-file",
    "🗑️",
    "Deletes one file of the project.",
    On::Code,
    Work::Edit,
    Impact::Edits,
)
.shows(Shows::Tool)
.asks_first()
.formerly(&["deleteFile"]);

impl Described for DeleteFile {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![("path", json!({"type": "string"}))]
    }

    fn output(&self) -> Value {
        super::found(json!({"deleted": {"type": "string"}}))
    }
}
