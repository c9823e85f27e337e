//! What actions put on the page.

use glade_agent::{Effect, Input, Outcome};
use glade_canvas::{Element, Rect, bounds};
use glade_doc::{Edit, ElementId};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::room::{Room, VIEW, a_box, an_arrow, outcome};

fn drawn(actions: Value) -> Room {
    let mut room = Room::asked("draw");
    room.answer(actions);
    room
}

fn told(room: &Room) -> String {
    room.last_prompt().messages.last().unwrap().content.clone()
}

fn create(shape: Value) -> Value {
    json!([{"_type": "create", "intent": "", "shape": shape}])
}

fn only(room: &Room, kind: &str) -> Element {
    let all: Vec<Element> = room
        .live()
        .into_iter()
        .filter(|element| element.props["type"] == kind)
        .collect();
    assert_eq!(all.len(), 1, "{kind}");
    all.into_iter().next().unwrap()
}

#[test]
fn a_box_with_words_is_a_container_and_its_label() {
    let room = drawn(json!([a_box("order", 100, 50, "Order")]));
    let shape = room.named("Order");
    assert_eq!(
        shape.rect(),
        Rect::new(1100.0, 2050.0, 160.0, 80.0),
        "the chat's origin is the view's corner"
    );
    assert!(shape.id.as_str().starts_with("order-"));
    let label = room.scene.label_of(&shape.id).unwrap();
    assert_eq!(label.id.as_str(), format!("{}-label", shape.id));
    let (inner, outer) = (label.rect(), shape.rect());
    assert!(outer.contains_rect(&inner), "{inner:?} in {outer:?}");
    assert!((inner.center().x - outer.center().x).abs() < 1.0);
    assert!(shape.index() < label.index());
}

#[test]
fn arrows_are_bound_to_both_shapes() {
    let room = drawn(json!([
        a_box("a", 0, 0, "A"),
        a_box("b", 400, 0, "B"),
        an_arrow("a", "b")
    ]));
    let arrow = only(&room, "arrow");
    assert_eq!(
        arrow.start_binding().unwrap().element_id,
        room.named("A").id
    );
    assert_eq!(arrow.end_binding().unwrap().element_id, room.named("B").id);
    let bounds = room.scene.bounds(&arrow.id).unwrap();
    assert!(
        bounds.x > 1160.0 && bounds.right() < 1400.0,
        "{bounds:?} between the boxes"
    );
}

#[test]
fn a_bent_arrow_goes_round_on_the_side_asked_for() {
    for (bend, side) in [(60.0, 1.0), (-60.0, -1.0)] {
        let mut arrow = an_arrow("a", "b");
        arrow["shape"]["bend"] = json!(bend);
        let boxes = [a_box("a", 0, 0, "A"), a_box("b", 600, 0, "B")];
        let room = drawn(json!([boxes[0], boxes[1], arrow]));
        let arrow = only(&room, "arrow");
        let points = bounds::page_points(&arrow);
        let off = (points[1].y - room.named("A").rect().center().y) * side;
        assert_eq!(points.len(), 3);
        assert!((off - 60.0).abs() < 0.1, "{points:?}");
        assert!(arrow.start_binding().is_some() && arrow.end_binding().is_some());
    }
}

#[test]
fn a_partial_writes_only_what_is_new() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("order", 100, 50, "Order of Bob")]}).to_string();
    let (head, tail) = text.split_at(text.find(" of Bob").unwrap());
    room.delta(head);
    assert_eq!(room.live().len(), 2);
    let effects = room.delta(&tail[..7]);
    let edits: Vec<&Edit> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Edit { edits, .. } => Some(edits),
            _ => None,
        })
        .flatten()
        .collect();
    let [Edit::Put { id, props }] = edits.as_slice() else {
        panic!("{edits:?}")
    };
    assert!(id.as_str().ends_with("-label"));
    let mut keys: Vec<&str> = props.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["originalText", "width", "x"]);
    assert_eq!(props["originalText"], "Order of Bob");
}

