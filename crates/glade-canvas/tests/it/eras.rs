//! Files of every era: what an editor of then wrote reads as what the editor of now makes of it.

use glade_canvas::file::{Loaded, from_any, from_library, to_excalidraw_with};
use glade_canvas::render::ImageFile;
use glade_canvas::{Element, Scene};
use glade_doc::{PageDoc, same_value};
use serde_json::{Value, json};

use crate::support::{PIXEL, id};

fn load(elements: Value) -> Loaded {
    let file = json!({"type": "excalidraw", "version": 2, "elements": elements});
    from_any(file.to_string().as_bytes()).unwrap()
}

fn only(element: Value) -> Element {
    load(json!([element])).elements.remove(0)
}

fn svg(elements: Value) -> String {
    glade_canvas::render::to_svg(
        &load(elements).scene(),
        &glade_canvas::render::Options::default(),
    )
    .to_string()
}

#[test]
fn a_freehand_stroke_of_2020_is_a_line() {
    let stroke = only(
        json!({"id": "s", "type": "draw", "x": 1, "y": 2, "width": 10, "height": 5,
        "points": [[0, 0], [4, 5], [10, 2]], "strokeSharpness": "round"}),
    );
    assert_eq!(stroke.kind().as_str(), "line");
    assert_eq!(stroke.points().len(), 3);
    let picture = glade_canvas::render::to_svg(
        &[stroke].into_iter().collect(),
        &glade_canvas::render::Options::default(),
    );
    assert!(picture.contains("<path"), "{picture}");
}

#[test]
fn a_font_by_its_name_becomes_a_size_and_a_family() {
    let font = |font: &str| {
        let text = only(json!({"id": "t", "type": "text", "text": "hi", "font": font}));
        assert_eq!(text.props.get("font"), None);
        (
            text.props["fontSize"].clone(),
            text.props["fontFamily"].clone(),
        )
    };
    assert_eq!(font("20px Virgil"), (json!(20.0), json!(1)));
    assert_eq!(font("16px Cascadia"), (json!(16.0), json!(3)));
    assert_eq!(font("36.5px Helvetica"), (json!(36.5), json!(2)));
    assert_eq!(font("28px Papyrus"), (json!(28.0), json!(5)));
    let odd = only(json!({"id": "t", "type": "text", "text": "hi", "font": "large"}));
    assert_eq!(odd.props["font"], "large", "not understood, not lost");
}

#[test]
fn the_height_of_a_line_is_found_from_the_box_where_a_file_does_not_say_it() {
    let text = only(
        json!({"id": "t", "type": "text", "text": "one\ntwo", "fontSize": 20, "fontFamily": 1,
        "width": 40, "height": 52, "baseline": 44}),
    );
    assert_eq!(text.line_height(), 1.3);
    assert_eq!(text.props["baseline"], 44);
    let said = only(
        json!({"id": "t", "type": "text", "text": "one", "fontSize": 20, "height": 52, "lineHeight": 1.25}),
    );
    assert_eq!(said.line_height(), 1.25);
}

#[test]
fn a_path_without_points_runs_through_its_box() {
    for points in [
        json!(null),
        json!([[0, 0], [null, 3]]),
        json!([[0, 0, 0.5], [9, 3, 0.5]]),
    ] {
        let line = only(
            json!({"id": "l", "type": "line", "x": 5, "width": 30, "height": -8, "points": points}),
        );
        assert_eq!(line.props["points"], json!([[0, 0], [30.0, -8.0]]));
    }
    let arrow = only(json!({"id": "a", "type": "arrow", "width": 30, "height": 8}));
    assert!(arrow.has_arrowhead("endArrowhead") && !arrow.has_arrowhead("startArrowhead"));
    let bare =
        only(json!({"id": "a", "type": "arrow", "width": 30, "height": 8, "endArrowhead": null}));
    assert!(!bare.has_arrowhead("endArrowhead"));
}

