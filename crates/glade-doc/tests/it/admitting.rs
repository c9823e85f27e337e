//! What an admitted update says about itself.

use glade_doc::{PeerSpan, TouchKind, WriteKind};
use serde_json::json;

use crate::support::*;

#[test]
fn an_admitted_update_names_its_spans_elements_and_touches() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    let admitted = write(
        &mut page,
        FAIRY,
        Some(tag("run_1", 3)),
        &[put("a", json!({"x": 2})), put("b", json!({"x": 0, "y": 0}))],
    )
    .unwrap();
    assert_eq!(
        admitted.spans,
        [PeerSpan {
            peer: FAIRY,
            from: 0,
            to: 4
        }]
    );
    assert_eq!(admitted.elements, ["a".into(), "b".into()].into());
    let rows: Vec<_> = admitted
        .touches
        .iter()
        .map(|row| {
            (
                row.element.as_str(),
                row.property.as_str(),
                row.action,
                row.peer,
            )
        })
        .collect();
    assert_eq!(rows, [("a", "x", 3, FAIRY), ("b", "", 3, FAIRY)]);
    assert!(
        matches!(&admitted.touches[0].kind, TouchKind::Register { before: Some(before), before_by: Some(ANN), .. } if *before == json!(1))
    );
    assert_eq!(
        page.touched_elements(&"run_1".into()),
        ["a".into(), "b".into()].into()
    );
}

#[test]
fn a_growing_partial_touches_each_register_once() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    for x in 2..20 {
        fairy(&mut page, "run_1", 1, &[put("a", json!({"x": x}))]);
    }
    assert_eq!(page.touches().count(), 1);
    undo(&mut page, "run_1");
    assert_eq!(get(&page, "a", "x"), 1);
}

#[test]
fn derived_writes_are_marked() {
    let mut page = page();
    person(
        &mut page,
        ANN,
        &[
            put("c", rect(1)),
            put(
                "l",
                json!({"type": "text", "containerId": "c", "originalText": "A"}),
            ),
            put(
                "r",
                json!({"type": "arrow", "x": 1, "startBinding": {"elementId": "c"}}),
            ),
            put(
                "fixed",
                json!({"type": "text", "autoResize": false, "width": 1, "originalText": "A"}),
            ),
            put(
                "free",
                json!({"type": "text", "width": 1, "originalText": "A"}),
            ),
        ],
    );
    let admitted = write(
        &mut page,
        BEN,
        None,
        &[
            put("c", json!({"x": 9, "height": 9})),
            put("l", json!({"x": 9, "originalText": "AB", "opacity": 1})),
            put("r", json!({"x": 9, "points": [], "strokeColor": "red"})),
            put("fixed", json!({"width": 9})),
            put("free", json!({"width": 9, "x": 9})),
        ],
    )
    .unwrap();
    let marked: Vec<String> = admitted.changes[0]
        .writes
        .iter()
        .filter(|write| write.derived)
        .map(|write| format!("{}.{}", write.element, write.property))
        .collect();
    assert_eq!(marked, ["c.height", "l.x", "r.x", "r.points", "free.width"]);
    assert!(
        admitted.changes[0]
            .writes
            .iter()
            .any(|write| write.kind == WriteKind::Text)
    );
}

#[test]
fn several_peoples_edits_may_come_in_one_update() {
    let mut page = page();
    let replica = page.doc().fork();
    replica.commit(ANN, None, &[put("a", rect(1))]).unwrap();
    replica
        .commit(BEN, None, &[put("a", json!({"x": 2}))])
        .unwrap();
    let admitted = admit(&mut page, &replica.updates_since(&[]).unwrap());
    assert_eq!(admitted.spans.len(), 2);
    assert_eq!(
        admitted
            .changes
            .iter()
            .map(|change| change.peer)
            .collect::<Vec<_>>(),
        [ANN, BEN]
    );
    assert_eq!(get(&page, "a", "x"), 2);
}

#[test]
fn several_actions_may_come_in_one_update() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    let replica = page.doc().fork();
    let version = replica.version();
    for action in 1..4 {
        replica
            .commit(
                FAIRY,
                Some(&tag("run_1", action)),
                &[put("a", json!({"x": action * 10}))],
            )
            .unwrap();
    }
    admit(&mut page, &replica.updates_since(&version).unwrap());
    cancel(&mut page, "run_1", 3);
    assert_eq!(get(&page, "a", "x"), 20);
    undo(&mut page, "run_1");
    assert_eq!(get(&page, "a", "x"), 1);
}

#[test]
fn a_message_that_is_no_tag_is_shown_to_the_judge_as_it_is() {
    let mut page = page();
    let doc = loro::LoroDoc::new();
    doc.get_map("elements").ensure_mergeable_map("a").unwrap();
    doc.set_next_commit_message("{\"run\":3}");
    doc.commit();
    let admitted = admit(
        &mut page,
        &doc.export(loro::ExportMode::all_updates()).unwrap(),
    );
    assert_eq!(
        (
            admitted.changes[0].message.as_deref(),
            &admitted.changes[0].tag
        ),
        (Some("{\"run\":3}"), &None)
    );
}