#[test]
fn a_shape_appears_when_its_place_is_known_and_text_when_it_has_words() {
    let mut room = Room::asked("draw");
    room.delta(r#"{"actions":[{"_type":"create","shape":{"_type":"rectangle","shapeId":"a","x":1,"y":2,"w":30"#);
    assert_eq!(room.live().len(), 0);
    room.delta(r#","h":40"#);
    assert_eq!(room.live().len(), 0, "40 may become 400");
    room.delta(",");
    assert_eq!(
        only(&room, "rectangle").rect(),
        Rect::new(1001.0, 2002.0, 30.0, 40.0)
    );
    room.delta(r#""color":"red","fill":"none","text":""}},{"_type":"create","shape":{"_type":"text","shapeId":"t","x":5,"y":6,"text":""#);
    assert_eq!(room.live().len(), 1);
    room.delta("H");
    assert_eq!(only(&room, "text").original_text(), "H");
}

#[test]
fn an_arrow_appears_when_both_ends_are_known() {
    let mut room = drawn(json!([a_box("a", 0, 0, "A"), a_box("b", 400, 0, "B")]));
    room.prompt("arrow");
    room.delta(r#"{"actions":[{"_type":"create","shape":{"_type":"arrow","shapeId":"x","fromId":"a","toId":"b"#);
    assert_eq!(room.live().len(), 4, "the id may go on");
    room.delta(r#"","text":""#);
    assert_eq!(room.live().len(), 5);
    room.delta("yes");
    assert_eq!(room.live().len(), 6, "its label");
}

#[test]
fn a_persons_edits_of_a_half_drawn_box_are_kept() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("order", 100, 50, "Order of Bob")]}).to_string();
    let (head, tail) = text.split_at(text.find(" of Bob").unwrap());
    room.delta(head);
    let id = room.named("Order").id;
    room.set(&id, "x", json!(5000.0));
    room.set(&id, "strokeColor", json!("#123456"));
    room.delta(tail);
    let shape = room.named("Order of Bob");
    assert_eq!((shape.x(), shape.stroke_color()), (5000.0, "#123456"));
    let label = room.scene.label_of(&id).unwrap();
    assert!(
        shape.rect().contains_rect(&label.rect()),
        "the label follows"
    );
}

#[test]
fn a_box_deleted_by_a_person_while_it_is_drawn_stays_deleted() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("order", 100, 50, "Order of Bob")]}).to_string();
    let (head, tail) = text.split_at(text.find(" of Bob").unwrap());
    room.delta(head);
    let id = room.named("Order").id;
    room.scene.apply(&[
        Edit::Delete { id: id.clone() },
        Edit::Delete {
            id: format!("{id}-label").into(),
        },
    ]);
    room.delta(tail);
    assert_eq!(outcome(&room.end()), Some(Outcome::Done));
    assert_eq!(room.live(), []);
}

#[test]
fn kinds_that_the_editor_lacks_are_drawn_as_polygons_with_their_words_inside() {
    let room = drawn(create(
        json!({"_type": "cloud", "shapeId": "c", "x": 0, "y": 0, "w": 100, "h": 60, "note": "a remark", "text": "Sky"}),
    ));
    let cloud = only(&room, "line");
    assert_eq!(
        cloud.props["customData"],
        json!({"geo": "cloud", "note": "a remark"})
    );
    let words = only(&room, "text");
    assert_eq!(words.original_text(), "Sky");
    assert_eq!(words.props["groupIds"], cloud.props["groupIds"]);
    assert!(bounds::bounds(&cloud).contains_rect(&words.rect()));
}

#[test]
fn numbers_are_clamped_and_coerced() {
    let room = drawn(create(
        json!({"_type": "rectangle", "shapeId": "c", "x": "12", "y": 1e300, "w": 0, "h": -70, "text": 7}),
    ));
    let shape = room.named("7");
    assert_eq!((shape.x(), shape.y()), (1012.0, 1_002_000.0));
    assert!(shape.width() >= 1.0 && shape.height() >= 70.0);
}

#[test]
fn a_shape_without_a_place_is_refused_with_the_reason() {
    let mut room = Room::asked("draw");
    room.delta(&json!({"actions": create(json!({"_type": "rectangle", "shapeId": "a", "w": 10, "h": 10}))}).to_string());
    assert_eq!(room.live(), []);
    room.end();
    assert!(
        told(&room)
            .contains("the create action on \"a\" was not carried out: the shape needs x and y"),
        "{}",
        told(&room)
    );
}

#[test]
fn an_id_used_twice_makes_two_shapes_and_means_the_newer() {
    let room = drawn(json!([
        a_box("a", 0, 0, "One"),
        a_box("a", 400, 0, "Two"),
        a_box("b", 0, 400, "B"),
        an_arrow("b", "a")
    ]));
    assert_ne!(room.named("One").id, room.named("Two").id);
    assert_eq!(
        only(&room, "arrow").end_binding().unwrap().element_id,
        room.named("Two").id
    );
}

#[test]
fn a_reference_to_nothing_is_corrected_where_a_place_is_given_and_refused_where_not() {
    let room = drawn(json!([a_box("a", 0, 0, "A"), an_arrow("a", "ghost")]));
    let arrow = only(&room, "arrow");
    assert!(arrow.start_binding().is_some() && arrow.end_binding().is_none());
    let room = drawn(json!([{"_type": "delete", "shapeId": "ghost"}]));
    assert!(
        told(&room).contains("there is no shape with the id \"ghost\""),
        "{}",
        told(&room)
    );
}

