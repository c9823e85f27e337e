//! The defects that were verified in the fairies that inspired ours, and the tests that ours has none
//! of them. Those of the host, the canvas or the parser are tested where they would live:
//!
//! | # | defect | test |
//! |---|---|---|
//! | 1 | parsing rescans the whole buffer at every chunk | here |
//! | 2 | an escaped backslash at the end of a string kills the rest | here, and `parser::an_escaped_backslash_at_the_end_of_a_string_ends_it_well` |
//! | 3 | five actions in one chunk emit one | here, and `parser::five_actions_in_one_piece_are_five_actions` |
//! | 4 | a code fence parses to nothing; a cut number is taken for whole | here, and `parser::a_cut_stream_never_completes_its_last_action_nor_shows_half_an_atom` |
//! | 5 | un-rounding has the wrong sign | here, and `coords::tests::showing_then_reading_back_changes_nothing` |
//! | 6 | an origin or a bound of 0 is ignored | here |
//! | 7 | arrow labels, frames and groups do not reach the model | here |
//! | 8 | page and parent coordinates are mixed inside frames | here |
//! | 9 | selected ids are rejected; the offset is applied to one coordinate of a partial | here |
//! | 10 | a rejected action orphans its partial shape | here |
//! | 11 | a failing stream reschedules for ever; the next prompt is lost | here, and `looping::a_failure_that_may_pass_is_tried_again_ever_later` |
//! | 12 | the prompt grows without bound | here, and `parts::five_hundred_steps_stay_within_the_budget_of_the_history` |
//! | 13 | text appears only at the end | here |
//! | 14 | clustering depends on the order and never merges groups | here, on what the model sees |
//! | 15 | a fairy's edits cannot be undone; aborted streams cost nothing | the server's `host::tests::a_whole_answer_becomes_a_pending_run_that_can_be_undone` and `…::an_answer_that_the_fairy_ends_itself_is_not_mistaken_for_the_next`; the budget's share here |
//! | 16 | close the tab and the fairy dies | here (it survives being written down), and the server's recovery tests in `host::tests` |

use glade_agent::parser::{Parsed, Parser};
use glade_agent::{Agent, Effect, Input, Limits, Outcome, PartData, StopReason};
use glade_canvas::{Element, Rect};
use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use crate::room::{Room, VIEW, a_box, an_arrow, outcome};

fn shapes(room: &Room) -> Value {
    let parts = room.last_prompt().parts.iter();
    let found = parts
        .filter_map(|part| match part {
            PartData::BlurryShapes(data) => serde_json::to_value(&data.shapes).ok(),
            _ => None,
        })
        .next();
    found.expect("shapes")
}

#[test]
fn defect_01_parsing_takes_time_in_proportion_to_the_text() {
    // Counting clocks are flaky; but a parser that looked at the whole buffer again per piece would
    // need minutes for this, and this takes well under a second even unoptimised.
    let action = json!({"_type": "think", "text": "x".repeat(250_000)}).to_string();
    let bytes = action.as_bytes();
    let started = std::time::Instant::now();
    let pieces = bytes
        .chunks(1)
        .map(|piece| std::str::from_utf8(piece).unwrap());
    let mut parser = Parser::new();
    let mut done = 0;
    for piece in pieces {
        done += parser
            .push(piece)
            .iter()
            .filter(|parsed| matches!(parsed, Parsed::Complete { .. }))
            .count();
    }
    assert_eq!(done, 1);
    assert!(
        started.elapsed().as_secs() < 20,
        "took {:?}",
        started.elapsed()
    );
}

#[test]
fn defect_02_an_escaped_backslash_does_not_kill_the_rest() {
    let mut room = Room::asked("draw");
    room.answer(json!([a_box("a", 0, 0, "C:\\"), a_box("b", 300, 0, "B")]));
    assert_eq!(room.live().len(), 4);
    assert_eq!(room.named("C:\\").width(), 160.0);
}

#[test]
fn defect_03_five_actions_in_one_piece_are_all_carried_out() {
    let mut room = Room::asked("draw");
    let boxes: Vec<Value> = (0..5)
        .map(|n| a_box(&format!("b{n}"), n * 200, 0, ""))
        .collect();
    room.delta(&json!({"actions": boxes}).to_string());
    assert_eq!(room.live().len(), 5);
}

