//! Scene, repair and file.

use glade_canvas::file::to_excalidraw;
use glade_canvas::repair::repaired;
use glade_canvas::{Element, Rect, Scene, ShapeKind};
use glade_doc::{Edit, PageDoc};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{element, id, props, scene, shape};

fn order(scene: &Scene) -> Vec<&str> {
    scene.live().map(|element| element.id.as_str()).collect()
}

#[test]
fn elements_stand_in_the_order_of_their_keys_then_ids() {
    let keyed =
        |name: &str, index: Value| element(name, json!({"type": "rectangle", "index": index}));
    let mut scene = scene([
        keyed("d", Value::Null),
        keyed("c", json!("a1")),
        keyed("b", json!("a1")),
        keyed("a", json!("a2")),
    ]);
    assert_eq!(order(&scene), ["b", "c", "a", "d"]);
    assert_eq!(scene.top_index(), Some("a2"));
    scene.put(keyed("a", json!("Zz")));
    assert_eq!(order(&scene), ["a", "b", "c", "d"]);
    assert_eq!(
        (scene.bottom_index(), scene.top_index()),
        (Some("Zz"), Some("a1"))
    );
}

#[test]
fn deleted_elements_are_kept_but_not_shown() {
    let mut scene = scene([shape(
        "a",
        ShapeKind::Rectangle,
        Rect::new(0.0, 0.0, 10.0, 10.0),
    )]);
    scene.apply(&[
        Edit::Delete { id: id("a") },
        Edit::Delete {
            id: id("never there"),
        },
    ]);
    assert_eq!(scene.get(&id("a")), None);
    assert!(scene.any(&id("a")).unwrap().is_deleted());
    assert_eq!(
        (
            scene.any(&id("never there")),
            scene.bounds(&id("a")),
            scene.content_bounds()
        ),
        (None, None, None)
    );
}

#[test]
fn missing_and_mistyped_properties_read_as_the_editors_defaults() {
    let odd = element(
        "a",
        json!({"type": 7, "x": "left", "width": 1e300, "points": [[1], [1, 2], "x", [null, 3]], "fontSize": null, "groupIds": ["g", 3]}),
    );
    assert_eq!(odd.kind().as_str(), "");
    assert_eq!(
        (odd.x(), odd.width(), odd.font_size(), odd.stroke_width()),
        (0.0, 1e7, 20.0, 2.0)
    );
    assert_eq!((odd.points().len(), odd.group_ids()), (1, vec!["g"]));
    assert_eq!(
        (odd.stroke_color(), odd.background_color(), odd.index()),
        ("#1e1e1e", "transparent", None)
    );
}

