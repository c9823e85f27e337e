//! tldraw files, of our own making.

use glade_canvas::file::{Note, from_any};
use glade_canvas::{Element, FontFamily, Scene, bounds};
use serde_json::{Value, json};

use crate::support::id;

fn file(records: Vec<Value>) -> Vec<u8> {
    let mut all = vec![
        json!({"typeName": "document", "id": "document:document", "gridSize": 10}),
        json!({"typeName": "page", "id": "page:one", "name": "One", "index": "a1"}),
    ];
    all.extend(records);
    json!({"tldrawFileFormatVersion": 1, "schema": {"schemaVersion": 2}, "records": all})
        .to_string()
        .into_bytes()
}

fn shape(name: &str, kind: &str, parent: &str, x: f64, y: f64, props: Value) -> Value {
    json!({"typeName": "shape", "id": format!("shape:{name}"), "type": kind, "parentId": parent, "index": format!("a{name}"),
        "x": x, "y": y, "rotation": 0, "isLocked": false, "opacity": 1, "meta": {}, "props": props})
}

fn geo(name: &str, x: f64, y: f64, more: Value) -> Value {
    let mut props = json!({"geo": "rectangle", "w": 200, "h": 100, "color": "blue", "fill": "solid", "dash": "draw",
        "size": "m", "font": "draw", "align": "middle", "verticalAlign": "middle", "growY": 0, "text": ""});
    props
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    shape(name, "geo", "page:one", x, y, props)
}

fn said(notes: &[Note]) -> Vec<String> {
    notes.iter().map(Note::to_string).collect()
}

fn named<'a>(scene: &'a Scene, name: &str) -> &'a Element {
    scene
        .get(&id(name))
        .unwrap_or_else(|| panic!("there is no {name}"))
}

#[test]
fn shapes_keep_their_kind_colours_words_and_order() {
    let rich = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Order"}]}]});
    let records = vec![
        geo(
            "2",
            300.0,
            0.0,
            json!({"geo": "cloud", "fill": "fill", "color": "red", "richText": rich}),
        ),
        geo(
            "1",
            0.0,
            0.0,
            json!({"text": "Pay", "font": "mono", "size": "l"}),
        ),
        shape(
            "3",
            "note",
            "page:one",
            600.0,
            0.0,
            json!({"color": "green", "text": "remember", "growY": 50}),
        ),
        shape(
            "4",
            "text",
            "page:one",
            0.0,
            300.0,
            json!({"color": "black", "size": "m", "text": "free", "autoSize": true, "w": 10}),
        ),
        shape(
            "5",
            "line",
            "page:one",
            0.0,
            500.0,
            json!({"spline": "cubic", "points": {
            "a2": {"index": "a2", "x": 50, "y": 20}, "a1": {"index": "a1", "x": 0, "y": 0}, "a3": {"index": "a3", "x": 90, "y": 0}}}),
        ),
        shape(
            "6",
            "draw",
            "page:one",
            10.0,
            600.0,
            json!({"isPen": true, "segments": [{"type": "free", "points": [
            {"x": 0, "y": 0, "z": 0.5}, {"x": 10, "y": 5, "z": 0.7}]}]}),
        ),
    ];
    let loaded = from_any(&file(records)).unwrap();
    assert_eq!(said(&loaded.notes), Vec::<String>::new());
    let order: Vec<&str> = loaded
        .elements
        .iter()
        .map(|element| element.id.as_str())
        .collect();
    assert_eq!(
        order,
        [
            "1", "1-label", "2", "2-label", "3", "3-label", "4", "5", "6"
        ]
    );
    let scene = loaded.scene();
    assert_eq!(named(&scene, "1").kind().as_str(), "rectangle");
    assert_eq!(scene.label_of(&id("1")).unwrap().original_text(), "Pay");
    assert_eq!(
        scene.label_of(&id("1")).unwrap().font_family(),
        FontFamily::Cascadia
    );
    assert_eq!(named(&scene, "2").custom_str("geo"), Some("cloud"));
    assert_eq!(scene.label_of(&id("2")).unwrap().original_text(), "Order");
    assert_eq!(
        bounds::bounds(named(&scene, "2")),
        glade_canvas::Rect::new(300.0, 0.0, 200.0, 100.0)
    );
    assert_eq!(
        (
            named(&scene, "3").kind().as_str(),
            named(&scene, "3").height()
        ),
        ("stickynote", 250.0)
    );
    assert_eq!(named(&scene, "4").font_size(), 24.0);
    assert_eq!(bounds::page_points(named(&scene, "5")).len(), 3);
    let stroke = named(&scene, "6");
    assert_eq!(
        (stroke.kind().as_str(), &stroke.props["pressures"]),
        ("freedraw", &json!([0.5, 0.7]))
    );
}

