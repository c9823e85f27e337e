use glade_canvas::binding::{End, route};
use glade_canvas::factory::{self, Style};
use glade_canvas::full::full;
use glade_canvas::view::{self, Direction, blurry, cluster, peripheral};
use glade_canvas::{Color, Element, Fill, GeoKind, Point, Rect, Scene, TextAlign, derive};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{element, id};

const VIEW: Rect = Rect::new(0.0, 0.0, 1000.0, 1000.0);

/// One of everything a model can meet.
fn gallery() -> Scene {
    let mut scene = Scene::new();
    let order = Element::new(
        "order",
        factory::geo(
            GeoKind::Cloud,
            Rect::new(0.0, 0.0, 200.0, 100.0),
            Style::new(Color::Blue, Fill::Tint),
            1,
            "a0",
        ),
    );
    let note = Element::new(
        "note",
        factory::sticky_note(
            Rect::new(400.0, 0.0, 250.0, 250.0),
            Color::LightGreen,
            1,
            "a1",
        ),
    );
    let arrow = Element::new(
        "arrow",
        factory::arrow(
            &route(End::Element(&order), End::Element(&note)),
            Color::Red,
            1,
            "a2",
        ),
    );
    scene.put(Element::new(
        "order-words",
        factory::label(&order, "Order", 1, "a3"),
    ));
    scene.put(Element::new(
        "arrow-words",
        factory::label(&arrow, "then", 1, "a4"),
    ));
    scene.put(Element::new(
        "text",
        factory::text(
            "Title",
            Point::new(500.0, 300.0),
            TextAlign::Center,
            Color::Grey,
            28.0,
            1,
            "a5",
        ),
    ));
    scene.put(Element::new(
        "line",
        factory::line(
            &[Point::new(0.0, 400.0), Point::new(50.0, 450.0)],
            Style::default(),
            1,
            "a6",
        )
        .unwrap(),
    ));
    scene.put(element("frame", json!({"type": "frame", "name": "Plan", "x": 0, "y": 500, "width": 300, "height": 200, "index": "a7"})));
    scene.put(element("image", json!({"type": "image", "x": 10, "y": 510, "width": 30, "height": 30, "index": "a8", "frameId": "frame", "customData": {"altText": "a cat", "note": "the logo"}})));
    scene.put(element("draw", json!({"type": "freedraw", "x": 0, "y": 800, "points": [[0, 0], [5, 5]], "strokeColor": "#2f9e44", "index": "a9", "groupIds": ["inner", "outer"]})));
    scene.put(element(
        "odd",
        json!({"type": "hologram", "x": 7, "y": 900, "index": "aA", "groupIds": ["outer"]}),
    ));
    for shape in [order, note, arrow] {
        scene.put(shape);
    }
    let all = scene.live().map(|element| element.id.clone()).collect();
    let follows = derive(&scene, &all);
    scene.apply(&follows);
    scene
}

#[test]
fn blurry_shapes_carry_their_labels_text_and_labels_are_no_shapes() {
    let scene = gallery();
    let lines: Vec<_> = blurry(&scene, &VIEW)
        .into_iter()
        .map(|shape| (shape.shape_id.0, shape.kind, shape.text))
        .collect();
    let line = |id: &str, kind: &str, text: Option<&str>| {
        (id.to_owned(), kind.to_owned(), text.map(str::to_owned))
    };
    let expected = [
        line("order", "cloud", Some("Order")),
        line("note", "note", None),
        line("arrow", "arrow", Some("then")),
        line("text", "text", Some("Title")),
        line("line", "line", None),
        line("frame", "frame", Some("Plan")),
        line("image", "image", None),
        line("draw", "draw", None),
        line("odd", "hologram", None),
    ];
    assert_eq!(lines, expected);
    let first = serde_json::to_value(&blurry(&scene, &VIEW)[0]).unwrap();
    assert_eq!(
        first,
        json!({"shapeId": "order", "text": "Order", "type": "cloud", "x": 0.0, "y": 0.0, "w": 200.0, "h": 100.0})
    );
}

#[test]
fn full_shapes_are_what_a_model_would_write() {
    let scene = gallery();
    let names = [
        "order-words",
        "order",
        "arrow",
        "text",
        "note",
        "line",
        "image",
        "frame",
        "draw",
        "odd",
        "gone",
    ]
    .map(id);
    let arrow = scene.get(&id("arrow")).unwrap();
    let (start, end) = (
        Point::new(arrow.x(), arrow.y()),
        Point::new(
            arrow.x() + arrow.points()[1].x,
            arrow.y() + arrow.points()[1].y,
        ),
    );
    let expected = json!([
        {"_type": "cloud", "shapeId": "order", "note": "", "color": "blue", "fill": "tint", "x": 0.0, "y": 0.0, "w": 200.0, "h": 100.0, "text": "Order", "textAlign": "center"},
        {"_type": "arrow", "shapeId": "arrow", "note": "", "color": "red", "x1": start.x, "y1": start.y, "x2": end.x, "y2": end.y, "fromId": "order", "toId": "note", "text": "then"},
        {"_type": "text", "shapeId": "text", "note": "", "anchor": "top-center", "color": "grey", "fontSize": 28.0, "maxWidth": null, "text": "Title", "x": 500.0, "y": 300.0},
        {"_type": "note", "shapeId": "note", "note": "", "color": "light-green", "x": 400.0, "y": 0.0},
        {"_type": "line", "shapeId": "line", "note": "", "color": "black", "x1": 0.0, "y1": 400.0, "x2": 50.0, "y2": 450.0},
        {"_type": "image", "shapeId": "image", "note": "the logo", "altText": "a cat", "x": 10.0, "y": 510.0, "w": 30.0, "h": 30.0},
        {"_type": "frame", "shapeId": "frame", "note": "", "name": "Plan", "children": ["image"], "x": 0.0, "y": 500.0, "w": 300.0, "h": 200.0},
        {"_type": "draw", "shapeId": "draw", "note": "", "color": "green"},
        {"_type": "unknown", "shapeId": "odd", "note": "", "subType": "hologram", "x": 7.0, "y": 900.0},
        {"_type": "group", "shapeId": "outer", "note": "", "children": ["draw", "odd"], "x": 0.0, "y": 800.0, "w": 7.0, "h": 100.0},
    ]);
    assert_eq!(
        serde_json::to_value(full(&scene, &names)).unwrap(),
        expected
    );
}