#[test]
fn defect_04_a_code_fence_is_read_and_a_cut_number_is_not_taken_for_whole() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("a", 12345, 0, "A")]}).to_string();
    room.delta(&format!("Sure:\n```json\n{text}\n```\n"));
    room.end();
    assert_eq!(room.live().len(), 2, "fenced");
    let mut room = Room::asked("draw");
    let cut = text.find("12345").unwrap() + 2;
    room.delta(&text[..cut]);
    room.end_with(StopReason::Length);
    assert_eq!(room.live(), [], "a box at 12 would be wrong");
}

#[test]
fn defect_05_rounding_is_undone_with_the_right_sign() {
    let mut room = Room::new();
    let id = room.put_box("a", Rect::new(1010.4, 2000.0, 100.0, 50.0));
    room.prompt("look");
    assert_eq!(shapes(&room)[0]["x"], json!(10.0));
    room.answer(json!([{"_type": "move", "intent": "", "shapeId": "a", "x": 10, "y": 30}]));
    let moved = room.scene.get(&id).unwrap();
    assert_eq!(
        (moved.x(), moved.y()),
        (1010.4, 2030.0),
        "10.4 is 10.4 again, not 9.6"
    );
}

#[test]
fn defect_06_an_origin_and_a_bound_of_zero_count() {
    let mut room = Room::asked("draw");
    room.answer(json!([a_box("a", 100, 100, "A")]));
    room.prompt("larger");
    room.answer(json!([{"_type": "resize", "intent": "", "scaleX": 2, "scaleY": 2, "originX": 0, "originY": 0, "shapeIds": ["a"]}]));
    let rect = room.named("A").rect().translate(-1000.0, -2000.0);
    assert_eq!((rect.x, rect.y), (200.0, 200.0));
    let mut room = Room::new();
    room.agent.settings.plan_first = true;
    room.prompt("plan");
    room.answer(json!([{"_type": "create-task", "taskId": "t", "title": "T", "text": "t", "x": 0, "y": 0, "w": 300, "h": 200}]));
    assert_eq!(
        room.agent.agenda().tasks[0].bounds,
        Rect::new(1000.0, 2000.0, 300.0, 200.0)
    );
}

#[test]
fn defect_07_arrow_labels_frames_and_groups_reach_the_model() {
    let mut room = Room::asked("draw");
    let mut arrow = an_arrow("a", "b");
    arrow["shape"]["text"] = json!("yes");
    room.answer(json!([
        a_box("a", 0, 0, "A"),
        a_box("b", 400, 0, "B"),
        arrow
    ]));
    let frame = json!({"type": "frame", "x": 1000, "y": 2300, "width": 300, "height": 200, "index": "aZ", "name": "Phase 1"});
    let Value::Object(frame) = frame else {
        unreachable!()
    };
    room.scene.put(Element::new(
        ElementId::from("phase"),
        Props::from_iter(frame),
    ));
    for name in ["A", "B"] {
        let id = room.named(name).id;
        room.set(&id, "groupIds", json!(["pair"]));
    }
    let selection = room.live().into_iter().map(|element| element.id).collect();
    room.prompt_with(Input {
        bounds: Some(VIEW),
        selection,
        ..Input::message("these")
    });
    let seen = shapes(&room);
    let seen: Vec<(&Value, &Value)> = seen
        .as_array()
        .unwrap()
        .iter()
        .map(|shape| (&shape["type"], &shape["text"]))
        .collect();
    assert!(seen.contains(&(&json!("arrow"), &json!("yes"))), "{seen:?}");
    assert!(
        seen.iter().any(|(kind, _)| **kind == json!("frame")),
        "{seen:?}"
    );
    let full = room.last_prompt().parts.iter().find_map(|part| match part {
        PartData::SelectedShapes(data) => Some(data.shapes.clone()),
        _ => None,
    });
    let full = full.expect("the selected shapes");
    let arrow = full
        .iter()
        .find(|shape| shape["_type"] == "arrow")
        .expect("the arrow");
    assert_eq!(
        (&arrow["text"], &arrow["fromId"], &arrow["toId"]),
        (&json!("yes"), &json!("a"), &json!("b"))
    );
    assert!(
        full.iter().any(|shape| shape["_type"] == "frame"),
        "{full:?}"
    );
    let group = full
        .iter()
        .find(|shape| shape["_type"] == "group")
        .expect("the group");
    assert_eq!(group["children"], json!(["a", "b"]));
    assert!(full.iter().all(|shape| shape["_type"] != "unknown"));
}

