//! `list-files`: what is in a folder.

use glade_agent::action::Described;
use glade_agent::actions::code;
use glade_agent::actions::code::list_files::MAX_DEPTH;
use serde_json::{Value, json};

use crate::error::{Code, ToolError};
use crate::params::Params;
use crate::path::ProjectPath;
use crate::results::{fenced, list, name, number, text};
use crate::tool::{Planned, Tool, ToolContext};
use crate::walk;

pub struct ListFiles;

/// More than this no model reads.
const MAX_LISTED: usize = 1000;

impl Tool for ListFiles {
    fn action(&self) -> &'static dyn Described {
        &code::list_files::ListFiles
    }

    fn print(&self, output: &Value) -> Option<String> {
        print(output)
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let params = Params::of(input)?;
        let from = ProjectPath::parse(
            params.optional_text("path")?.unwrap_or_default(),
            context.project.root(),
        )?;
        let recursive = params.flag("recursive", false)?;
        let depth = params.count("maxDepth")?.unwrap_or(MAX_DEPTH);
        if depth > MAX_DEPTH {
            return Err(ToolError::new(
                Code::Invalid("max_depth"),
                format!("maxDepth is {depth}; at most {MAX_DEPTH} folders deep are listed."),
            ));
        }
        let directories = params.flag("includeDirectories", true)?;
        let files = params.flag("includeFiles", true)?;
        if !directories && !files {
            return Err(ToolError::new(
                Code::InvalidIncludeOptions,
                "Neither files nor directories are asked for. Set includeFiles or includeDirectories.",
            ));
        }
        let pattern = params
            .optional_text("pattern")?
            .map(|given| walk::pattern("pattern", given))
            .transpose()?;

        let walk = walk::walker(context.project, &from)?
            .max_depth(Some(if recursive { depth } else { 1 }))
            .sort_by_file_name(Ord::cmp)
            .build();
        let mut listed = Vec::new();
        let mut total = 0;
        for entry in walk.skip(1) {
            context.cancel.check()?;
            let Ok(entry) = entry else {
                // A folder that may not be read lists nothing.
                continue;
            };
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            if !(if is_directory { directories } else { files }) {
                continue;
            }
            let Some(path) = walk::met(context.project, &entry) else {
                continue;
            };
            if pattern.as_ref().is_some_and(|p| !p.is_match(path.as_str())) {
                continue;
            }
            total += 1;
            if listed.len() < MAX_LISTED {
                let kind = if is_directory { "directory" } else { "file" };
                listed.push(json!({"path": path, "type": kind}));
            }
        }
        Ok(Planned::looked(json!({
            "files": listed,
            "totalFiles": total,
            "truncated": total > listed.len(),
        })))
    }
}

/// As a model reads it: a folder has a slash at its end.
fn print(output: &Value) -> Option<String> {
    let files = list(output, "files")?;
    let total = number(output, "totalFiles")?;
    let mut lines = String::new();
    for file in files {
        lines.push_str(&name(text(file, "path")?));
        lines.push_str(match text(file, "type") {
            Some("directory") => "/\n",
            _ => "\n",
        });
    }
    Some(match files.len() as u64 {
        0 => "Nothing is there.".to_owned(),
        shown if shown < total => format!(
            "The first {shown} of {total}; a pattern or a folder narrows it down:\n{}",
            fenced(&lines)
        ),
        _ => fenced(&lines),
    })
}