#[test]
fn arrows_stay_tied_and_bend_the_same_way() {
    let arrow = |name: &str, bend: f64| {
        shape(
            name,
            "arrow",
            "page:one",
            0.0,
            0.0,
            json!({"start": {"x": 0, "y": 0}, "end": {"x": 9, "y": 9}, "bend": bend, "arrowheadEnd": "arrow", "arrowheadStart": "none", "text": "then"}),
        )
    };
    let binding = |arrow: &str, end: &str, to: &str| {
        json!({"typeName": "binding", "id": format!("binding:{arrow}{end}"), "type": "arrow",
        "fromId": format!("shape:{arrow}"), "toId": format!("shape:{to}"),
        "props": {"terminal": end, "normalizedAnchor": {"x": 0.5, "y": 0.5}, "isExact": false, "isPrecise": false}})
    };
    let records = vec![
        geo("1", 0.0, 0.0, json!({})),
        geo("2", 600.0, 0.0, json!({"geo": "star"})),
        arrow("3", 80.0),
        binding("3", "start", "1"),
        binding("3", "end", "2"),
    ];
    let loaded = from_any(&file(records)).unwrap();
    let scene = loaded.scene();
    let arrow = named(&scene, "3");
    assert_eq!(arrow.start_binding().unwrap().element_id, id("1"));
    assert_eq!(arrow.end_binding().unwrap().element_id, id("2"));
    let points = bounds::page_points(arrow);
    assert_eq!(points.len(), 3);
    assert!(points[0].x >= 200.0 && points[2].x <= 700.0, "{points:?}");
    // A positive bend of an arrow to the right goes down.
    assert!(points[1].y > 100.0, "{points:?}");
    assert_eq!(scene.label_of(&id("3")).unwrap().original_text(), "then");
}

#[test]
fn children_lie_where_their_parents_put_them() {
    let mut turned = geo("2", 10.0, 20.0, json!({"w": 40, "h": 20}));
    turned["parentId"] = json!("shape:group");
    turned["rotation"] = json!(std::f64::consts::FRAC_PI_2);
    let mut inner = geo("3", 5.0, 5.0, json!({"w": 10, "h": 10}));
    inner["parentId"] = json!("shape:frame");
    let records = vec![
        shape("group", "group", "page:one", 100.0, 100.0, json!({})),
        turned,
        shape(
            "frame",
            "frame",
            "page:one",
            500.0,
            500.0,
            json!({"w": 300, "h": 200, "name": "Stage"}),
        ),
        inner,
    ];
    let loaded = from_any(&file(records)).unwrap();
    assert_eq!(said(&loaded.notes), Vec::<String>::new());
    let scene = loaded.scene();
    // Turned about its corner at (110, 120): a quarter turn puts it to the left of there.
    let place = bounds::bounds(named(&scene, "2"));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    assert!(
        near(place.x, 90.0) && near(place.y, 120.0) && near(place.w, 20.0) && near(place.h, 40.0),
        "{place:?}"
    );
    assert_eq!(named(&scene, "2").group_ids(), ["group-group"]);
    assert_eq!(named(&scene, "3").frame_id(), Some(id("frame")));
    assert_eq!(named(&scene, "3").x(), 505.0);
    assert_eq!(named(&scene, "frame").props["name"], "Stage");
}

