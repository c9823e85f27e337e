//! Tidying what is there, whoever drew it.

use glade_canvas::{Element, ElementKind, Rect, bounds};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::room::{Room, VIEW, a_box, an_arrow};

/// Boxes at these places, and arrows between them.
fn mess(places: &[(i32, i32)], arrows: &[(usize, usize)]) -> Room {
    let name = |at: usize| format!("b{at}");
    let mut actions: Vec<Value> = Vec::new();
    for (at, (x, y)) in places.iter().enumerate() {
        actions.push(a_box(&name(at), *x, *y, &format!("Box {at}")));
    }
    for (at, (from, to)) in arrows.iter().enumerate() {
        let mut arrow = an_arrow(&name(*from), &name(*to));
        arrow["shape"]["shapeId"] = json!(format!("a{at}"));
        actions.push(arrow);
    }
    let mut room = Room::asked("draw");
    room.answer(json!(actions));
    room
}

fn tidied(room: &mut Room, count: usize) {
    let ids: Vec<String> = (0..count).map(|at| format!("b{at}")).collect();
    room.prompt("tidy it");
    room.answer(json!([{"_type": "tidy", "shapeIds": ids}]));
}

fn boxes(room: &Room) -> Vec<Rect> {
    let live = room.live();
    let boxes = live.iter().filter(|it| it.kind() == ElementKind::Rectangle);
    boxes.map(Element::rect).collect()
}

#[test]
fn a_heap_of_boxes_becomes_a_flow_along_its_arrows() {
    let mut room = mess(
        &[(40, 300), (0, 0), (30, 10), (400, 20)],
        &[(1, 0), (1, 2), (2, 3)],
    );
    tidied(&mut room, 4);
    let [a, b, c, d] = ["Box 1", "Box 0", "Box 2", "Box 3"].map(|text| room.named(text).rect());
    assert!(!c.intersects(&a) && !d.intersects(&c) && !b.intersects(&c));
    let arrows = room
        .live()
        .into_iter()
        .filter(|it| it.kind() == ElementKind::Arrow);
    assert!(
        arrows
            .clone()
            .all(|it| it.start_binding().is_some() && it.end_binding().is_some())
    );
    assert_eq!(arrows.count(), 3);
}

#[test]
fn what_was_not_named_and_what_is_locked_stays_and_is_covered_by_nothing() {
    let mut room = mess(&[(0, 0), (10, 10), (20, 20), (900, 40)], &[(0, 1), (1, 2)]);
    let locked = room.named("Box 2").id;
    room.set(&locked, "locked", json!(true));
    let (before, far) = (room.named("Box 2").rect(), room.named("Box 3").rect());
    tidied(&mut room, 3);
    assert_eq!(
        (room.named("Box 2").rect(), room.named("Box 3").rect()),
        (before, far)
    );
    for text in ["Box 0", "Box 1"] {
        let rect = room.named(text).rect();
        assert!(
            !rect.intersects(&before) && !rect.intersects(&far),
            "{text}"
        );
    }
}

#[test]
fn a_box_around_others_stays_around_them() {
    let mut room = mess(&[(0, 0), (20, 30)], &[(0, 1)]);
    let around = room.put_box("b2", Rect::new(VIEW.x - 20.0, VIEW.y - 40.0, 500.0, 400.0));
    tidied(&mut room, 3);
    let around = room.scene.bounds(&around).unwrap();
    let [a, b] = ["Box 0", "Box 1"].map(|text| room.named(text).rect());
    assert!(around.contains_rect(&a) && around.contains_rect(&b) && !a.intersects(&b));
}

#[test]
fn a_diagram_that_was_tidied_was_put_there_by_nobody() {
    let mut room = Room::asked("draw");
    room.answer(json!([{"_type": "diagram", "diagramId": "d", "kind": "flow", "nodes": ["A", "B", "C"], "edges": ["A->B", "B->C"]}]));
    let moved = room.named("B").id;
    room.set(&moved, "x", json!(VIEW.x));
    room.prompt("tidy");
    room.answer(json!([{"_type": "tidy", "shapeIds": ["A", "B", "C"]}]));
    let middles: Vec<i64> = ["A", "B", "C"]
        .iter()
        .map(|text| room.named(text).rect().center().x.round() as i64)
        .collect();
    assert!(
        middles.windows(2).all(|pair| pair[0] == pair[1]),
        "{middles:?}"
    );
    room.prompt("more");
    room.answer(json!([{"_type": "diagram", "diagramId": "A", "edges": ["C->D"]}]));
    let drawn = room
        .live()
        .into_iter()
        .filter(|it| it.kind() == ElementKind::Rectangle)
        .count();
    assert_eq!(drawn, 4);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn nothing_overlaps_and_tidying_again_moves_nothing(
        places in prop::collection::vec((0..600i32, 0..500i32), 2..9),
        arrows in prop::collection::vec((0..9usize, 0..9usize), 0..9),
    ) {
        let count = places.len();
        let arrows: Vec<(usize, usize)> = arrows.iter().map(|(a, b)| (a % count, b % count)).filter(|(a, b)| a != b).collect();
        let mut room = mess(&places, &arrows);
        tidied(&mut room, count);
        let all = boxes(&room);
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                prop_assert!(!one.intersects(other), "{:?} on {:?}", one, other);
            }
        }
        tidied(&mut room, count);
        let again = boxes(&room);
        prop_assert!(all.iter().zip(&again).all(|(a, b)| (a.x - b.x).abs() < 1.0 && (a.y - b.y).abs() < 1.0), "{:?} {:?}", all, again);
    }
}

#[test]
fn an_arrow_that_was_tidied_ends_at_its_boxes() {
    let mut room = mess(&[(0, 0), (300, 300)], &[(0, 1)]);
    tidied(&mut room, 2);
    let arrow = room
        .live()
        .into_iter()
        .find(|it| it.kind() == ElementKind::Arrow)
        .unwrap();
    let points = bounds::page_points(&arrow);
    let near = |rect: Rect, at: glade_canvas::Point| {
        rect.expand(12.0).contains(at) && !rect.expand(-1.0).contains(at)
    };
    assert!(near(room.named("Box 0").rect(), points[0]));
    assert!(near(room.named("Box 1").rect(), points[points.len() - 1]));
}
