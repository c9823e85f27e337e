//! What is in a folder.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct ListFiles;

/// The deepest folders that are listed.
pub const MAX_DEPTH: usize = 50;

static FACTS: Facts = Facts::new(
    "list-files",
    "🗂️",
    "Lists files and folders of the project. Ignored files are left out.",
    On::Code,
    Work::Look,
    Impact::Reads,
)
.shows(Shows::Tool)
.formerly(&["listFiles"]);

impl Described for ListFiles {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            (
                "path",
                json!({"type": "string", "description": "Folder to list; the project's own when left out."}),
            ),
            ("recursive", json!({"type": "boolean"})),
            (
                "maxDepth",
                json!({"type": "integer", "minimum": 1, "maximum": MAX_DEPTH}),
            ),
            (
                "pattern",
                json!({"type": "string", "description": "Glob over paths, such as \"*.rs\" or \"src/**/*.ts\"."}),
            ),
            ("includeDirectories", json!({"type": "boolean"})),
            ("includeFiles", json!({"type": "boolean"})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &[
            "path",
            "recursive",
            "maxDepth",
            "pattern",
            "includeDirectories",
            "includeFiles",
        ]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "files": {"type": "array", "items": {"type": "object"}},
            "totalFiles": {"type": "integer"},
            "truncated": {"type": "boolean"},
        }))
    }
}
