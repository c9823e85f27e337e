//! `grep-search`: lines that match a regular expression, file by file.
//!
//! Searches with the parts that ripgrep is made of, on as many threads as the machine has. Every
//! file is searched to its end even when enough was found, so that the counts are true and the same
//! question has the same answer, whichever thread was first.

mod gather;
mod print;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use glade_agent::action::Described;
use glade_agent::actions::code;
use glade_agent::actions::code::grep_search::{MAX_CONTEXT, MAX_MATCHES};
use globset::GlobMatcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, SearcherBuilder};
use ignore::WalkState;
use serde_json::{Value, json};

use crate::error::{Code, ToolError};
use crate::params::Params;
use crate::path::ProjectPath;
use crate::tool::{Planned, Tool, ToolContext};
use crate::walk;
use gather::{Gather, Heeding, InFile};

pub struct GrepSearch;

/// Matches that are shown of one file.
const MAX_IN_FILE: usize = 20;
/// Files that are named with their count alone.
const MAX_OTHER: usize = 200;
/// Where no more than this match, the lines around are shown without being asked for.
const FEW: usize = 12;
const AROUND_FEW: usize = 2;

/// What is looked for, and where.
struct Query {
    matcher: RegexMatcher,
    include: Option<GlobMatcher>,
    exclude: Option<GlobMatcher>,
    /// Matches to be shown at most.
    most: usize,
    /// Lines around each; not said: as there is room.
    context: Option<usize>,
}

impl Query {
    fn of(input: &Value) -> Result<Query, ToolError> {
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
            let given = params.optional_text(name)?;
            given.map(|given| walk::pattern(name, given)).transpose()
        };
        Ok(Query {
            matcher,
            include: glob("include_file_pattern")?,
            exclude: glob("exclude_file_pattern")?,
            most: params
                .count("max_matches")?
                .map_or(MAX_MATCHES, |n| n.min(MAX_MATCHES)),
            context: params
                .count_or_none("context")?
                .map(|lines| lines.min(MAX_CONTEXT)),
        })
    }

    fn fits(&self, path: &ProjectPath) -> bool {
        let path = path.as_str();
        self.include.as_ref().is_none_or(|it| it.is_match(path))
            && self.exclude.as_ref().is_none_or(|it| !it.is_match(path))
    }
}

impl Tool for GrepSearch {
    fn action(&self) -> &'static dyn Described {
        &code::grep_search::GrepSearch
    }

    fn print(&self, output: &Value) -> Option<String> {
        print::print(output)
    }

    fn plan(&self, context: ToolContext<'_>, input: &Value) -> Result<Planned, ToolError> {
        let query = Query::of(input)?;
        let (mut files, searched) = search(context, &query)?;
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let total: usize = files.iter().map(|file| file.count).sum();
        let around = query
            .context
            .unwrap_or(if total <= FEW { AROUND_FEW } else { 0 });
        let each = share(&files, query.most);
        let shown = if each == 0 { query.most } else { files.len() };
        let others = files.split_off(shown.min(files.len()));
        let (mut listed, mut matches) = (Vec::new(), 0);
        for file in &files {
            let lines = file.lines(each.max(1), around);
            matches += lines.iter().filter(|line| line.found.is_some()).count();
            let lines: Vec<Value> = lines.iter().map(|line| line.show()).collect();
            listed.push(json!({"path": file.path, "matches": file.count, "lines": lines}));
        }
        let named = others.iter().take(MAX_OTHER);
        let named = named.map(|file| json!({"path": file.path, "matches": file.count}));
        Ok(Planned::looked(json!({
            "files": listed,
            "otherFiles": named.collect::<Vec<Value>>(),
            "totalMatches": total,
            "totalFiles": files.len() + others.len(),
            "filesSearched": searched,
            "truncated": total > matches,
        })))
    }
}

/// How many matches of each file are shown, so that all are no more than `most`.
fn share(files: &[InFile], most: usize) -> usize {
    let shown = |each: usize| files.iter().map(|file| file.count.min(each)).sum::<usize>();
    (0..=MAX_IN_FILE)
        .rev()
        .find(|each| shown(*each) <= most)
        .unwrap_or_default()
}

/// The files with matches, in any order, and how many were searched.
fn search(context: ToolContext<'_>, query: &Query) -> Result<(Vec<InFile>, usize), ToolError> {
    let searched = AtomicUsize::new(0);
    let (found, gathered) = mpsc::channel();
    let around = query.context.unwrap_or(AROUND_FEW);
    let root = ProjectPath::parse("", context.project.root())?;
    walk::walker(context.project, &root)?
        .build_parallel()
        .run(|| {
            let found = found.clone();
            let mut searcher = SearcherBuilder::new()
                .binary_detection(BinaryDetection::quit(0))
                .line_number(true)
                .before_context(around)
                .after_context(around)
                .build();
            let searched = &searched;
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
                if !query.fits(&path) {
                    return WalkState::Continue;
                }
                let Ok(Some(file)) = context.project.open_met(&path) else {
                    return WalkState::Continue;
                };
                let file = Heeding::new(file, context.cancel);
                let mut gather = Gather::new(path, &query.matcher, context.cancel);
                let ended = searcher.search_reader(&query.matcher, file, &mut gather);
                if ended.is_ok() {
                    searched.fetch_add(1, Ordering::Relaxed);
                    // The receiver lives until all threads have ended.
                    let _ = gather.over().map(|file| found.send(file));
                }
                WalkState::Continue
            })
        });
    context.cancel.check()?;
    drop(found);
    Ok((gathered.into_iter().collect(), searched.into_inner()))
}
