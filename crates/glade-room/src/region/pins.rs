//! Whether comments stay in the region: what is said, answered, moved or settled is pinned there.

use std::collections::BTreeSet;

use glade_access::Region;
use glade_canvas::Rect;
use glade_canvas::bounds::bounds;
use glade_doc::schema::comment;
use glade_doc::{Change, CommentId, PageDoc, Refusal};
use serde_json::Value;

use super::{holds, live, outside};

/// An answer to an answer to an answer … has its place where the first was said.
const DEEPEST: usize = 16;

pub(super) fn check(
    region: &Region,
    changes: &[Change],
    before: &PageDoc,
    after: &PageDoc,
) -> Result<(), Refusal> {
    let written = changes.iter().flat_map(|change| &change.comments);
    let written: BTreeSet<&CommentId> = written.map(|write| &write.comment).collect();
    for id in written {
        let was = before.comment_of(id).is_none() || is_pinned_in(region, before, id);
        if !was || !is_pinned_in(region, after, id) {
            return Err(outside(&format!("comment {id}")));
        }
    }
    Ok(())
}

fn is_pinned_in(region: &Region, page: &PageDoc, id: &CommentId) -> bool {
    let mut id = id.clone();
    for _ in 0..DEEPEST {
        let Some(props) = page.comment_of(&id) else {
            return false;
        };
        let text = |name: &str| props.get(name).and_then(Value::as_str);
        if let Some(parent) = text(comment::PARENT) {
            id = CommentId::from(parent);
            continue;
        }
        let number = |name| props.get(name).and_then(Value::as_f64).unwrap_or_default();
        let element = text(comment::ELEMENT).and_then(|id| live(page, &id.into()));
        let origin = element.map_or(Rect::new(0.0, 0.0, 0.0, 0.0), |it| bounds(&it));
        let (x, y) = (origin.x + number(comment::X), origin.y + number(comment::Y));
        return holds(region, &Rect::new(x, y, 0.0, 0.0));
    }
    false
}
