//! `read-file`: a file, or a range of its lines, as much of it as one answer holds.

use std::io::{BufRead, BufReader, Read};

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::change::hex;
use crate::error::{Code, ToolError};
use crate::files;
use crate::params::Params;
use crate::path::ProjectPath;
use crate::results::{counted, fenced, name, number, numbered, text};
use crate::seen::ShownLines;
use crate::tool::{Planned, Tool, ToolContext};

pub struct ReadFile;

/// Bytes of a file in one result.
pub const MOST: usize = 32_000;
/// Longer lines (bundles, data) are shown to here.
const LONGEST_LINE: usize = 2_000;
/// How much of a line is in memory at once.
const PIECE: u64 = 64 * 1024;
/// Files up to this size are kept as they were read, so that what changed since can be told.
const KEPT: usize = 256 * 1024;
/// How many bytes are read between two looks at whether to go on.
const CHECK: usize = 1024 * 1024;

impl Tool for ReadFile {
    fn action(&self) -> &'static dyn Described {
        &code::read_file::ReadFile
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
        let start = params.count("start_line")?.unwrap_or(1);
        let end = params.count("end_line")?;
        if end.is_some_and(|end| end < start) {
            return Err(ToolError::new(
                Code::InvalidLineRange,
                format!(
                    "start_line {start} comes after end_line {}.",
                    end.unwrap_or_default()
                ),
            ));
        }
        let wanted = Wanted { start, end };
        let read = read(context, &path, wanted)?;
        if start > read.total.max(1) {
            return Err(ToolError::new(
                Code::Invalid("start_line"),
                format!(
                    "{path} has {}; start_line is {start}.",
                    counted(read.total as u64, "line")
                ),
            ));
        }
        let last = start - 1 + read.lines;
        // What was shown in part is not known: it may not be replaced whole.
        let shown = if read.cut_lines == 0 {
            start - 1..last
        } else {
            0..0
        };
        context.seen.note_lines(
            &path,
            read.digest,
            read.whole,
            ShownLines {
                lines: shown,
                total: read.total,
            },
        );
        let mut output = json!({
            "path": path,
            "content": read.content,
            "totalLines": read.total,
            "startLine": start,
            "endLine": last,
        });
        if last < read.total.min(end.unwrap_or(usize::MAX)) {
            output["truncated"] = json!(true);
        }
        if read.cut_lines > 0 {
            output["cutLines"] = json!(read.cut_lines);
        }
        Ok(Planned::looked(output))
    }
}

/// Lines from 1, both ends included.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    start: usize,
    end: Option<usize>,
}

#[derive(Debug, Default)]
struct Taken {
    content: String,
    /// Lines in `content`, and those of them that are cut.
    lines: usize,
    cut_lines: usize,
    total: usize,
    digest: String,
    /// All bytes, if they are few.
    whole: Option<Vec<u8>>,
}

/// Reads to the end, for the number of lines and the digest; keeps the lines that are wanted, up to
/// what one result holds.
fn read(context: ToolContext<'_>, path: &ProjectPath, wanted: Wanted) -> Result<Taken, ToolError> {
    let file = context
        .project
        .open_file(path)?
        .ok_or_else(|| files::not_found(path))?;
    let mut reader = BufReader::new(file);
    let mut taken = Taken::default();
    let (mut whole, mut digest) = (Some(Vec::new()), Sha256::new());
    let (mut since, mut full, mut goes_on) = (0, false, false);
    // The line that is being read, as far as it is kept.
    let mut line = Vec::new();
    let mut piece = Vec::new();
    context.cancel.check()?;
    loop {
        piece.clear();
        let bytes = reader
            .by_ref()
            .take(PIECE)
            .read_until(b'\n', &mut piece)
            .map_err(|error| files::io_error(path, &error))?;
        let over = bytes == 0;
        if taken.total == 0 && !goes_on && files::looks_binary(&piece) {
            return Err(files::binary(path));
        }
        digest.update(&piece);
        if let Some(all) = &mut whole {
            all.extend_from_slice(&piece);
            if all.len() > KEPT {
                whole = None;
            }
        }
        since += bytes;
        if since > CHECK {
            context.cancel.check()?;
            since = 0;
        }
        if over && !goes_on {
            break;
        }
        if line.len() <= LONGEST_LINE {
            line.extend_from_slice(&piece[..piece.len().min(2 * LONGEST_LINE)]);
        }
        goes_on = !over && !piece.ends_with(b"\n");
        if goes_on && bytes as u64 == PIECE {
            continue;
        }
        goes_on = false;
        taken.total += 1;
        let inside = taken.total >= wanted.start && wanted.end.is_none_or(|end| taken.total <= end);
        if inside && !full {
            full = !taken.keep(path, &line)?;
        }
        line.clear();
        if over {
            break;
        }
    }
    taken.digest = hex(&digest.finalize());
    taken.whole = whole;
    Ok(taken)
}

impl Taken {
    /// Takes a line in; false if there is no room for it.
    fn keep(&mut self, path: &ProjectPath, line: &[u8]) -> Result<bool, ToolError> {
        let cut = line.len() > LONGEST_LINE;
        let shown = if cut { &line[..LONGEST_LINE] } else { line };
        let words = match std::str::from_utf8(shown) {
            Ok(words) => words,
            // It was cut in the middle of a letter.
            Err(error) if cut && error.error_len().is_none() => {
                std::str::from_utf8(&shown[..error.valid_up_to()])
                    .map_err(|_| files::binary(path))?
            }
            Err(_) => return Err(files::binary(path)),
        };
        // One line is always shown: there would be no way to read on.
        if self.lines > 0 && self.content.len() + words.len() > MOST {
            return Ok(false);
        }
        self.content.push_str(words);
        if cut {
            self.content.push_str("… (this line goes on)\n");
            self.cut_lines += 1;
        }
        self.lines += 1;
        Ok(true)
    }
}

/// As a model reads it.
fn print(output: &Value) -> Option<String> {
    let content = text(output, "content")?;
    let (start, total) = (
        number(output, "startLine").unwrap_or(1),
        number(output, "totalLines")?,
    );
    let path = name(text(output, "path")?);
    if total == 0 {
        return Some(format!("{path} is empty."));
    }
    let mut lines = String::new();
    let mut next = start;
    for line in content.split_inclusive('\n') {
        numbered(&mut lines, next, '\t', line);
        next += 1;
    }
    let ends = if content.contains("\r\n") {
        ", which end in CRLF"
    } else {
        ""
    };
    let mut printed = format!(
        "{path}, lines {start} to {} of {total}{ends}:\n{}",
        next.saturating_sub(1),
        fenced(&lines)
    );
    if output["truncated"] == true {
        printed.push_str(&format!(
            "\n(Not shown to the end: read on with start_line {next}, or search in it.)"
        ));
    }
    Some(printed)
}
