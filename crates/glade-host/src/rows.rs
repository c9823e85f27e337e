//! Between the values of the other crates and the store's rows.

use std::collections::BTreeMap;

use glade_doc::{CommentId, DocError, Edit, PageDoc, PageId, Props, Surface, Touch, TouchKey};
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
pub fn filled(
    page: &str,
    surface: Surface,
    subject: &str,
    edits: &[Edit],
) -> Result<Vec<store::Change>, DocError> {
    filled_with(page, surface, subject, edits, &BTreeMap::new())
}

/// The same, with what was said about it.
pub fn filled_with(
    page: &str,
    surface: Surface,
    subject: &str,
    edits: &[Edit],
    comments: &BTreeMap<CommentId, Props>,
) -> Result<Vec<store::Change>, DocError> {
    let (doc, peer) = (PageDoc::blank(surface), ids::peer());
    doc.commit(peer, None, edits)?;
    for (id, props) in comments {
        doc.comment(peer, id, props)?;
    }
    let to = doc.next_counter(peer);
    if to == 0 {
        return Ok(Vec::new());
    }
    Ok(vec![
        store::Change::BindPeer {
            page: page.to_owned(),
            peer,
            subject: subject.to_owned(),
        },
        store::Change::AppendUpdate {
            page: page.to_owned(),
            peer_spans: vec![(peer, 0, to)],
            blob: doc.updates_since(&[])?,
            subject: subject.to_owned(),
            at_ms: now_ms(),
        },
    ])
}

/// What a page is made of.
pub fn surface_of(row: &store::PageRow) -> Result<Surface, store::Unreadable> {
    let wrong = || store::Unreadable::new("page", &row.id, "kind", format!("is {:?}", row.kind));
    Surface::of_kind(&row.kind).ok_or_else(wrong)
}

/// What a page may be called; why not, otherwise.
pub fn good_name(name: &str) -> Result<String, &'static str> {
    let name = name.trim();
    if (1..=200).contains(&name.chars().count()) {
        Ok(name.to_owned())
    } else {
        Err("A page's name has 1 to 200 characters.")
    }
}

/// Tokens can only name tiers made of these letters.
pub fn good_tier(tier: &str) -> Result<String, &'static str> {
    let fits = (1..=128).contains(&tier.len())
        && tier
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    if fits {
        Ok(tier.to_owned())
    } else {
        Err("A tier has 1 to 128 letters, digits and . _ -")
    }
}