#[test]
fn a_path_is_drawn_as_large_as_its_points_reach() {
    let arrow = |width: f64, height: f64| {
        svg(
            json!([{"id": "a", "type": "arrow", "width": width, "height": height, "points": [[0, 0], [-50, 0], [-60, 40]]}]),
        )
    };
    assert_eq!(arrow(2.0, 2.0), arrow(60.0, 40.0));
}

#[test]
fn what_the_editor_throws_away_is_not_drawn() {
    let seen = json!({"id": "z", "type": "rectangle", "width": 20, "height": 5});
    let gone = [
        json!({"id": "a", "type": "rectangle", "x": 90, "width": 0, "height": 0}),
        json!({"id": "b", "type": "arrow", "width": 99, "height": 9, "points": [[0, 0]]}),
        json!({"id": "c", "type": "line", "width": 99, "height": 9, "points": []}),
        json!({"id": "d", "type": "freedraw", "points": [[0, 0, 1], [99, 9, 1]]}),
        json!({"id": "e", "type": "text", "text": "", "x": 90, "width": 10, "height": 25}),
    ];
    for element in gone {
        let both = load(json!([seen, element]));
        assert_eq!(both.elements.len(), 2, "the document keeps it");
        assert_eq!(svg(json!([seen, element])), svg(json!([seen])), "{element}");
    }
}

#[test]
fn what_says_nothing_is_drawn_as_the_default() {
    let shape = json!({"id": "r", "type": "rectangle", "width": 9, "height": 9});
    let mut empty = shape.clone();
    for key in ["strokeColor", "backgroundColor", "fillStyle", "link"] {
        empty[key] = json!("");
    }
    empty["strokeWidth"] = json!(0);
    empty["roundness"] = json!(0);
    assert_eq!(svg(json!([empty])), svg(json!([shape])));
    let text = only(json!({"id": "t", "type": "text", "text": "words", "originalText": ""}));
    assert_eq!(text.original_text(), "words");
}

#[test]
fn a_roundness_of_an_unknown_kind_bends_lines_and_leaves_corners() {
    let drawn = |kind: &str, roundness: Value| {
        svg(
            json!([{"id": "s", "type": kind, "width": 90, "height": 90, "roundness": roundness,
            "roughness": 0, "points": [[0, 0], [90, 10], [40, 90]]}]),
        )
    };
    assert_eq!(
        drawn("line", json!({"type": 7})),
        drawn("line", json!({"type": 2}))
    );
    assert_ne!(
        drawn("rectangle", json!({"type": 7})),
        drawn("rectangle", json!({"type": 2}))
    );
}

#[test]
fn lines_stand_as_close_as_a_file_says() {
    let close = only(json!({"id": "t", "type": "text", "text": "words", "lineHeight": 0.05}));
    assert_eq!(close.line_height(), 0.05);
}

#[test]
fn an_elbow_arrow_that_is_not_square_goes_half_along_and_across() {
    let way = |points: Value| {
        let arrow = only(json!({"id": "a", "type": "arrow", "elbowed": true, "points": points}));
        arrow.props["points"].clone()
    };
    let along = json!([[0.0, 0.0], [50.0, 0.0], [50.0, 30.0], [100.0, 30.0]]);
    assert_eq!(way(json!([[0, 0], [100, 30]])), along);
    assert_eq!(way(json!([[0, 0], [40, 60], [100, 30]])), along);
    let down = json!([[0.0, 0.0], [0.0, -40.0], [-20.0, -40.0], [-20.0, -80.0]]);
    assert_eq!(way(json!([[0, 0], [-20, -80]])), down);
    let square = json!([[0, 0], [60, 0.5], [60, 40]]);
    assert_eq!(way(square.clone()), square);
    let bound = load(json!([
        {"id": "box", "type": "rectangle", "width": 9, "height": 9},
        {"id": "a", "type": "arrow", "elbowed": true, "points": [[0, 0], [100, 30]],
            "endBinding": {"elementId": "box", "fixedPoint": [0.5, 0.2], "mode": "orbit"}},
    ]));
    assert_eq!(bound.elements[1].points().len(), 2, "the editor leaves it");
}