#[test]
fn what_has_no_equal_is_mapped_or_left_out_and_said() {
    let records = vec![
        geo(
            "1",
            0.0,
            0.0,
            json!({"geo": "spiral", "font": "serif", "text": "odd"}),
        ),
        shape(
            "2",
            "video",
            "page:one",
            0.0,
            0.0,
            json!({"w": 10, "h": 10}),
        ),
        shape(
            "3",
            "draw",
            "page:one",
            0.0,
            0.0,
            json!({"segments": [{"type": "free", "path": "AAAA"}]}),
        ),
        shape(
            "4",
            "image",
            "page:one",
            0.0,
            300.0,
            json!({"w": 10, "h": 10, "assetId": "asset:far"}),
        ),
        json!({"typeName": "asset", "id": "asset:far", "type": "image", "props": {"src": "https://example.com/a.png"}}),
        shape("5", "geo", "shape:6", 0.0, 0.0, json!({})),
        shape("6", "group", "shape:6", 0.0, 0.0, json!({})),
        json!({"typeName": "page", "id": "page:two", "name": "Two", "index": "a2"}),
        shape("7", "note", "page:two", 0.0, 0.0, json!({})),
        json!("not a record"),
    ];
    let loaded = from_any(&file(records)).unwrap();
    assert_eq!(
        said(&loaded.notes),
        [
            "brought the page \"Two\" as shapes to the right of the page before",
            "left out the shape \"5\": it is on no page, or in a circle of groups",
            "brought the geo \"1\" as a rectangle",
            "brought the geo \"1\" as words in a font without serifs",
            "left out the video \"2\": there is nothing like it",
            "left out the draw \"3\": its points are packed in a way that is not known",
            "brought the image \"4\" as an empty image, since its data is not in the file",
        ]
    );
    let scene = loaded.scene();
    assert!(named(&scene, "7").x() > bounds::bounds(named(&scene, "1")).right());
}

#[test]
fn packed_strokes_are_drawn_as_plain_ones() {
    // From (10, 20) by (1, 2) and (-0.5, 0), stretched to twice the width.
    let path = "AAAgQQAAoEEAAAA/ADwAQAAAALgAAAAA";
    let records = vec![shape(
        "1",
        "draw",
        "page:one",
        100.0,
        0.0,
        json!({"segments": [{"type": "free", "path": path}], "scaleX": 2, "scaleY": 1, "isPen": true}),
    )];
    let loaded = from_any(&file(records)).unwrap();
    assert_eq!(said(&loaded.notes), Vec::<String>::new());
    let stroke = &loaded.elements[0];
    assert_eq!(stroke.kind().as_str(), "freedraw");
    let points: Vec<(f64, f64)> = bounds::page_points(stroke)
        .iter()
        .map(|point| (point.x, point.y))
        .collect();
    assert_eq!(points, [(120.0, 20.0), (122.0, 22.0), (121.0, 22.0)]);
    assert_eq!(stroke.props["pressures"], json!([0.5, 0.5, 0.5]));
}

#[test]
fn snapshots_of_a_store_are_read_as_files_of_it() {
    let page = json!({"typeName": "page", "id": "page:one", "name": "One", "index": "a1"});
    let store = json!({"page:one": page, "shape:1": geo("1", 0.0, 0.0, json!({}))});
    let snapshot = json!({"schema": {}, "store": store});
    for file in [
        snapshot.clone(),
        json!({"document": snapshot, "session": {}}),
    ] {
        let loaded = from_any(file.to_string().as_bytes()).unwrap();
        assert_eq!(loaded.elements.len(), 1, "{file}");
    }
}

