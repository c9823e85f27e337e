//! Between the values of the other crates and the store's rows.

use glade_doc::{CanvasDoc, DocError, Edit, PageId, Touch, TouchKey};
use glade_store as store;

use crate::clock::now_ms;
use crate::ids;

pub fn touch_row(page: &PageId, touch: &Touch) -> store::TouchRow {
    store::TouchRow {
        run: touch.run.to_string(),
        page: page.to_string(),
        action: i64::from(touch.action),
        element: touch.element.to_string(),
        property: touch.property.clone(),
        // A touch is made of strings, numbers and JSON values: it always serialises.
        body_json: serde_json::to_string(touch).unwrap_or_default(),
    }
}

pub fn touch_key(page: &PageId, key: &TouchKey) -> store::TouchKey {
    store::TouchKey {
        run: key.run.to_string(),
        page: page.to_string(),
        action: i64::from(key.action),
        element: key.element.to_string(),
        property: key.property.clone(),
    }
}

/// The first update of a page that begins with something on it.
pub fn filled(page: &str, subject: &str, edits: &[Edit]) -> Result<Vec<store::Change>, DocError> {
    let Some(commit) = CanvasDoc::new().commit(ids::peer(), None, edits)? else {
        return Ok(Vec::new());
    };
    Ok(vec![
        store::Change::BindPeer {
            page: page.to_owned(),
            peer: commit.peer,
            subject: subject.to_owned(),
        },
        store::Change::AppendUpdate {
            page: page.to_owned(),
            peer_spans: vec![(commit.peer, commit.from, commit.to)],
            blob: commit.update,
            subject: subject.to_owned(),
            at_ms: now_ms(),
        },
    ])
}
