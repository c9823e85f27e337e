//! Diagrams through the action: laid out, changed by names, and whatever people do to them between.

use std::collections::BTreeSet;

use glade_canvas::{Element, ElementKind, Rect, bounds};
use glade_doc::ElementId;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::room::{Room, VIEW};

fn drawn(diagram: Value) -> Room {
    let mut room = Room::asked("draw");
    room.answer(json!([diagram]));
    room
}

fn change(room: &mut Room, change: Value) {
    room.prompt("change it");
    room.answer(json!([change]));
}

fn order() -> Value {
    json!({"_type": "diagram", "diagramId": "order", "kind": "flow", "title": "An order",
        "nodes": [{"id": "order", "text": "Order"}, {"id": "pay", "text": "Pay"}, {"id": "ship", "text": "Ship"}],
        "edges": [{"from": "order", "to": "pay"}, {"from": "pay", "to": "ship", "text": "paid"}]})
}

fn boxes(room: &Room) -> Vec<Element> {
    let is_box = |it: &Element| {
        matches!(
            it.kind(),
            ElementKind::Rectangle
                | ElementKind::Ellipse
                | ElementKind::Diamond
                | ElementKind::StickyNote
        )
    };
    room.live().into_iter().filter(is_box).collect()
}

fn arrows(room: &Room) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for arrow in room
        .live()
        .into_iter()
        .filter(|it| it.kind() == ElementKind::Arrow)
    {
        let name = |id: ElementId| room.scene.label_of(&id).unwrap().original_text().to_owned();
        let ends = (arrow.start_binding().unwrap(), arrow.end_binding().unwrap());
        all.push((name(ends.0.element_id), name(ends.1.element_id)));
    }
    all.sort();
    all
}

fn pair(from: &str, to: &str) -> (String, String) {
    (from.to_owned(), to.to_owned())
}

#[test]
fn a_flow_comes_out_from_top_to_bottom_with_its_title_above_and_bound_arrows() {
    let room = drawn(order());
    let [order, pay, ship] = ["Order", "Pay", "Ship"].map(|name| room.named(name).rect());
    let title = room.named("An order").rect();
    assert!(title.bottom() < order.y && order.bottom() < pay.y && pay.bottom() < ship.y);
    assert_eq!(arrows(&room), [pair("Order", "Pay"), pair("Pay", "Ship")]);
    let all = boxes(&room)
        .iter()
        .map(Element::rect)
        .reduce(|a, b| a.union(&b))
        .unwrap();
    assert!(
        VIEW.contains_rect(&all),
        "{all:?} is where the person looks"
    );
}

#[test]
fn the_same_action_adds_renames_connects_and_removes() {
    let mut room = drawn(order());
    let before = room.named("Order").rect();
    let kept = room.named("Pay").id;
    change(
        &mut room,
        json!({"_type": "diagram", "diagramId": "order",
            "nodes": [{"id": "pack", "text": "Pack"}, {"id": "pay", "text": "Pay by card"}],
            "edges": [{"from": "pay", "to": "pack"}, {"from": "pack", "to": "ship"}], "remove": ["pay->ship"]}),
    );
    assert_eq!(
        arrows(&room),
        [
            pair("Order", "Pay by card"),
            pair("Pack", "Ship"),
            pair("Pay by card", "Pack")
        ]
    );
    assert_eq!(room.named("Pay by card").id, kept, "it is the same box");
    let now = room.named("Order").rect();
    assert!(
        (now.x - before.x).abs() < 1.0 && (now.y - before.y).abs() < 80.0,
        "it hardly moves"
    );
    change(
        &mut room,
        json!({"_type": "diagram", "diagramId": "order", "remove": ["pack"]}),
    );
    assert_eq!(arrows(&room), [pair("Order", "Pay by card")]);
    assert_eq!(boxes(&room).len(), 3);
}

