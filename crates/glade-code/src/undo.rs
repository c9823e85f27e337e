//! Undoing what a run did to a file, whole or some places of it.

use std::collections::BTreeSet;

use crate::diff::{self, Hunk};
use crate::merge::{Clash, take_out};

/// One write of a run: the file's bytes before and after. `None`: no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
}

/// What the file should be, and what of the run could not be taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    pub file: Option<Vec<u8>>,
    pub undone: usize,
    pub left: Vec<NotUndone>,
}

/// Why something of the run stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotUndone {
    /// A person changed the same words.
    Clash(Clash),
    /// A person deleted the file since.
    DeletedSince,
    /// A person made the file anew after the run had deleted it.
    MadeAnew,
    /// Not text, and no longer as the run left it.
    BinaryChanged,
}

/// Takes a run's writes of one file, in the order in which they were made, out of it as it is now.
pub fn undo(writes: &[Write], now: Option<&[u8]>) -> Undone {
    let mut undone = Undone {
        file: now.map(<[u8]>::to_vec),
        undone: 0,
        left: Vec::new(),
    };
    for write in joined(writes).iter().rev() {
        undo_write(write, &mut undone);
    }
    undone
}

/// The places where a write changed a text, as people choose among them.
pub fn places(before: &str, after: &str) -> Vec<Hunk> {
    diff::hunks(&diff::lines(before), &diff::lines(after))
}

/// The text as if the run had not changed the chosen places. Undoing these places alone is undoing a
/// write from this text to `after`; what remains of the run is a write from `before` to this text.
pub fn without_places(before: &str, after: &str, chosen: &BTreeSet<usize>) -> String {
    let (old, new) = (diff::lines(before), diff::lines(after));
    let mut text = String::new();
    let mut done = 0;
    for (index, hunk) in diff::hunks(&old, &new).iter().enumerate() {
        text.extend(new[done..hunk.new.start].iter().copied());
        if chosen.contains(&index) {
            text.extend(old[hunk.old.clone()].iter().copied());
        } else {
            text.extend(new[hunk.new.clone()].iter().copied());
        }
        done = hunk.new.end;
    }
    text.extend(new[done..].iter().copied());
    text
}

/// Writes that follow on each other are one: a person cannot have come between.
fn joined(writes: &[Write]) -> Vec<Write> {
    let mut joined: Vec<Write> = Vec::new();
    for write in writes {
        match joined.last_mut() {
            Some(last) if last.after == write.before => last.after.clone_from(&write.after),
            _ => joined.push(write.clone()),
        }
    }
    joined.retain(|write| write.before != write.after);
    joined
}

fn undo_write(write: &Write, undone: &mut Undone) {
    if undone.file == write.after {
        undone.undone += 1;
        undone.file.clone_from(&write.before);
        return;
    }
    let (Some(after), Some(now)) = (&write.after, &undone.file) else {
        undone.left.push(if undone.file.is_none() {
            NotUndone::DeletedSince
        } else {
            NotUndone::MadeAnew
        });
        return;
    };
    let texts = (
        std::str::from_utf8(write.before.as_deref().unwrap_or_default()),
        std::str::from_utf8(after),
        std::str::from_utf8(now),
    );
    let (Ok(before), Ok(after), Ok(now)) = texts else {
        undone.left.push(NotUndone::BinaryChanged);
        return;
    };
    let merged = take_out(before, after, now);
    undone.undone += merged.undone;
    undone
        .left
        .extend(merged.clashes.into_iter().map(NotUndone::Clash));
    // A file that the run made and in which nothing of anyone else is left goes as it came.
    undone.file =
        (write.before.is_some() || !merged.text.is_empty()).then(|| merged.text.into_bytes());
}
