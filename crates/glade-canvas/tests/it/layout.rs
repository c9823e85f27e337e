//! What each layout operation does to a small page.

use std::f64::consts::{FRAC_PI_2, PI};

use glade_canvas::binding::{End, route};
use glade_canvas::factory;
use glade_canvas::layout::{self, AlignTo, Alignment, Anchor, Direction, Side};
use glade_canvas::{Color, Element, Point, Rect, Scene, ShapeKind, bounds, derive};
use glade_doc::{Edit, ElementId};
use serde_json::json;

use crate::support::{element, id, scene, shape};

fn rect(name: &str, x: f64, y: f64, w: f64, h: f64) -> Element {
    shape(name, ShapeKind::Rectangle, Rect::new(x, y, w, h))
}

fn ids(names: &[&str]) -> Vec<ElementId> {
    names.iter().map(|name| id(name)).collect()
}

fn bounds_of(scene: &Scene, name: &str) -> Rect {
    scene.bounds(&id(name)).unwrap()
}

fn apply(scene: &mut Scene, edits: Vec<Edit>) {
    assert!(!edits.is_empty(), "nothing to do");
    scene.apply(&edits);
    let touched = edits.iter().map(|edit| edit.id().clone()).collect();
    assert_eq!(derive(scene, &touched), [], "what follows is in the edits");
}

fn near(a: Rect, b: Rect) {
    let off = [a.x - b.x, a.y - b.y, a.w - b.w, a.h - b.h];
    assert!(off.iter().all(|off| off.abs() < 1e-6), "{a:?} is not {b:?}");
}

/// Two boxes, the first labelled, with an arrow between them.
fn pair() -> Scene {
    let (a, b) = (
        rect("a", 0.0, 0.0, 100.0, 60.0),
        rect("b", 300.0, 200.0, 100.0, 60.0),
    );
    let between = route(End::Element(&a), End::Element(&b));
    let arrow = Element::new("arrow", factory::arrow(&between, Color::Black, 1, "a2"));
    let words = Element::new("words", factory::label(&a, "Order", 1, "a3"));
    let mut scene = scene([a, b, arrow, words]);
    let all = scene.live().map(|element| element.id.clone()).collect();
    let follows = derive(&scene, &all);
    scene.apply(&follows);
    scene
}

#[test]
fn aligning_moves_labels_and_arrows_with_their_shapes() {
    let mut scene = pair();
    let (words, arrow) = (bounds_of(&scene, "words"), bounds_of(&scene, "arrow"));
    let edits = layout::align(&scene, &ids(&["a", "b"]), Alignment::Bottom);
    apply(&mut scene, edits);
    near(bounds_of(&scene, "a"), Rect::new(0.0, 200.0, 100.0, 60.0));
    near(bounds_of(&scene, "words"), words.translate(0.0, 200.0));
    assert_ne!(bounds_of(&scene, "arrow"), arrow);
    assert!(
        bounds_of(&scene, "arrow").h < 1.0,
        "it runs straight across now"
    );
}

#[test]
fn a_label_stands_for_its_container_and_a_bound_arrow_for_nothing() {
    let scene = pair();
    let direct = layout::align(&scene, &ids(&["a", "b"]), Alignment::Left);
    let loosely = layout::align(
        &scene,
        &ids(&["words", "b", "arrow", "a", "gone"]),
        Alignment::Left,
    );
    assert_eq!(direct, loosely);
    assert_eq!(
        layout::align(&scene, &ids(&["a", "arrow"]), Alignment::Left),
        []
    );
}

#[test]
fn alignment_goes_by_the_box_around_a_rotated_shape() {
    let mut turned = rect("turned", 200.0, 100.0, 100.0, 20.0);
    turned.props.insert("angle".to_owned(), json!(FRAC_PI_2));
    let mut scene = scene([rect("a", 0.0, 0.0, 50.0, 50.0), turned]);
    let edits = layout::align(&scene, &ids(&["a", "turned"]), Alignment::Top);
    apply(&mut scene, edits);
    near(
        bounds_of(&scene, "turned"),
        Rect::new(240.0, 0.0, 20.0, 100.0),
    );
}

