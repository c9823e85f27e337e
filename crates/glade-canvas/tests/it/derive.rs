use std::collections::BTreeSet;

use glade_canvas::binding::{End, route};
use glade_canvas::factory;
use glade_canvas::label::drawn_text;
use glade_canvas::{Color, Element, Point, Rect, Scene, ShapeKind, TextAlign, derive};
use glade_doc::{Edit, ElementId};
use serde_json::{Value, json};

use crate::support::{element, id, props, scene, shape};

fn ids(names: &[&str]) -> BTreeSet<ElementId> {
    names.iter().map(|name| id(name)).collect()
}

/// Applies what follows from changing these, and checks that nothing more follows.
pub fn settle(scene: &mut Scene, names: &[&str]) -> Vec<Edit> {
    let edits = derive(scene, &ids(names));
    scene.apply(&edits);
    assert_eq!(derive(scene, &ids(names)), []);
    edits
}

/// Two boxes in a row and an arrow from the first to the second.
fn flow() -> Scene {
    let order = shape(
        "order",
        ShapeKind::Rectangle,
        Rect::new(0.0, 0.0, 200.0, 100.0),
    );
    let pay = shape(
        "pay",
        ShapeKind::Rectangle,
        Rect::new(300.0, 0.0, 200.0, 100.0),
    );
    let path = route(End::Element(&order), End::Element(&pay));
    let arrow = Element::new("arrow", factory::arrow(&path, Color::Black, 1, "a1"));
    scene([order, pay, arrow])
}

fn put(scene: &mut Scene, name: &str, changes: Value) {
    scene.apply(&[Edit::Put {
        id: id(name),
        props: props(changes),
    }]);
}

#[test]
fn a_new_arrow_ends_a_gap_away_from_both_outlines_and_nothing_follows() {
    let mut scene = flow();
    let arrow = scene.get(&id("arrow")).unwrap().clone();
    // 5 and half the stroke of 2.
    assert_eq!((arrow.x(), arrow.width()), (206.0, 88.0));
    assert!((arrow.y() - 50.01).abs() < 1e-9 && arrow.height().abs() < 1e-9);
    assert_eq!(
        arrow.end_binding().unwrap().to_value(),
        json!({"elementId": "pay", "fixedPoint": [0.5001, 0.5001], "mode": "orbit"})
    );
    assert_eq!(settle(&mut scene, &["order", "pay", "arrow"]), []);
}

#[test]
fn a_moved_box_takes_its_arrows_end_along() {
    let mut scene = flow();
    put(&mut scene, "pay", json!({"x": 400}));
    let edits = settle(&mut scene, &["pay"]);
    let expected = Edit::Put {
        id: id("arrow"),
        props: props(
            json!({"x": 206.0, "y": 50.01, "width": 188.0, "height": 0.0, "points": [[0.0, 0.0], [188.0, 0.0]]}),
        ),
    };
    assert_eq!(edits, [expected]);
}

#[test]
fn an_arrow_stays_where_it_is_when_its_end_is_deleted() {
    let mut scene = flow();
    scene.apply(&[Edit::Delete { id: id("pay") }]);
    assert_eq!(settle(&mut scene, &["pay"]), []);
    put(&mut scene, "order", json!({"y": 300}));
    settle(&mut scene, &["order"]);
    let arrow = scene.get(&id("arrow")).unwrap();
    let end = Point::new(
        arrow.x() + arrow.points()[1].x,
        arrow.y() + arrow.points()[1].y,
    );
    assert!(
        end.distance(Point::new(294.0, 50.01)) < 1e-9,
        "the loose end moved to {end:?}"
    );
}

#[test]
fn elbow_arrows_and_loose_arrows_are_left_alone() {
    let mut scene = flow();
    put(&mut scene, "arrow", json!({"elbowed": true}));
    put(&mut scene, "pay", json!({"x": 900}));
    assert_eq!(settle(&mut scene, &["pay", "arrow"]), []);
    put(
        &mut scene,
        "arrow",
        json!({"elbowed": false, "startBinding": null, "endBinding": null}),
    );
    assert_eq!(settle(&mut scene, &["pay", "arrow"]), []);
}

