//! `glob`: files whose path fits a pattern.

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};

use crate::error::ToolError;
use crate::params::Params;
use crate::path::ProjectPath;
use crate::results::{fenced, list, name, number};
use crate::tool::{Planned, Tool, ToolContext};
use crate::walk;

pub struct Glob;

const MAX_FOUND: usize = 1000;

impl Tool for Glob {
    fn action(&self) -> &'static dyn Described {
        &code::glob::Glob
    }

    fn print(&self, output: &Value) -> Option<String> {
        print(output)
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let params = Params::of(input)?;
        let pattern = walk::pattern("pattern", params.text("pattern")?)?;
        let from = ProjectPath::parse(
            params.optional_text("path")?.unwrap_or_default(),
            context.project.root(),
        )?;
        let walk = walk::walker(context.project, &from)?
            .sort_by_file_name(Ord::cmp)
            .build();
        let mut found = Vec::new();
        let mut total = 0;
        for entry in walk {
            context.cancel.check()?;
            let Ok(entry) = entry else {
                // A folder that may not be read holds nothing for us.
                continue;
            };
            if entry.file_type().is_none_or(|kind| kind.is_dir()) {
                continue;
            }
            let Some(path) = walk::met(context.project, &entry) else {
                continue;
            };
            let below = path
                .as_str()
                .strip_prefix(from.as_str())
                .unwrap_or_default();
            if pattern.is_match(below.trim_start_matches('/')) {
                total += 1;
                if found.len() < MAX_FOUND {
                    found.push(path);
                }
            }
        }
        Ok(Planned::looked(json!({
            "paths": found,
            "totalMatches": total,
            "truncated": total > found.len(),
        })))
    }
}

/// As a model reads it.
fn print(output: &Value) -> Option<String> {
    let paths = list(output, "paths")?;
    let total = number(output, "totalMatches")?;
    let mut lines = String::new();
    for path in paths {
        lines.push_str(&name(path.as_str()?));
        lines.push('\n');
    }
    Some(match paths.len() as u64 {
        0 => "No file has such a path.".to_owned(),
        shown if shown < total => {
            format!("The first {shown} of {total} files:\n{}", fenced(&lines))
        }
        _ => fenced(&lines),
    })
}
