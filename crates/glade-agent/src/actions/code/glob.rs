//! Files whose path fits a pattern.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct Glob;

static FACTS: Facts = Facts::new(
    "glob",
    "🔎",
    "Finds files by a glob over their paths, such as \"**/*.test.ts\". Ignored files are left out.",
    On::Code,
    Work::Look,
    Impact::Reads,
)
.shows(Shows::Tool);

impl Described for Glob {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("pattern", json!({"type": "string"})),
            (
                "path",
                json!({"type": "string", "description": "Folder to search below; the pattern is then relative to it."}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["path"]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "paths": {"type": "array", "items": {"type": "string"}},
            "totalMatches": {"type": "integer"},
            "truncated": {"type": "boolean"},
        }))
    }
}
