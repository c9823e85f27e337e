//! Several replacements in one file, all or none.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct MultiEdit;

static FACTS: Facts = Facts::new(
    "multi-edit",
    "✏️",
    "Replaces text in one file. The edits are made in order, each on the result of the one before; each old_string must occur exactly once, or set replace_all. If one does not match, nothing is changed.",
    On::Code,
    Work::Edit,
    Impact::Edits,
)
.shows(Shows::Tool)
.asks_first()
.formerly(&["multiEdit"]);

impl Described for MultiEdit {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let edit = json!({
            "type": "object",
            "properties": {
                "old_string": {"type": "string", "description": "The exact text to replace, with enough around it to be unique."},
                "new_string": {"type": "string"},
                "replace_all": {"type": "boolean"},
                "whole_word": {"type": "boolean", "description": "Only where no letter, digit or _ stands beside it."},
            },
            "required": ["old_string", "new_string"],
            "additionalProperties": false,
        });
        vec![
            ("path", json!({"type": "string"})),
            (
                "edits",
                json!({"type": "array", "minItems": 1, "items": edit}),
            ),
        ]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "path": {"type": "string"},
            "editsApplied": {"type": "integer"},
            "lines": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            "diff": {"type": "object"},
        }))
    }
}