#[test]
fn bounds_follow_rotation_and_points() {
    let line = element(
        "l",
        json!({"type": "line", "x": 10, "y": 10, "width": 1, "height": 1, "points": [[0, 0], [-50, 20], [30, 40]]}),
    );
    let turned = element(
        "r",
        json!({"type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 20, "angle": std::f64::consts::FRAC_PI_2}),
    );
    let scene = scene([line, turned]);
    assert_eq!(
        scene.bounds(&id("l")),
        Some(Rect::new(-40.0, 10.0, 80.0, 40.0))
    );
    let upright = scene.bounds(&id("r")).unwrap();
    assert!((upright.x - 40.0).abs() < 1e-9 && (upright.h - 100.0).abs() < 1e-9);
}

#[test]
fn refreshing_from_the_document_gives_what_building_anew_gives() {
    let doc = PageDoc::new();
    let put = |name: &str, value: Value| Edit::Put {
        id: id(name),
        props: props(value),
    };
    let first = [
        put(
            "box",
            json!({"type": "rectangle", "x": 1, "width": 50, "height": 50, "index": "a0"}),
        ),
        put(
            "words",
            json!({"type": "text", "containerId": "box", "originalText": "hi", "index": "a1"}),
        ),
        put(
            "arrow",
            json!({"type": "arrow", "points": [[0, 0], [9, 9]], "endBinding": {"elementId": "box", "fixedPoint": [0.5, 0.5], "mode": "orbit"}}),
        ),
    ];
    doc.commit(1, None, &first).unwrap();
    let mut scene = Scene::from_doc(&doc);
    assert_eq!(
        scene
            .label_of(&id("box"))
            .map(|label| label.original_text()),
        Some("hi")
    );
    assert_eq!(scene.arrows_bound_to(&id("box")), [id("arrow")]);

    let second = [
        put("words", json!({"containerId": null})),
        put("arrow", json!({"endBinding": null})),
        put("new", json!({"type": "text"})),
    ];
    doc.commit(1, None, &second).unwrap();
    scene.refresh(&doc, &[id("words"), id("arrow"), id("new")]);
    assert_eq!(scene, Scene::from_doc(&doc));
    assert_eq!(
        (
            scene.label_of(&id("box")),
            scene.arrows_bound_to(&id("box"))
        ),
        (None, vec![])
    );
}

#[test]
fn of_two_labels_the_same_one_counts_everywhere() {
    let label = |name: &str| {
        element(
            name,
            json!({"type": "text", "containerId": "box", "originalText": name}),
        )
    };
    let scene = scene([
        shape("box", ShapeKind::Rectangle, Rect::new(0.0, 0.0, 99.0, 99.0)),
        label("z"),
        label("b"),
    ]);
    assert_eq!(
        scene.label_of(&id("box")).map(|label| label.id.clone()),
        Some(id("b"))
    );
    assert_eq!(scene.container_of(&id("z")), None);
}

/// A page after unlucky merges: everything that can dangle dangles.
fn broken() -> Scene {
    let base = |kind: &str, index: &str| json!({"type": kind, "x": 0, "y": 0, "width": 100, "height": 60, "index": index});
    let with = |mut value: Value, more: Value| {
        value.as_object_mut().unwrap().extend(props(more));
        value
    };
    scene([
        element("box", base("rectangle", "a1")),
        element(
            "gone",
            with(base("rectangle", "a1"), json!({"isDeleted": true})),
        ),
        element(
            "label",
            with(
                base("text", "a1"),
                json!({"containerId": "box", "originalText": "a label of many words", "fontSize": 20}),
            ),
        ),
        element(
            "orphan",
            with(
                base("text", "zz"),
                json!({"containerId": "gone", "originalText": "left behind"}),
            ),
        ),
        element(
            "second",
            with(
                base("text", "a1"),
                json!({"containerId": "box", "originalText": "me too"}),
            ),
        ),
        element(
            "arrow",
            with(
                base("arrow", "a1"),
                json!({
                    "points": [[0, 0], [10, 0]], "frameId": "gone",
                    "startBinding": {"elementId": "box", "fixedPoint": [0.5, 0.5], "mode": "orbit"},
                    "endBinding": {"elementId": "gone", "fixedPoint": [0.5, 0.5], "mode": "orbit"},
                }),
            ),
        ),
        element(
            "unkeyed",
            json!({"type": "ellipse", "myOwn": {"deep": [1, 2]}}),
        ),
    ])
}

#[test]
fn reading_a_broken_page_mends_it_without_touching_it() {
    let scene = broken();
    let elements = repaired(&scene);
    let keys: Vec<_> = elements
        .iter()
        .map(|element| (element.id.as_str(), element.index().unwrap()))
        .collect();
    // "zz" is a key of two digits where 27 are announced: not one.
    assert_eq!(
        keys,
        [
            ("arrow", "a1"),
            ("box", "a2"),
            ("label", "a3"),
            ("second", "a4"),
            ("orphan", "a5"),
            ("unkeyed", "a6")
        ]
    );
    let get = |name: &str, key: &str| {
        elements
            .iter()
            .find(|element| element.id == id(name))
            .unwrap()
            .props[key]
            .clone()
    };
    assert_eq!(get("arrow", "startBinding")["elementId"], "box");
    assert_eq!(
        [get("arrow", "endBinding"), get("arrow", "frameId")],
        [Value::Null, Value::Null]
    );
    assert_eq!(
        [
            get("label", "containerId"),
            get("orphan", "containerId"),
            get("second", "containerId")
        ],
        [json!("box"), Value::Null, Value::Null]
    );
    assert_eq!(scene, broken());
}

#[test]
fn a_file_holds_what_the_editor_needs_and_what_we_do_not_know() {
    let file = to_excalidraw(&broken());
    assert_eq!(to_excalidraw(&broken()).to_string(), file.to_string());
    assert_eq!(
        (&file["type"], &file["version"], &file["source"]),
        (&json!("excalidraw"), &json!(2), &json!("glade"))
    );
    let find = |name: &str| {
        file["elements"]
            .as_array()
            .unwrap()
            .iter()
            .find(|element| element["id"] == name)
            .unwrap()
    };
    assert_eq!(file["elements"].as_array().unwrap().len(), 6);
    assert_eq!(
        find("box")["boundElements"],
        json!([{"id": "arrow", "type": "arrow"}, {"id": "label", "type": "text"}])
    );
    assert_eq!(find("label")["text"], "a label\nof many\nwords");
    assert_eq!(find("label")["originalText"], "a label of many words");
    assert_eq!(find("unkeyed")["myOwn"], json!({"deep": [1, 2]}));
    for element in file["elements"].as_array().unwrap() {
        assert_eq!(
            (&element["version"], &element["isDeleted"]),
            (&json!(1), &json!(false))
        );
        assert!(element["versionNonce"].is_u64() && element["updated"].is_u64());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn repaired_order_is_strict_and_keeps_the_order_read(keys in proptest::collection::vec("(a[0-3]V?|Zz|a0|b00|zz|!|)", 0..14)) {
        let scene: Scene = keys.iter().enumerate().map(|(at, key)| Element::new(format!("e{at}"), props(json!({"type": "text", "index": key})))).collect();
        let elements = repaired(&scene);
        let mended: Vec<&str> = elements.iter().map(|element| element.index().unwrap()).collect();
        prop_assert!(mended.windows(2).all(|pair| pair[0] < pair[1]), "{mended:?}");
        prop_assert!(mended.iter().all(|key| glade_canvas::order::is_valid(key)));
        let names: Vec<&str> = elements.iter().map(|element| element.id.as_str()).collect();
        prop_assert_eq!(names, order(&scene));
    }
}
