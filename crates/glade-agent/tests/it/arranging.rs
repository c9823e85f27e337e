//! The actions that arrange shapes, through the fairy's own door.

use std::f64::consts::FRAC_PI_2;

use glade_agent::Effect;
use glade_agent::history::Remembered;
use glade_canvas::{Element, Rect};
use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use crate::room::{Room, a_box, an_arrow};

/// Boxes A, B and C with an arrow from A to B; page coordinates begin at (1000, 2000).
fn three() -> Room {
    let mut room = Room::asked("draw");
    room.answer(json!([
        a_box("a", 0, 0, "A"),
        a_box("b", 300, 50, "B"),
        a_box("c", 900, 20, "C"),
        an_arrow("a", "b"),
    ]));
    room.prompt("arrange");
    room
}

/// Where the boxes are, as the model sees it.
fn places(room: &Room) -> Vec<(f64, f64)> {
    ["A", "B", "C"]
        .map(|name| room.named(name))
        .map(|element| (element.x() - 1000.0, element.y() - 2000.0))
        .to_vec()
}

fn arrow(room: &Room) -> Element {
    room.live()
        .into_iter()
        .find(|element| element.props["type"] == "arrow")
        .expect("the arrow")
}

#[test]
fn aligning_moves_labels_and_arrows_along() {
    let mut room = three();
    room.answer(
        json!([{"_type": "align", "intent": "", "shapeIds": ["a", "b", "c"], "alignment": "top"}]),
    );
    assert_eq!(places(&room), [(0.0, 0.0), (300.0, 0.0), (900.0, 0.0)]);
    let label = room
        .scene
        .label_of(&room.named("B").id)
        .expect("the label")
        .clone();
    assert!(room.named("B").rect().contains_rect(&label.rect()));
    let end = glade_canvas::bounds::page_points(&arrow(&room));
    assert!((end[0].y - 2040.0).abs() < 1.0, "level now: {end:?}");
}

#[test]
fn distribute_and_stack_keep_the_first_where_it_is() {
    let mut room = three();
    room.answer(json!([{"_type": "distribute", "intent": "", "shapeIds": ["a", "b", "c"], "direction": "horizontal"}]));
    assert_eq!(places(&room), [(0.0, 0.0), (450.0, 50.0), (900.0, 20.0)]);
    room.prompt("stack");
    room.answer(json!([{"_type": "stack", "intent": "", "shapeIds": ["a", "b", "c"], "direction": "horizontal", "gap": 20}]));
    assert_eq!(places(&room), [(0.0, 0.0), (180.0, 50.0), (360.0, 20.0)]);
}

#[test]
fn placing_puts_a_shape_beside_another() {
    let mut room = three();
    room.answer(json!([{
        "_type": "place", "intent": "", "shapeId": "c", "referenceShapeId": "a",
        "side": "bottom", "sideOffset": 30, "align": "start", "alignOffset": 5,
    }]));
    assert_eq!(places(&room)[2], (5.0, 110.0));
}

#[test]
fn turning_is_shown_shape_by_shape_and_an_origin_of_zero_is_an_origin() {
    let mut room = three();
    let text = json!({"actions": [{
        "_type": "rotate", "intent": "", "degrees": 90, "originX": 0, "originY": 0, "shapeIds": ["a", "c"],
    }]})
    .to_string();
    let (head, tail) = text.split_at(text.find("\"c\"").expect("the second id") + 1);
    room.delta(head);
    assert!(
        (room.named("A").angle() - FRAC_PI_2).abs() < 1e-9,
        "A turns while C is still to come"
    );
    assert_eq!(room.named("C").angle(), 0.0);
    room.delta(tail);
    let rect = glade_canvas::bounds::bounds(&room.named("A"));
    let rounded = [rect.x - 1000.0, rect.y - 2000.0, rect.w, rect.h].map(f64::round);
    assert_eq!(
        rounded,
        [-80.0, 0.0, 80.0, 160.0],
        "once, not once a partial"
    );
    assert!((room.named("C").angle() - FRAC_PI_2).abs() < 1e-9);
    assert!(
        (room
            .scene
            .label_of(&room.named("A").id)
            .expect("a label")
            .angle()
            - FRAC_PI_2)
            .abs()
            < 1e-6,
        "the label turns with its box"
    );
}

#[test]
fn resizing_letter_by_letter_scales_once() {
    let text = json!({"actions": [{
        "_type": "resize", "intent": "", "scaleX": 2, "scaleY": 2, "originX": 0, "originY": 0, "shapeIds": ["b", "c"],
    }]})
    .to_string();
    let mut room = three();
    for letter in text.chars() {
        room.delta(letter.encode_utf8(&mut [0; 4]));
    }
    let rect = |name| room.named(name).rect().translate(-1000.0, -2000.0);
    assert_eq!(rect("B"), Rect::new(600.0, 100.0, 320.0, 160.0));
    assert_eq!(rect("C"), Rect::new(1800.0, 40.0, 320.0, 160.0));
}