#[test]
fn centres_line_up_either_way() {
    let start = || {
        scene([
            rect("a", 0.0, 0.0, 50.0, 50.0),
            rect("b", 100.0, 80.0, 100.0, 20.0),
        ])
    };
    let both = ids(&["a", "b"]);
    let mut across = start();
    apply(
        &mut across,
        layout::align(&start(), &both, Alignment::CenterHorizontal),
    );
    let mut down = start();
    apply(
        &mut down,
        layout::align(&start(), &both, Alignment::CenterVertical),
    );
    let middles = |scene: &Scene| {
        (
            bounds_of(scene, "a").center(),
            bounds_of(scene, "b").center(),
        )
    };
    assert_eq!(
        middles(&across),
        (Point::new(100.0, 25.0), Point::new(100.0, 90.0))
    );
    assert_eq!(
        middles(&down),
        (Point::new(25.0, 50.0), Point::new(150.0, 50.0))
    );
}

#[test]
fn distributing_makes_gaps_equal_and_stacking_makes_them_what_was_asked() {
    let start = || {
        scene([
            rect("a", 0.0, 0.0, 50.0, 50.0),
            rect("b", 60.0, 10.0, 20.0, 50.0),
            rect("c", 270.0, 20.0, 30.0, 50.0),
        ])
    };
    let mut even = start();
    let all = ids(&["c", "a", "b"]);
    apply(
        &mut even,
        layout::distribute(&start(), &all, Direction::Horizontal),
    );
    near(bounds_of(&even, "a"), Rect::new(0.0, 0.0, 50.0, 50.0));
    near(bounds_of(&even, "b"), Rect::new(150.0, 10.0, 20.0, 50.0));
    near(bounds_of(&even, "c"), Rect::new(270.0, 20.0, 30.0, 50.0));
    let mut stacked = start();
    apply(
        &mut stacked,
        layout::stack(&start(), &all, Direction::Vertical, 8.0),
    );
    near(bounds_of(&stacked, "b"), Rect::new(60.0, 58.0, 20.0, 50.0));
    near(
        bounds_of(&stacked, "c"),
        Rect::new(270.0, 116.0, 30.0, 50.0),
    );
}

#[test]
fn placing_keeps_the_offsets_from_side_and_end() {
    let start = scene([
        rect("a", 900.0, 900.0, 40.0, 20.0),
        rect("b", 100.0, 100.0, 200.0, 100.0),
    ]);
    let placed = |side: Side, align: AlignTo| {
        let mut scene = start.clone();
        apply(
            &mut scene,
            layout::place(&start, &id("a"), &id("b"), side, 10.0, align, 5.0),
        );
        let place = bounds_of(&scene, "a");
        (place.x, place.y)
    };
    assert_eq!(placed(Side::Top, AlignTo::Start), (105.0, 70.0));
    assert_eq!(placed(Side::Bottom, AlignTo::Center), (185.0, 210.0));
    assert_eq!(placed(Side::Left, AlignTo::End), (50.0, 175.0));
    assert_eq!(placed(Side::Right, AlignTo::Start), (310.0, 105.0));
    let onto_itself = layout::place(
        &start,
        &id("a"),
        &id("a"),
        Side::Top,
        1.0,
        AlignTo::Start,
        0.0,
    );
    assert_eq!(onto_itself, []);
}

/// A frame with a box in it, and a box outside.
fn framed() -> Scene {
    let mut inside = rect("inside", 120.0, 120.0, 40.0, 40.0);
    inside.props.insert("frameId".to_owned(), json!("frame"));
    scene([
        element(
            "frame",
            json!({"type": "frame", "x": 100, "y": 100, "width": 200, "height": 200, "index": "a9"}),
        ),
        inside,
        rect("outside", 500.0, 0.0, 40.0, 40.0),
    ])
}

#[test]
fn a_frame_takes_along_what_is_in_it() {
    let mut scene = framed();
    let edits = layout::move_to(&scene, &id("frame"), Point::new(0.0, 0.0), Anchor::TOP_LEFT);
    apply(&mut scene, edits);
    near(
        bounds_of(&scene, "inside"),
        Rect::new(20.0, 20.0, 40.0, 40.0),
    );
    assert_eq!(
        scene.get(&id("inside")).unwrap().frame_id(),
        Some(id("frame"))
    );
}

#[test]
fn inside_a_frame_places_are_the_pages_and_leaving_it_is_leaving_it() {
    let mut scene = framed();
    let within = layout::move_to(
        &scene,
        &id("inside"),
        Point::new(200.0, 150.0),
        Anchor::CENTER,
    );
    apply(&mut scene, within);
    near(
        bounds_of(&scene, "inside"),
        Rect::new(180.0, 130.0, 40.0, 40.0),
    );
    assert_eq!(
        scene.get(&id("inside")).unwrap().frame_id(),
        Some(id("frame"))
    );
    let out = layout::place(
        &scene,
        &id("inside"),
        &id("outside"),
        Side::Right,
        20.0,
        AlignTo::Center,
        0.0,
    );
    apply(&mut scene, out);
    near(
        bounds_of(&scene, "inside"),
        Rect::new(560.0, 0.0, 40.0, 40.0),
    );
    assert_eq!(scene.get(&id("inside")).unwrap().frame_id(), None);
}