#[test]
fn a_box_grows_with_its_words_and_pushes_the_others_away() {
    let mut room = drawn(order());
    let words = "Pay by card, by invoice or in one of the many other ways that we have, whatever you like best";
    let node = json!({"id": "pay", "text": words});
    change(
        &mut room,
        json!({"_type": "diagram", "diagramId": "order", "nodes": [node]}),
    );
    let [order, pay, ship] = ["Order", words, "Ship"].map(|name| room.named(name).rect());
    let label = room.scene.label_of(&room.named(words).id).unwrap().rect();
    assert!(pay.contains_rect(&label));
    assert!(
        order.bottom() < pay.y && pay.bottom() < ship.y,
        "{order:?} {pay:?} {ship:?}"
    );
}

#[test]
fn what_a_person_moved_renamed_deleted_and_connected_is_so_in_the_next_change() {
    let mut room = drawn(order());
    let (order, pay, ship) = (room.named("Order"), room.named("Pay"), room.named("Ship"));
    let away = ship.rect().translate(500.0, 30.0);
    room.set(&ship.id, "x", json!(away.x));
    room.set(&ship.id, "y", json!(away.y));
    let label = room.scene.label_of(&order.id).unwrap().id.clone();
    room.set(&label, "originalText", json!("Begin"));
    room.set(&pay.id, "isDeleted", json!(true));
    change(
        &mut room,
        json!({"_type": "diagram", "diagramId": "order", "nodes": [{"id": "pack", "text": "Pack"}],
            "edges": [{"from": "order", "to": "pack"}, {"from": "pack", "to": "ship"}]}),
    );
    assert_eq!(arrows(&room), [pair("Begin", "Pack"), pair("Pack", "Ship")]);
    let now = room.named("Ship").rect();
    assert_eq!(
        (now.x, now.y),
        (away.x, away.y),
        "it stays where it was put"
    );
}

#[test]
fn a_second_diagram_of_the_same_name_is_another_one() {
    let mut room = drawn(order());
    change(&mut room, order());
    assert_eq!(boxes(&room).len(), 6);
}

#[test]
fn a_copy_of_a_diagram_is_none_of_it() {
    let mut room = drawn(order());
    let pay = room.named("Pay");
    let copy = Element::new("copy", pay.props.clone());
    room.scene.put(copy);
    change(
        &mut room,
        json!({"_type": "diagram", "diagramId": "order", "remove": ["pay"]}),
    );
    let left: BTreeSet<String> = boxes(&room).iter().map(|it| it.id.to_string()).collect();
    assert!(left.contains("copy") && left.len() == 3, "{left:?}");
}

#[test]
fn a_new_diagram_lies_on_nothing_that_is_there() {
    let mut room = Room::asked("draw");
    let there = room.put_box("there", Rect::new(VIEW.x + 300.0, VIEW.y, 600.0, 500.0));
    room.answer(json!([order()]));
    let there = room.scene.bounds(&there).unwrap();
    let mine = boxes(&room);
    let mut mine = mine.iter().filter(|it| it.id.as_str() != "there");
    assert!(mine.all(|it| !it.rect().intersects(&there)));
}

#[test]
fn a_row_that_is_too_long_for_its_area_becomes_a_column_and_one_too_long_for_both_is_refused() {
    let mut wide = order();
    wide["direction"] = json!("right");
    let drawn_in = |w: f64, h: f64| {
        let mut room = Room::asked("draw");
        room.area = Some(Rect::new(VIEW.x, VIEW.y, w, h));
        room.answer(json!([wide]));
        room
    };
    let row = drawn_in(700.0, 400.0);
    assert!(row.named("Pay").rect().x > row.named("Order").rect().right());
    let column = drawn_in(260.0, 600.0);
    assert!(column.named("Pay").rect().y > column.named("Order").rect().bottom());
    let none = drawn_in(200.0, 150.0);
    assert!(boxes(&none).is_empty());
    let reason = none.told();
    let said = "and there is no such room in the area that you may draw in, of 184 x 134";
    assert!(reason.contains(said), "{reason}");
}

