//! Whether a page has room for more. What is there can always be changed and deleted.

use std::collections::BTreeSet;

use glade_doc::schema::IS_DELETED;
use glade_doc::{Change, CommentId, ElementId, PageDoc, Refusal, TextWrite, WriteKind};
use serde_json::Value;

use crate::merging::denied;

/// Elements of one page, deleted ones included: they stay in the document until it is compacted.
pub const ELEMENTS_OF_A_PAGE: usize = 50_000;
/// Comments of one page, deleted ones included.
pub const COMMENTS_OF_A_PAGE: usize = 10_000;

/// Bytes of one page as it is stored, its past since the last epoch included: what a server reads to
/// open it, and a browser keeps of it.
pub const BYTES_OF_A_PAGE: usize = 64 << 20;

/// Refuses changes that leave a page larger than it may be. What only takes away passes.
pub(crate) fn check_bytes(changes: &[Change], bytes: usize) -> Result<(), Refusal> {
    if bytes <= BYTES_OF_A_PAGE || changes.iter().all(takes_away) {
        return Ok(());
    }
    Err(denied(
        "page-full",
        format!(
            "a page takes at most {} MB with its past: delete what is not needed, leave it alone for a while so that it lets go of its past, or begin another page",
            BYTES_OF_A_PAGE >> 20
        ),
    ))
}

/// Whether a change deletes, or lets go of what is deleted.
fn takes_away(change: &Change) -> bool {
    let empties = |property: &str, value: Option<&Value>| match value {
        Some(Value::Bool(true)) => property == IS_DELETED,
        // What is bound to an element follows from what is there.
        Some(Value::Array(_)) => property == "boundElements",
        Some(Value::Null) => true,
        _ => false,
    };
    let writes = change.writes.iter().all(|write| match write.kind {
        WriteKind::Created => false,
        WriteKind::Register => empties(&write.property, write.value.as_ref()),
        WriteKind::Text => matches!(write.text, Some(TextWrite::Deleted { .. })),
    });
    writes && change.comments.is_empty()
}

/// Refuses changes that make more elements or comments than a page may have.
pub(crate) fn check(changes: &[Change], before: &PageDoc) -> Result<(), Refusal> {
    let writes = || changes.iter().flat_map(|change| &change.writes);
    let elements = Made {
        there: before.element_count(),
        // An upper bound that costs nothing: most pages are nowhere near.
        at_most: changes.iter().map(|change| change.writes.len()).sum(),
        most: ELEMENTS_OF_A_PAGE,
        what: "elements",
    };
    elements.check(|| {
        let written: BTreeSet<&ElementId> = writes().map(|write| &write.element).collect();
        let new = written.into_iter().filter(|id| !before.has_element(id));
        new.count()
    })?;
    let written = changes.iter().map(|change| change.comments.len()).sum();
    if written == 0 {
        return Ok(()); // asking for the comments of a page that has none would give it an empty list of them
    }
    let comments = Made {
        there: before.comment_count(),
        at_most: written,
        most: COMMENTS_OF_A_PAGE,
        what: "comments",
    };
    comments.check(|| {
        let written = changes.iter().flat_map(|change| &change.comments);
        let written: BTreeSet<&CommentId> = written.map(|write| &write.comment).collect();
        let new = written.into_iter().filter(|id| !before.has_comment(id));
        new.count()
    })
}

struct Made {
    there: usize,
    at_most: usize,
    most: usize,
    what: &'static str,
}

impl Made {
    fn check(&self, new: impl FnOnce() -> usize) -> Result<(), Refusal> {
        if self.at_most == 0 || self.there + self.at_most <= self.most {
            return Ok(());
        }
        let new = new();
        if new == 0 || self.there + new <= self.most {
            return Ok(());
        }
        let Self { most, what, .. } = self;
        Err(denied(
            "page-full",
            format!("a page has at most {most} {what}, deleted ones included: begin another page"),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(there: usize, new: usize) -> bool {
        let made = Made {
            there,
            at_most: 5,
            most: 10,
            what: "elements",
        };
        made.check(|| new).is_ok()
    }

    #[test]
    fn a_full_page_takes_changes_and_nothing_new() {
        assert_eq!([made(10, 0), made(9, 1), made(9, 2)], [true, true, false]);
        // Fuller than it may be, from before there was a limit.
        assert_eq!([made(20, 0), made(20, 1)], [true, false]);
    }
}
