//! A file goes to another place or name, as it is.

use serde_json::{Value, json};

use crate::action::Described;
use crate::facts::{Facts, Impact, On, Shows, Work};

pub struct MoveFile;

static FACTS: Facts = Facts::new(
    "move-file",
    "📦",
    "Moves or renames one file, making folders if need be. What imports or names it is left as it is.",
    On::Code,
    Work::Edit,
    Impact::Edits,
)
.shows(Shows::Tool)
.asks_first();

impl Described for MoveFile {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            (
                "path",
                json!({"type": "string", "description": "The file, where it is."}),
            ),
            (
                "to",
                json!({"type": "string", "description": "The file, where it goes."}),
            ),
        ]
    }

    fn output(&self) -> Value {
        super::found(json!({
            "from": {"type": "string"},
            "to": {"type": "string"},
            "diff": {"type": "object"},
        }))
    }
}