#[test]
fn files_of_the_first_tldraw_are_read() {
    let style = json!({"color": "indigo", "size": "medium", "isFilled": true, "dash": "dashed", "scale": 1});
    let one = |id: &str, kind: &str, at: f64, more: Value| {
        let mut shape = json!({"id": id, "type": kind, "parentId": "page", "childIndex": at, "point": [0, 0], "rotation": 0, "style": style});
        shape
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        (id.to_owned(), shape)
    };
    let handles = json!({"start": {"point": [0, 0]}, "end": {"point": [100, 0]}, "bend": {"point": [50, -30]}});
    let shapes: serde_json::Map<String, Value> = [
        one("b", "rectangle", 2.0, json!({"point": [200, 0], "size": [100, 50], "rotation": std::f64::consts::FRAC_PI_2, "label": "Pay"})),
        one("a", "ellipse", 1.0, json!({"radius": [30, 20], "parentId": "g"})),
        one("c", "triangle", 1.5, json!({"point": [80, 0], "size": [40, 40], "parentId": "g"})),
        one("g", "group", 1.0, json!({"point": [5, 5], "size": [9, 9], "children": ["a", "c"]})),
        one("d", "draw", 3.0, json!({"point": [10, 200], "points": [[0, 0, 0.5], [9, 4, 0.5], [20, 0, 0.5]]})),
        one("e", "arrow", 4.0, json!({"point": [0, 100], "handles": handles, "decorations": {"end": "arrow"}, "bend": 0.6})),
        one("f", "text", 5.0, json!({"point": [0, 300], "text": "free", "style": {"color": "lightGray", "size": "small", "scale": 2, "font": "mono"}})),
        one("s", "sticky", 6.0, json!({"point": [0, 400], "size": [200, 200], "text": "milk"})),
        one("i", "image", 7.0, json!({"point": [0, 700], "size": [10, 10], "assetId": "pic"})),
        one("v", "video", 8.0, json!({"size": [10, 10]})),
    ]
    .into_iter()
    .collect();
    let binding = json!({"id": "t", "type": "arrow", "fromId": "e", "toId": "b", "handleId": "end", "distance": 16, "point": [0.25, 0.5]});
    let file = json!({"name": "New", "fileHandle": {}, "document": {"id": "doc", "version": 15.5,
        "pages": {"page": {"id": "page", "name": "One", "childIndex": 1, "shapes": shapes, "bindings": {"t": binding}}},
        "assets": {"pic": {"id": "pic", "type": "image", "src": "data:image/png;base64,AAAA", "size": [4, 4]}}}});
    let loaded = from_any(file.to_string().as_bytes()).unwrap();
    assert_eq!(
        said(&loaded.notes),
        ["left out the video \"v\": there is nothing like it"]
    );
    let scene = loaded.scene();
    let order: Vec<&str> = scene.live().map(|one| one.id.as_str()).collect();
    assert_eq!(
        order,
        ["a", "c", "b", "b-label", "d", "e", "f", "s", "s-label", "i"]
    );
    let near = |name: &str, rect: glade_canvas::Rect| {
        let own = bounds::bounds(named(&scene, name));
        let off = (own.x - rect.x).abs() + (own.y - rect.y).abs();
        let off = off + (own.w - rect.w).abs() + (own.h - rect.h).abs();
        assert!(off < 1e-6, "{name}: {own:?}");
    };
    // On its side about its middle, (250, 25).
    near("b", glade_canvas::Rect::new(225.0, -25.0, 50.0, 100.0));
    near("a", glade_canvas::Rect::new(0.0, 0.0, 60.0, 40.0));
    assert_eq!(named(&scene, "a").group_ids(), ["group-g"]);
    assert_eq!(named(&scene, "c").custom_str("geo"), Some("triangle"));
    assert_eq!(
        glade_canvas::palette::read_paint(
            named(&scene, "b").stroke_color(),
            named(&scene, "b").background_color(),
            named(&scene, "b").fill_style()
        ),
        (glade_canvas::Color::Blue, glade_canvas::Fill::Tint)
    );
    let arrow = named(&scene, "e");
    assert_eq!(arrow.end_binding().unwrap().element_id, id("b"));
    let points = bounds::page_points(arrow);
    assert_eq!(
        (points.len(), points[0].y, points[1].y < 100.0),
        (3, 100.0, true)
    );
    assert_eq!(named(&scene, "f").font_size(), 56.0);
    assert_eq!(named(&scene, "f").font_family(), FontFamily::Cascadia);
    assert_eq!(scene.label_of(&id("s")).unwrap().original_text(), "milk");
    assert!(loaded.files.contains_key("pic"));
}

