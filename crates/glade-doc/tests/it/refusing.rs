//! Every way to be turned away, and that it leaves no trace.

use glade_doc::{GuardedPage, MAX_UPDATE_BYTES, Refusal, blob_spans};
use loro::{
    ExpandType, ExportMode, IdSpan, LoroDoc, LoroList, LoroMap, LoroText, StyleConfig,
    StyleConfigMap,
};
use serde_json::json;

use crate::support::*;

/// A page with one element and a pending run, so that there is something to disturb.
pub fn lived_in() -> GuardedPage {
    let mut page = page();
    person(&mut page, ANN, &[put("a", text("hi"))]);
    fairy(&mut page, "run_1", 1, &[put("a", json!({"x": 4}))]);
    page
}

/// Hand-made bytes by BEN on top of `page`, without this crate's manners.
pub fn rude(page: &GuardedPage, write: impl FnOnce(&LoroDoc, &LoroMap)) -> Vec<u8> {
    let doc = page.doc().loro().fork();
    doc.set_peer_id(BEN).unwrap();
    let version = doc.oplog_vv();
    write(&doc, &doc.get_map("elements"));
    doc.commit();
    doc.export(ExportMode::updates(&version)).unwrap()
}

pub fn element(doc: &LoroDoc) -> LoroMap {
    doc.get_map("elements").ensure_mergeable_map("a").unwrap()
}

fn refused(page: &mut GuardedPage, blob: &[u8]) -> Refusal {
    let (version, elements) = (page.doc().version(), page.doc().elements());
    let rows: Vec<_> = page.touches().cloned().collect();
    let refusal = page.admit(blob, &mut anyone).unwrap_err();
    assert_eq!(page.doc().version(), version);
    assert_eq!(page.doc().elements(), elements);
    assert_eq!(page.touches().cloned().collect::<Vec<_>>(), rows);
    // The gate is as it was, too: the next good update passes, from the same peer.
    let before = page.doc().fork();
    person(page, BEN, &[put("after", rect(1))]);
    assert_eq!(live_ids(page), ["a", "after"]);
    let rows = page.touches().cloned().collect();
    *page = GuardedPage::open(before, rows).unwrap();
    refusal
}

fn rudely(write: impl FnOnce(&LoroDoc, &LoroMap)) -> Refusal {
    let mut page = lived_in();
    let blob = rude(&page, write);
    refused(&mut page, &blob)
}

#[test]
fn bytes_that_are_no_update_are_refused_cheaply() {
    let mut page = lived_in();
    let good = rude(&page, |doc, _| element(doc).insert("x", 1).unwrap());
    let mut torn = good.clone();
    *torn.last_mut().unwrap() ^= 1;
    let too_large = vec![0; MAX_UPDATE_BYTES + 1];
    for (blob, code) in [
        (&b""[..], "malformed"),
        (b"hello", "malformed"),
        (&good[..good.len() - 1], "malformed"),
        (&torn, "malformed"),
        (&too_large, "too-large"),
        (&page.doc().snapshot().unwrap(), "snapshot"),
    ] {
        let refusal = refused(&mut page, blob);
        assert_eq!((refusal.code(), refusal.costly()), (code, false));
        assert_eq!(blob_spans(blob), Err(refusal));
    }
}

#[test]
fn counters_must_go_on_exactly() {
    let mut page = page();
    let doc = page.doc().fork();
    let start = doc.version();
    let one = doc
        .commit(ANN, None, &[put("a", json!({"x": 1}))])
        .unwrap()
        .unwrap();
    let two = doc
        .commit(ANN, None, &[put("a", json!({"x": 2}))])
        .unwrap()
        .unwrap();
    let both = doc.updates_since(&start).unwrap();
    let mismatch = |from, expected| Refusal::CounterMismatch {
        peer: ANN,
        expected,
        from,
        to: 3,
    };
    assert_eq!(page.admit(&two.update, &mut anyone), Err(mismatch(2, 0)));
    admit(&mut page, &one.update);
    assert_eq!(page.admit(&both, &mut anyone), Err(mismatch(0, 2)));
    admit(&mut page, &two.update);
    for known in [&one.update, &two.update, &both] {
        assert!(admit(&mut page, known).already_known);
    }
    // Another past under the same id.
    let liar = glade_doc::PageDoc::new();
    let tall = liar
        .commit(ANN, None, &[put("z", rect(1))])
        .unwrap()
        .unwrap();
    assert_eq!(
        page.admit(&tall.update, &mut anyone).unwrap_err().code(),
        "counter-mismatch"
    );
}