#[test]
fn a_label_that_only_its_container_knows_of_is_its_label() {
    let loaded = load(json!([
        {"id": "box", "type": "rectangle", "width": 100, "height": 50, "angle": 0.5, "boundElements": [{"id": "words", "type": "text"}, {"id": "gone", "type": "text"}]},
        {"id": "words", "type": "text", "text": "in", "containerId": null},
        {"id": "line", "type": "line", "points": [[0, 0], [9, 9]], "boundElements": [{"id": "free", "type": "text"}]},
        {"id": "free", "type": "text", "text": "out"},
    ]));
    let scene = loaded.scene();
    let label = scene.label_of(&id("box")).expect("a label");
    assert_eq!((label.id.as_str(), label.angle()), ("words", 0.5));
    assert_eq!(scene.get(&id("free")).unwrap().container_id(), None);
}

#[test]
fn a_note_of_the_first_days_keeps_the_height_it_was_given() {
    let note = only(
        json!({"id": "n", "type": "stickynote", "width": 200, "height": 240, "maxHeight": 180}),
    );
    assert_eq!(note.props["baseHeight"], 180);
}

/// Every type that a page may have, with every property that an editor of 0.17 to the pinned one writes, with a value that is not its default
/// and a property of tomorrow at each level.
fn everything() -> Vec<Value> {
    let base = json!({
        "x": 10.5, "y": -20, "width": 120, "height": 80, "angle": 0.3, "strokeColor": "#e03131", "backgroundColor": "#a5d8ff",
        "fillStyle": "zigzag", "strokeWidth": 4, "strokeStyle": "dashed", "roundness": {"type": 3, "value": 12, "ofTomorrow": 1},
        "roughness": 2, "opacity": 40, "seed": 77, "groupIds": ["inner", "outer"], "frameId": null, "created": 1700000000000_i64,
        "link": "https://example.org/", "locked": true, "customData": {"deep": [{"er": null}]}, "ofTomorrow": {"a": [1, 2.5, "x"]},
    });
    let with = |kind: &str, more: Value| {
        let mut element = base.clone();
        element["type"] = json!(kind);
        for (key, value) in more.as_object().unwrap() {
            element[key] = value.clone();
        }
        element
    };
    let end = |id: &str| json!({"elementId": id, "fixedPoint": [0.25, 0.75], "mode": "inside", "ofTomorrow": true});
    let path = json!([[0, 0], [60, 40, 0.5], [120, 80]]);
    vec![
        with("rectangle", json!({})),
        with("diamond", json!({"roundness": null})),
        with("ellipse", json!({"roundness": {"type": 2}})),
        with(
            "text",
            json!({"text": "two words", "originalText": "two words", "fontSize": 28, "fontFamily": 8, "textAlign": "right",
            "verticalAlign": "bottom", "containerId": null, "autoResize": false, "lineHeight": 1.15, "baseFontSize": null, "labelPosition": null,
            "baseline": 22, "angle": 0}),
        ),
        with(
            "line",
            json!({"points": path, "startBinding": null, "endBinding": null, "startArrowhead": null, "endArrowhead": null,
            "polygon": false, "lastCommittedPoint": [1, 2], "roundness": {"type": 2}}),
        ),
        with(
            "arrow",
            json!({"points": path, "startBinding": end("e0"), "endBinding": end("e1"), "startArrowhead": "crowfoot_many",
            "endArrowhead": "cardinality_zero_or_one", "elbowed": false, "angle": 0, "lastCommittedPoint": null}),
        ),
        with(
            "arrow",
            json!({"points": [[0, 0], [60, 0], [60, 80], [120, 80]], "startBinding": null, "endBinding": null, "startArrowhead": null,
            "endArrowhead": "triangle_outline", "elbowed": true, "fixedSegments": [{"index": 2, "start": [60, 0], "end": [60, 80]}],
            "startIsSpecial": false, "endIsSpecial": null, "angle": 0, "roundness": null}),
        ),
        with(
            "freedraw",
            json!({"points": path, "pressures": [0.1, 0.5, 0.9], "simulatePressure": false,
            "strokeOptions": {"variability": "constant", "streamline": 0.3, "ofTomorrow": 2}}),
        ),
        with(
            "image",
            json!({"fileId": "f", "status": "saved", "scale": [-1, 1],
            "crop": {"x": 1, "y": 2, "width": 30, "height": 40, "naturalWidth": 100, "naturalHeight": 90}}),
        ),
        with("frame", json!({"name": "Phase one", "angle": 0})),
        with("magicframe", json!({"name": null, "angle": 0})),
        with("embeddable", json!({"validated": true})),
        with("stickynote", json!({"baseHeight": 80, "angle": 0})),
        with("hologram", json!({"depth": 9})),
    ]
}