#[test]
fn a_rotated_arrow_becomes_straight_between_its_ends() {
    let mut scene = flow();
    put(&mut scene, "arrow", json!({"angle": 0.5}));
    settle(&mut scene, &["arrow"]);
    let arrow = scene.get(&id("arrow")).unwrap();
    assert_eq!((arrow.angle(), arrow.x()), (0.0, 206.0));
}

#[test]
fn a_growing_label_grows_its_box_and_the_arrow_follows() {
    let mut scene = flow();
    let order = scene.get(&id("order")).unwrap().clone();
    scene.put(Element::new(
        "words",
        factory::label(&order, "Order", 1, "a2"),
    ));
    settle(&mut scene, &["words"]);
    let label = scene.get(&id("words")).unwrap();
    assert_eq!((label.y(), label.height()), (37.5, 25.0));
    assert!((label.x() + label.width() / 2.0 - 100.0).abs() < 1e-9);

    put(
        &mut scene,
        "words",
        json!({"originalText": "Order the things that the customer really wants and nothing that nobody asked for"}),
    );
    let touched: BTreeSet<ElementId> = settle(&mut scene, &["words"])
        .iter()
        .map(|edit| edit.id().clone())
        .collect();
    assert_eq!(touched, ids(&["arrow", "order", "words"]));
    let (grown, label) = (
        scene.get(&id("order")).unwrap(),
        scene.get(&id("words")).unwrap(),
    );
    assert_eq!(drawn_text(&scene, label).lines().count(), 5);
    assert_eq!((grown.y(), grown.height()), (0.0, 135.0));
}

#[test]
fn an_arrows_label_sits_on_its_middle_and_follows_it() {
    let mut scene = flow();
    let arrow = scene.get(&id("arrow")).unwrap().clone();
    scene.put(Element::new(
        "words",
        factory::label(&arrow, "yes", 1, "a2"),
    ));
    settle(&mut scene, &["words"]);
    let middle = |scene: &Scene| scene.bounds(&id("words")).unwrap().center();
    assert!(middle(&scene).distance(Point::new(250.0, 50.01)) < 1e-6);
    put(&mut scene, "pay", json!({"y": 200}));
    settle(&mut scene, &["pay"]);
    assert!(middle(&scene).distance(scene.bounds(&id("arrow")).unwrap().center()) < 0.1);
}

#[test]
fn free_text_takes_its_size_and_keeps_its_anchor() {
    let mut scene = Scene::new();
    let at = Point::new(100.0, 0.0);
    scene.put(Element::new(
        "t",
        factory::text("Order", at, TextAlign::Center, Color::Black, 20.0, 1, "a0"),
    ));
    assert_eq!(settle(&mut scene, &["t"]), []);
    put(
        &mut scene,
        "t",
        json!({"originalText": "Order\nPay", "fontSize": 28}),
    );
    settle(&mut scene, &["t"]);
    let text = scene.get(&id("t")).unwrap();
    assert_eq!(text.height(), 70.0);
    assert!((text.width() - 76.524).abs() < 0.01);
    assert!((text.x() + text.width() / 2.0 - 100.0).abs() < 1e-9);
}

#[test]
fn turned_text_grows_along_its_own_lines() {
    for (align, corner) in [("left", 0), ("right", 1)] {
        let text = json!({"type": "text", "x": 10, "y": 20, "width": 54.66, "height": 25, "angle": 0.8, "fontSize": 20,
            "textAlign": align, "originalText": "Order", "index": "a0"});
        let mut scene = scene([element("t", text)]);
        settle(&mut scene, &["t"]);
        let held = |scene: &Scene| {
            let own = scene.get(&id("t")).unwrap();
            own.rect().corners()[corner].rotate(own.rect().center(), own.angle())
        };
        let before = held(&scene);
        put(
            &mut scene,
            "t",
            json!({"originalText": "Order and pay\nand ship"}),
        );
        settle(&mut scene, &["t"]);
        assert!(held(&scene).distance(before) < 1e-9, "{align}");
    }
}

