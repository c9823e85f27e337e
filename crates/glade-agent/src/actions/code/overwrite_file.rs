//! A whole file, new or in place of the old one.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct OverwriteFile;

static FACTS: Facts = Facts::new(
    "overwrite-file",
    "📄",
    "Writes a whole file, making it and its folders if need be. To replace a file, read it first. Prefer multi-edit for changes.",
    On::Code,
    Work::Edit,
    Impact::Edits,
)
.shows(Shows::Tool)
.asks_first()
.formerly(&["overwriteFile"]);

impl Described for OverwriteFile {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("path", json!({"type": "string"})),
            ("content", json!({"type": "string"})),
        ]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "path": {"type": "string"},
            "created": {"type": "boolean"},
            "lines": {"type": "integer"},
            "diff": {"type": "object"},
        }))
    }
}