#[test]
fn locked_shapes_are_not_touched() {
    let mut room = Room::new();
    let id = room.put_box("safe", Rect::new(1100.0, 2100.0, 100.0, 50.0));
    room.set(&id, "locked", json!(true));
    let before = room.live();
    room.prompt("change it");
    room.answer(json!([
        {"_type": "move", "shapeId": "safe", "x": 0, "y": 0},
        {"_type": "update", "update": {"shapeId": "safe", "color": "red"}},
        {"_type": "label", "shapeId": "safe", "text": "hi"},
        {"_type": "delete", "shapeId": "safe"},
    ]));
    assert_eq!(room.live(), before);
    assert!(told(&room).contains("is locked"), "{}", told(&room));
}

#[test]
fn a_shape_named_by_its_words_or_its_label_is_found() {
    let mut room = drawn(json!([a_box("order", 0, 0, "Order")]));
    let id = room.named("Order").id;
    for name in [
        id.as_str().to_owned(),
        format!("{id}-label"),
        "shape:order".to_owned(),
        "Order".to_owned(),
    ] {
        room.prompt("recolour");
        let effects =
            room.answer(json!([{"_type": "update", "update": {"shapeId": name, "color": "red"}}]));
        assert_eq!(outcome(&effects), Some(Outcome::Done), "{name}");
        room.set(&id, "strokeColor", json!("#1e1e1e"));
    }
}

#[test]
fn an_update_changes_only_what_it_names() {
    let mut room = drawn(json!([a_box("a", 0, 0, "A")]));
    let before = room.named("A");
    room.prompt("red");
    room.answer(
        json!([{"_type": "update", "update": {"shapeId": "a", "color": "red", "fill": "solid"}}]),
    );
    let after = room.named("A");
    let changed: Vec<&String> = after
        .props
        .iter()
        .filter(|(key, value)| before.props.get(*key) != Some(*value))
        .map(|(key, _)| key)
        .collect();
    assert_eq!(changed, ["strokeColor", "backgroundColor"]);
    room.prompt("bigger");
    room.answer(json!([{"_type": "update", "update": {"shapeId": "a", "x": 10, "w": 300, "text": "Alpha"}}]));
    let after = room.named("Alpha");
    assert_eq!(
        (after.x(), after.width(), after.height()),
        (1010.0, 300.0, 80.0)
    );
}

#[test]
fn moving_takes_label_and_arrows_along() {
    let mut room = drawn(json!([
        a_box("a", 0, 0, "A"),
        a_box("b", 400, 0, "B"),
        an_arrow("a", "b")
    ]));
    let (before, arrow) = (
        room.scene.label_of(&room.named("B").id).unwrap().clone(),
        only(&room, "arrow"),
    );
    room.prompt("move");
    room.answer(json!([{"_type": "move", "shapeId": "b", "x": 400, "y": 500}]));
    assert_eq!(
        room.named("B").rect(),
        Rect::new(1400.0, 2500.0, 160.0, 80.0)
    );
    let label = room.scene.label_of(&room.named("B").id).unwrap();
    assert_eq!((label.x(), label.y()), (before.x(), before.y() + 500.0));
    assert!(only(&room, "arrow").height() > arrow.height() + 300.0);
}

#[test]
fn an_anchor_says_which_point_is_moved() {
    let mut room = drawn(json!([a_box("a", 0, 0, "A")]));
    room.prompt("move");
    room.answer(
        json!([{"_type": "move", "shapeId": "a", "x": 500, "y": 300, "anchor": "center-center"}]),
    );
    assert_eq!(
        room.named("A").rect().center(),
        glade_canvas::Point::new(1500.0, 2300.0)
    );
}

#[test]
fn labelling_renames_adds_and_removes() {
    let mut room = drawn(json!([a_box("a", 0, 0, "Pay")]));
    let (shape, label) = (
        room.named("Pay").id,
        format!("{}-label", room.named("Pay").id),
    );
    room.prompt("rename");
    room.answer(json!([{"_type": "label", "shapeId": "a", "text": "Checkout"}]));
    assert_eq!(
        room.scene.label_of(&shape).unwrap().original_text(),
        "Checkout"
    );
    assert_eq!(room.scene.label_of(&shape).unwrap().id.as_str(), label);
    room.prompt("no text");
    room.answer(json!([{"_type": "label", "shapeId": "a", "text": ""}]));
    assert_eq!(room.scene.label_of(&shape), None);
    room.prompt("text");
    room.answer(json!([{"_type": "label", "shapeId": "a", "text": "New"}]));
    assert_eq!(
        room.scene.label_of(&shape).unwrap().id.as_str(),
        format!("{label}-2")
    );
}

