//! Files in and out: what is kept, repaired, said, refused.

use std::time::Instant;

use glade_canvas::file::{self, FileError, Note, from_any, from_excalidraw, from_library};
use glade_canvas::{BindMode, Element, Scene, order};
use glade_doc::{PageDoc, same_value};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{PIXEL, id};

fn file_of(elements: Value) -> Vec<u8> {
    json!({"type": "excalidraw", "version": 2, "source": "test", "elements": elements, "appState": {"zenModeEnabled": true}, "files": {"f": {"id": "f"}}})
        .to_string()
        .into_bytes()
}

fn a_box(name: &str) -> Value {
    json!({"id": name, "type": "rectangle", "x": 100, "y": 100, "width": 100, "height": 100})
}

#[test]
fn an_old_binding_aims_where_its_arrow_points() {
    let arrow = |points: Value, binding: Value| json!({"id": "arrow", "type": "arrow", "x": 0, "y": 150, "points": points, "endBinding": binding, "endArrowhead": "arrow"});
    let old = json!({"elementId": "box", "focus": 0.2, "gap": 4});
    let loaded = from_excalidraw(&file_of(json!([
        a_box("box"),
        arrow(json!([[0, 0], [95, 0]]), old.clone())
    ])))
    .unwrap();
    let bound = loaded.elements[1].end_binding().unwrap();
    assert_eq!((bound.element_id, bound.mode), (id("box"), BindMode::Orbit));
    // Beside the middle of the left side.
    assert_eq!(bound.fixed_point, (0.0, 0.5001));
    assert_eq!(loaded.notes, [Note::Rebound { arrow: id("arrow") }]);
    let inside = from_excalidraw(&file_of(json!([
        a_box("box"),
        arrow(json!([[0, 0], [120, 30]]), old)
    ])))
    .unwrap();
    let bound = inside.elements[1].end_binding().unwrap();
    assert_eq!(
        (bound.fixed_point, bound.mode),
        ((0.2, 0.8), BindMode::Inside)
    );
    let new = json!({"elementId": "box", "fixedPoint": [0.1, 0.9], "mode": "inside", "kept": 1});
    let kept = from_excalidraw(&file_of(json!([
        a_box("box"),
        arrow(json!([[0, 0], [9, 9]]), new.clone())
    ])))
    .unwrap();
    assert_eq!(kept.elements[1].props["endBinding"], new);
    assert_eq!(kept.notes, []);
}

#[test]
fn what_the_document_derives_is_left_out_and_made_again() {
    let elements = json!([
        {"id": "c", "type": "rectangle", "x": 0, "y": 0, "width": 200, "height": 100, "boundElements": [{"id": "old", "type": "arrow"}], "version": 7, "versionNonce": 1, "updated": 9, "seed": 5},
        {"id": "t", "type": "text", "text": "wrapped\nwords", "containerId": "c", "fontSize": 20, "fontFamily": 5},
        {"id": "dead", "type": "ellipse", "isDeleted": true},
    ]);
    let loaded = from_excalidraw(&file_of(elements)).unwrap();
    let names: Vec<_> = loaded
        .elements
        .iter()
        .map(|element| element.id.as_str())
        .collect();
    assert_eq!(names, ["c", "t"]);
    let stored: Vec<_> = loaded.elements[0].props.keys().collect();
    assert_eq!(
        stored,
        ["type", "x", "y", "width", "height", "seed", "index"]
    );
    assert_eq!(loaded.elements[1].original_text(), "wrapped\nwords");
    assert_eq!(loaded.app_state["zenModeEnabled"], true);
    assert_eq!(loaded.files["f"], json!({"id": "f"}));
    let again = file::to_excalidraw(&loaded.scene());
    assert_eq!(
        again["elements"][0]["boundElements"],
        json!([{"id": "t", "type": "text"}])
    );
}

#[test]
fn the_order_of_the_file_is_the_order_on_the_page() {
    let keyed = |name: &str, index: Value| {
        let mut element = a_box(name);
        element["index"] = index;
        element
    };
    let elements = json!([
        keyed("c", json!("a5")),
        keyed("a", Value::Null),
        keyed("b", json!("a1")),
        keyed("d", json!("a7"))
    ]);
    let loaded = from_excalidraw(&file_of(elements)).unwrap();
    let keys: Vec<_> = loaded
        .elements
        .iter()
        .map(|element| element.index().unwrap().to_owned())
        .collect();
    assert!(
        keys.windows(2).all(|pair| pair[0] < pair[1])
            && keys.iter().all(|key| order::is_valid(key)),
        "{keys:?}"
    );
    assert_eq!((keys[0].as_str(), keys[3].as_str()), ("a5", "a7"));
}

