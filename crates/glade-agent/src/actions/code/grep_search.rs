//! Lines that match a regular expression.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct GrepSearch;

/// The most matches that are shown.
pub const MAX_MATCHES: usize = 100;

static FACTS: Facts = Facts::new(
    "grep-search",
    "🔎",
    "Searches the project's files for a regular expression (Rust syntax), line by line. Ignored, hidden and binary files are left out. Shows at most 100 matches and says when there are more.",
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
                "explanation",
                json!({"type": "string", "description": "One sentence: why this is searched."}),
            ),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &[
            "case_sensitive",
            "include_file_pattern",
            "exclude_file_pattern",
            "max_matches",
            "explanation",
        ]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "matches": {"type": "array", "items": {"type": "object"}},
            "totalMatches": {"type": "integer"},
            "filesSearched": {"type": "integer"},
            "truncated": {"type": "boolean"},
        }))
    }
}
