//! Whether an update is its author's to make.

use glade_access::{Capability, Op, PageRef};
use glade_doc::schema::comment;
use glade_doc::text::{ANCHOR, MARKS, NODE, PENDING, from_value};
use glade_doc::{Change, CommentId, Commenter, PageDoc, Refusal, TextWrite, Write};
use serde_json::Value;

use crate::barred::Barred;
use crate::merging::{Author, denied};
use crate::{fullness, region};

/// What somebody is told who may only look.
pub fn read_only() -> Refusal {
    denied("read-only", "this token may not edit the page".to_owned())
}

/// The page around an update.
#[derive(Clone, Copy)]
pub(crate) struct States<'a> {
    pub before: &'a PageDoc,
    /// On a canvas; none where several updates are judged together.
    pub after: Option<&'a PageDoc>,
    /// What the page takes with it, as it is stored.
    pub bytes: usize,
}

/// Judges what the gate has read, by the rights of whoever sent it and the page before it.
pub(crate) fn judge(
    author: &Author<'_>,
    page: &PageRef<'_>,
    barred: &Barred,
    changes: &[Change],
    states: States<'_>,
) -> Result<(), Refusal> {
    let before = states.before;
    if let Some(capability) = author.capability {
        let anchors = |write: &Write| anchors_own(author.subject, write, changes, before);
        let draws = changes.iter().any(|change| !only(change, anchors));
        let comments = changes
            .iter()
            .any(|change| !change.comments.is_empty() || change.writes.iter().any(anchors));
        let suggests = author.suggestion().is_some() && capability.allows(Op::Suggest, page);
        if draws && !suggests && !capability.allows(Op::Edit, page) {
            return Err(read_only());
        }
        if comments && !may_comment(capability, page) {
            return Err(denied(
                "no-comments",
                "this token may not comment on the page".to_owned(),
            ));
        }
        region::check(capability, changes, states)?;
        fullness::check(changes, before)?;
        fullness::check_bytes(changes, states.bytes)?;
    }
    let commenter = Commenter {
        subject: author.subject,
        moderates: author.capability.is_none_or(Capability::is_owner),
    };
    commenter.check(changes, before)?;
    check_pending(author, changes)?;
    check_plugins(author, barred, changes, before)?;
    // Comments are in no run.
    let outside = |change: &&Change| author.suggestion().is_some() && change.writes.is_empty();
    for change in changes.iter().filter(|change| !outside(change)) {
        let claimed = change.tag.as_ref().map(|tag| &tag.run);
        if claimed != author.run {
            let reason = match claimed {
                Some(run) => {
                    format!("the change claims to belong to {run}, which is not the author's")
                }
                None => "a fairy's change must name its run".to_owned(),
            };
            return Err(denied("foreign-run", reason));
        }
    }
    Ok(())
}

/// That words are pending is for the server to say. A fairy's own commits, which the server makes,
/// say it of its run; nobody says that words are pending no more.
fn check_pending(author: &Author<'_>, changes: &[Change]) -> Result<(), Refusal> {
    let Some(_) = author.capability else {
        return Ok(());
    };
    let writes = changes.iter().flat_map(|change| &change.writes);
    let pending = writes.filter(|write| write.mark.as_deref() == Some(PENDING));
    for write in pending {
        let run = write.value.as_ref().and_then(|value| value.as_str());
        if run.is_none() || run != author.run.map(|run| run.as_str()) {
            return Err(denied(
                "pending-mark",
                "only the server marks words as pending, or as pending no more".to_owned(),
            ));
        }
    }
    Ok(())
}

/// Over a line nobody makes blocks of a plugin that the workspace does not have, nor marks words with its marks;
/// those that are there stay. A cell is no new block where its row is. A mark is no new one where words of the page
/// wear the same: whoever parts a paragraph in two writes those of its words anew.
fn check_plugins(
    author: &Author<'_>,
    barred: &Barred,
    changes: &[Change],
    before: &PageDoc,
) -> Result<(), Refusal> {
    if author.conn.is_none() || !before.surface().has_styled_words() {
        return Ok(());
    }
    let writes = || changes.iter().flat_map(|change| &change.writes);
    for write in writes() {
        let Some(mark) = write.mark.as_deref() else {
            continue;
        };
        let set = write.value.as_ref().filter(|value| !value.is_null());
        let (Some(reason), Some(value)) = (barred.marks.get(mark), set) else {
            continue;
        };
        if !wears(before, mark, value) {
            return Err(denied("plugin-off", reason.clone()));
        }
    }
    for write in writes().filter(|write| write.property == NODE) {
        let kind = write.value.as_ref().and_then(Value::as_str);
        let Some(kind) = kind.filter(|kind| *kind != "tableCell") else {
            continue;
        };
        let Some(reason) = barred.blocks.get(kind) else {
            continue;
        };
        let was = before.element(&write.element);
        if was.is_none_or(|was| was.get(NODE).and_then(Value::as_str) != Some(kind)) {
            return Err(denied("plugin-off", reason.clone()));
        }
    }
    Ok(())
}

/// Whether words of the page wear a mark, deleted blocks included: they may come back. Looks at all of the page,
/// which only marks of plugins that are off make necessary.
fn wears(page: &PageDoc, mark: &str, value: &Value) -> bool {
    page.elements().values().any(|props| {
        let worn = props.get(MARKS).map(from_value).unwrap_or_default();
        worn.iter()
            .any(|one| one.name == mark && one.value == *value)
    })
}

/// Whether a change has only such writes, and the ends of marks that they began.
fn only(change: &Change, such: impl Fn(&Write) -> bool) -> bool {
    let mut begun = false;
    change.writes.iter().all(|write| {
        let ends = begun && write.text == Some(TextWrite::MarkEnd);
        begun = such(write);
        begun || ends
    })
}

/// Whether a write only says which words a comment of this subject is about: that is part of the
/// comment, and whoever may comment may say it.
fn anchors_own(subject: &str, write: &Write, changes: &[Change], before: &PageDoc) -> bool {
    let named = write.value.as_ref().and_then(|value| value.as_str());
    let (Some(ANCHOR), Some(named)) = (write.mark.as_deref(), named) else {
        return false;
    };
    let by = |author: Option<&Value>| author.and_then(Value::as_str) == Some(subject);
    let mut writes = changes.iter().flat_map(|change| &change.comments);
    let known = before.comment_of(&CommentId::from(named));
    match known {
        Some(known) => by(known.get(comment::AUTHOR)),
        None => writes.any(|write| {
            write.comment.as_str() == named
                && write.property == comment::AUTHOR
                && by(write.value.as_ref())
        }),
    }
}

/// Who may edit may also comment.
pub(crate) fn may_comment(capability: &Capability, page: &PageRef<'_>) -> bool {
    capability.allows(Op::Comment, page) || capability.allows(Op::Edit, page)
}
