//! `multi-edit`: several replacements in one file, all or none.

use std::ops::Range;

use glade_agent::action::Described;
use glade_agent::actions::code;
use serde_json::{Value, json};

use crate::change::PlannedChange;
use crate::diff;
use crate::error::{Code, ToolError};
use crate::files;
use crate::nearest::nearest;
use crate::params::Params;
use crate::path::ProjectPath;
use crate::results::{counted, fenced, list, name, number, numbered, text};
use crate::tool::{Planned, Tool, ToolContext};

pub struct MultiEdit;

const MAX_EDITED: u64 = 5 * 1024 * 1024;
/// Places in a file that are told.
const MOST_PLACES: usize = 20;
/// The longest line of a file in an error, in characters.
const LONGEST_LINE: usize = 400;

impl Tool for MultiEdit {
    fn action(&self) -> &'static dyn Described {
        &code::multi_edit::MultiEdit
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
        let edits = params.list("edits")?;
        if edits.is_empty() {
            return Err(ToolError::new(
                Code::Missing("edits"),
                "There is no edit in edits.",
            ));
        }
        let before = context.project.read_existing(&path, MAX_EDITED)?;
        context.seen.forbid_stale(&path, &before)?;
        let mut now = files::text(&path, before.clone())?;
        let mut applied = 0;
        for (index, edit) in edits.iter().enumerate() {
            context.cancel.check()?;
            let (next, count) = replace(&now, Params::of(edit)?).map_err(|error| ToolError {
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
            now = next;
            applied += count;
        }
        let diff = diff::unified(&path, Some(&before), Some(now.as_bytes()));
        Ok(Planned {
            output: json!({
                "path": path,
                "editsApplied": applied,
                "lines": changed_lines(&path, &before, &now)?,
                "diff": diff,
            }),
            change: Some(PlannedChange {
                path,
                before: Some(before),
                after: Some(now.into_bytes()),
                moved_from: None,
            }),
        })
    }
}

/// Where the file is different now, as lines from 1: `[first, last]` of each place.
fn changed_lines(
    path: &ProjectPath,
    before: &[u8],
    now: &str,
) -> Result<Vec<(usize, usize)>, ToolError> {
    if now.len() > diff::MAX_DIFF_SIDE {
        return Ok(Vec::new());
    }
    let before = files::text(path, before.to_vec())?;
    let places = diff::hunks(&diff::lines(&before), &diff::lines(now));
    let lines = |place: &diff::Hunk| (place.new.start + 1, place.new.end.max(place.new.start + 1));
    Ok(places.iter().map(lines).take(MOST_PLACES).collect())
}

/// As a model reads it.
fn print(output: &Value) -> Option<String> {
    let (path, made) = (name(text(output, "path")?), number(output, "editsApplied")?);
    let place = |place: &Value| match (place[0].as_u64()?, place[1].as_u64()?) {
        (first, last) if first == last => Some(first.to_string()),
        (first, last) => Some(format!("{first} to {last}")),
    };
    let places: Vec<String> = list(output, "lines")?.iter().filter_map(place).collect();
    let lines = match places.as_slice() {
        [] => String::new(),
        places => format!(", now in lines {}", places.join(", ")),
    };
    Some(format!("{path}: {}{lines}.", counted(made, "replacement")))
}

fn replace(file: &str, edit: Params<'_>) -> Result<(String, usize), ToolError> {
    let (mut old, mut new) = (
        edit.text("old_string")?.to_owned(),
        edit.text("new_string")?.to_owned(),
    );
    if old.is_empty() {
        return Err(ToolError::new(
            Code::Invalid("old_string"),
            "old_string is empty.",
        ));
    }
    // Models write lines that end in LF, whatever the file has.
    if !file.contains(&old) && file.contains("\r\n") && !old.contains('\r') {
        old = old.replace('\n', "\r\n");
        new = new.replace('\n', "\r\n");
    }
    let alone = edit.flag("whole_word", false)?;
    let places: Vec<usize> = file
        .match_indices(&old)
        .map(|(at, _)| at)
        .filter(|at| !alone || is_alone(file, *at, old.len()))
        .collect();
    match places.as_slice() {
        [] => return Err(no_match(file, &old)),
        [_] => {}
        _ if edit.flag("replace_all", false)? => {}
        places => return Err(ambiguous(file, places)),
    }
    let mut text = String::with_capacity(file.len());
    let mut done = 0;
    for at in &places {
        text.push_str(&file[done..*at]);
        text.push_str(&new);
        done = at + old.len();
    }
    text.push_str(&file[done..]);
    Ok((text, places.len()))
}

/// Whether no word goes on before or behind it.
fn is_alone(text: &str, at: usize, length: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !text[..at].ends_with(is_word) && !text[at + length..].starts_with(is_word)
}

fn no_match(file: &str, old: &str) -> ToolError {
    let mut words = "old_string is not in the file, letter for letter.".to_owned();
    let bare = without_numbers(old);
    let near = nearest(file, bare.as_deref().unwrap_or(old));
    if bare.is_some() {
        words.push_str(" Leave out the numbers and tabs that read-file puts before each line.");
    }
    if let Some(near) = near {
        words.push_str(if near.spaces_only {
            " The same words with other white space are here:\n"
        } else {
            " The nearest is:\n"
        });
        words.push_str(&shown(file, near.lines));
        words.push('\n');
    }
    ToolError::new(Code::NoMatch, words)
}

/// Lines of a file as it is shown.
fn shown(file: &str, lines: Range<usize>) -> String {
    let mut text = String::new();
    let count = lines.len();
    for (at, line) in file.lines().enumerate().skip(lines.start).take(count) {
        let line: String = line.chars().take(LONGEST_LINE).collect();
        numbered(&mut text, at as u64 + 1, '\t', &line);
    }
    fenced(&text)
}

/// The text without line numbers, if all its lines begin with one.
fn without_numbers(text: &str) -> Option<String> {
    let bare = text.lines().map(|line| {
        let (number, rest) = line.split_once('\t')?;
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        digits.then_some(rest)
    });
    let bare: Option<Vec<&str>> = bare.collect();
    Some(bare?.join("\n"))
}

fn ambiguous(file: &str, places: &[usize]) -> ToolError {
    let (mut line, mut done) = (1, 0);
    let lines = places.iter().take(MOST_PLACES).map(|at| {
        line += file[done..*at].matches('\n').count();
        done = *at;
        line.to_string()
    });
    let lines: Vec<String> = lines.collect();
    let more = if places.len() > MOST_PLACES {
        ", …"
    } else {
        ""
    };
    ToolError::new(
        Code::AmbiguousMatch,
        format!(
            "old_string is in the file {} times, in lines {}{more}. Give more of the text around the one that is meant, or set replace_all.",
            places.len(),
            lines.join(", ")
        ),
    )
}
