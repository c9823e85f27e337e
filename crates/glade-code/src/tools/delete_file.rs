//! `delete-file`: a file goes; undo brings it back.

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};

use crate::change::PlannedChange;
use crate::error::ToolError;
use crate::files::MAX_FILE;
use crate::params::Params;
use crate::path::ProjectPath;
use crate::results::{name, text};
use crate::tool::{Planned, Tool, ToolContext};

pub struct DeleteFile;

impl Tool for DeleteFile {
    fn action(&self) -> &'static dyn Described {
        &code::delete_file::DeleteFile
    }

    fn file_parameters(&self) -> &'static [&'static str] {
        &["path"]
    }

    fn print(&self, output: &Value) -> Option<String> {
        print(output)
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let params = Params::of(input)?;
        let path = ProjectPath::parse_file(params.text("path")?, context.project.root())?;
        // Kept whole for undo: a file too large for that is not ours to delete.
        let before = context.project.read_existing(&path, MAX_FILE)?;
        context.seen.forbid_stale(&path, &before)?;
        Ok(Planned {
            output: json!({"deleted": path}),
            change: Some(PlannedChange {
                path,
                before: Some(before),
                after: None,
                moved_from: None,
            }),
        })
    }
}

/// As a model reads it.
fn print(output: &Value) -> Option<String> {
    Some(format!("Deleted {}.", name(text(output, "deleted")?)))
}