#[test]
fn without_an_origin_shapes_turn_about_their_common_middle() {
    let mut room = three();
    room.answer(json!([{"_type": "rotate", "intent": "", "degrees": 180, "shapeIds": ["c"]}]));
    let rect = glade_canvas::bounds::bounds(&room.named("C"));
    assert!((rect.x - 1900.0).abs() < 1e-6 && (rect.y - 2020.0).abs() < 1e-6);
}

fn order(room: &Room) -> Vec<String> {
    room.live()
        .iter()
        .filter(|element| element.props["type"] == "rectangle")
        .map(|element| {
            room.scene
                .label_of(&element.id)
                .map_or_else(String::new, |label| label.original_text().to_owned())
        })
        .collect()
}

#[test]
fn order_changes_come_as_the_ids_come_and_keep_the_order_among_the_named() {
    let mut room = three();
    let text =
        json!({"actions": [{"_type": "bring-to-front", "intent": "", "shapeIds": ["b", "a"]}]})
            .to_string();
    let (head, tail) = text.split_at(text.find("\"a\"").expect("the second id") + 1);
    room.delta(head);
    assert_eq!(order(&room), ["A", "C", "B"]);
    room.delta(tail);
    assert_eq!(order(&room), ["C", "A", "B"]);
    room.end();
    room.prompt("back");
    room.answer(json!([{"_type": "send-to-back", "intent": "", "shapeIds": ["b"]}]));
    assert_eq!(order(&room), ["B", "C", "A"]);
    let label = |name: &str| {
        room.scene
            .label_of(&room.named(name).id)
            .cloned()
            .expect("a label")
    };
    assert!(
        label("B").index() < room.named("C").index(),
        "the label went back with its box"
    );
}

#[test]
fn a_cut_turn_leaves_nothing_behind() {
    let mut room = three();
    let before = room.live();
    let text = json!({"actions": [{
        "_type": "rotate", "intent": "", "degrees": 45, "originX": 0, "originY": 0, "shapeIds": ["a", "c"],
    }]})
    .to_string();
    room.delta(&text[..text.len() - 6]);
    assert_ne!(room.live(), before);
    room.end_with(glade_agent::StopReason::Length);
    assert_eq!(room.live(), before);
}

fn stroke(points: Value, closed: bool) -> String {
    json!({"actions": [{
        "_type": "pen", "intent": "", "shapeId": "path", "color": "red", "fill": "solid", "closed": closed,
        "style": "smooth", "points": points,
    }]})
    .to_string()
}

fn points(room: &Room) -> Vec<Vec<f64>> {
    let element = room.live().pop().expect("a stroke");
    serde_json::from_value(element.props["points"].clone()).expect("points")
}

#[test]
fn a_pen_holds_back_its_last_point_until_the_stroke_is_whole() {
    let text = stroke(
        json!([{"x": 0, "y": 0}, {"x": 20, "y": 0}, {"x": 20, "y": 10}]),
        false,
    );
    let mut room = Room::asked("draw");
    let second =
        text.find("{\"x\":20,\"y\":0}").expect("the second point") + "{\"x\":20,\"y\":0}".len();
    room.delta(&text[..second]);
    assert_eq!(
        room.live(),
        [],
        "one point and a held back one draw nothing"
    );
    let third =
        text.find("{\"x\":20,\"y\":10}").expect("the third point") + "{\"x\":20,\"y\":10}".len();
    room.delta(&text[second..third]);
    assert_eq!(points(&room), [[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]]);
    room.delta(&text[third..]);
    assert_eq!(
        points(&room),
        [[0.0, 0.0], [10.0, -0.625], [20.0, 0.0], [20.0, 10.0]],
        "it swings out where it is going to turn"
    );
    let element = room.live().pop().expect("a stroke");
    let seen = ["type", "x", "y", "width", "height", "backgroundColor"]
        .map(|key| element.props[key].clone());
    assert_eq!(
        json!(seen),
        json!(["freedraw", 1000.0, 2000.0, 20.0, 10.625, "transparent"]),
        "only a closed stroke is filled"
    );
}

#[test]
fn a_closed_stroke_ends_where_it_began() {
    let mut room = Room::asked("draw");
    room.delta(&stroke(
        json!([{"x": 0, "y": 0}, {"x": 10, "y": 0}, {"x": 10, "y": 10}]),
        true,
    ));
    let points = points(&room);
    assert_eq!(points.first(), points.last());
    assert_ne!(room.live()[0].props["backgroundColor"], "transparent");
}

