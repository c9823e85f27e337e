//! The judge, and life after refusals.

use glade_doc::Refusal;
use loro::{ExportMode, VersionVector};
use serde_json::json;

use crate::refusing::{lived_in, rude};
use crate::support::*;

#[test]
fn the_judge_sees_the_changes_and_the_document_before_them() {
    let mut page = lived_in();
    let replica = page.doc().fork();
    let commit = replica
        .commit(
            BEN,
            Some(&tag("run_9", 2)),
            &[
                put("a", json!({"x": 5, "originalText": "ho"})),
                put("b", json!({"x": 1})),
            ],
        )
        .unwrap()
        .unwrap();
    let mut seen = Vec::new();
    let denied = page.admit(&commit.update, &mut |changes, doc| {
        seen = changes.to_vec();
        assert!(doc.element(&"b".into()).is_none());
        Err(Refusal::Denied {
            code: "read-only",
            reason: "this link may only read".into(),
        })
    });
    let refusal = denied.unwrap_err();
    assert_eq!(
        (
            refusal.code(),
            refusal.to_string().as_str(),
            refusal.costly()
        ),
        ("read-only", "this link may only read", true)
    );
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].tag, Some(tag("run_9", 2)));
    let writes: Vec<(&str, &str)> = seen[0]
        .writes
        .iter()
        .map(|write| (write.element.as_str(), write.property.as_str()))
        .collect();
    assert_eq!(
        writes,
        [
            ("a", "x"),
            ("a", "originalText"),
            ("a", "originalText"),
            ("b", ""),
            ("b", "x")
        ]
    );
    assert!(page.doc().element(&"b".into()).is_none());
    assert!(page.admit(&commit.update, &mut anyone).is_ok());
}

#[test]
fn refusal_after_refusal_leaves_the_page_working() {
    let mut page = lived_in();
    for round in 0..5 {
        let bad = rude(&page, |doc, _| {
            doc.get_map("other").insert("x", round).unwrap()
        });
        assert_eq!(
            page.admit(&bad, &mut anyone).unwrap_err().code(),
            "unknown-container"
        );
        if round % 2 == 0 {
            page.prepare_spare();
        }
        person(&mut page, BEN, &[put("a", json!({"y": round}))]);
    }
    assert_eq!(get(&page, "a", "y"), 4);
}

#[test]
fn an_empty_update_is_known_already() {
    let mut page = lived_in();
    let version = VersionVector::decode(&page.doc().version()).unwrap();
    let empty = page
        .doc()
        .loro()
        .export(ExportMode::updates(&version))
        .unwrap();
    assert!(admit(&mut page, &empty).already_known);
}