#[test]
fn defect_08_shapes_in_a_frame_are_placed_in_page_space() {
    let mut room = Room::asked("draw");
    room.answer(json!([a_box("a", 500, 500, "A"), a_box("b", 0, 0, "B")]));
    let frame =
        json!({"type": "frame", "x": 1450, "y": 2450, "width": 300, "height": 200, "index": "aZ"});
    let Value::Object(frame) = frame else {
        unreachable!()
    };
    room.scene.put(Element::new(
        ElementId::from("frame"),
        Props::from_iter(frame),
    ));
    let inside = room.named("A").id;
    room.set(&inside, "frameId", json!("frame"));
    room.prompt("arrange");
    room.answer(json!([
        {"_type": "place", "intent": "", "shapeId": "b", "referenceShapeId": "a", "side": "right", "sideOffset": 20, "align": "start", "alignOffset": 0},
        {"_type": "move", "intent": "", "shapeId": "a", "x": 480, "y": 480},
    ]));
    let at = |name| {
        let rect = room.named(name).rect().translate(-1000.0, -2000.0);
        (rect.x, rect.y)
    };
    assert_eq!((at("B"), at("A")), ((680.0, 500.0), (480.0, 480.0)));
}

#[test]
fn defect_09_shown_ids_work_and_partials_are_offset_on_both_axes() {
    let mut room = Room::new();
    room.put_box("abc", Rect::new(1100.0, 2100.0, 100.0, 50.0));
    room.prompt_with(Input {
        bounds: Some(VIEW),
        selection: vec!["abc".into()],
        ..Input::message("this")
    });
    let shown = room.last_prompt().parts.iter().find_map(|part| match part {
        PartData::SelectedShapes(data) => data.shapes[0]["shapeId"].as_str().map(str::to_owned),
        _ => None,
    });
    let shown = shown.expect("a selected shape");
    room.answer(json!([{"_type": "delete", "intent": "", "shapeId": format!("shape:{shown}")}]));
    assert_eq!(room.live(), []);
    room.prompt("a line");
    let text = json!({"actions": [{"_type": "create", "intent": "", "shape": {
        "_type": "line", "shapeId": "l", "x1": 10, "y1": 20, "x2": 110, "y2": 220, "color": "red", "note": "still to come",
    }}]})
    .to_string();
    room.delta(&text[..text.find("still").unwrap()]);
    let line = room.live().pop().expect("half a line is a line");
    let ends = glade_canvas::bounds::page_points(&line);
    assert_eq!(
        [ends[0].x, ends[0].y, ends[1].x, ends[1].y],
        [1010.0, 2020.0, 1110.0, 2220.0]
    );
}

#[test]
fn defect_10_what_is_rejected_leaves_no_half_drawn_shape() {
    let mut room = Room::asked("draw");
    room.answer(json!([a_box("a", 0, 0, "A")]));
    room.prompt("turn");
    let before = room.live();
    // Drawn live while its points come, and rejected when it turns out to be one point only.
    let text = r#"{"actions":[{"_type":"create","intent":"","shape":{"_type":"rectangle","shapeId":"x","x":0,"y":300,"w":90,"h":60,"text":"half"#;
    room.delta(text);
    assert_ne!(room.live(), before, "it is there while it streams");
    room.delta(r#"","oops":}"#);
    room.end();
    assert_eq!(room.live(), before);
}

#[test]
fn defect_11_open_todos_do_not_go_on_for_ever() {
    let mut room = Room::new();
    room.agent.settings.limits = Limits {
        steps: 7,
        ..Limits::default()
    };
    room.prompt("draw");
    let mut answers = 0;
    while outcome(&room.answer(json!([{"_type": "upsert-personal-todo-item", "id": "1", "status": "todo", "text": "never done"}]))).is_none() {
        answers += 1;
        assert!(answers < 100, "no end");
    }
    assert_eq!(room.asked.len(), 7);
    room.prompt("again");
    for _ in 0..4 {
        room.fail("overloaded", true);
        room.let_it_wake();
    }
    assert!(matches!(
        outcome(&room.fail("overloaded", true)),
        Some(Outcome::Failed(_))
    ));
    assert_eq!(room.wake, None, "nothing is asked again by itself");
    room.prompt("and now");
    assert!(
        room.told().ends_with("and now"),
        "the next prompt is not lost"
    );
}

#[test]
fn defect_12_the_history_in_a_prompt_is_bounded() {
    let mut room = Room::new();
    let mut sizes = Vec::new();
    for _ in 0..60 {
        room.prompt(&"word ".repeat(200));
        sizes.push(
            room.last_prompt()
                .messages
                .iter()
                .map(|message| message.content.len())
                .sum::<usize>(),
        );
        room.answer(json!([{"_type": "message", "text": "answer ".repeat(150)}]));
    }
    let largest = sizes.iter().max().unwrap();
    assert!(
        *largest < 4 * glade_agent::history::TOKEN_BUDGET + 3_000,
        "{largest}"
    );
}

#[test]
fn defect_13_a_shape_is_drawn_before_its_text_is_written() {
    let mut room = Room::asked("draw");
    let schema = &room.last_prompt().schema["properties"]["actions"]["items"]["anyOf"];
    let create = schema
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["properties"]["_type"]["const"] == "create")
        .unwrap();
    for shape in create["properties"]["shape"]["anyOf"].as_array().unwrap() {
        let fields: Vec<&String> = shape["properties"].as_object().unwrap().keys().collect();
        let at = |name: &str| fields.iter().position(|field| *field == name);
        if let (Some(x), Some(text)) = (at("x").or(at("x1")), at("text")) {
            assert!(x < text, "{fields:?}");
        }
    }
    let text = json!({"actions": [a_box("a", 0, 0, "A long text that comes last")]}).to_string();
    room.delta(&text[..text.find("long").unwrap()]);
    assert_eq!(
        room.live().len(),
        2,
        "the box and the beginning of its label"
    );
}

