//! What a fairy remembers of a project: of a task while it works on it, of the project while it lasts, in short afterwards.

use glade_agent::{Event, Input, MemoryLevel, Mode, Source};
use serde_json::json;

use crate::projects::under_way;
use crate::room::{Room, a_box};

fn order(message: &str) -> Input {
    Input {
        mode: Some(Mode::WorkingDrone),
        source: Source::OtherAgent,
        ordered: true,
        ..Input::message(message)
    }
}

/// What of its history a model is shown.
fn remembered(room: &Room) -> String {
    let level = room.agent.mode().row().memory;
    let lines = room.agent.history().lines(level, None);
    let texts: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    texts.join("\n")
}

#[test]
fn a_task_becomes_a_few_lines_of_the_project_and_the_project_a_few_of_the_fairy() {
    let mut room = Room::new();
    room.prompt("remember the blue one");
    room.answer(json!([{"_type": "message", "text": "I will."}]));
    let mut board = under_way();
    board.project.members[1].fairy = "fy_test".to_owned();
    board.jobs[0].assignee = Some("fy_test".to_owned());
    room.board = Some(board);
    room.send(Event::Rest {
        mode: Mode::StandingBy,
    });

    room.prompt_with(order("draw the first part"));
    let prompt = format!("{:?}", room.last_prompt().messages);
    assert!(!prompt.contains("remember the blue one"), "{prompt}");
    room.answer(json!([a_box("a", 20, 20, "Alpha"), {"_type": "mark-my-task-done"}]));
    assert_eq!(room.agent.mode(), Mode::StandingBy);
    let project = remembered(&room);
    assert!(
        project.contains("A task that you worked on, in short:"),
        "{project}"
    );
    assert!(project.contains("draw the first part"), "{project}");
    assert!(!project.contains("blue one"), "{project}");

    // The next task begins with an empty head.
    room.prompt_with(order("draw the second part"));
    let task = remembered(&room);
    assert!(!task.contains("first part"), "{task}");
    room.send(Event::Rest { mode: Mode::Idling });
    let items = room.agent.history().items();
    assert!(
        items.iter().all(|item| item.level == MemoryLevel::Fairy),
        "{items:?}"
    );
    let own = remembered(&room);
    assert!(own.contains("remember the blue one"), "{own}");
    assert!(
        own.contains("A project that you were in, in short:"),
        "{own}"
    );
}
