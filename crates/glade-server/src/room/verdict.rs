//! Whether an update is its author's to make.

use glade_access::{Capability, Op, PageRef};
use glade_doc::{CanvasDoc, Change, Commenter, Refusal};

use super::merging::{Author, denied};

/// Judges what the gate has read, by the rights of whoever sent it and the page before it.
pub(super) fn judge(
    author: &Author<'_>,
    page: &PageRef<'_>,
    changes: &[Change],
    before: &CanvasDoc,
) -> Result<(), Refusal> {
    if let Some(capability) = author.capability {
        let draws = changes.iter().any(|change| !change.writes.is_empty());
        let comments = changes.iter().any(|change| !change.comments.is_empty());
        let suggests = author.suggestion().is_some() && capability.allows(Op::Suggest, page);
        if draws && !suggests && !capability.allows(Op::Edit, page) {
            return Err(denied(
                "read-only",
                "this token may not edit the page".to_owned(),
            ));
        }
        if comments && !may_comment(capability, page) {
            return Err(denied(
                "no-comments",
                "this token may not comment on the page".to_owned(),
            ));
        }
        super::region::check(capability, changes, before)?;
    }
    let commenter = Commenter {
        subject: author.subject,
        moderates: author.capability.is_none_or(Capability::is_owner),
    };
    commenter.check(changes, before)?;
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

/// Who may edit may also comment.
pub(super) fn may_comment(capability: &Capability, page: &PageRef<'_>) -> bool {
    capability.allows(Op::Comment, page) || capability.allows(Op::Edit, page)
}