#[test]
fn an_update_without_its_history_is_refused() {
    let mut page = lived_in();
    let doc = page.doc().fork();
    doc.commit(OTHER_FAIRY, None, &[put("b", rect(1))]).unwrap();
    let commit = doc
        .commit(BEN, None, &[put("b", json!({"x": 9}))])
        .unwrap()
        .unwrap();
    let spans = vec![IdSpan::new(BEN, commit.from, commit.to)];
    let alone = doc
        .loro()
        .export(ExportMode::updates_in_range(spans))
        .unwrap();
    assert_eq!(refused(&mut page, &alone), Refusal::MissingHistory);
}

#[test]
fn other_roots_are_refused() {
    type Rude = fn(&LoroDoc);
    let roots: [(&str, Rude); 5] = [
        ("cid:root-other:Map", |doc| {
            doc.get_map("other").insert("x", 1).unwrap()
        }),
        ("cid:root-elements:List", |doc| {
            doc.get_list("elements").insert(0, 1).unwrap()
        }),
        ("cid:root-elements:Text", |doc| {
            doc.get_text("elements").insert(0, "x").unwrap()
        }),
        ("cid:root-elements:MovableList", |doc| {
            doc.get_movable_list("elements").insert(0, 1).unwrap()
        }),
        ("cid:root-t:Tree", |doc| {
            doc.get_tree("t").create(None).unwrap();
        }),
    ];
    for (container, write) in roots {
        let refusal = rudely(|doc, _| write(doc));
        assert_eq!(
            refusal,
            Refusal::UnknownContainer {
                container: container.to_owned()
            }
        );
        assert!(refusal.costly());
    }
}

#[test]
fn plain_child_containers_are_refused() {
    let refusals = [
        rudely(|_, elements| {
            elements.insert_container("b", LoroMap::new()).unwrap();
        }),
        rudely(|_, elements| {
            elements.insert_container("a", LoroMap::new()).unwrap();
        }),
        rudely(|doc, _| {
            element(doc)
                .insert_container("originalText", LoroText::new())
                .unwrap();
        }),
        rudely(|doc, _| {
            element(doc)
                .insert_container("points", LoroList::new())
                .unwrap();
        }),
    ];
    for refusal in refusals {
        assert_eq!(refusal.code(), "plain-container", "{refusal}");
    }
}

#[test]
fn other_mergeable_children_are_refused() {
    let in_element = rudely(|doc, _| {
        element(doc).ensure_mergeable_list("points").unwrap();
    });
    assert_eq!(
        in_element,
        Refusal::NotPlain {
            element: "a".into(),
            property: "points".into()
        }
    );
    let in_text = rudely(|doc, _| {
        element(doc).ensure_mergeable_map("originalText").unwrap();
    });
    assert_eq!(
        in_text,
        Refusal::NotText {
            element: "a".into()
        }
    );
    let in_root = rudely(|_, elements| {
        elements.ensure_mergeable_text("b").unwrap();
    });
    assert_eq!(
        in_root,
        Refusal::NotAnElement {
            element: "b".into()
        }
    );
    for container in [
        "cid:root-🤝:$elements>a>sub:Map",
        "cid:root-🤝:$elements>a>sub>originalText:Text",
        "cid:root-🤝:$other>a:Map",
        "cid:root-🤝:$elements>a:List",
    ] {
        let mut page = lived_in();
        let Some(blob) = forged(&page, |json| {
            let op = &mut json["changes"][0]["ops"][0];
            op["container"] = json!(container);
            if container.ends_with("Text") {
                op["content"] = json!({"type": "insert", "pos": 0, "text": "x"});
            } else if container.ends_with("List") {
                op["content"] = json!({"type": "insert", "pos": 0, "value": [1]});
            }
        }) else {
            panic!("Loro takes {container}");
        };
        assert_eq!(
            refused(&mut page, &blob),
            Refusal::UnknownContainer {
                container: container.to_owned()
            }
        );
    }
}