#[test]
fn the_oldest_files_of_tldraw_say_things_with_capitals_and_call_labels_text() {
    let style = json!({"color": "Red", "size": "Large", "dash": "Dashed"});
    let shape = json!({"id": "a", "type": "rectangle", "parentId": "gone", "childIndex": 1, "point": [0, 0],
        "size": [200, 100], "text": "Then", "style": style});
    let file = json!({"document": {"id": "doc", "version": 5,
        "pages": {"page": {"id": "page", "shapes": {"a": shape}}}}});
    let scene = from_any(file.to_string().as_bytes()).unwrap().scene();
    let one = named(&scene, "a");
    assert_eq!(
        glade_canvas::palette::read_paint(
            one.stroke_color(),
            one.background_color(),
            one.fill_style()
        ),
        (glade_canvas::Color::Red, glade_canvas::Fill::None)
    );
    assert_eq!(one.props["strokeStyle"], "dashed");
    assert_eq!(scene.label_of(&id("a")).unwrap().original_text(), "Then");
}

/// The right cell of a row of the page's table, by how its left one begins.
fn row(begins: &str) -> String {
    const PAGE: &str = include_str!("../../../../docs/shapes.md");
    let section = PAGE.split("\n## From tldraw files").nth(1).unwrap();
    let line = section
        .lines()
        .find(|line| line.starts_with(&format!("| {begins}")));
    let cells = line.unwrap_or_else(|| panic!("no row {begins}"));
    let right = cells.trim_matches('|').split('|').nth(1).unwrap();
    right.trim().replace('`', "")
}