#[test]
fn defect_14_clusters_are_the_same_in_any_order_and_merge() {
    let spots = [
        (5000.0, 2000.0),
        (5300.0, 2000.0),
        (5150.0, 2000.0),
        (5000.0, 6000.0),
    ];
    let clusters = |order: [usize; 4]| {
        let mut room = Room::new();
        for at in order {
            let (x, y) = spots[at];
            room.put_box(&format!("b{at}"), Rect::new(x, y, 100.0, 50.0));
        }
        room.prompt("look");
        let parts = room.last_prompt().parts.iter();
        parts
            .filter_map(|part| match part {
                PartData::PeripheralShapes(data) => serde_json::to_value(&data.clusters).ok(),
                _ => None,
            })
            .next()
            .expect("clusters")
    };
    let first = clusters([0, 1, 2, 3]);
    assert_eq!(
        first.as_array().unwrap().len(),
        2,
        "the one in the middle joins the two beside it"
    );
    assert_eq!(first[0]["numberOfShapes"], json!(3));
    for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        assert_eq!(clusters(order), first);
    }
}

#[test]
fn defect_15_what_an_interrupted_answer_cost_counts_for_the_budget() {
    let mut room = Room::new();
    room.agent.settings.limits = Limits {
        steps: 1000,
        tokens: 30_000,
        ..Limits::default()
    };
    room.prompt("look around");
    let fly = |x: i32| json!({"_type": "fly-to-bounds", "intent": "on", "x": x, "y": 0, "w": 500, "h": 400});
    for number in 0..200 {
        let effects = room.delta(&json!({"actions": [fly(number * 10)]}).to_string());
        if outcome(&effects).is_some() {
            let cancelled = room
                .log
                .iter()
                .filter(|effect| matches!(effect, Effect::CancelAsk { .. }))
                .count();
            assert!(cancelled > 1, "some answers were cut before the end");
            return;
        }
    }
    panic!("a fairy that only flies on never ends");
}

#[test]
fn defect_16_a_fairy_goes_on_after_being_written_down() {
    let mut room = Room::asked("draw");
    room.answer(json!([
        a_box("a", 0, 0, "A"),
        {"_type": "upsert-personal-todo-item", "id": "1", "status": "todo", "text": "one"},
    ]));
    room.stop();
    let kept = serde_json::to_string(&room.agent.checkpoint()).unwrap();
    let back = serde_json::from_str(&kept).unwrap();
    let back = Agent::restore(room.agent.settings.config.clone(), back);
    assert_eq!(
        (back.mode(), back.agenda()),
        (room.agent.mode(), room.agent.agenda())
    );
    room.agent = back;
    room.prompt("go on");
    room.answer(json!([
        {"_type": "label", "intent": "", "shapeId": "a", "text": "Alpha"},
        {"_type": "upsert-personal-todo-item", "id": "1", "status": "done"},
    ]));
    assert_eq!(room.named("Alpha").width(), 160.0);
}