#[test]
fn what_lies_outside_is_counted_and_pointed_at() {
    let at = |name: &str, x: f64, y: f64| {
        element(
            name,
            json!({"type": "rectangle", "x": x, "y": y, "width": 50, "height": 50}),
        )
    };
    let scene: Scene = [
        at("in", 10.0, 10.0),
        at("r1", 2000.0, 100.0),
        at("r2", 2100.0, 100.0),
        at("above", 500.0, -900.0),
        at("corner", -500.0, 3000.0),
    ]
    .into_iter()
    .collect();
    let clusters = serde_json::to_value(peripheral(&scene, &VIEW)).unwrap();
    let expected = json!([
        {"bounds": {"x": 500.0, "y": -900.0, "w": 50.0, "h": 50.0}, "numberOfShapes": 1, "direction": "above"},
        {"bounds": {"x": 2000.0, "y": 100.0, "w": 150.0, "h": 50.0}, "numberOfShapes": 2, "direction": "right"},
        {"bounds": {"x": -500.0, "y": 3000.0, "w": 50.0, "h": 50.0}, "numberOfShapes": 1, "direction": "below-left"},
    ]);
    assert_eq!(clusters, expected);
    assert_eq!(
        view::direction(&VIEW, &Rect::new(-10.0, -10.0, 5000.0, 5000.0)),
        Direction::Here
    );
}

#[test]
fn two_clusters_that_grow_together_become_one() {
    let far = Rect::new(0.0, 0.0, 10.0, 10.0);
    let also_far = Rect::new(150.0, 0.0, 10.0, 10.0);
    let bridge = Rect::new(80.0, 0.0, 5.0, 10.0);
    assert_eq!(cluster(&[far, also_far], 75.0).len(), 2);
    assert_eq!(
        cluster(&[far, also_far, bridge], 75.0),
        [(Rect::new(0.0, 0.0, 160.0, 10.0), 3)]
    );
}

/// Elements as they come and go: boxes, arrows, texts that name one of them or nothing, deleted ones.
fn coming_and_going() -> impl Strategy<Value = Vec<Element>> {
    let one = (
        0u8..8,
        0u8..4,
        0u8..9,
        -500i32..500,
        any::<bool>(),
        any::<bool>(),
    );
    let made = |(name, kind, named, x, grouped, gone): (u8, u8, u8, i32, bool, bool)| {
        let kind = ["rectangle", "arrow", "text", "line"][usize::from(kind)];
        let mut props = json!({
            "type": kind, "x": x, "y": x / 2, "width": 90, "height": 40, "isDeleted": gone,
            "points": [[0, 0], [90, 40]], "originalText": "word", "fontSize": 20,
            "groupIds": if grouped { json!(["g"]) } else { json!([]) },
        });
        if kind == "text" && named < 8 {
            props["containerId"] = json!(format!("e{named}"));
        }
        if kind == "line" {
            props["customData"] = json!({"geo": "cloud"});
        }
        element(&format!("e{name}"), props)
    };
    proptest::collection::vec(one.prop_map(made), 0..40)
}

fn boxes() -> impl Strategy<Value = Vec<Rect>> {
    let one = (-2000i32..2000, -2000i32..2000, 0i32..400, 0i32..400);
    let rect =
        |(x, y, w, h): (i32, i32, i32, i32)| Rect::new(x.into(), y.into(), w.into(), h.into());
    proptest::collection::vec(one.prop_map(rect), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_kept_boxes_of_shapes_are_those_that_would_be_worked_out(elements in coming_and_going(), asked in 1usize..6) {
        let mut scene = Scene::new();
        for (at, element) in elements.into_iter().enumerate() {
            scene.put(element);
            if at % asked == 0 {
                let mut shapes: Vec<&Element> = view::shapes(&scene).collect();
                shapes.sort_by_key(|shape| &shape.id);
                let anew: Vec<Rect> = shapes.into_iter().map(|shape| view::shape_bounds(&scene, shape)).collect();
                prop_assert_eq!(scene.shape_boxes(), anew);
            }
        }
    }

    #[test]
    fn clusters_do_not_depend_on_order_and_stand_apart((shuffled, original) in boxes().prop_flat_map(|boxes| (Just(boxes.clone()).prop_shuffle(), Just(boxes)))) {
        let clusters = cluster(&original, 75.0);
        prop_assert_eq!(&cluster(&shuffled, 75.0), &clusters);
        prop_assert_eq!(clusters.iter().map(|(_, count)| count).sum::<usize>(), original.len());
        for (at, (one, _)) in clusters.iter().enumerate() {
            for (other, _) in &clusters[at + 1..] {
                prop_assert!(!one.expand(75.0).touches(other), "{one:?} and {other:?}");
            }
        }
    }
}