#[test]
fn odd_elements_are_repaired_or_left_out_and_it_is_said() {
    let deep = (0..60).fold(json!(1), |inner, _| json!([inner]));
    let elements = json!([
        "nonsense", {"x": 1}, {"id": "runs", "type": "iframe"}, a_box("twice"), a_box("twice"), {"type": "ellipse", "x": 1e300, "width": -1e300},
        {"id": "deep", "type": "rectangle", "customData": deep},
        {"id": "self", "type": "frame", "frameId": "self"},
        {"id": "arrow", "type": "arrow", "startBinding": {"elementId": "arrow", "fixedPoint": [0.5, 0.5]}, "endBinding": {"elementId": "nobody", "focus": 1, "gap": 1}},
    ]);
    let mut loaded = from_excalidraw(&file_of(elements)).unwrap();
    loaded.leave_out_barred();
    let said: Vec<String> = loaded.notes.iter().map(Note::to_string).collect();
    assert_eq!(
        said,
        [
            "left out element 0: it is not an object",
            "left out element 1: it has no type",
            "gave the element \"twice\" the id \"twice-4-2\"",
            "gave the element \"\" the id \"element-5\"",
            "dropped \"x\" of \"element-5\": the document cannot hold it",
            "dropped \"width\" of \"element-5\": the document cannot hold it",
            "dropped \"customData\" of \"deep\": the document cannot hold it",
            "cut frameId of \"self\": it leads nowhere",
            "cut startBinding of \"arrow\": it leads nowhere",
            "cut endBinding of \"arrow\": it leads nowhere",
            "left out the element \"runs\": it is of a kind that no page has",
        ]
    );
    let scene = loaded.scene();
    assert!(scene.content_bounds().unwrap().w.is_finite());
    PageDoc::new().commit(7, None, &loaded.edits()).unwrap();
}

