//! `read-file`: a file, whole or a range of its lines.

use std::io::{BufRead, BufReader, Read};

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};

use crate::error::{Code, ToolError};
use crate::files::{self, MAX_FILE};
use crate::params::Params;
use crate::path::ProjectPath;
use crate::tool::{Planned, Tool, ToolContext};

pub struct ReadFile;

/// The longest line that is taken when only a range is read; it bounds memory on files without any.
const MAX_LINE: u64 = 1024 * 1024;

/// How many bytes are read between two looks at whether to go on.
const CHECK: usize = 1024 * 1024;

impl Tool for ReadFile {
    fn action(&self) -> &'static dyn Described {
        &code::read_file::ReadFile
    }

    fn file_parameter(&self) -> Option<&'static str> {
        Some("target_file")
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let params = Params::of(input)?;
        let path = ProjectPath::parse_file(params.text("target_file")?, context.project.root())?;
        let start = params.count("start_line")?;
        let end = params.count("end_line")?;
        let whole = params.flag("should_read_entire_file", start.is_none() && end.is_none())?;
        if whole {
            read_whole(context, &path)
        } else {
            read_range(context, &path, start.unwrap_or(1), end)
        }
    }
}

fn read_whole(context: ToolContext<'_>, path: &ProjectPath) -> Result<Planned, ToolError> {
    let bytes = context.project.read_existing(path, MAX_FILE)?;
    context.cancel.check()?;
    let text = files::text(path, bytes)?;
    context.seen.note(path, Some(text.as_bytes()));
    let total = text.lines().count();
    Ok(Planned::looked(json!({
        "path": path,
        "content": text,
        "totalLines": total,
    })))
}

fn read_range(
    context: ToolContext<'_>,
    path: &ProjectPath,
    start: usize,
    end: Option<usize>,
) -> Result<Planned, ToolError> {
    if end.is_some_and(|end| end < start) {
        return Err(ToolError::new(
            Code::InvalidLineRange,
            format!(
                "start_line {start} comes after end_line {}.",
                end.unwrap_or_default()
            ),
        ));
    }
    let file = context
        .project
        .open_file(path)?
        .ok_or_else(|| files::not_found(path))?;
    let mut reader = BufReader::new(file);
    let mut content = Vec::new();
    let (mut total, mut since) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let taken = reader
            .by_ref()
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)
            .map_err(|error| files::io_error(path, &error))?;
        if taken == 0 {
            break;
        }
        since += taken;
        if total == 0 || since > CHECK {
            context.cancel.check()?;
            since = 0;
        }
        if total == 0 && files::looks_binary(&line) {
            return Err(files::binary(path));
        }
        total += 1;
        if total >= start && end.is_none_or(|end| total <= end) {
            content.extend_from_slice(&line);
            if content.len() as u64 > MAX_FILE {
                return Err(ToolError::new(
                    Code::FileTooLarge,
                    format!("Those lines of {path} are more than {MAX_FILE} bytes. Read fewer."),
                ));
            }
        }
    }
    if start > total.max(1) {
        return Err(ToolError::new(
            Code::Invalid("start_line"),
            format!("{path} has {total} lines; start_line is {start}."),
        ));
    }
    let content = files::text(path, content)?;
    // A range is not the file: it does not count as having read it, unless it is all of it.
    if start == 1 && end.is_none_or(|end| end >= total) {
        context.seen.note(path, Some(content.as_bytes()));
    }
    Ok(Planned::looked(json!({
        "path": path,
        "content": content,
        "totalLines": total,
        "startLine": start,
        "endLine": end.map_or(total, |end| end.min(total)),
    })))
}
