//! Small words for tests: who writes what, and what there is to see.

use std::collections::BTreeMap;

use glade_doc::{
    Admitted, Edit, ElementId, GuardedPage, NotUndone, PageDoc, PeerId, Props, Refusal,
    RollbackRequest, RolledBack, RunTag, Surface,
};
use serde_json::{Value, json};

pub const ANN: PeerId = 1;
pub const BEN: PeerId = 2;
pub const FAIRY: PeerId = 10;
pub const OTHER_FAIRY: PeerId = 11;
pub const SERVER: PeerId = 99;

pub fn page() -> GuardedPage {
    GuardedPage::open(PageDoc::new(), Vec::new()).unwrap()
}

pub fn props(value: Value) -> Props {
    match value {
        Value::Object(props) => props,
        other => panic!("not properties: {other}"),
    }
}

pub fn put(id: &str, value: Value) -> Edit {
    Edit::Put {
        id: id.into(),
        props: props(value),
    }
}

pub fn delete(id: &str) -> Edit {
    Edit::Delete { id: id.into() }
}

pub fn tag(run: &str, action: u32) -> RunTag {
    RunTag {
        run: run.into(),
        step: 1,
        action,
    }
}

pub fn anyone(_: &[glade_doc::Change], _: &PageDoc) -> Result<(), Refusal> {
    Ok(())
}

pub fn admit(page: &mut GuardedPage, blob: &[u8]) -> Admitted {
    page.admit(blob, &mut anyone).unwrap()
}

/// Write at the head of the page, as a browser or a fairy that has seen everything.
pub fn write(
    page: &mut GuardedPage,
    peer: PeerId,
    tag: Option<RunTag>,
    edits: &[Edit],
) -> Option<Admitted> {
    let replica = page.doc().fork();
    let commit = replica.commit(peer, tag.as_ref(), edits).unwrap()?;
    Some(admit(page, &commit.update))
}

pub fn person(page: &mut GuardedPage, peer: PeerId, edits: &[Edit]) {
    write(page, peer, None, edits);
}

pub fn fairy(page: &mut GuardedPage, run: &str, action: u32, edits: &[Edit]) {
    write(page, FAIRY, Some(tag(run, action)), edits);
}

pub fn undo(page: &mut GuardedPage, run: &str) -> RolledBack {
    page.rollback(SERVER, &RollbackRequest::whole(run.into()))
        .unwrap()
}

pub fn cancel(page: &mut GuardedPage, run: &str, action: u32) -> RolledBack {
    page.rollback(SERVER, &RollbackRequest::action(run.into(), action))
        .unwrap()
}

pub fn kept(what: &str, property: &str, by: PeerId) -> NotUndone {
    NotUndone {
        what: what.into(),
        property: Some(property.to_owned()),
        by,
    }
}

pub fn get(page: &GuardedPage, id: &str, property: &str) -> Value {
    page.doc()
        .element(&id.into())
        .and_then(|props| props.get(property).cloned())
        .unwrap_or(Value::Null)
}

pub fn words(page: &GuardedPage, id: &str) -> String {
    match get(page, id, "originalText") {
        Value::String(words) => words,
        other => panic!("no text: {other}"),
    }
}

/// What a person sees: elements that are not deleted, properties that are not null, words that are
/// not empty (a text, once made, can only be emptied).
pub fn live(doc: &PageDoc) -> BTreeMap<ElementId, Props> {
    doc.elements()
        .into_iter()
        .filter(|(_, props)| props.get("isDeleted") != Some(&Value::Bool(true)))
        .map(|(id, mut props)| {
            props.retain(|name, value| {
                !value.is_null() && name != "isDeleted" && (name != "originalText" || value != "")
            });
            props.sort_keys();
            (id, props)
        })
        .collect()
}

pub fn live_ids(page: &GuardedPage) -> Vec<String> {
    live(page.doc()).into_keys().map(|id| id.0).collect()
}

/// Close and open again, through what would be stored.
pub fn restart(page: &GuardedPage) -> GuardedPage {
    let rows: Vec<String> = page
        .touches()
        .map(|row| serde_json::to_string(row).unwrap())
        .collect();
    let rows = rows
        .iter()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let doc = PageDoc::open(Surface::Canvas, Some(&page.doc().snapshot().unwrap()), &[]).unwrap();
    GuardedPage::open(doc, rows).unwrap()
}

pub fn rect(x: i32) -> Value {
    json!({ "type": "rectangle", "x": x, "y": 0, "width": 100, "height": 50, "strokeColor": "#000" })
}

pub fn text(words: &str) -> Value {
    json!({ "type": "text", "x": 0, "y": 0, "width": 10, "height": 20, "originalText": words })
}
