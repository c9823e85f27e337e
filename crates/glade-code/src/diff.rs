//! Differences: for people and models as a unified diff, for merging as hunks.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde::Serialize;
use similar::{Algorithm, DiffOp, TextDiff, capture_diff_slices_deadline};
use utoipa::ToSchema;

use crate::files::looks_binary;
use crate::path::ProjectPath;

/// The most that is taken of a side; larger files are changed, but their diff is not shown.
pub const MAX_DIFF_SIDE: usize = 100 * 1024;

/// Past this a diff is no longer the smallest, but still right.
const PATIENCE: Duration = Duration::from_millis(500);

/// A diff as people read it, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum UnifiedDiff {
    Text(String),
    Omitted(&'static str),
}

pub fn unified(path: &ProjectPath, before: Option<&[u8]>, after: Option<&[u8]>) -> UnifiedDiff {
    let sides = [before.unwrap_or_default(), after.unwrap_or_default()];
    if sides.iter().any(|side| looks_binary(side)) {
        return UnifiedDiff::Omitted("binary");
    }
    if sides.iter().any(|side| side.len() > MAX_DIFF_SIDE) {
        return UnifiedDiff::Omitted("too large");
    }
    let [old, new] = sides.map(String::from_utf8_lossy);
    let name = |side: Option<&[u8]>, prefix: &str| match side {
        Some(_) => format!("{prefix}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(old.as_ref(), new.as_ref());
    UnifiedDiff::Text(
        diff.unified_diff()
            .context_radius(3)
            .header(&name(before, "a"), &name(after, "b"))
            .to_string(),
    )
}

/// A place where two sequences differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// All places where `new` differs from `old`, in order, none touching the next.
pub fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let deadline = Instant::now() + PATIENCE;
    let mut found: Vec<Hunk> = Vec::new();
    for op in capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(deadline)) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (old, new) = (op.old_range(), op.new_range());
        match found.last_mut() {
            Some(last) if last.old.end == old.start && last.new.end == new.start => {
                last.old.end = old.end;
                last.new.end = new.end;
            }
            _ => found.push(Hunk { old, new }),
        }
    }
    found
}

/// Lines with their ends.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Words, spaces and signs: the grain at which a change inside a line is understood.
pub fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        '\n' => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let this = kind(c);
        // Each sign and each line's end stands alone.
        if last.is_some_and(|last| last != this || this == 3 || this == 1) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(this);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}
