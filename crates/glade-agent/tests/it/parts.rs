//! The parts of a prompt that the host or the run give: there when there is something, else not.

use glade_agent::{ContextItem, Input, Lint, Outcome, PageInfo, PartData};
use glade_canvas::{Point, Rect, Scene};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::room::{Room, VIEW, a_box, outcome};

/// The names of the parts of the last prompt.
fn names(room: &Room) -> Vec<String> {
    let parts = room.last_prompt().parts.iter();
    parts
        .map(|part| {
            serde_json::to_value(part).unwrap()["type"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect()
}

fn data(room: &Room, name: &str) -> Value {
    let parts = room.last_prompt().parts.iter();
    parts
        .map(|part| serde_json::to_value(part).unwrap())
        .find(|part| part["type"] == name)
        .unwrap_or_else(|| panic!("no part {name}"))
}

fn looking(message: &str) -> Input {
    Input {
        bounds: Some(VIEW),
        ..Input::message(message)
    }
}

fn pages() -> Vec<PageInfo> {
    [("pg_test", "Plan"), ("pg_other", "Archive")]
        .map(|(id, name)| PageInfo {
            id: id.into(),
            name: name.to_owned(),
        })
        .to_vec()
}

#[test]
fn a_prompt_on_an_empty_page_has_only_what_there_is() {
    let room = Room::asked("hello");
    assert_eq!(
        names(&room),
        [
            "mode",
            "sign",
            "user-viewport",
            "agent-viewport",
            "blurry-shapes",
            "messages"
        ]
    );
}

#[test]
fn time_and_pages_come_from_the_host() {
    let mut room = Room::new();
    room.time = Some("2026-11-15 09:30 UTC".to_owned());
    room.pages = pages();
    room.prompt("hello");
    assert_eq!(
        data(&room, "time"),
        json!({"type": "time", "now": "2026-11-15 09:30 UTC"})
    );
    assert_eq!(
        data(&room, "pages")["pages"],
        json!([{"name": "Plan", "here": true}, {"name": "Archive"}])
    );
}

#[test]
fn context_items_are_shown_in_the_models_ids_and_numbers() {
    let mut room = Room::new();
    let id = room.put_box("abc", Rect::new(1100.4, 2050.0, 160.0, 80.0));
    room.prompt_with(Input {
        context_items: vec![
            ContextItem::Shape { shape_id: id },
            ContextItem::Area {
                bounds: Rect::new(1000.0, 2000.0, 50.0, 60.0),
            },
            ContextItem::Point {
                point: Point::new(1010.0, 2020.0),
            },
        ],
        ..looking("these")
    });
    let items = data(&room, "context-items")["items"].clone();
    assert_eq!(
        (&items[0]["shapeId"], &items[0]["x"]),
        (&json!("abc"), &json!(100.0))
    );
    assert_eq!(
        items[1],
        json!({"area": {"x": 0.0, "y": 0.0, "w": 50.0, "h": 60.0}})
    );
    assert_eq!(items[2], json!({"point": {"x": 10.0, "y": 20.0}}));
}

#[test]
fn only_the_parts_that_are_asked_for_are_there_and_always_the_messages() {
    let mut room = Room::new();
    room.prompt_with(Input {
        parts: Some(vec!["blurry-shapes".to_owned()]),
        ..looking("look")
    });
    assert_eq!(names(&room), ["blurry-shapes", "messages"]);
}

fn loose(scene: &Scene, _: &Rect) -> Vec<Lint> {
    let loose = |id: &ElementId| Lint {
        kind: "overlap".to_owned(),
        shapes: vec![id.clone()],
        message: "the shape lies on another".to_owned(),
    };
    scene
        .live()
        .filter(|element| element.kind() == glade_canvas::ElementKind::Ellipse)
        .map(|element| loose(&element.id))
        .collect()
}

#[test]
fn a_flaw_of_its_own_making_is_looked_at_once() {
    let mut room = Room::new();
    room.lints = Some(loose);
    room.prompt("draw");
    let ellipse = |id: &str| json!({"_type": "create", "intent": "", "shape": {"_type": "ellipse", "shapeId": id, "x": 0, "y": 0, "w": 90, "h": 60}});
    let effects = room.answer(json!([ellipse("e"), a_box("a", 0, 0, "A")]));
    assert_eq!(outcome(&effects), None, "one more look");
    assert_eq!(
        data(&room, "canvas-lints")["lints"],
        json!([{"kind": "overlap", "shapeIds": ["e"], "message": "the shape lies on another"}])
    );
    let effects = room.answer(json!([ellipse("f")]));
    assert!(
        outcome(&effects).is_some(),
        "once a run, even if there are new ones"
    );
    room.prompt("and now?");
    assert_eq!(
        data(&room, "canvas-lints")["lints"][0]["shapeIds"],
        json!(["f"]),
        "the first was pointed out before"
    );
    room.prompt("again");
    assert!(!names(&room).contains(&"canvas-lints".to_owned()));
}

#[test]
fn a_page_full_of_flaws_is_told_a_few_at_a_time() {
    let mut room = Room::new();
    room.lints = Some(loose);
    room.prompt("draw");
    let ellipse = |n: usize| json!({"_type": "create", "intent": "", "shape": {"_type": "ellipse", "shapeId": format!("e{n}"), "x": 0, "y": 0, "w": 90, "h": 60}});
    room.answer(Value::from_iter((0..30).map(ellipse)));
    let told = |room: &Room| data(room, "canvas-lints")["lints"].as_array().map(Vec::len);
    assert_eq!(told(&room), Some(20));
    room.prompt("and now?");
    assert_eq!(told(&room), Some(10), "the others follow");
}

#[test]
fn a_request_that_is_tried_again_points_out_the_same_flaws() {
    let mut room = Room::new();
    room.lints = Some(loose);
    room.prompt("draw");
    room.answer(json!([{"_type": "create", "intent": "", "shape": {"_type": "ellipse", "shapeId": "e", "x": 0, "y": 0, "w": 90, "h": 60}}]));
    assert!(names(&room).contains(&"canvas-lints".to_owned()));
    let asked = room.last_prompt().clone();
    room.fail("overloaded", true);
    room.let_it_wake();
    assert_eq!((room.asked.len(), room.last_prompt()), (3, &asked));
}

#[test]
fn a_model_that_repeats_itself_in_a_later_step_draws_nothing_twice() {
    let mut room = Room::new();
    room.lints = Some(loose);
    room.prompt("draw");
    let ellipse = json!({"_type": "create", "intent": "", "shape": {"_type": "ellipse", "shapeId": "e", "x": 0, "y": 0, "w": 90, "h": 60}});
    let drawing = json!([ellipse, a_box("a", 0, 0, "A")]);
    room.answer(drawing.clone());
    assert_eq!(room.asked.len(), 2, "it is asked to look again");
    let once = room.live();
    let effects = room.answer(drawing);
    assert_eq!(room.live(), once);
    let ended = outcome(&effects);
    assert_eq!(ended, Some(Outcome::Done), "and that is the end of it");
}

#[test]
fn what_was_taken_away_may_be_drawn_again() {
    let mut room = Room::new();
    room.lints = Some(loose);
    room.prompt("draw");
    let drawing = a_box("a", 0, 0, "A");
    let away = json!({"_type": "delete", "intent": "", "shapeId": "a"});
    let look = json!({"_type": "review", "intent": "again", "x": 0, "y": 0, "w": 900, "h": 900});
    room.answer(json!([drawing, look]));
    room.answer(json!([away, look]));
    assert_eq!(room.live().len(), 0);
    room.answer(json!([drawing]));
    assert_eq!(room.live().len(), 2, "the box and its words");
}

#[test]
fn without_a_linter_there_is_no_lint_pass() {
    let mut room = Room::asked("draw");
    assert!(outcome(&room.answer(json!([a_box("a", 0, 0, "A")]))).is_some());
    assert_eq!(room.asked.len(), 1);
}

#[test]
fn a_task_at_hand_is_the_only_one_shown() {
    let mut room = Room::new();
    room.agent.settings.plan_first = true;
    room.prompt("plan");
    let task = |id: &str| json!({"_type": "create-task", "taskId": id, "title": id, "text": "do", "x": 0, "y": 0, "w": 300, "h": 200});
    room.answer(json!([task("one"), task("two")]));
    assert_eq!(data(&room, "tasks")["tasks"].as_array().unwrap().len(), 2);
    room.delta(&json!({"actions": [{"_type": "start-task", "taskId": "two"}]}).to_string());
    assert_eq!(
        data(&room, "tasks")["tasks"],
        json!([{"taskId": "two", "title": "two", "text": "do", "status": "in-progress", "bounds": {"x": 0.0, "y": 0.0, "w": 300.0, "h": 200.0}}])
    );
}

/// A prompt as one text, as a provider's cache sees it.
fn text(prompt: &glade_agent::Prompt) -> String {
    let messages = prompt.messages.iter();
    let said: Vec<String> = messages
        .map(|message| format!("{:?}: {}", message.role, message.content))
        .collect();
    let form = glade_agent::form::shared(&prompt.schema);
    format!("{}\n{form}\n{}", prompt.system, said.join("\n"))
}

#[test]
fn the_beginning_of_a_prompt_is_that_of_the_one_before() {
    let mut room = Room::new();
    room.time = Some("09:30".to_owned());
    let mut shares = Vec::new();
    for number in 0..10 {
        room.time = Some(format!("09:{}", 30 + number));
        let before = room.asked.last().map(|(_, prompt)| text(prompt));
        room.prompt(&format!("draw number {number}"));
        if let Some(before) = before {
            let now = text(room.last_prompt());
            let same = before
                .bytes()
                .zip(now.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            let history = now.find("The time is").unwrap();
            let volatile = before.len() - before.find("The time is").unwrap();
            assert!(
                same + volatile + 20 >= before.len(),
                "only what is of now differs"
            );
            assert!(same <= history);
            shares.push(same as f64 / now.len() as f64);
        }
        room.answer(json!([a_box(
            &format!("b{number}"),
            number * 200,
            0,
            "Box"
        )]));
    }
    assert!(shares.iter().all(|share| *share > 0.75), "{shares:?}");
}

#[test]
fn five_hundred_steps_stay_within_the_budget_of_the_history() {
    let mut room = Room::new();
    let mut largest = 0;
    for number in 0..500 {
        room.prompt(&format!("request {number}: {}", "word ".repeat(60)));
        let history: usize = room
            .last_prompt()
            .parts
            .iter()
            .map(|part| match part {
                PartData::ChatHistory(data) => data
                    .items
                    .iter()
                    .map(|line| glade_agent::history::tokens(&line.text))
                    .sum(),
                _ => 0,
            })
            .sum();
        largest = largest.max(history);
        room.answer(json!([{"_type": "message", "text": "answer ".repeat(40)}, {"_type": "think", "text": "hm"}]));
    }
    assert!(largest <= glade_agent::history::TOKEN_BUDGET, "{largest}");
    assert!(
        largest > glade_agent::history::TOKEN_BUDGET / 2,
        "and it is used"
    );
    assert!(text(room.last_prompt()).contains("older requests left out: "));
}