#[test]
fn hostile_and_broken_files_are_clear_errors_in_bounded_time() {
    let start = Instant::now();
    let bad = |bytes: &[u8]| from_any(bytes).unwrap_err();
    let deep = format!(
        "{{\"elements\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for text in [
        "",
        "{\"elements\": [",
        "{\"elements\": [NaN]}",
        "{\"elements\": [1e999]}",
        deep.as_str(),
    ] {
        assert!(
            matches!(bad(text.as_bytes()), FileError::Json(_)),
            "{text:.40}"
        );
    }
    assert!(matches!(bad(b"[1]"), FileError::NotAScene { .. }));
    assert!(matches!(bad(b"{}"), FileError::NotAScene { .. }));
    assert_eq!(bad(b"{\"type\": \"excalidrawlib\"}"), FileError::Library);
    assert_eq!(bad(PIXEL), FileError::NoScene { format: "PNG" });
    assert_eq!(bad(b"<svg/>"), FileError::NoScene { format: "SVG" });
    assert!(matches!(
        bad(&PIXEL[..40]),
        FileError::Damaged { format: "PNG", .. }
    ));
    let many = vec![json!([0, 0]); 200_001];
    let loaded = from_excalidraw(&file_of(json!([{"type": "line", "points": many}]))).unwrap();
    assert_eq!(
        loaded.notes[0].to_string(),
        "left out element 0: it has too many points"
    );
    let mut too_many = b"{\"elements\": [0".to_vec();
    too_many.extend(b",0".repeat(200_000));
    too_many.extend(b"]}");
    assert!(matches!(
        bad(&too_many),
        FileError::TooLarge {
            what: "elements",
            ..
        }
    ));
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn a_bomb_in_a_picture_is_not_unpacked() {
    let zeros = vec![b' '; 300 << 20];
    let bomb = file::write_png(PIXEL, &zeros).unwrap();
    assert!(bomb.len() < 4 << 20);
    let error = from_any(&bomb).unwrap_err();
    assert!(
        matches!(
            error,
            FileError::TooLarge {
                what: "bytes when unpacked",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_scene_travels_in_a_png_and_an_svg() {
    let scene = file_of(
        json!([a_box("a"), {"id": "t", "type": "text", "originalText": "日本語 ünï \u{1f9da}"}]),
    );
    let expected = from_excalidraw(&scene).unwrap();
    let png = file::write_png(PIXEL, &scene).unwrap();
    assert_eq!(from_any(&png).unwrap(), expected);
    let replaced = file::write_png(&png, &file_of(json!([]))).unwrap();
    assert_eq!(from_any(&replaced).unwrap().elements, []);
    let svg = format!(
        "<?xml?><svg><metadata>{}</metadata></svg>",
        file::svg_metadata(&scene)
    );
    assert_eq!(from_any(svg.as_bytes()).unwrap(), expected);
    let torn = svg.replace("<!-- payload-end -->", "");
    assert!(matches!(
        from_any(torn.as_bytes()),
        Err(FileError::Damaged { .. })
    ));
}

#[test]
fn libraries_of_both_versions_are_read() {
    let second = json!({"type": "excalidrawlib", "version": 2, "libraryItems": [{"id": "i", "name": "Box", "status": "published", "elements": [a_box("a")]}, 7]});
    let library = from_library(second.to_string().as_bytes()).unwrap();
    assert_eq!(library.items.len(), 1);
    assert_eq!(library.items[0].name.as_deref(), Some("Box"));
    assert_eq!(
        library.notes[0].to_string(),
        "left out library item 1: it has no list of elements"
    );
    let first =
        json!({"type": "excalidrawlib", "version": 1, "library": [[a_box("a"), a_box("b")]]});
    assert_eq!(
        from_library(first.to_string().as_bytes()).unwrap().items[0]
            .elements
            .len(),
        2
    );
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(|n| json!(n)),
        (-1e6..1e6f64).prop_map(|n| json!(n)),
        "[ -~äöü漢\u{1f9da}]{0,12}".prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::btree_map("[a-z]{1,6}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn any_element() -> impl Strategy<Value = Value> {
    let kinds = vec![
        "rectangle",
        "ellipse",
        "text",
        "line",
        "arrow",
        "image",
        "frame",
        "stickynote",
        "embeddable",
        "hologram",
    ];
    let unknown = proptest::collection::btree_map("x[a-zA-Z]{1,8}", value(), 0..5);
    (proptest::sample::select(kinds), unknown, "[ -~äö漢\n]{0,20}", (-1e4..1e4f64, 0.0..500.0f64)).prop_map(
        |(kind, unknown, words, (x, w))| {
            let mut element = json!({"type": kind, "x": x, "y": 3, "width": w, "height": 10, "customData": {"a": 1}, "points": [[0, 0], [w, 5.5]], "groupIds": ["g"], "opacity": 50, "strokeStyle": "dashed"});
            if kind == "text" {
                element["originalText"] = json!(words);
            }
            for (key, value) in unknown {
                element[key] = value;
            }
            element
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_from_file_to_document_to_file(elements in proptest::collection::vec(any_element(), 0..8)) {
        let mut elements = elements;
        for (at, element) in elements.iter_mut().enumerate() {
            element["id"] = json!(format!("e{at}"));
        }
        let loaded = from_excalidraw(&file_of(json!(elements))).unwrap();
        prop_assert_eq!(&loaded.notes, &[]);
        let doc = PageDoc::new();
        doc.commit(7, None, &loaded.edits()).unwrap();
        let scene = Scene::from_doc(&doc);
        let written = file::to_excalidraw_with(&scene, json!(loaded.app_state), json!(loaded.files));
        let written = written["elements"].as_array().unwrap();
        prop_assert_eq!(written.len(), elements.len());
        for (before, after) in elements.iter().zip(written) {
            for (key, value) in before.as_object().unwrap() {
                prop_assert!(same_value(value, &after[key]), "{key}: {value} became {}", after[key]);
            }
        }
        let again = from_excalidraw(json!({"elements": written}).to_string().as_bytes()).unwrap();
        let doc_elements: Vec<Element> = scene.live().cloned().collect();
        prop_assert_eq!(again.elements.len(), doc_elements.len());
        for (a, b) in again.elements.iter().zip(&doc_elements) {
            prop_assert_eq!(&a.id, &b.id);
            prop_assert!(b.props.iter().all(|(key, value)| same_value(value, &a.props[key])));
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0..400usize) {
        let _ = from_any(&bytes);
        let png = file::write_png(PIXEL, &file_of(json!([a_box("a")]))).unwrap();
        let mut mangled = png[..cut.min(png.len())].to_vec();
        mangled.extend(&bytes);
        let _ = from_any(&mangled);
        let _ = from_library(&bytes);
    }
}
