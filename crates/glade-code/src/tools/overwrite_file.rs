//! `overwrite-file`: a whole file, new or in place of the old one.

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};

use crate::change::PlannedChange;
use crate::diff;
use crate::error::{Code, ToolError};
use crate::files::MAX_FILE;
use crate::params::Params;
use crate::path::ProjectPath;
use crate::results::{counted, name, number, text};
use crate::tool::{Planned, Tool, ToolContext};

pub struct OverwriteFile;

impl Tool for OverwriteFile {
    fn action(&self) -> &'static dyn Described {
        &code::overwrite_file::OverwriteFile
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
        let content = without_fence(params.text("content")?);
        if content.len() as u64 > MAX_FILE {
            return Err(ToolError::new(
                Code::FileTooLarge,
                format!(
                    "content has {} bytes; at most {MAX_FILE} are written.",
                    content.len()
                ),
            ));
        }
        let before = context.project.read(&path, MAX_FILE)?;
        if let Some(before) = &before {
            context.seen.require(&path, before)?;
        }
        let diff = diff::unified(&path, before.as_deref(), Some(content.as_bytes()));
        Ok(Planned {
            output: json!({
                "path": path,
                "created": before.is_none(),
                "lines": content.lines().count(),
                "diff": diff,
            }),
            change: Some(PlannedChange {
                path,
                before,
                after: Some(content.into()),
                moved_from: None,
            }),
        })
    }
}

/// As a model reads it.
fn print(output: &Value) -> Option<String> {
    let did = if output["created"] == true {
        "Made"
    } else {
        "Replaced"
    };
    let (path, lines) = (name(text(output, "path")?), number(output, "lines")?);
    Some(format!("{did} {path}: {}.", counted(lines, "line")))
}

/// Models like to wrap a file in a code fence. A fence is taken off only if it is the first and the
/// last line and there is none between: a Markdown file may well begin with one.
fn without_fence(content: &str) -> &str {
    let unfenced = || {
        let inner = content.trim().strip_prefix("```")?.strip_suffix("```")?;
        let (info, body) = inner.split_once('\n')?;
        let plain = !info.contains('`') && !body.lines().any(|l| l.trim_start().starts_with("```"));
        (plain && (body.is_empty() || body.ends_with('\n'))).then_some(body)
    };
    unfenced().unwrap_or(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_around_everything_is_taken_off() {
        let cases = [
            ("```rust\nfn main() {}\n```", "fn main() {}\n"),
            ("```\na\nb\n```\n", "a\nb\n"),
            ("fn main() {}\n", "fn main() {}\n"),
            (
                "```a\nx\n```\ntext\n```b\ny\n```",
                "```a\nx\n```\ntext\n```b\ny\n```",
            ),
            ("```", "```"),
            ("``` x ```", "``` x ```"),
            ("```\n```", ""),
        ];
        for (given, wanted) in cases {
            assert_eq!(without_fence(given), wanted, "{given:?}");
        }
    }
}
