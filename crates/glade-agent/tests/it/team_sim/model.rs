//! Models that behave badly: wrong ids, silence, errors, endless todos, directing the busy, finishing
//! twice. Each fairy has a temper; in between, all of them do what makes sense.

use glade_agent::projects::{Board, Role};
use glade_agent::{Mode, Status};
use serde_json::{Value, json};

use super::world::Dice;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Temper {
    Sensible,
    /// Names tasks and fairies that are not there.
    Muddled,
    /// Says nothing at all.
    Silent,
    /// Its provider fails.
    Failing,
    /// Writes todos for ever.
    Endless,
    /// Directs whoever is busy, and itself.
    Bossy,
    /// Finishes what is finished.
    Hasty,
}

const TEMPERS: [Temper; 7] = [
    Temper::Sensible,
    Temper::Muddled,
    Temper::Silent,
    Temper::Failing,
    Temper::Endless,
    Temper::Bossy,
    Temper::Hasty,
];

pub fn temper(dice: &mut Dice) -> Temper {
    // Half of them are sensible, or nothing would ever be done.
    match dice.roll(2) {
        0 => Temper::Sensible,
        _ => TEMPERS[dice.roll(TEMPERS.len())],
    }
}

/// What a model says.
pub enum Answer {
    Text(String),
    Fails { retryable: bool },
}

pub fn answer(
    me: &str,
    mode: Mode,
    board: Option<&Board>,
    temper: Temper,
    dice: &mut Dice,
) -> Answer {
    // Even the worst does the right thing now and then.
    let temper = if dice.roll(3) == 0 {
        Temper::Sensible
    } else {
        temper
    };
    let actions = match temper {
        Temper::Failing => {
            return Answer::Fails {
                retryable: dice.roll(2) == 0,
            };
        }
        Temper::Silent => Vec::new(),
        Temper::Sensible => sensible(me, mode, board, dice),
        Temper::Muddled => muddled(dice),
        Temper::Endless => vec![
            json!({"_type": "upsert-personal-todo-item", "id": format!("t{}", dice.roll(99)), "status": "todo", "text": "more"}),
        ],
        Temper::Bossy => bossy(me, board),
        Temper::Hasty => vec![
            json!({"_type": "mark-my-task-done"}),
            json!({"_type": "mark-duo-task-done"}),
            json!({"_type": "end-project"}),
            json!({"_type": "end-duo-project"}),
        ],
    };
    let mut text = json!({"actions": actions}).to_string();
    if dice.roll(9) == 0 {
        text.truncate(text.len() / 2); // cut off
    }
    Answer::Text(text)
}

fn muddled(dice: &mut Dice) -> Vec<Value> {
    let duo = dice.roll(2) == 0;
    let pick = |project: &str, two: &str| {
        if duo {
            two.to_owned()
        } else {
            project.to_owned()
        }
    };
    vec![match dice.roll(9) {
        0 => {
            json!({"_type": pick("direct-to-start-project-task", "direct-to-start-duo-task"), "otherFairyId": "fy_nobody", "taskId": "t1"})
        }
        1 => {
            json!({"_type": pick("await-tasks-completion", "await-duo-tasks-completion"), "taskIds": ["nothing"]})
        }
        2 => {
            json!({"_type": pick("create-project-task", "create-duo-task"), "taskId": "t1", "title": "x", "text": "x", "x": 0, "y": 0, "w": 10, "h": 10})
        }
        3 => {
            json!({"_type": pick("start-project", "start-duo-project"), "projectName": "x", "projectColor": "beige", "projectDescription": "", "projectPlan": ""})
        }
        4 => json!({"_type": "start-duo-task", "taskId": "t9"}),
        5 => {
            json!({"_type": "await-mode-transition", "otherFairyId": "fy_nobody", "mode": "standing-by"})
        }
        6 => json!({"_type": "await-mode-transition", "otherFairyId": "fy_01", "mode": "sleeping"}),
        7 => json!({"_type": "await-event", "eventName": "never"}),
        _ => json!({"_type": pick("abort-project", "abort-duo-project"), "reason": "muddle"}),
    }]
}