#[test]
fn deleting_takes_the_label_along() {
    let mut room = drawn(json!([a_box("a", 0, 0, "A")]));
    room.prompt("away");
    room.answer(json!([{"_type": "delete", "shapeId": "a"}]));
    assert_eq!(room.live(), []);
}

#[test]
fn a_number_that_comes_back_as_it_was_shown_changes_nothing() {
    let mut room = Room::new();
    let id = room.put_box("frac", Rect::new(1010.4, 2020.7, 99.6, 50.3));
    let before = room.live();
    room.prompt_with(Input {
        bounds: Some(VIEW),
        selection: vec![id],
        ..Input::message("same")
    });
    let shown = serde_json::to_string(&room.last_prompt().parts).unwrap();
    assert!(
        shown.contains(r#""x":10.0,"y":21.0,"w":100.0,"h":50.0"#),
        "{shown}"
    );
    room.answer(json!([
        {"_type": "update", "update": {"shapeId": "frac", "x": 10, "y": 21, "w": 100, "h": 50}},
        {"_type": "move", "shapeId": "frac", "x": 10, "y": 21},
    ]));
    assert_eq!(room.live(), before);
}

#[test]
fn several_actions_in_one_piece_build_on_each_other() {
    let room = drawn(json!([
        a_box("a", 0, 0, "A"),
        {"_type": "move", "shapeId": "a", "x": 50, "y": 60},
        {"_type": "label", "shapeId": "a", "text": "AA"},
        {"_type": "update", "update": {"shapeId": "a", "w": 200}},
        a_box("b", 400, 0, "B"),
        an_arrow("a", "b"),
        {"_type": "delete", "shapeId": "b"},
        {"_type": "label", "shapeId": "b", "text": "gone"},
    ]));
    assert_eq!(
        room.named("AA").rect(),
        Rect::new(1050.0, 2060.0, 200.0, 80.0)
    );
    assert!(told(&room).contains("there is no shape with the id \"b\""));
}

#[test]
fn the_same_seed_draws_the_same() {
    let draw = || {
        drawn(json!([
            a_box("a", 0, 0, "A"),
            a_box("b", 400, 0, "B"),
            an_arrow("a", "b")
        ]))
        .live()
    };
    assert_eq!(draw(), draw());
    let ids: std::collections::BTreeSet<ElementId> =
        draw().into_iter().map(|element| element.id).collect();
    assert_eq!(ids.len(), 5);
}

fn any_number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-5000..5000i32).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!("12")),
        Just(json!([1])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever a model says, the page stays sound: finite numbers, sizes in bounds, and what was
    /// there and locked stays as it was.
    #[test]
    fn nonsense_never_harms_the_page(
        kinds in proptest::collection::vec(
            (
                prop_oneof![Just("create"), Just("update"), Just("move"), Just("label"), Just("delete")],
                prop_oneof![Just("rectangle"), Just("text"), Just("note"), Just("arrow"), Just("line"), Just("blob"), Just("star")],
                "[a-c]",
                proptest::collection::vec(any_number(), 8),
                "\\PC{0,30}",
            ),
            1..12,
        ),
        cut in any::<proptest::sample::Index>(),
    ) {
        let actions: Vec<Value> = kinds.iter().map(|(action, kind, id, n, text)| json!({
            "_type": action, "shapeId": id, "x": n[0], "y": n[1], "text": text, "anchor": text,
            "shape": {
                "_type": kind, "shapeId": id, "x": n[0], "y": n[1], "w": n[2], "h": n[3], "fromId": "a", "toId": "b",
                "x1": n[4], "y1": n[5], "x2": n[6], "y2": n[7], "fontSize": n[2], "maxWidth": n[3], "text": text, "color": text,
            },
            "update": {"shapeId": id, "x": n[0], "w": n[2], "h": n[3], "fromId": "b", "color": "red", "text": text},
        })).collect();
        let mut room = Room::new();
        let safe = room.put_box("c", Rect::new(1500.0, 2500.0, 100.0, 50.0));
        room.set(&safe, "locked", json!(true));
        let before = room.scene.get(&safe).cloned();
        room.prompt("nonsense");
        let text = json!({"actions": actions}).to_string();
        let mut at = cut.index(text.len());
        while !text.is_char_boundary(at) { at -= 1; }
        room.delta(&text[..at]);
        room.delta(&text[at..]);
        prop_assert_eq!(room.scene.get(&safe).cloned(), before);
        for element in room.live() {
            let rect = room.scene.bounds(&element.id).unwrap();
            prop_assert!([rect.x, rect.y, rect.w, rect.h].iter().all(|n| n.is_finite() && n.abs() <= 2_000_000.0), "{:?}", element);
            if let Some(container) = element.container_id() {
                prop_assert!(room.scene.get(&container).is_some(), "a label without its shape");
            }
        }
    }
}
