//! What a chat knows of files: which lines it was shown, of which bytes.
//!
//! A model that writes from memory writes over what people did in the meantime. So a tool that
//! replaces text asks here first; where a file has changed, the answer says what.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::change::{PlannedChange, digest};
use crate::diff::{UnifiedDiff, unified};
use crate::error::{Code, ToolError};
use crate::path::ProjectPath;
use crate::results::fenced;

/// Files up to this size are kept as they were shown, so that what changed since can be told …
const KEPT: usize = 256 * 1024;
/// … as long as all of them are no more than this.
const KEPT_IN_ALL: usize = 8 * 1024 * 1024;
/// The longest difference that is told.
const LONGEST_DIFF: usize = 6_000;

/// What was shown of a file. Shared by the calls of one chat, which may run at the same time.
#[derive(Debug, Default)]
pub struct Seen(Mutex<Files>);

#[derive(Debug, Default)]
struct Files {
    known: BTreeMap<ProjectPath, Known>,
    /// What changed since was told in this answer: the model knows it in its next one.
    told: BTreeMap<ProjectPath, Known>,
}

#[derive(Debug, Clone)]
struct Known {
    digest: String,
    bytes: Option<Vec<u8>>,
    shown: Shown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shown {
    Whole,
    /// These lines, from 0; in order, none touching the next.
    Lines(Vec<Range<usize>>),
}

/// Lines of a file that were shown, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownLines {
    pub lines: Range<usize>,
    pub total: usize,
}

impl Seen {
    pub fn new() -> Self {
        Self::default()
    }

    /// As it was stored, after a restart.
    pub fn restore(rows: impl IntoIterator<Item = (ProjectPath, String)>) -> Self {
        let known = |digest| Known {
            digest,
            bytes: None,
            shown: Shown::Whole,
        };
        let rows = rows.into_iter();
        Self(Mutex::new(Files {
            known: rows.map(|(path, digest)| (path, known(digest))).collect(),
            told: BTreeMap::new(),
        }))
    }

    /// The files that were shown whole.
    pub fn rows(&self) -> Vec<(ProjectPath, String)> {
        let files = self.lock();
        let whole = |(_, known): &(&ProjectPath, &Known)| known.shown == Shown::Whole;
        let rows = files.known.iter().filter(whole);
        rows.map(|(path, known)| (path.clone(), known.digest.clone()))
            .collect()
    }

    /// The chat was shown some lines of a file of this digest, whose bytes are given if they are few.
    pub fn note_lines(
        &self,
        path: &ProjectPath,
        digest: String,
        bytes: Option<Vec<u8>>,
        shown: ShownLines,
    ) {
        let mut files = self.lock();
        files.told.remove(path);
        let before = files.known.remove(path);
        let before = before.filter(|known| known.digest == digest);
        let lines = match before.map(|known| known.shown) {
            Some(Shown::Whole) => std::iter::once(0..shown.total).collect(),
            Some(Shown::Lines(lines)) => joined(lines, shown.lines),
            None => vec![shown.lines],
        };
        let whole = matches!(lines.as_slice(), [all] if *all == (0..shown.total));
        files.put(
            path,
            digest,
            bytes,
            if whole {
                Shown::Whole
            } else {
                Shown::Lines(lines)
            },
        );
    }

    /// The chat made this change. What it has written it knows, and no more of a file than before.
    pub fn note_change(&self, change: &PlannedChange) {
        let mut files = self.lock();
        files.told.remove(&change.path);
        let source = change.moved_from.as_ref().unwrap_or(&change.path);
        let before = files.known.remove(source);
        let Some(after) = &change.after else {
            return;
        };
        let made = change.before.is_none() && change.moved_from.is_none();
        let shown = match before {
            _ if made => Shown::Whole,
            Some(known) if known.shown == Shown::Whole => Shown::Whole,
            // Lines have moved: which of them it knows is no longer certain.
            _ => Shown::Lines(Vec::new()),
        };
        files.put(&change.path, digest(after), Some(after.clone()), shown);
    }

    /// The answer is over: what was told in it is known from now on.
    pub fn end_answer(&self) {
        let mut files = self.lock();
        let told = std::mem::take(&mut files.told);
        files.known.extend(told);
    }

    /// Whole text may be put over a file only by who was shown all of it, as it is.
    pub fn require(&self, path: &ProjectPath, now: &[u8]) -> Result<(), ToolError> {
        let mut files = self.lock();
        match files.known.get(path).cloned() {
            Some(known) if known.digest != digest(now) => Err(files.changed(path, known, now)),
            Some(Known {
                shown: Shown::Whole,
                ..
            }) => Ok(()),
            Some(_) => Err(ToolError::new(
                Code::Stale,
                format!(
                    "{path} was shown only in part, and would be replaced whole. Read the rest first, or use multi-edit."
                ),
            )),
            None => Err(ToolError::new(
                Code::Stale,
                format!("{path} exists and was not read in this chat. Read it first, then write."),
            )),
        }
    }

    /// Text that is found by its own words may be changed unread, but not when it was read and has
    /// changed since: the model is thinking of an older file.
    pub fn forbid_stale(&self, path: &ProjectPath, now: &[u8]) -> Result<(), ToolError> {
        let mut files = self.lock();
        match files.known.get(path).cloned() {
            Some(known) if known.digest != digest(now) => Err(files.changed(path, known, now)),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        // The maps are valid after any panic: each change of them is one insertion or removal.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    fn put(&mut self, path: &ProjectPath, digest: String, bytes: Option<Vec<u8>>, shown: Shown) {
        let kept: usize = self.known.values().map(Known::size).sum();
        let fits = |bytes: &Vec<u8>| bytes.len() <= KEPT && kept + bytes.len() <= KEPT_IN_ALL;
        let known = Known {
            digest,
            bytes: bytes.filter(fits),
            shown,
        };
        self.known.insert(path.clone(), known);
    }

    /// What is said of a file that is no longer what was shown; from the next answer on the model
    /// knows it as it is, if all that changed could be told.
    fn changed(&mut self, path: &ProjectPath, known: Known, now: &[u8]) -> ToolError {
        let was = known.bytes.as_deref();
        let told = was.and_then(|was| match unified(path, Some(was), Some(now)) {
            UnifiedDiff::Text(diff) if diff.len() <= LONGEST_DIFF => Some(diff),
            UnifiedDiff::Text(_) | UnifiedDiff::Omitted(_) => None,
        });
        let Some(diff) = told else {
            return ToolError::new(
                Code::Stale,
                format!("{path} changed since it was read. Read it again before changing it."),
            );
        };
        let known = Known {
            digest: digest(now),
            bytes: (now.len() <= KEPT).then(|| now.to_vec()),
            shown: match known.shown {
                Shown::Whole => Shown::Whole,
                Shown::Lines(_) => Shown::Lines(Vec::new()),
            },
        };
        self.told.insert(path.clone(), known);
        ToolError::new(
            Code::Stale,
            format!(
                "{path} was changed by somebody since it was read, so nothing was done. This is what changed:\n{}\nIf your change is still right, make it again on the file as it is now.",
                fenced(&diff)
            ),
        )
    }
}

impl Known {
    fn size(&self) -> usize {
        self.bytes.as_ref().map_or(0, Vec::len)
    }
}

/// Ranges with one more, those that touch made one.
fn joined(mut lines: Vec<Range<usize>>, more: Range<usize>) -> Vec<Range<usize>> {
    lines.push(more);
    lines.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in lines {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
