//! `multi-edit`: several replacements in one file, all or none.

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};

use crate::change::PlannedChange;
use crate::diff;
use crate::error::{Code, ToolError};
use crate::files;
use crate::params::Params;
use crate::path::ProjectPath;
use crate::tool::{Planned, Tool, ToolContext};

pub struct MultiEdit;

const MAX_EDITED: u64 = 5 * 1024 * 1024;

impl Tool for MultiEdit {
    fn action(&self) -> &'static dyn Described {
        &code::multi_edit::MultiEdit
    }

    fn file_parameter(&self) -> Option<&'static str> {
        Some("file_path")
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let params = Params::of(input)?;
        let path = ProjectPath::parse_file(params.text("file_path")?, context.project.root())?;
        let edits = params.list("edits")?;
        if edits.is_empty() {
            return Err(ToolError::new(
                Code::Missing("edits"),
                "There is no edit in edits.",
            ));
        }
        let before = context.project.read_existing(&path, MAX_EDITED)?;
        context.seen.forbid_stale(&path, &before)?;
        let mut text = files::text(&path, before.clone())?;
        let mut applied = 0;
        for (index, edit) in edits.iter().enumerate() {
            context.cancel.check()?;
            let (next, count) = replace(&text, Params::of(edit)?).map_err(|error| ToolError {
                words: format!(
                    "Edit {} of {}: {} Nothing was changed.",
                    index + 1,
                    edits.len(),
                    error.words
                ),
                ..error
            })?;
            if next.len() as u64 > files::MAX_FILE {
                return Err(ToolError::new(
                    Code::FileTooLarge,
                    format!(
                        "Edit {} would make {path} larger than {} bytes.",
                        index + 1,
                        files::MAX_FILE
                    ),
                ));
            }
            text = next;
            applied += count;
        }
        let diff = diff::unified(&path, Some(&before), Some(text.as_bytes()));
        Ok(Planned {
            output: json!({
                "editsApplied": applied,
                "diff": diff,
            }),
            change: Some(PlannedChange {
                path,
                before: Some(before),
                after: Some(text.into_bytes()),
            }),
        })
    }
}

fn replace(text: &str, edit: Params<'_>) -> Result<(String, usize), ToolError> {
    let old = edit.text("old_string")?;
    let new = edit.text("new_string")?;
    if old.is_empty() {
        return Err(ToolError::new(
            Code::Invalid("old_string"),
            "old_string is empty.",
        ));
    }
    let count = text.matches(old).count();
    if count == 0 {
        return Err(ToolError::new(
            Code::NoMatch,
            "old_string is not in the file, letter for letter.",
        ));
    }
    if edit.flag("replace_all", false)? {
        return Ok((text.replace(old, new), count));
    }
    if count > 1 {
        return Err(ToolError::new(
            Code::AmbiguousMatch,
            format!(
                "old_string is in the file {count} times. Give more of the text around it, or set replace_all."
            ),
        ));
    }
    Ok((text.replacen(old, new, 1), 1))
}
