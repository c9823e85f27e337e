//! `move-file`: a file to another folder or name, as it is.

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};

use crate::change::PlannedChange;
use crate::error::{Code, ToolError};
use crate::files::MAX_FILE;
use crate::params::Params;
use crate::path::ProjectPath;
use crate::results::{name, text};
use crate::tool::{Planned, Tool, ToolContext};

pub struct MoveFile;

impl Tool for MoveFile {
    fn action(&self) -> &'static dyn Described {
        &code::move_file::MoveFile
    }

    fn file_parameters(&self) -> &'static [&'static str] {
        &["path", "to"]
    }

    fn print(&self, output: &Value) -> Option<String> {
        print(output)
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let params = Params::of(input)?;
        let parse = |given| ProjectPath::parse_file(given, context.project.root());
        let (from, to) = (parse(params.text("path")?)?, parse(params.text("to")?)?);
        context.project.forbid_link(&from)?;
        // Kept whole for undo, as with deleting.
        let bytes = context.project.read_existing(&from, MAX_FILE)?;
        context.seen.forbid_stale(&from, &bytes)?;
        if context.project.is_there(&to)? {
            return Err(ToolError::new(
                Code::AlreadyThere,
                format!(
                    "There is something at {to} already. Choose another name, or delete it first."
                ),
            ));
        }
        let change = PlannedChange {
            path: to.clone(),
            before: None,
            after: Some(bytes),
            moved_from: Some(from.clone()),
        };
        Ok(Planned {
            output: json!({"from": from, "to": to, "diff": change.diff()}),
            change: Some(change),
        })
    }
}

/// As a model reads it.
fn print(output: &Value) -> Option<String> {
    let (from, to) = (name(text(output, "from")?), name(text(output, "to")?));
    Some(format!(
        "Moved {from} to {to}. What names it elsewhere still says {from}."
    ))
}