#[test]
fn text_of_a_fixed_width_grows_down_only() {
    let mut scene = Scene::new();
    let words = factory::wrapped_text(
        "one two three four",
        Point::new(0.0, 0.0),
        100.0,
        Color::Black,
        20.0,
        1,
        "a0",
    );
    scene.put(Element::new("t", words));
    assert_eq!(settle(&mut scene, &["t"]), []);
    put(
        &mut scene,
        "t",
        json!({"originalText": "one two three four five six seven"}),
    );
    let height = json!({"height": 100.0});
    assert_eq!(
        settle(&mut scene, &["t"]),
        [Edit::Put {
            id: id("t"),
            props: props(height)
        }]
    );
}

#[test]
fn a_browsers_last_digits_are_left_standing() {
    let mut scene = Scene::new();
    let words = factory::text(
        "Order",
        Point::new(0.0, 0.0),
        TextAlign::Left,
        Color::Black,
        20.0,
        1,
        "a0",
    );
    scene.put(Element::new("t", words));
    put(&mut scene, "t", json!({"width": 54.659942626953125}));
    assert_eq!(settle(&mut scene, &["t"]), []);
}

#[test]
fn a_crowded_note_shrinks_its_words_and_then_grows() {
    let mut scene = Scene::new();
    let note = Element::new(
        "n",
        factory::sticky_note(Rect::new(0.0, 0.0, 100.0, 100.0), Color::Yellow, 1, "a0"),
    );
    scene.put(Element::new(
        "words",
        factory::label(&note, "milk", 1, "a1"),
    ));
    scene.put(note);
    settle(&mut scene, &["n", "words"]);
    assert_eq!(scene.get(&id("words")).unwrap().font_size(), 20.0);
    put(
        &mut scene,
        "words",
        json!({"originalText": "milk and bread and butter and eggs and tea"}),
    );
    settle(&mut scene, &["words"]);
    let (note, words) = (
        scene.get(&id("n")).unwrap(),
        scene.get(&id("words")).unwrap(),
    );
    assert_eq!(
        (words.font_size(), words.number("baseFontSize")),
        (16.0, Some(20.0))
    );
    assert_eq!(
        (note.height(), note.number("baseHeight")),
        (words.height() + 52.0, Some(100.0))
    );
    put(&mut scene, "words", json!({"originalText": "milk"}));
    settle(&mut scene, &["words"]);
    assert_eq!(
        (
            scene.get(&id("words")).unwrap().font_size(),
            scene.get(&id("n")).unwrap().height()
        ),
        (20.0, 100.0)
    );
}

#[test]
fn a_container_that_widens_again_and_again_settles() {
    let container = element(
        "c",
        json!({"type": "ellipse", "width": 112.148_240_443_521_64, "height": 1}),
    );
    let mut label = Element::new(
        "t",
        factory::label(&container, "a jdeciripp majpk a aaaqjok", 1, "a1"),
    );
    label
        .props
        .insert("fontSize".to_owned(), json!(35.234_573_038_376_034));
    let mut scene = scene([container, label]);
    settle(&mut scene, &["c"]);
}

#[test]
fn a_turned_note_whose_height_is_as_good_as_right_stays_where_it_is() {
    let note = element(
        "note",
        json!({"type": "stickynote", "x": 0, "y": 0, "width": 100, "height": 100.3, "baseHeight": 100, "angle": 0.7}),
    );
    let words = Element::new("words", factory::label(&note, "ok", 1, "a1"));
    let mut scene = scene([note, words]);
    settle(&mut scene, &["note"]);
    let note = scene.get(&id("note")).unwrap();
    assert_eq!((note.x(), note.y(), note.height()), (0.0, 0.0, 100.3));
}