fn bossy(me: &str, board: Option<&Board>) -> Vec<Value> {
    let Some(board) = board else {
        return Vec::new();
    };
    let names = names(board, me);
    let mut actions = Vec::new();
    for job in board.jobs.iter().take(3) {
        for member in board.project.members.iter().take(3) {
            actions.push(json!({"_type": names.direct, "otherFairyId": member.fairy, "taskId": board.handle(&job.id)}));
        }
    }
    actions
}

struct Names {
    start: &'static str,
    create: &'static str,
    direct: &'static str,
    wait: &'static str,
    end: &'static str,
}

fn names(board: &Board, me: &str) -> Names {
    let duo = board
        .project
        .member(me)
        .is_some_and(|one| one.role == Role::DuoOrchestrator);
    if duo {
        Names {
            start: "start-duo-project",
            create: "create-duo-task",
            direct: "direct-to-start-duo-task",
            wait: "await-duo-tasks-completion",
            end: "end-duo-project",
        }
    } else {
        Names {
            start: "start-project",
            create: "create-project-task",
            direct: "direct-to-start-project-task",
            wait: "await-tasks-completion",
            end: "end-project",
        }
    }
}

fn sensible(me: &str, mode: Mode, board: Option<&Board>, dice: &mut Dice) -> Vec<Value> {
    let draw = json!({"_type": "create", "intent": "", "shape": {"_type": "rectangle", "shapeId": "box",
        "x": dice.roll(3000) as f64 - 200.0, "y": dice.roll(600) as f64, "w": 60, "h": 40, "color": "black", "fill": "none", "text": "x"}});
    match mode {
        Mode::WorkingDrone if dice.roll(4) == 0 => vec![
            draw,
            json!({"_type": "raise-event", "eventName": "tea", "data": [{"field": "sugar", "value": dice.roll(3).to_string()}]}),
            json!({"_type": "mark-my-task-done"}),
        ],
        Mode::WorkingDrone => vec![draw, json!({"_type": "mark-my-task-done"})],
        Mode::WorkingOrchestrator => vec![draw, json!({"_type": "mark-duo-task-done"})],
        Mode::OrchestratingActive | Mode::DuoOrchestratingActive => {
            board.map(|board| lead(me, board, dice)).unwrap_or_default()
        }
        _ => vec![json!({"_type": "message", "text": "hello"})],
    }
}

fn lead(me: &str, board: &Board, dice: &mut Dice) -> Vec<Value> {
    let names = names(board, me);
    let project = &board.project;
    let drones: Vec<&str> = project.drones().map(|one| one.fairy.as_str()).collect();
    let mut actions = Vec::new();
    if !project.titled {
        let color = board.free_colors().next().unwrap_or("violet");
        actions.push(json!({"_type": names.start, "projectName": "P", "projectColor": color, "projectDescription": "", "projectPlan": ""}));
        for at in 0..4 {
            let owner = drones.get(at % drones.len().max(1)).copied().unwrap_or(me);
            actions.push(json!({"_type": names.create, "taskId": format!("t{at}"), "title": format!("Task {at}"), "text": "draw",
                "assignedTo": owner, "x": 400 * at, "y": 0, "w": 300, "h": 300}));
        }
        return actions; // nudged to go on
    }
    let mut busy: Vec<String> = board
        .jobs
        .iter()
        .filter(|job| job.status == Status::InProgress)
        .map(|job| board.handle(&job.id).to_owned())
        .collect();
    let mut todo = board.jobs.iter().filter(|job| job.status == Status::Todo);
    for drone in drones.iter().filter(|drone| board.job_of(drone).is_none()) {
        if let Some(job) = todo.next() {
            busy.push(board.handle(&job.id).to_owned());
            actions.push(json!({"_type": names.direct, "otherFairyId": drone, "taskId": board.handle(&job.id)}));
        }
    }
    let drone = drones.get(dice.roll(drones.len())).copied().unwrap_or(me);
    actions.push(match busy.is_empty() {
        false if dice.roll(6) == 0 => {
            json!({"_type": "await-mode-transition", "otherFairyId": drone, "mode": "standing-by"})
        }
        false if dice.roll(6) == 0 => {
            json!({"_type": "await-event", "eventName": "tea", "matching": [{"field": "sugar", "value": "1"}], "seconds": 3})
        }
        true => json!({"_type": names.end}),
        false => json!({"_type": names.wait, "taskIds": busy}),
    });
    actions
}