#[test]
fn a_group_is_one_thing_by_its_id() {
    let member = |name: &str, x: f64| {
        let mut member = rect(name, x, 300.0, 40.0, 40.0);
        member.props.insert("groupIds".to_owned(), json!(["team"]));
        member
    };
    let mut scene = scene([
        rect("a", 0.0, 0.0, 50.0, 50.0),
        member("m1", 200.0),
        member("m2", 260.0),
    ]);
    let edits = layout::align(&scene, &ids(&["a", "team"]), Alignment::Left);
    apply(&mut scene, edits);
    near(bounds_of(&scene, "m1"), Rect::new(0.0, 300.0, 40.0, 40.0));
    near(bounds_of(&scene, "m2"), Rect::new(60.0, 300.0, 40.0, 40.0));
}

#[test]
fn an_arrow_between_two_moved_shapes_keeps_its_bends() {
    let mut scene = pair();
    let arrow = scene.get(&id("arrow")).unwrap().clone();
    let bent = element("arrow", {
        let mut props = arrow.props.clone();
        props.insert("points".to_owned(), json!([[0, 0], [60, 150], [200, 150]]));
        serde_json::Value::Object(props)
    });
    scene.put(bent);
    let follows = derive(&scene, &[id("arrow")].into());
    scene.apply(&follows);
    for name in ["a", "b"] {
        let mut member = scene.get(&id(name)).unwrap().clone();
        member.props.insert("groupIds".to_owned(), json!(["both"]));
        scene.put(member);
    }
    let before = bounds::page_points(scene.get(&id("arrow")).unwrap());
    let edits = layout::move_to(
        &scene,
        &id("both"),
        Point::new(1000.0, 0.0),
        Anchor::TOP_LEFT,
    );
    apply(&mut scene, edits);
    let after = bounds::page_points(scene.get(&id("arrow")).unwrap());
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert!(before.translate(1000.0, 0.0).distance(*after) < 0.1);
    }
}

#[test]
fn resizing_about_the_origin_of_the_page_is_not_about_the_shape() {
    let mut scene = scene([
        rect("a", 100.0, 50.0, 40.0, 20.0),
        element(
            "line",
            json!({"type": "line", "x": 10, "y": 10, "points": [[0, 0], [30, 20]], "index": "a1"}),
        ),
    ]);
    let edits = layout::resize(&scene, &ids(&["a", "line"]), 2.0, 3.0, Point::new(0.0, 0.0));
    apply(&mut scene, edits);
    near(bounds_of(&scene, "a"), Rect::new(200.0, 150.0, 80.0, 60.0));
    near(bounds_of(&scene, "line"), Rect::new(20.0, 30.0, 60.0, 60.0));
    assert_eq!(
        layout::resize(&scene, &ids(&["a"]), 0.0, 1.0, Point::default()),
        []
    );
    assert_eq!(
        layout::resize(&scene, &ids(&["a"]), f64::NAN, 1.0, Point::default()),
        []
    );
}

#[test]
fn a_negative_scale_mirrors_a_path_and_keeps_boxes_upright() {
    let mut scene = scene([
        rect("a", 100.0, 0.0, 40.0, 20.0),
        element(
            "line",
            json!({"type": "line", "x": 10, "y": 10, "points": [[0, 0], [30, 20]], "index": "a1"}),
        ),
    ]);
    let edits = layout::resize(
        &scene,
        &ids(&["a", "line"]),
        -1.0,
        1.0,
        Point::new(0.0, 0.0),
    );
    apply(&mut scene, edits);
    near(bounds_of(&scene, "a"), Rect::new(-140.0, 0.0, 40.0, 20.0));
    assert_eq!(
        bounds::page_points(scene.get(&id("line")).unwrap()),
        [Point::new(-10.0, 10.0), Point::new(-40.0, 30.0)]
    );
}