/// What each word becomes, said or not, as the page's table writes it.
fn each_as(words: &[&str], read: impl Fn(&str) -> (String, bool)) -> String {
    let one = |word: &&str| {
        let (to, said) = read(word);
        if said { format!("{to} (said)") } else { to }
    };
    words.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_page_about_shapes_says_what_becomes_of_tldraws_words() {
    let read = |props: Value| {
        let loaded = from_any(&file(vec![geo("1", 0.0, 0.0, props)])).unwrap();
        (loaded.scene(), !loaded.notes.is_empty())
    };
    let kinds = each_as(
        &[
            "oval",
            "rhombus",
            "rhombus-2",
            "arrow-right",
            "arrow-left",
            "arrow-up",
            "arrow-down",
        ],
        |word| {
            let (scene, said) = read(json!({ "geo": word }));
            let kind = glade_canvas::view::shape_type(named(&scene, "1"));
            (kind, said)
        },
    );
    let shortened = kinds.replace("fat-arrow-left, fat-arrow-up, ", "… ");
    assert_eq!(shortened.replace(", …", " …"), row("geo `oval`"));
    let fills = each_as(&["semi", "solid", "fill", "lined-fill"], |word| {
        let (scene, said) = read(json!({ "fill": word }));
        let one = named(&scene, "1");
        let (_, fill) = glade_canvas::palette::read_paint(
            one.stroke_color(),
            one.background_color(),
            one.fill_style(),
        );
        (format!("{fill:?}").to_lowercase(), said)
    });
    assert_eq!(fills, row("fill"));
    let fonts = each_as(&["draw", "sans", "serif", "mono"], |word| {
        let (scene, said) = read(json!({"font": word, "text": "x"}));
        let family = scene.label_of(&id("1")).unwrap().font_family();
        (format!("{family:?}"), said)
    });
    assert_eq!(fonts, row("font"));
    let heads = each_as(&["dot", "pipe", "square", "inverted"], |word| {
        let props =
            json!({"start": {"x": 0, "y": 0}, "end": {"x": 90, "y": 9}, "arrowheadEnd": word});
        let arrow = shape("1", "arrow", "page:one", 0.0, 0.0, props);
        let loaded = from_any(&file(vec![arrow])).unwrap();
        let head = named(&loaded.scene(), "1").props["endArrowhead"].clone();
        (head.as_str().unwrap().to_owned(), !loaded.notes.is_empty())
    });
    assert_eq!(heads, row("arrowhead"));
    let sizes = |of: &dyn Fn(&Scene) -> f64| {
        each_as(&["s", "m", "l", "xl"], |size| {
            let arrow = json!({"start": {"x": 0, "y": 0}, "end": {"x": 90, "y": 9}, "size": size, "text": "x"});
            let free = json!({"size": size, "text": "x", "autoSize": true, "w": 9});
            let records = vec![
                geo("1", 0.0, 0.0, json!({"size": size, "text": "x"})),
                shape("2", "arrow", "page:one", 0.0, 300.0, arrow),
                shape("3", "text", "page:one", 0.0, 600.0, free),
            ];
            let loaded = from_any(&file(records)).unwrap();
            (of(&loaded.scene()).to_string(), !loaded.notes.is_empty())
        })
    };
    let label = |scene: &Scene, name: &str| scene.label_of(&id(name)).unwrap().font_size();
    let all = format!(
        "strokeWidth {}; fontSize of text {}, on shapes {}, on arrows {}",
        sizes(&|scene| named(scene, "1").stroke_width()),
        sizes(&|scene| named(scene, "3").font_size()),
        sizes(&|scene| label(scene, "1")),
        sizes(&|scene| label(scene, "2")),
    );
    assert_eq!(all, row("size"));
    let dashes = ["draw", "solid", "dashed", "dotted"].map(|dash| {
        let (scene, _) = read(json!({ "dash": dash }));
        let one = named(&scene, "1");
        (
            one.props["roughness"].clone(),
            one.props["strokeStyle"].clone(),
        )
    });
    let expected = [(1, "solid"), (0, "solid"), (0, "dashed"), (0, "dotted")];
    assert_eq!(
        dashes,
        expected.map(|(rough, style)| (json!(rough), json!(style)))
    );
}

#[test]
fn every_type_of_shape_is_brought_or_left_out_as_the_page_says() {
    let types: [(&str, Value, Option<&str>, Option<&str>); 13] = [
        (
            "arrow",
            json!({"start": {"x": 0, "y": 0}, "end": {"x": 9, "y": 50}}),
            Some("arrow"),
            None,
        ),
        (
            "bookmark",
            json!({"w": 90, "h": 40, "url": "https://example.org"}),
            Some("embeddable"),
            Some("an embedded page"),
        ),
        (
            "draw",
            json!({"segments": [{"points": [{"x": 0, "y": 0}, {"x": 9, "y": 9}]}]}),
            Some("freedraw"),
            None,
        ),
        (
            "embed",
            json!({"w": 90, "h": 40, "url": "https://example.org"}),
            Some("embeddable"),
            Some("an embedded page"),
        ),
        (
            "frame",
            json!({"w": 90, "h": 40, "name": "F"}),
            Some("frame"),
            None,
        ),
        (
            "geo",
            json!({"geo": "ellipse", "w": 90, "h": 40}),
            Some("ellipse"),
            None,
        ),
        ("group", json!({}), None, None),
        (
            "highlight",
            json!({"segments": [{"points": [{"x": 0, "y": 0}, {"x": 9, "y": 9}]}]}),
            Some("freedraw"),
            Some("a wide, pale stroke"),
        ),
        (
            "image",
            json!({"w": 90, "h": 40}),
            Some("image"),
            Some("an empty image"),
        ),
        (
            "line",
            json!({"points": {"a1": {"index": "a1", "x": 0, "y": 0}, "a2": {"index": "a2", "x": 9, "y": 9}}}),
            Some("line"),
            None,
        ),
        ("note", json!({"text": "n"}), Some("stickynote"), None),
        (
            "text",
            json!({"text": "t", "autoSize": true}),
            Some("text"),
            None,
        ),
        (
            "video",
            json!({"w": 90, "h": 40}),
            None,
            Some("there is nothing like it"),
        ),
    ];
    for (kind, props, element, note) in types {
        let one = shape("1", kind, "page:one", 5.0, 6.0, props);
        let loaded = from_any(&file(vec![one])).unwrap();
        let scene = loaded.scene();
        let made = scene
            .get(&id("1"))
            .map(|one| one.kind().as_str().to_owned());
        assert_eq!(made.as_deref(), element, "{kind}");
        let said = said(&loaded.notes).join("; ");
        match note {
            Some(note) => assert!(said.contains(note), "{kind}: {said}"),
            None => assert_eq!(said, "", "{kind}"),
        }
    }
}