#[test]
fn every_property_of_every_type_goes_through_a_document_unchanged() {
    let mut elements = everything();
    for (at, element) in elements.iter_mut().enumerate() {
        element["id"] = json!(format!("e{at}"));
    }
    let pixel = ImageFile {
        mime: "image/png".to_owned(),
        data: PIXEL.to_vec(),
    };
    let file = json!({
        "type": "excalidraw", "version": 2, "source": "https://excalidraw.com", "elements": elements,
        "appState": {"viewBackgroundColor": "#f8f9fa", "gridSize": 10, "gridStep": 5, "theme": "dark", "ofTomorrow": {"a": 1}},
        "files": {"f": {"id": "f", "mimeType": "image/png", "dataURL": pixel.data_url(), "created": 5, "lastRetrieved": 6, "ofTomorrow": []}},
    });
    let loaded = from_any(file.to_string().as_bytes()).unwrap();
    assert_eq!(loaded.notes, []);
    let doc = PageDoc::new();
    doc.commit(7, None, &loaded.edits()).unwrap();
    let scene = Scene::from_doc(&doc);
    let written = to_excalidraw_with(&scene, json!(loaded.app_state), json!(loaded.files));
    assert_eq!(written["appState"], file["appState"]);
    assert_eq!(written["files"], file["files"]);
    let after = written["elements"].as_array().unwrap();
    assert_eq!(after.len(), elements.len());
    for (before, after) in elements.iter().zip(after) {
        for (key, value) in before.as_object().unwrap() {
            // Words are laid out anew, by the same rules.
            if key != "text" {
                assert!(
                    same_value(value, &after[key]),
                    "{} {key}: {value} became {}",
                    before["type"],
                    after[key]
                );
            }
        }
    }
}

#[test]
fn the_items_of_a_library_keep_what_they_have() {
    let elements = everything();
    let first = json!({"type": "excalidrawlib", "version": 1, "library": [elements]});
    let second = json!({"type": "excalidrawlib", "version": 2, "source": "x", "libraryItems": [
        {"id": "i", "status": "published", "created": 1, "name": "All", "elements": elements, "ofTomorrow": 1},
    ]});
    for file in [first, second] {
        let library = from_library(file.to_string().as_bytes()).unwrap();
        let read = &library.items[0].elements;
        assert_eq!(read.len(), elements.len());
        for (before, after) in elements.iter().zip(read) {
            for key in [
                "ofTomorrow",
                "customData",
                "link",
                "roundness",
                "strokeOptions",
                "crop",
                "fixedSegments",
            ] {
                assert_eq!(
                    before.get(key),
                    after.props.get(key),
                    "{} {key}",
                    before["type"]
                );
            }
        }
    }
}