#[test]
fn a_single_point_draws_nothing_and_is_told() {
    let mut room = Room::asked("draw");
    room.delta(&stroke(json!([{"x": 0, "y": 0}]), false));
    room.end();
    assert_eq!(room.live(), []);
    assert!(
        room.told().contains("two different points"),
        "{}",
        room.told()
    );
}

#[test]
fn clearing_spares_what_is_locked() {
    let mut room = three();
    let locked = room.named("B").id;
    room.set(&locked, "locked", json!(true));
    room.answer(json!([{"_type": "clear"}]));
    let left: Vec<ElementId> = room.live().into_iter().map(|element| element.id).collect();
    assert_eq!(left.len(), 2, "the locked box and its label");
    assert!(left.contains(&locked));
}

#[test]
fn missing_and_locked_shapes_are_left_out_and_none_at_all_is_told() {
    let mut room = three();
    let locked = room.named("C").id;
    room.set(&locked, "locked", json!(true));
    let before = places(&room);
    room.answer(json!([{"_type": "align", "intent": "", "shapeIds": ["a", "b", "c", "ghost"], "alignment": "bottom"}]));
    assert_eq!(places(&room), [(0.0, 50.0), (300.0, 50.0), before[2]]);
    room.prompt("again");
    room.answer(json!([{"_type": "align", "intent": "", "shapeIds": ["c", "ghost"], "alignment": "bottom"}]));
    assert!(
        room.told().contains("no shape with the id \"ghost\""),
        "{}",
        room.told()
    );
}

#[test]
fn a_group_stands_for_its_members() {
    let mut room = three();
    for name in ["A", "B"] {
        let id = room.named(name).id;
        room.set(&id, "groupIds", json!(["pair"]));
    }
    room.answer(
        json!([{"_type": "align", "intent": "", "shapeIds": ["pair"], "alignment": "left"}]),
    );
    assert_eq!(places(&room), [(0.0, 0.0), (0.0, 50.0), (900.0, 20.0)]);
}

#[test]
fn the_history_keeps_what_an_action_changed() {
    let mut room = three();
    let id = room.named("C").id;
    room.answer(json!([{"_type": "move", "intent": "", "shapeId": "c", "x": 900, "y": 100}]));
    let diff = room
        .agent
        .history()
        .items()
        .iter()
        .rev()
        .find_map(|item| match &item.what {
            Remembered::Action { diff, .. } => diff.clone(),
            _ => None,
        });
    let diff = serde_json::to_value(diff.expect("a diff")).expect("json");
    let changed = diff["updated"]
        .as_array()
        .and_then(|all| all.iter().find(|one| one["id"] == id.as_str()))
        .cloned();
    assert_eq!(
        changed,
        Some(json!({"id": id.as_str(), "before": {"y": 2020.0}, "after": {"y": 2100.0}}))
    );
}

#[test]
fn every_note_of_an_arranging_action_says_what_was_done() {
    let mut room = three();
    let effects = room.answer(json!([
        {"_type": "align", "intent": "", "shapeIds": ["a", "b"], "alignment": "top"},
        {"_type": "send-to-back", "intent": "", "shapeIds": ["c"]},
    ]));
    let labels: Vec<String> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Say(glade_agent::Say::Action(note))
                if note.state == glade_agent::ActionState::Done =>
            {
                Some(note.label.clone())
            }
            _ => None,
        })
        .collect();
    assert_eq!(labels, ["lined up 2 shapes", "sent C to the back"]);
}

#[test]
fn moving_a_frame_takes_what_is_in_it_along() {
    let mut room = three();
    let frame = ElementId::from("frame");
    let props = json!({
        "type": "frame", "name": "Phase one", "x": 950, "y": 1950, "width": 700, "height": 300, "index": "a9",
    });
    room.scene.put(Element::new(
        frame.clone(),
        serde_json::from_value(props).expect("properties"),
    ));
    for name in ["A", "B"] {
        let inside = Props::from_iter([("frameId".to_owned(), json!("frame"))]);
        let element = room.named(name).with(&inside);
        room.scene.put(element);
    }
    room.prompt("move the frame");
    room.answer(json!([{"_type": "move", "intent": "", "shapeId": "frame", "x": 50, "y": 450}]));
    assert_eq!(
        room.scene.get(&frame).map(Element::rect),
        Some(Rect::new(1050.0, 2450.0, 700.0, 300.0))
    );
    assert_eq!(
        places(&room),
        [(100.0, 500.0), (400.0, 550.0), (900.0, 20.0)]
    );
}

#[test]
fn an_offset_from_the_end_of_a_side_leads_inwards() {
    let mut room = three();
    room.answer(json!([{
        "_type": "place", "intent": "", "shapeId": "c", "referenceShapeId": "a",
        "side": "bottom", "sideOffset": 30, "align": "end", "alignOffset": 5,
    }]));
    assert_eq!(places(&room)[2], (-5.0, 110.0));
}