#[test]
fn what_is_added_to_a_diagram_in_an_area_stays_inside_of_it() {
    let mut room = Room::asked("draw");
    let area = Rect::new(VIEW.x, VIEW.y, 700.0, 520.0);
    room.area = Some(area);
    room.answer(json!([order()]));
    change(
        &mut room,
        json!({"_type": "diagram", "diagramId": "order", "nodes": [{"id": "thank", "text": "Thank", "parent": "ship"},
            {"id": "ask", "text": "Ask", "parent": "thank"}]}),
    );
    assert_eq!(boxes(&room).len(), 5);
    for element in room.live() {
        let own = bounds::bounds(&element);
        assert!(area.contains_rect(&own), "{} at {own:?}", element.id);
    }
}

#[test]
fn edges_may_lead_to_shapes_that_are_there() {
    let mut room = Room::asked("draw");
    let there = room.put_box("db", Rect::new(VIEW.x, VIEW.y, 160.0, 80.0));
    room.answer(
        json!([{"_type": "diagram", "diagramId": "d", "kind": "flow",
        "nodes": [{"id": "api", "text": "API"}], "edges": [{"from": "api", "to": "db"}]}]),
    );
    let arrow = room
        .live()
        .into_iter()
        .find(|it| it.kind() == ElementKind::Arrow)
        .unwrap();
    assert_eq!(arrow.end_binding().unwrap().element_id, there);
    assert!(
        !room
            .named("API")
            .rect()
            .intersects(&Rect::new(VIEW.x, VIEW.y, 160.0, 80.0))
    );
    assert_eq!(
        room.scene.bounds(&there).unwrap(),
        Rect::new(VIEW.x, VIEW.y, 160.0, 80.0)
    );
}

#[test]
fn a_node_that_a_person_deletes_while_it_is_drawn_is_left_out() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [order()]}).to_string();
    let (head, tail) = text.split_at(text.find("\"edges\"").unwrap());
    room.delta(head);
    let pay = room.named("Pay").id;
    room.set(&pay, "isDeleted", json!(true));
    room.delta(tail);
    room.end();
    let names: Vec<String> = boxes(&room)
        .iter()
        .map(|it| {
            room.scene
                .label_of(&it.id)
                .unwrap()
                .original_text()
                .to_owned()
        })
        .collect();
    assert_eq!(names, ["Order", "Ship"]);
    assert!(arrows(&room).is_empty());
}

/// A diagram of some kind from a few numbers.
fn any_diagram() -> impl Strategy<Value = Value> {
    let kinds = prop::sample::select(vec![
        "flow", "tree", "mind-map", "radial", "grid", "board", "lanes", "timeline",
    ]);
    let lines = prop::sample::select(vec!["straight", "curved", "elbow"]);
    let direction = prop::sample::select(vec!["down", "up", "left", "right"]);
    let edges = prop::collection::vec((0..9_usize, 0..9_usize, 0..3_usize), 0..12);
    let shapes = prop::collection::vec((0..6_usize, 0..4_usize), 1..9);
    (kinds, lines, direction, edges, shapes).prop_map(|(kind, lines, direction, edges, shapes)| {
        const SHAPES: [&str; 6] = ["rectangle", "ellipse", "diamond", "note", "hexagon", "rectangle"];
        let count = shapes.len();
        let nodes: Vec<Value> = shapes
            .iter()
            .enumerate()
            .map(|(at, (shape, group))| {
                let text = ["Go", "Check the stock", "Enter a name and a password that you know", "Pay"][(at + shape) % 4];
                let group = if *group < 2 { format!("g{group}") } else { String::new() };
                json!({"id": format!("n{at}"), "text": format!("{text} {at}"), "shape": SHAPES[*shape], "group": group})
            })
            .collect();
        let edges: Vec<Value> = edges
            .iter()
            .map(|(from, to, label)| {
                let text = ["", "yes", "if there is enough of it"][*label];
                json!({"from": format!("n{}", from % count), "to": format!("n{}", to % count), "text": text})
            })
            .collect();
        json!({"_type": "diagram", "diagramId": "d", "kind": kind, "direction": direction, "lines": lines,
            "title": "A title", "nodes": nodes, "edges": edges})
    })
}

