//! `listFiles`: what is in a folder.

use serde_json::{Value, json};

use crate::error::{Code, ToolError};
use crate::params::Params;
use crate::path::ProjectPath;
use crate::tool::{Planned, Tool, ToolContext};
use crate::walk::{self, Hidden};

pub struct ListFiles;

/// More than this no model reads.
const MAX_LISTED: usize = 1000;
const MAX_DEPTH: usize = 50;

impl Tool for ListFiles {
    fn name(&self) -> &'static str {
        "listFiles"
    }

    fn about(&self) -> &'static str {
        "Lists files and folders of the project. Ignored files are left out."
    }

    fn parameters(&self) -> Vec<(&'static str, Value, bool)> {
        vec![
            (
                "path",
                json!({"type": "string", "description": "Folder to list; the project's own when left out."}),
                false,
            ),
            ("recursive", json!({"type": "boolean"}), false),
            (
                "maxDepth",
                json!({"type": "integer", "minimum": 1, "maximum": MAX_DEPTH}),
                false,
            ),
            (
                "pattern",
                json!({"type": "string", "description": "Glob over paths, such as \"*.rs\" or \"src/**/*.ts\"."}),
                false,
            ),
            ("includeDirectories", json!({"type": "boolean"}), false),
            ("includeFiles", json!({"type": "boolean"}), false),
        ]
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

        let walk = walk::walker(context.project, &from, Hidden::Show)?
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