#[test]
fn what_a_person_held_of_an_elbow_arrow_is_scaled_with_it() {
    let arrow = json!({"type": "arrow", "elbowed": true, "x": 10, "y": 10, "points": [[0, 0], [30, 0], [30, 40], [60, 40]],
        "fixedSegments": [{"index": 2, "start": [30, 0], "end": [30, 40], "ofTomorrow": 1}], "index": "a1"});
    let mut scene = scene([element("elbow", arrow)]);
    let edits = layout::resize(&scene, &ids(&["elbow"]), 2.0, 3.0, Point::new(10.0, 10.0));
    apply(&mut scene, edits);
    let after = scene.get(&id("elbow")).unwrap();
    assert_eq!(
        after.props["points"],
        json!([[0.0, 0.0], [60.0, 0.0], [60.0, 120.0], [120.0, 120.0]])
    );
    assert_eq!(
        after.props["fixedSegments"],
        json!([{"index": 2, "start": [60.0, 0.0], "end": [60.0, 120.0], "ofTomorrow": 1}])
    );
}

#[test]
fn a_mirrored_image_shows_its_picture_mirrored() {
    let image = |scale| json!({"type": "image", "x": 0, "y": 0, "width": 40, "height": 20, "fileId": "f", "scale": scale, "index": "a1"});
    let after = |own, by: (f64, f64)| {
        let mut scene = scene([element("i", image(own))]);
        let edits = layout::resize(&scene, &ids(&["i"]), by.0, by.1, Point::new(20.0, 10.0));
        apply(&mut scene, edits);
        scene.get(&id("i")).unwrap().props["scale"].clone()
    };
    assert_eq!(after(json!([1, 1]), (-1.0, 1.0)), json!([-1, 1]));
    assert_eq!(after(json!([1, -1]), (2.0, -2.0)), json!([1, 1]));
    assert_eq!(after(json!(null), (-1.0, -1.0)), json!([-1, -1]));
    assert_eq!(after(json!([1, -1]), (2.0, 2.0)), json!([1, -1]));
}

#[test]
fn a_shape_on_its_side_is_scaled_along_the_page() {
    let mut turned = rect("turned", 0.0, 0.0, 100.0, 20.0);
    turned.props.insert("angle".to_owned(), json!(FRAC_PI_2));
    let mut scene = scene([turned]);
    let before = bounds_of(&scene, "turned");
    let edits = layout::resize(&scene, &ids(&["turned"]), 3.0, 1.0, before.center());
    apply(&mut scene, edits);
    near(
        bounds_of(&scene, "turned"),
        Rect::new(before.center().x - 30.0, before.y, 60.0, 100.0),
    );
}

#[test]
fn text_is_resized_by_its_font() {
    let words = factory::text(
        "Title",
        Point::new(10.0, 10.0),
        glade_canvas::TextAlign::Left,
        Color::Black,
        20.0,
        1,
        "a0",
    );
    let mut scene = scene([Element::new("t", words)]);
    let before = bounds_of(&scene, "t");
    let edits = layout::resize(&scene, &ids(&["t"]), 2.0, 2.0, Point::new(10.0, 10.0));
    apply(&mut scene, edits);
    let after = scene.get(&id("t")).unwrap();
    assert_eq!(after.font_size(), 40.0);
    let off = Rect::new(10.0, 10.0, before.w * 2.0, before.h * 2.0);
    assert!((after.rect().x - off.x).abs() < 1.0 && (after.rect().w - off.w).abs() < 1.0);
}

#[test]
fn rotating_about_the_origin_of_the_page_carries_shapes_around_it() {
    let mut scene = pair();
    let edits = layout::rotate(&scene, &ids(&["a", "b"]), 90.0, Point::new(0.0, 0.0));
    apply(&mut scene, edits);
    near(bounds_of(&scene, "a"), Rect::new(-60.0, 0.0, 60.0, 100.0));
    near(
        bounds_of(&scene, "b"),
        Rect::new(-260.0, 300.0, 60.0, 100.0),
    );
    let label = scene.get(&id("words")).unwrap();
    assert!(
        (label.angle() - FRAC_PI_2).abs() < 1e-9,
        "the label turns with it"
    );
    let back = layout::rotate(&scene, &ids(&["a", "b"]), -90.0, Point::new(0.0, 0.0));
    apply(&mut scene, back);
    near(bounds_of(&scene, "a"), Rect::new(0.0, 0.0, 100.0, 60.0));
    assert_eq!(scene.get(&id("a")).unwrap().angle(), 0.0);
}