fn nodes_of(room: &Room) -> Vec<(String, Rect)> {
    let live = room.live();
    let marked = live.iter().filter(|it| {
        it.props
            .get("customData")
            .and_then(|it| it.pointer("/diagram/part"))
            == Some(&json!("node"))
    });
    let mut all: Vec<(String, Rect)> = marked
        .map(|it| {
            let name = it.props["customData"].pointer("/diagram/name").unwrap();
            (name.as_str().unwrap().to_owned(), bounds::local_rect(it))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn crosses(rect: Rect, a: glade_canvas::Point, b: glade_canvas::Point) -> bool {
    let inner = rect.expand(-2.0);
    (0..=40).any(|step| {
        let t = f64::from(step) / 40.0;
        inner.contains(glade_canvas::Point::new(
            a.x + (b.x - a.x) * t,
            a.y + (b.y - a.y) * t,
        ))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nothing_overlaps_and_no_arrow_goes_through_a_box(diagram in any_diagram()) {
        let room = drawn(diagram);
        let nodes = nodes_of(&room);
        for (at, (name, rect)) in nodes.iter().enumerate() {
            for (other, second) in &nodes[at + 1..] {
                prop_assert!(!rect.expand(-1.0).intersects(&second.expand(-1.0)), "{} on {}", name, other);
            }
        }
        for arrow in room.live().iter().filter(|it| it.start_binding().is_some()) {
            let ends = [arrow.start_binding().unwrap().element_id, arrow.end_binding().unwrap().element_id];
            let points = bounds::page_points(arrow);
            for (name, rect) in &nodes {
                let own = room.live().iter().any(|it| ends.contains(&it.id) && bounds::local_rect(it) == *rect);
                let hit = points.windows(2).any(|pair| crosses(*rect, pair[0], pair[1]));
                prop_assert!(own || !hit, "{:?} through {}", ends, name);
            }
        }
    }

    #[test]
    fn who_is_held_to_an_area_draws_inside_of_it_or_hears_what_room_it_needs(
        diagram in any_diagram(), place in (0.0..900.0f64, 0.0..600.0f64), size in (120.0..2400.0f64, 120.0..1600.0f64),
        crowd in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 0..3), piece in 20..400_usize,
    ) {
        let area = Rect::new(VIEW.x + place.0, VIEW.y + place.1, size.0, size.1);
        let mut room = Room::asked("draw");
        room.area = Some(area);
        let mut there = Vec::new();
        for (at, (x, y)) in crowd.into_iter().enumerate() {
            let spot = Rect::new(area.x + x * area.w, area.y + y * area.h, 60.0, 60.0);
            there.push((room.put_box(&format!("there-{at}"), spot), spot));
        }
        let is_new = |it: &&Element| !it.id.as_str().starts_with("there-");
        let text = json!({"actions": [diagram]}).to_string();
        let letters: Vec<char> = text.chars().collect();
        for part in letters.chunks(piece) {
            room.delta(&part.iter().collect::<String>());
            for element in room.live().iter().filter(is_new) {
                let own = bounds::bounds(element);
                prop_assert!(area.contains_rect(&own), "{} at {own:?} in {area:?}", element.id);
            }
        }
        room.end();
        let live = room.live();
        if live.iter().filter(is_new).count() == 0 {
            let reason = room.told();
            prop_assert!(reason.contains("the diagram needs ") && reason.contains(" in the area "), "{reason}");
            return Ok(());
        }
        prop_assert_eq!(room.asked.len(), 1, "it was not refused");
        for (_, rect) in nodes_of(&room) {
            prop_assert!(there.iter().all(|(_, spot)| !rect.intersects(spot)), "{rect:?} lies on what is there");
        }
    }

    #[test]
    fn however_the_answer_is_cut_the_diagram_is_the_same(diagram in any_diagram(), cuts in prop::collection::vec(0.0..1.0f64, 0..12)) {
        let text = json!({"actions": [diagram]}).to_string();
        let mut whole = Room::asked("draw");
        whole.delta(&text);
        whole.end();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| (cut * text.len() as f64) as usize).collect();
        cuts.sort_unstable();
        let mut pieces = Room::asked("draw");
        let mut from = 0;
        for cut in cuts.into_iter().filter(|cut| text.is_char_boundary(*cut)).chain([text.len()]) {
            pieces.delta(&text[from..cut]);
            from = cut;
        }
        pieces.end();
        prop_assert_eq!(pieces.live(), whole.live());
    }

    #[test]
    fn saying_what_is_there_again_moves_no_box(diagram in any_diagram()) {
        let mut room = drawn(diagram);
        let (before, count) = (nodes_of(&room), room.live().len());
        let steps = room.asked.len();
        change(&mut room, json!({"_type": "diagram", "diagramId": "d", "title": "A title"}));
        prop_assert_eq!(room.asked.len(), steps + 1, "it was not refused");
        prop_assert_eq!(room.live().len(), count);
        for ((name, was), (_, now)) in before.iter().zip(nodes_of(&room)) {
            prop_assert!((now.x - was.x).abs() < 1.0 && (now.y - was.y).abs() < 1.0, "{} moved", name);
        }
    }

    #[test]
    fn names_of_nodes_decide_nothing(diagram in any_diagram()) {
        let renamed = serde_json::from_str(&diagram.to_string().replace("\"n", "\"other-").replace("other-odes", "nodes").replace("other-ote", "note")).unwrap();
        let places = |room: &Room| -> Vec<(f64, f64)> {
            nodes_of(room).iter().map(|it| (it.1.x, it.1.y)).collect()
        };
        prop_assert_eq!(places(&drawn(diagram)), places(&drawn(renamed)));
    }
}

#[test]
fn a_diagram_in_view_is_told_by_the_ids_of_its_shapes() {
    let mut room = drawn(order());
    room.prompt("go on");
    let told = room.told().to_owned();
    let line = told
        .lines()
        .find(|line| line.contains("diagramId"))
        .unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(
        (&line["kind"], &line["title"], &line["nodes"]),
        (
            &json!("flow"),
            &json!("An order"),
            &json!(["order", "pay", "ship"])
        )
    );
}

/// Several fairies who look at the same place and answer at the same time, a few letters each in turn.
fn at_once(count: usize, piece: usize) -> Room {
    let mut rooms: Vec<(Room, String)> = (0..count)
        .map(|at| {
            let text = order().to_string().replace("Order", &format!("Order {at}"));
            let text = text.replace(
                "\"diagramId\":\"order\"",
                &format!("\"diagramId\":\"plan-{at}\""),
            );
            (Room::asked("draw"), format!("{{\"actions\":[{text}]}}"))
        })
        .collect();
    let mut scene = rooms[0].0.scene.clone();
    let mut from = 0;
    while rooms.iter().any(|(_, text)| from < text.len()) {
        for (room, text) in &mut rooms {
            let to = (from + piece).min(text.len());
            if from < to {
                room.scene = scene.clone();
                room.delta(&text[from..to]);
                scene = room.scene.clone();
            }
        }
        from += piece;
    }
    let (mut last, _) = rooms.pop().unwrap();
    last.scene = scene;
    last
}

#[test]
fn many_who_draw_at_once_lie_on_nothing_of_each_other() {
    for (count, piece) in [(2, 7), (5, 40), (10, 200), (3, 2000)] {
        let room = at_once(count, piece);
        let live = room.live();
        let solid = live
            .iter()
            .filter(|it| it.container_id().is_none() && it.kind() != ElementKind::Arrow);
        let all: Vec<Rect> = solid.map(bounds::bounds).collect();
        assert_eq!(all.len(), count * 4, "three boxes and a title each");
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                assert!(
                    !one.intersects(other),
                    "{count} in pieces of {piece}: {one:?} on {other:?}"
                );
            }
        }
    }
}
