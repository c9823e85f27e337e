//! `grep-search`: lines that match a regular expression.
//!
//! Searches with the parts that ripgrep is made of, on as many threads as the machine has. Every
//! file is searched to its end even when enough was found, so that the counts are true and the same
//! question has the same answer, whichever thread was first.

use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use cap_std::fs::File;
use glade_agent::action::Described;
use glade_agent::actions::code;
use glade_agent::actions::code::grep_search::MAX_MATCHES;
use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use ignore::WalkState;
use serde_json::{Value, json};

use crate::cancel::Cancel;
use crate::error::{Code, ToolError};
use crate::params::Params;
use crate::path::ProjectPath;
use crate::tool::{Planned, Tool, ToolContext};
use crate::walk::{self, Hidden};

pub struct GrepSearch;

/// Longer lines (bundles, data) are cut around their match.
const MAX_LINE: usize = 1000;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Match {
    path: ProjectPath,
    line: u64,
    column: usize,
    text: String,
    found: String,
}

impl Tool for GrepSearch {
    fn action(&self) -> &'static dyn Described {
        &code::grep_search::GrepSearch
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let params = Params::of(input)?;
        let query = params.text("query")?;
        let matcher = RegexMatcherBuilder::new()
            .case_insensitive(!params.flag("case_sensitive", false)?)
            .line_terminator(Some(b'\n'))
            // Many lines are looked at together: without this `^` would only be the first one's.
            .multi_line(true)
            .build(query)
            .map_err(|error| {
                ToolError::new(
                    Code::Invalid("query"),
                    format!("{query:?} is not a regular expression: {error}"),
                )
            })?;
        let glob = |name| -> Result<_, ToolError> {
            params
                .optional_text(name)?
                .map(|given| walk::pattern(name, given))
                .transpose()
        };
        let include = glob("include_file_pattern")?;
        let exclude = glob("exclude_file_pattern")?;
        let wanted = params
            .count("max_matches")?
            .map_or(MAX_MATCHES, |n| n.min(MAX_MATCHES));
        let fits = |path: &ProjectPath| {
            include.as_ref().is_none_or(|p| p.is_match(path.as_str()))
                && exclude.as_ref().is_none_or(|p| !p.is_match(path.as_str()))
        };
        let searched = AtomicUsize::new(0);
        let total = AtomicUsize::new(0);
        let (found, gathered) = mpsc::channel();
        walk::walker(
            context.project,
            &ProjectPath::parse("", context.project.root())?,
            Hidden::Skip,
        )?
        .build_parallel()
        .run(|| {
            let found = found.clone();
            let mut searcher = SearcherBuilder::new()
                .binary_detection(BinaryDetection::quit(0))
                .line_number(true)
                .build();
            let (matcher, fits, searched, total) = (&matcher, &fits, &searched, &total);
            Box::new(move |entry| {
                if context.cancel.check().is_err() {
                    return WalkState::Quit;
                }
                let Ok(entry) = entry else {
                    return WalkState::Continue;
                };
                if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                    return WalkState::Continue;
                }
                let Some(path) = walk::relative(context.project, entry.path()) else {
                    return WalkState::Continue;
                };
                if !fits(&path) {
                    return WalkState::Continue;
                }
                let Ok(Some(file)) = context.project.open_met(&path) else {
                    return WalkState::Continue;
                };
                let mut sink = Gather {
                    matcher,
                    cancel: context.cancel,
                    path: &path,
                    keep: wanted,
                    matches: Vec::new(),
                    count: 0,
                };
                let file = Heeding {
                    file,
                    cancel: context.cancel,
                };
                let ended = searcher.search_reader(matcher, file, &mut sink);
                if ended.is_ok() {
                    searched.fetch_add(1, Ordering::Relaxed);
                    total.fetch_add(sink.count, Ordering::Relaxed);
                    if !sink.matches.is_empty() {
                        // The receiver lives until all threads have ended.
                        let _ = found.send(sink.matches);
                    }
                }
                WalkState::Continue
            })
        });
        context.cancel.check()?;
        drop(found);
        let mut matches: Vec<Match> = gathered.into_iter().flatten().collect();
        matches.sort();
        matches.truncate(wanted);
        let total = total.into_inner();
        Ok(Planned::looked(json!({
            "matches": matches.iter().map(show).collect::<Vec<Value>>(),
            "totalMatches": total,
            "filesSearched": searched.into_inner(),
            "truncated": total > matches.len(),
        })))
    }
}

/// A file that reads no further once the call is to end, however large it is and wherever the next
/// match may be.
struct Heeding<'a> {
    file: File,
    cancel: &'a Cancel,
}

impl Read for Heeding<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.cancel.check().map_err(io::Error::other)?;
        self.file.read(buffer)
    }
}

fn show(found: &Match) -> Value {
    json!({
        "path": found.path,
        "line": found.line,
        "column": found.column,
        "match": found.found,
        "preview": found.text,
    })
}

/// Takes the matching lines of one file.
struct Gather<'a> {
    matcher: &'a RegexMatcher,
    cancel: &'a Cancel,
    path: &'a ProjectPath,
    keep: usize,
    matches: Vec<Match>,
    count: usize,
}

impl Sink for Gather<'_> {
    type Error = std::io::Error;

    fn matched(
        &mut self,
        _searcher: &Searcher,
        matched: &SinkMatch<'_>,
    ) -> Result<bool, Self::Error> {
        self.count += 1;
        if self.matches.len() < self.keep {
            let line = matched.bytes();
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let place = self
                .matcher
                .find(line)
                .ok()
                .flatten()
                .map_or(0..0, |found| found.start()..found.end());
            self.matches.push(Match {
                path: self.path.clone(),
                line: matched.line_number().unwrap_or_default(),
                column: String::from_utf8_lossy(&line[..place.start])
                    .chars()
                    .count()
                    + 1,
                text: cut(line, place.start),
                found: cut(&line[place], 0),
            });
        }
        Ok(self.cancel.check().is_ok())
    }
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
