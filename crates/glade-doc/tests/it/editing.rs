//! The document by itself.

use glade_doc::{DocError, PageDoc, Surface};
use serde_json::json;

use crate::support::*;

#[test]
fn only_what_differs_becomes_an_operation() {
    let doc = PageDoc::new();
    let first = doc
        .commit(ANN, None, &[put("a", rect(1))])
        .unwrap()
        .unwrap();
    assert_eq!((first.peer, first.from, first.to), (ANN, 0, 7));
    assert_eq!(doc.commit(ANN, None, &[put("a", rect(1))]).unwrap(), None);
    assert_eq!(
        doc.commit(ANN, None, &[put("a", json!({"x": 1.0}))])
            .unwrap(),
        None
    );
    let second = doc
        .commit(ANN, None, &[put("a", json!({"x": 1, "y": 2.5}))])
        .unwrap()
        .unwrap();
    assert_eq!(
        (second.from, second.to, second.elements),
        (7, 8, ["a".into()].into())
    );
}

#[test]
fn two_people_change_two_properties_of_one_shape_and_both_survive() {
    let doc = PageDoc::new();
    doc.commit(ANN, None, &[put("a", rect(1))]).unwrap();
    let other = doc.fork();
    let one = doc
        .commit(ANN, None, &[put("a", json!({"x": 5}))])
        .unwrap()
        .unwrap();
    let two = other
        .commit(BEN, None, &[put("a", json!({"strokeColor": "red"}))])
        .unwrap()
        .unwrap();
    assert_eq!(doc.import(&two.update).unwrap(), ["a".into()].into());
    other.import(&one.update).unwrap();
    let mut expected = rect(5);
    expected["strokeColor"] = json!("red");
    assert_eq!(doc.elements(), other.elements());
    assert!(glade_doc::same_value(
        &doc.element(&"a".into()).unwrap().into(),
        &expected
    ));
}

#[test]
fn the_same_element_made_by_two_people_at_once_keeps_both_sides() {
    let (one, two) = (PageDoc::new(), PageDoc::new());
    let a = one
        .commit(
            ANN,
            None,
            &[put("e", json!({"x": 1, "originalText": "hi "}))],
        )
        .unwrap()
        .unwrap();
    let b = two
        .commit(
            BEN,
            None,
            &[put("e", json!({"y": 2, "originalText": "there"}))],
        )
        .unwrap()
        .unwrap();
    one.import(&b.update).unwrap();
    two.import(&a.update).unwrap();
    assert_eq!(one.elements(), two.elements());
    let props = one.element(&"e".into()).unwrap();
    assert_eq!((&props["x"], &props["y"]), (&json!(1), &json!(2)));
    assert_eq!(props["originalText"].as_str().unwrap().len(), 8);
}

#[test]
fn derived_bookkeeping_is_not_stored() {
    let doc = PageDoc::new();
    let edit = json!({"id": "a", "version": 3, "versionNonce": 1, "updated": 9, "boundElements": [], "text": "wrapped", "x": 1});
    doc.commit(ANN, None, &[put("a", edit)]).unwrap();
    assert_eq!(doc.element(&"a".into()).unwrap(), props(json!({"x": 1})));
}

#[test]
fn deleting_sets_the_tombstone_and_nothing_else() {
    let doc = PageDoc::new();
    doc.commit(ANN, None, &[put("a", json!({"x": 1}))]).unwrap();
    doc.commit(ANN, None, &[delete("a")]).unwrap().unwrap();
    assert_eq!(
        doc.element(&"a".into()).unwrap(),
        props(json!({"isDeleted": true, "x": 1}))
    );
    assert_eq!(
        doc.commit(ANN, None, &[delete("a"), delete("missing")])
            .unwrap(),
        None
    );
}

#[test]
fn a_bad_edit_in_a_list_leaves_all_of_it_undone() {
    let doc = PageDoc::new();
    for bad in [
        put("", json!({})),
        put("b\n", json!({})),
        put(&"x".repeat(129), json!({})),
        put("b", json!({"originalText": 3})),
        put("b", json!({"": 3})),
    ] {
        let refused = doc.commit(ANN, None, &[put("a", rect(1)), bad]);
        assert!(
            matches!(refused, Err(DocError::BadEdit { .. })),
            "{refused:?}"
        );
        assert_eq!(doc.elements().len(), 0);
    }
}

#[test]
fn a_page_opens_from_snapshot_and_log_and_says_when_history_is_missing() {
    let doc = PageDoc::new();
    let one = doc
        .commit(ANN, None, &[put("a", text("hi"))])
        .unwrap()
        .unwrap();
    let snapshot = doc.snapshot().unwrap();
    let two = doc
        .commit(ANN, None, &[put("a", json!({"originalText": "hi you"}))])
        .unwrap()
        .unwrap();
    let opened = PageDoc::open(
        Surface::Canvas,
        Some(&snapshot),
        std::slice::from_ref(&two.update),
    )
    .unwrap();
    assert_eq!(opened.elements(), doc.elements());
    let from_log = PageDoc::open(Surface::Canvas, None, &[one.update, two.update.clone()]).unwrap();
    assert_eq!(from_log.elements(), doc.elements());
    assert!(matches!(
        PageDoc::open(Surface::Canvas, None, std::slice::from_ref(&two.update)),
        Err(DocError::MissingHistory)
    ));
    assert!(matches!(
        PageDoc::new().import(&two.update),
        Err(DocError::MissingHistory)
    ));
    assert!(matches!(
        PageDoc::open(Surface::Canvas, Some(b"nonsense"), &[]),
        Err(DocError::Unreadable(_))
    ));
}

#[test]
fn updates_since_a_version_bring_a_replica_up_to_date() {
    let doc = PageDoc::new();
    doc.commit(ANN, None, &[put("a", rect(1))]).unwrap();
    let other = PageDoc::new();
    other.import(&doc.updates_since(&[]).unwrap()).unwrap();
    let version = other.version();
    doc.commit(ANN, None, &[put("b", rect(2))]).unwrap();
    assert_eq!(
        other.import(&doc.updates_since(&version).unwrap()).unwrap(),
        ["b".into()].into()
    );
    assert_eq!(other.version(), doc.version());
    assert!(matches!(
        doc.updates_since(b"\xff\xff\xff"),
        Err(DocError::BadVersion(_))
    ));
}

#[test]
fn an_element_without_properties_counts_as_changed() {
    let doc = PageDoc::new();
    let commit = doc
        .commit(ANN, None, &[put("a", json!({}))])
        .unwrap()
        .unwrap();
    assert_eq!(commit.elements, ["a".into()].into());
    assert!(doc.element(&"a".into()).unwrap().is_empty());
}

#[test]
fn ids_with_awkward_characters_survive_the_path_encoding() {
    for id in [
        "a>b",
        "a/b",
        "a\\b",
        "$elements>x",
        "🤝:$elements>y",
        "ü😀",
        "a>originalText",
    ] {
        let mut page = page();
        fairy(&mut page, "run_1", 1, &[put(id, text("hi"))]);
        assert_eq!(page.touched_elements(&"run_1".into()), [id.into()].into());
        assert_eq!(words(&page, id), "hi");
        undo(&mut page, "run_1");
        assert_eq!(live_ids(&page), Vec::<String>::new());
    }
}
