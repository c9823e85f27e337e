//! Lines that match a regular expression.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct GrepSearch;

/// The most matches that are shown.
pub const MAX_MATCHES: usize = 100;
/// The most lines around each.
pub const MAX_CONTEXT: usize = 10;

static FACTS: Facts = Facts::new(
    "grep-search",
    "🔎",
    "Searches the project's files for a regular expression (Rust syntax), line by line, in all files but ignored, secret and binary ones. Shows up to 100 matches, 20 of a file, and counts all.",
    On::Code,
    Work::Look,
    Impact::Reads,
)
.shows(Shows::Tool)
.formerly(&["grepSearch"]);

impl Described for GrepSearch {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            (
                "query",
                json!({"type": "string", "description": "The regular expression."}),
            ),
            ("case_sensitive", json!({"type": "boolean"})),
            (
                "include_file_pattern",
                json!({"type": "string", "description": "Glob of files to search, such as \"*.ts\"."}),
            ),
            (
                "exclude_file_pattern",
                json!({"type": "string", "description": "Glob of files to leave out."}),
            ),
            (
                "max_matches",
                json!({"type": "integer", "minimum": 1, "maximum": MAX_MATCHES}),
            ),
            (
                "context",
                json!({"type": "integer", "minimum": 0, "maximum": MAX_CONTEXT, "description": "Lines to show around each match; when left out, 2 where few lines match."}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &[
            "case_sensitive",
            "include_file_pattern",
            "exclude_file_pattern",
            "max_matches",
            "context",
        ]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "files": {"type": "array", "items": {"type": "object"}},
            "otherFiles": {"type": "array", "items": {"type": "object"}},
            "totalMatches": {"type": "integer"},
            "totalFiles": {"type": "integer"},
            "filesSearched": {"type": "integer"},
            "truncated": {"type": "boolean"},
        }))
    }
}
