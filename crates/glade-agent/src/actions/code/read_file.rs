//! A file, whole or a range of its lines.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct ReadFile;

static FACTS: Facts = Facts::new(
    "read-file",
    "📖",
    "Reads a text file of the project. Reads the whole file (up to 10 MB) or a range of lines, counted from 1, both ends included.",
    On::Code,
    Work::Look,
    Impact::Reads,
)
.shows(Shows::Tool)
.formerly(&["readFile"]);

impl Described for ReadFile {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            (
                "target_file",
                json!({"type": "string", "description": "Path relative to the project."}),
            ),
            (
                "should_read_entire_file",
                json!({"type": "boolean", "description": "True to read it all; the line numbers are then ignored."}),
            ),
            ("start_line", json!({"type": "integer", "minimum": 1})),
            ("end_line", json!({"type": "integer", "minimum": 1})),
            (
                "explanation",
                json!({"type": "string", "description": "One sentence: why this is read."}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["start_line", "end_line", "explanation"]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "path": {"type": "string"},
            "content": {"type": "string"},
            "totalLines": {"type": "integer"},
            "startLine": {"type": "integer"},
            "endLine": {"type": "integer"},
        }))
    }
}
