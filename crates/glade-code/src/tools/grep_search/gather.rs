//! The matching lines of one file, with those around them.

use std::io::{self, Read};

use cap_std::fs::File;
use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkMatch};
use serde_json::{Value, json};

use super::MAX_IN_FILE;
use crate::cancel::Cancel;
use crate::path::ProjectPath;

/// Longer lines (bundles, data) are cut around their match.
const MAX_LINE: usize = 400;

/// A line that is shown.
#[derive(Debug)]
pub struct Line {
    number: u64,
    text: String,
    /// Where in it the match is; nowhere, in a line around one.
    pub found: Option<Found>,
}

#[derive(Debug)]
pub struct Found {
    /// From 1, in characters.
    column: usize,
    text: String,
}

impl Line {
    pub fn show(&self) -> Value {
        match &self.found {
            Some(found) => {
                json!({"line": self.number, "column": found.column, "match": found.text, "text": self.text})
            }
            None => json!({"line": self.number, "text": self.text}),
        }
    }
}

/// What was found in one file.
#[derive(Debug)]
pub struct InFile {
    pub path: ProjectPath,
    /// All of its matches; `lines` has the first ones.
    pub count: usize,
    lines: Vec<Line>,
}

impl InFile {
    /// The first `most` matches, each with `around` lines before and behind it.
    pub fn lines(&self, most: usize, around: usize) -> Vec<&Line> {
        let matches = self.lines.iter().filter(|line| line.found.is_some());
        let shown: Vec<u64> = matches.take(most).map(|line| line.number).collect();
        let near = |line: &&Line| match &line.found {
            Some(_) => shown.contains(&line.number),
            None => shown
                .iter()
                .any(|number| number.abs_diff(line.number) <= around as u64),
        };
        self.lines.iter().filter(near).collect()
    }
}

/// Takes lines in as they are found.
pub struct Gather<'a> {
    matcher: &'a RegexMatcher,
    cancel: &'a Cancel,
    file: InFile,
    /// Lines before a match that has not come yet.
    before: Vec<Line>,
}

impl<'a> Gather<'a> {
    pub fn new(path: ProjectPath, matcher: &'a RegexMatcher, cancel: &'a Cancel) -> Self {
        Self {
            matcher,
            cancel,
            file: InFile {
                path,
                count: 0,
                lines: Vec::new(),
            },
            before: Vec::new(),
        }
    }

    /// What was found, if anything was.
    pub fn over(self) -> Option<InFile> {
        (self.file.count > 0).then_some(self.file)
    }
}

impl Sink for Gather<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.file.count += 1;
        let before = std::mem::take(&mut self.before);
        if self.file.count <= MAX_IN_FILE {
            let line = bare(matched.bytes());
            let place = self.matcher.find(line).ok().flatten();
            let place = place.map_or(0..0, |found| found.start()..found.end());
            let column = String::from_utf8_lossy(&line[..place.start])
                .chars()
                .count()
                + 1;
            self.file.lines.extend(before);
            self.file.lines.push(Line {
                number: matched.line_number().unwrap_or_default(),
                text: cut(line, place.start),
                found: Some(Found {
                    column,
                    text: cut(&line[place], 0),
                }),
            });
        }
        Ok(self.cancel.check().is_ok())
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        if self.file.count <= MAX_IN_FILE {
            let line = Line {
                number: context.line_number().unwrap_or_default(),
                text: cut(bare(context.bytes()), 0),
                found: None,
            };
            match context.kind() {
                SinkContextKind::Before => self.before.push(line),
                SinkContextKind::After | SinkContextKind::Other => self.file.lines.push(line),
            }
        }
        Ok(self.cancel.check().is_ok())
    }
}

/// A line without its end.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line as text, at most [`MAX_LINE`] bytes of it from a little before the match on.
fn cut(line: &[u8], start: usize) -> String {
    let from = if line.len() > MAX_LINE {
        start.saturating_sub(MAX_LINE / 4)
    } else {
        0
    };
    let end = line.len().min(from + MAX_LINE);
    String::from_utf8_lossy(&line[from..end]).into_owned()
}

/// A file that reads no further once the call is to end, however large it is and wherever the next
/// match may be.
pub struct Heeding<'a> {
    file: File,
    cancel: &'a Cancel,
}

impl<'a> Heeding<'a> {
    pub fn new(file: File, cancel: &'a Cancel) -> Self {
        Self { file, cancel }
    }
}

impl Read for Heeding<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.cancel.check().map_err(io::Error::other)?;
        self.file.read(buffer)
    }
}