#[test]
fn removing_keys_is_refused_and_null_is_fine() {
    assert_eq!(
        rudely(|_, elements| elements.delete("a").unwrap()),
        Refusal::KeyRemoved {
            element: None,
            key: "a".into()
        }
    );
    assert_eq!(
        rudely(|doc, _| element(doc).delete("x").unwrap()),
        Refusal::KeyRemoved {
            element: Some("a".into()),
            key: "x".into()
        }
    );
    let mut page = lived_in();
    let blob = rude(&page, |doc, _| {
        element(doc).insert("x", loro::LoroValue::Null).unwrap()
    });
    assert!(page.admit(&blob, &mut anyone).is_ok());
}

#[test]
fn values_that_are_not_plain_are_refused() {
    assert_eq!(
        rudely(|_, elements| elements.insert("b", 3).unwrap()),
        Refusal::NotAnElement {
            element: "b".into()
        }
    );
    assert_eq!(
        rudely(|doc, _| element(doc).insert("originalText", "words").unwrap()),
        Refusal::NotText {
            element: "a".into()
        }
    );
    for value in [
        loro::LoroValue::Double(f64::NAN),
        loro::LoroValue::Double(f64::INFINITY),
        loro::LoroValue::Binary(vec![1, 2].into()),
        loro::LoroValue::List(vec![loro::LoroValue::Double(f64::NEG_INFINITY)].into()),
        (0..40).fold(loro::LoroValue::Null, |inner, _| {
            loro::LoroValue::List(vec![inner].into())
        }),
    ] {
        assert_eq!(
            rudely(|doc, _| element(doc).insert("x", value).unwrap()),
            Refusal::NotPlain {
                element: "a".into(),
                property: "x".into()
            }
        );
    }
}

#[test]
fn names_out_of_bounds_are_refused() {
    for id in ["", "a\nb", &"x".repeat(129)] {
        let refusal = rudely(|_, elements| {
            elements
                .ensure_mergeable_map(id)
                .unwrap()
                .insert("x", 1)
                .unwrap();
        });
        assert_eq!(refusal, Refusal::BadElementId { id: id.to_owned() });
    }
    for property in ["", "x\u{7f}", &"x".repeat(129)] {
        assert_eq!(
            rudely(|doc, _| element(doc).insert(property, 1).unwrap()),
            Refusal::BadProperty {
                element: "a".into(),
                property: property.to_owned()
            }
        );
    }
}

#[test]
fn styled_text_is_refused() {
    let refusal = rudely(|doc, _| {
        let mut styles = StyleConfigMap::new();
        styles.insert(
            "bold".into(),
            StyleConfig {
                expand: ExpandType::After,
            },
        );
        doc.config_text_style(styles);
        let text = element(doc).ensure_mergeable_text("originalText").unwrap();
        text.mark(0..1, "bold", true).unwrap();
    });
    assert_eq!(
        refusal,
        Refusal::StyledText {
            element: "a".into()
        }
    );
}

/// Bytes made from JSON, where nothing stops a liar.
fn forged(page: &GuardedPage, edit: impl FnOnce(&mut serde_json::Value)) -> Option<Vec<u8>> {
    let honest = page.doc().loro().fork();
    honest.set_peer_id(BEN).unwrap();
    let version = honest.oplog_vv();
    element(&honest).insert("x", 7).unwrap();
    honest.commit();
    let schema = honest
        .export_json_updates(&version, &honest.oplog_vv())
        .unwrap();
    let mut json = serde_json::to_value(&schema).unwrap();
    edit(&mut json);
    let liar = page.doc().loro().fork();
    liar.import_json_updates(json.to_string()).ok()?;
    liar.export(ExportMode::updates(&version)).ok()
}

#[test]
fn writes_below_a_key_that_was_never_made_are_refused() {
    let mut page = lived_in();
    let ghost = forged(&page, |json| {
        json["changes"][0]["ops"][0]["container"] = json!("cid:root-🤝:$elements>ghost:Map");
    })
    .expect("Loro takes it");
    assert_eq!(
        refused(&mut page, &ghost),
        Refusal::HiddenElement {
            element: "ghost".into()
        }
    );
}

#[test]
fn containers_of_an_unknown_kind_are_refused() {
    let mut page = lived_in();
    let blob = forged(&page, |json| {
        let op = &mut json["changes"][0]["ops"][0];
        op["container"] = json!("cid:root-x:Unknown(99)");
        op["content"] = json!({"type": "unknown", "prop": 0, "value_type": "i64", "value": 1});
    })
    .expect("Loro takes it");
    assert_eq!(
        refused(&mut page, &blob),
        Refusal::Malformed {
            reason: "a container in it is of an unknown kind".to_owned()
        }
    );
}
