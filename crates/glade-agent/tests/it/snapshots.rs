//! What a model reads, scene by scene, as plain text under `snapshots/`: so that a change of wording or
//! of what is shown is seen in review. Run with `UPDATE=1` to write them anew.
//!
//! `system.*.txt` hold the system prompts, with the form of an answer as it is told to a model that is
//! not shown the schema; the others hold the messages.

use std::path::PathBuf;

use glade_agent::diff::Diff;
use glade_agent::form::notation;
use glade_agent::{
    Agent, AgentConfig, ContextItem, Input, Lint, Mode, PageInfo, Prompt, Role, Source, UserAction,
    World,
};
use glade_canvas::{Rect, Scene};
use serde_json::json;

use crate::room::{Room, VIEW, a_box, an_arrow};

fn compare(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/snapshots")
        .join(format!("{name}.txt"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let line = kept
        .lines()
        .zip(text.lines())
        .position(|(old, new)| old != new);
    assert!(
        kept == text,
        "{name} differs, first in line {:?}; run with UPDATE=1 and read the difference. Now it is:\n{text}",
        line.map(|line| line + 1)
    );
}

fn messages(prompt: &Prompt) -> String {
    let mut out = String::new();
    for message in &prompt.messages {
        let who = match message.role {
            Role::User => "USER",
            Role::Assistant => "ASSISTANT",
        };
        out.push_str(&format!("=== {who}\n{}\n", message.content));
    }
    out
}

fn scene(name: &str, room: &Room) {
    compare(name, &messages(room.last_prompt()));
}

fn system(name: &str, room: &Room) {
    told(name, room.last_prompt());
}

/// The system text as a model reads it that is not shown the schema.
fn told(name: &str, prompt: &Prompt) {
    let form = notation(&prompt.schema);
    compare(
        &format!("system.{name}"),
        &format!("{}\n\n{form}\n", prompt.system),
    );
}

fn looking(message: &str) -> Input {
    Input {
        bounds: Some(VIEW),
        ..Input::message(message)
    }
}

/// Order -> Pay, drawn by the fairy.
fn flow() -> Room {
    let mut room = Room::asked("Draw a flow: Order -> Pay");
    room.answer(json!([
        {"_type": "message", "text": "Here it is."},
        a_box("order", 100, 100, "Order"),
        a_box("pay", 400, 100, "Pay"),
        an_arrow("order", "pay"),
    ]));
    room
}

#[test]
fn an_empty_page() {
    let room = Room::asked("Draw a flow: Order -> Pay");
    scene("empty-page", &room);
    system("one-shotting", &room);
}

#[test]
fn a_second_message_with_history_and_shapes() {
    let mut room = flow();
    room.prompt("Make Pay red");
    scene("second-message", &room);
}

#[test]
fn a_selection() {
    let mut room = flow();
    let selection = vec![room.named("Order").id, room.named("Pay").id];
    room.prompt_with(Input {
        selection,
        ..looking("Align these")
    });
    scene("selection", &room);
}

#[test]
fn picked_context_items() {
    let mut room = flow();
    let shape_id = room.named("Pay").id;
    room.prompt_with(Input {
        context_items: vec![
            ContextItem::Shape { shape_id },
            ContextItem::Area {
                bounds: Rect::new(1000.0, 2400.0, 600.0, 200.0),
            },
        ],
        ..looking("Draw this again there")
    });
    scene("context-items", &room);
}

#[test]
fn shapes_far_away() {
    let mut room = Room::new();
    room.put_box("left-a", Rect::new(-900.0, 2200.0, 120.0, 60.0));
    room.put_box("left-b", Rect::new(-750.0, 2200.0, 120.0, 60.0));
    room.put_box("below", Rect::new(1500.0, 4200.0, 120.0, 60.0));
    room.prompt("What else is there?");
    scene("far-away", &room);
}

#[test]
fn a_correction() {
    let mut room = Room::asked("Rename the box");
    room.answer(json!([{"_type": "label", "intent": "", "shapeId": "ghost", "text": "Pay"}, {"_type": "dance"}]));
    scene("correction", &room);
}

#[test]
fn open_todos() {
    let mut room = Room::asked("Draw three phases");
    room.answer(json!([
        {"_type": "upsert-personal-todo-item", "id": "1", "status": "done", "text": "Draw the frame"},
        {"_type": "upsert-personal-todo-item", "id": "2", "status": "todo", "text": "Draw the phases"},
    ]));
    scene("open-todos", &room);
}

#[test]
fn counted_data() {
    let mut room = flow();
    room.prompt("How many boxes are there?");
    room.answer(json!([{"_type": "count", "expression": "type=rectangle"}]));
    scene("counted-data", &room);
}

#[test]
fn a_review() {
    let mut room = Room::asked("Draw a box and check it");
    room.answer(json!([
        a_box("order", 100, 100, "Order"),
        {"_type": "review", "intent": "the box", "x": 50, "y": 50, "w": 300, "h": 200},
    ]));
    scene("review", &room);
}

fn overflow(scene: &Scene, _: &Rect) -> Vec<Lint> {
    let boxes = scene.live().filter(|element| element.kind().holds_label());
    boxes
        .take(1)
        .map(|element| Lint {
            kind: "text-overflow".to_owned(),
            shapes: vec![element.id.clone()],
            message: "the text is wider than its shape".to_owned(),
        })
        .collect()
}

#[test]
fn a_lint_pass() {
    let mut room = Room::new();
    room.lints = Some(overflow);
    room.prompt("Draw a box");
    room.answer(json!([a_box("order", 100, 100, "Order")]));
    scene("lint-pass", &room);
}

#[test]
fn planning_alone() {
    let mut room = Room::new();
    room.agent.settings.plan_first = true;
    room.time = Some("2026-11-15 09:30 UTC".to_owned());
    room.pages = [("pg_test", "Plan"), ("pg_b", "Archive")]
        .map(|(id, name)| PageInfo {
            id: id.into(),
            name: name.to_owned(),
        })
        .to_vec();
    room.user_actions = vec![UserAction {
        by: "Ada".to_owned(),
        diff: Diff {
            added: vec!["note-1".into()],
            ..Diff::default()
        },
    }];
    room.prompt("Draw our two products, each with its parts");
    scene("planning", &room);
    system("soloing", &room);
    let task = |id: &str, x: i32| json!({"_type": "create-task", "taskId": id, "title": format!("Draw {id}"), "text": "the product and its parts", "x": x, "y": 0, "w": 500, "h": 400});
    room.answer(json!([task("left", 0), task("right", 600)]));
    scene("planned-tasks", &room);
    room.delta(&json!({"actions": [{"_type": "start-task", "taskId": "left"}]}).to_string());
    assert_eq!(room.agent.mode(), Mode::WorkingSolo);
    scene("working-on-a-task", &room);
    system("working-solo", &room);
    room.delta(
        &json!({"actions": [a_box("a", 0, 0, "A"), {"_type": "mark-task-done"}]}).to_string(),
    );
    scene("after-a-task", &room);
}

#[test]
fn a_long_chat() {
    let mut room = Room::new();
    for number in 0..40 {
        room.prompt(&format!(
            "Request {number}: {}",
            "draw a little more of it ".repeat(10)
        ));
        room.answer(json!([a_box(&format!("b{number}"), 0, number * 100, "Box"), {"_type": "message", "text": "Done."}]));
    }
    room.prompt("And a last one");
    let text = messages(room.last_prompt());
    let head: Vec<&str> = text.lines().take(14).collect();
    compare("long-chat-begins", &format!("{}\n", head.join("\n")));
}

#[test]
fn leading_a_project_and_working_for_one() {
    let mut board = crate::projects::under_way();
    board.project.message = "Draw a board of two parts".to_owned();
    let page = glade_doc::PageId::from("pg_1");
    let scene = Scene::new();
    for (name, fairy, mode) in [
        ("orchestrating", "fy_0", Mode::OrchestratingActive),
        ("drone", "fy_1", Mode::WorkingDrone),
    ] {
        let config = AgentConfig {
            fairy_id: fairy.to_owned(),
            name: board.name(fairy).to_owned(),
            personality: String::new(),
            view: VIEW,
        };
        let world = World {
            board: &|| Some(&board),
            ..World::new(&scene, &page)
        };
        let input = Input {
            mode: Some(mode),
            source: Source::OtherAgent,
            bounds: board
                .job_of(fairy)
                .and_then(|job| job.bounds)
                .or(Some(VIEW)),
            ..Input::message("Do a")
        };
        let prompt = Agent::new(config).preview_prompt(&input, &world);
        compare(name, &messages(&prompt));
        told(name, &prompt);
    }
}
