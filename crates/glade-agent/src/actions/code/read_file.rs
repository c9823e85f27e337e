//! A file, whole or a range of its lines.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct ReadFile;

static FACTS: Facts = Facts::new(
    "read-file",
    "📖",
    "Reads a text file of the project, or a range of its lines, counted from 1, both ends included. Every line comes with its number and a tab before it. Of a long file the first 32,000 characters come; read on with start_line.",
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
            ("path", json!({"type": "string"})),
            ("start_line", json!({"type": "integer", "minimum": 1})),
            ("end_line", json!({"type": "integer", "minimum": 1})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["start_line", "end_line"]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "path": {"type": "string"},
            "content": {"type": "string"},
            "totalLines": {"type": "integer"},
            "startLine": {"type": "integer"},
            "endLine": {"type": "integer"},
            "truncated": {"type": "boolean"},
            "cutLines": {"type": "integer"},
        }))
    }
}