#[test]
fn a_half_turn_of_a_free_arrow_swaps_its_ends() {
    let free = route(
        End::Point(Point::new(0.0, 0.0)),
        End::Point(Point::new(100.0, 40.0)),
    );
    let mut scene = scene([Element::new(
        "arrow",
        factory::arrow(&free, Color::Red, 1, "a0"),
    )]);
    let edits = layout::rotate(
        &scene,
        &ids(&["arrow"]),
        PI.to_degrees(),
        Point::new(50.0, 20.0),
    );
    apply(&mut scene, edits);
    let points = bounds::page_points(scene.get(&id("arrow")).unwrap());
    assert!(points[0].distance(Point::new(100.0, 40.0)) < 1e-9);
    assert!(points[1].distance(Point::new(0.0, 0.0)) < 1e-9);
}

fn order(scene: &Scene) -> Vec<&str> {
    scene.live().map(|element| element.id.as_str()).collect()
}

#[test]
fn front_and_back_take_labels_along_and_keep_their_order() {
    let keyed = |name: &str, index: &str| {
        let mut element = rect(name, 0.0, 0.0, 50.0, 50.0);
        element.props.insert("index".to_owned(), json!(index));
        element
    };
    let a = keyed("a", "a0");
    let words = Element::new("words", factory::label(&a, "A", 1, "a1"));
    let mut scene = scene([a, words, keyed("b", "a2"), keyed("c", "a3")]);
    let front = layout::bring_to_front(&scene, &ids(&["b", "a"]));
    scene.apply(&front);
    assert_eq!(order(&scene), ["c", "a", "words", "b"]);
    assert_eq!(layout::bring_to_front(&scene, &ids(&["b", "a"])), []);
    let back = layout::send_to_back(&scene, &ids(&["b"]));
    scene.apply(&back);
    assert_eq!(order(&scene), ["b", "c", "a", "words"]);
}

#[test]
fn a_shape_without_an_order_key_can_be_overtaken() {
    let bare = element(
        "bare",
        json!({"type": "rectangle", "x": 0, "y": 0, "width": 5, "height": 5}),
    );
    let odd = element(
        "odd",
        json!({"type": "rectangle", "index": "~~~", "width": 5, "height": 5}),
    );
    let mut scene = scene([bare, odd, rect("a", 0.0, 0.0, 50.0, 50.0)]);
    let front = layout::bring_to_front(&scene, &ids(&["a"]));
    scene.apply(&front);
    assert_eq!(order(&scene).last(), Some(&"a"));
}

#[test]
fn shapes_on_each_other_are_nudged_apart_and_backgrounds_are_left() {
    let mut scene = scene([
        rect("ground", -500.0, -500.0, 1000.0, 1000.0),
        rect("a", 0.0, 0.0, 100.0, 100.0),
        rect("b", 90.0, 10.0, 100.0, 100.0),
        rect("other", 205.0, 0.0, 50.0, 100.0),
    ]);
    let edits = layout::nudge_apart(&scene, &ids(&["a", "b"]), 10.0);
    apply(&mut scene, edits);
    near(bounds_of(&scene, "a"), Rect::new(0.0, 0.0, 100.0, 100.0));
    let b = bounds_of(&scene, "b");
    let apart = |other: &str| !b.expand(9.9).intersects(&bounds_of(&scene, other));
    assert!(apart("a") && apart("other"), "{b:?}");
    assert_eq!(layout::nudge_apart(&scene, &ids(&["a", "b"]), 10.0), []);
}

#[test]
fn a_shape_shrinks_to_its_words_about_its_middle() {
    for kind in [ShapeKind::Rectangle, ShapeKind::Ellipse, ShapeKind::Diamond] {
        let big = shape("a", kind, Rect::new(0.0, 0.0, 600.0, 400.0));
        let words = Element::new("words", factory::label(&big, "Order", 1, "a3"));
        let mut scene = scene([big, words]);
        let follows = derive(&scene, &[id("a")].into());
        scene.apply(&follows);
        let before = bounds_of(&scene, "words");
        let edits = layout::fit_text(&scene, &ids(&["a"]));
        apply(&mut scene, edits);
        let (shape, words) = (bounds_of(&scene, "a"), bounds_of(&scene, "words"));
        assert!(
            shape.contains_rect(&words) && shape.w < 300.0 && shape.h < 200.0,
            "{shape:?}"
        );
        assert_eq!(
            (before.w, before.h),
            (words.w, words.h),
            "still on one line"
        );
        assert_eq!(shape.center(), Point::new(300.0, 200.0));
        assert_eq!(layout::fit_text(&scene, &ids(&["a"])), []);
    }
}
