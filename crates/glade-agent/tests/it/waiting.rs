//! Waiting, as a model does it and as the board takes it.

use glade_agent::projects::{Board, News, Order, ProjectCommand, Raised, Role};
use glade_agent::waits::{Wait, WaitOn};
use glade_agent::{Effect, Event, Input, Mode, Outcome, Source};
use serde_json::{Value, json};

use crate::projects::under_way;
use crate::room::{Room, outcome};

/// A room whose fairy leads the project of these boards: two tasks under way, nobody waits yet.
fn leading() -> Room {
    let mut board = under_way();
    board.waits.clear();
    board.now = 1_000;
    let mut text = serde_json::to_string(&board.project).unwrap();
    text = text.replace("fy_0", "fy_test");
    board.project = serde_json::from_str(&text).unwrap();
    board.meet("fy_test", "Pip", Mode::OrchestratingActive);
    let mut room = Room::new();
    room.board = Some(board);
    room.prompt_with(Input {
        mode: Some(Mode::OrchestratingActive),
        source: Source::OtherAgent,
        ..Input::message("go on")
    });
    room
}

/// What the fairy did in its project.
fn commands(effects: &[Effect]) -> Vec<ProjectCommand> {
    let commands = effects.iter().filter_map(|effect| match effect {
        Effect::Project { command, .. } => Some(command.clone()),
        _ => None,
    });
    commands.collect()
}

fn waits(room: &mut Room, action: Value) -> Vec<Wait> {
    let effects = room.answer(json!([action]));
    assert_eq!(outcome(&effects), Some(Outcome::Done), "{effects:?}");
    assert_eq!(room.agent.mode(), Mode::OrchestratingWaiting);
    let board = room.board.as_mut().unwrap();
    for command in commands(&effects) {
        assert_eq!(board.act_late("fy_test", &command), []);
    }
    board.waits.clone()
}

fn told(orders: &[Order]) -> Vec<&str> {
    let words = orders.iter().filter_map(|order| match order {
        Order::Wake { message, .. } => Some(message.as_str()),
        _ => None,
    });
    words.collect()
}

fn went(board: &mut Board, fairy: &str, mode: Mode) -> Vec<Order> {
    let fairy = fairy.to_owned();
    board.happened(News::Mode {
        fairy,
        mode,
        why: None,
    })
}

#[test]
fn a_leader_waits_until_another_fairy_is_in_a_mode_and_hears_of_it_once() {
    let mut room = leading();
    let action = json!({"_type": "await-mode-transition", "otherFairyId": "Fern", "mode": "one-shotting", "seconds": 5});
    let on = WaitOn::ModeTransition {
        fairy: "fy_1".to_owned(),
        mode: Mode::OneShotting,
    };
    let expected = Wait {
        fairy: "fy_test".to_owned(),
        on,
        until: Some(6_000),
    };
    assert_eq!(waits(&mut room, action), [expected]);
    let board = room.board.as_mut().unwrap();
    assert_eq!(
        told(&went(board, "fy_2", Mode::OneShotting)).len(),
        1,
        "Moth gave its task back"
    );
    let orders = went(board, "fy_1", Mode::OneShotting);
    assert!(
        told(&orders).contains(&"Fern is one-shotting now."),
        "{orders:?}"
    );
    assert_eq!(board.waits, []);
}

#[test]
fn a_leader_waits_for_an_event_that_matches_and_its_prompt_says_so() {
    let mut room = leading();
    let action = json!({"_type": "await-event", "eventName": "header-ready", "matching": [{"field": "page", "value": "2"}]});
    let waiting = waits(&mut room, action);
    assert_eq!(
        waiting[0].on,
        WaitOn::Custom {
            name: "header-ready".to_owned(),
            matching: [("page".to_owned(), json!("2"))].into(),
        }
    );
    let board = room.board.as_mut().unwrap();
    assert_eq!(waiting[0].until, Some(board.now + board.rules.wait_ms));
    let mut raised = |data: Value| {
        let name = "header-ready".to_owned();
        board.happened(News::Raised(Raised { name, data }))
    };
    assert_eq!(raised(json!({"page": 1})), []);
    let orders = raised(json!({"page": 2}));
    assert_eq!(
        told(&orders),
        ["What you waited for has come: header-ready, {\"page\":2}."]
    );
    // Woken while it still waits for something else, it sees what.
    let board = room.board.as_mut().unwrap();
    board.waits = waiting;
    room.schedule(Input {
        mode: Some(Mode::OrchestratingActive),
        source: Source::OtherAgent,
        ..Input::message("The task is done.")
    });
    let prompt = format!("{:?}", room.last_prompt().messages);
    assert!(prompt.contains("the event header-ready"), "{prompt}");
}

#[test]
fn an_event_that_came_before_anybody_waited_is_not_lost_and_is_heard_once() {
    let mut board = under_way();
    board.waits.clear();
    let raise = ProjectCommand::Raise {
        name: "ready".to_owned(),
        data: json!({"part": "a"}),
    };
    assert_eq!(board.act("fy_1", &raise).unwrap(), [], "a drone may");
    let wait = ProjectCommand::AwaitEvent {
        name: "ready".to_owned(),
        matching: [("part".to_owned(), json!("a"))].into(),
        within_ms: None,
    };
    let orders = board.act("fy_0", &wait).unwrap();
    assert_eq!(
        told(&orders),
        ["What you waited for has come: ready, {\"part\":\"a\"}."]
    );
    assert_eq!(board.waits, []);
    assert_eq!(board.act("fy_0", &wait).unwrap(), []);
    assert_eq!(board.waits.len(), 1, "the next one is still to come");
}

#[test]
fn a_drone_tells_of_something_and_goes_on() {
    let mut room = Room::new();
    room.board = leading().board;
    let board = room.board.as_mut().unwrap();
    for member in &mut board.project.members {
        if member.fairy == "fy_test" {
            member.role = Role::Drone;
        }
    }
    board.jobs[0].assignee = Some("fy_test".to_owned());
    room.prompt_with(Input {
        mode: Some(Mode::WorkingDrone),
        source: Source::OtherAgent,
        ..Input::message("draw")
    });
    let text = json!({"actions": [{"_type": "raise-event", "eventName": "ready", "data": [{"field": "part", "value": "a"}]}]});
    let effects = room.delta(&text.to_string());
    let expected = ProjectCommand::Raise {
        name: "ready".to_owned(),
        data: json!({"part": "a"}),
    };
    assert_eq!(commands(&effects), [expected]);
    assert_eq!(room.agent.mode(), Mode::WorkingDrone);
}

#[test]
fn an_order_that_its_project_no_longer_gives_begins_nothing() {
    let order = Input {
        mode: Some(Mode::WorkingDrone),
        source: Source::OtherAgent,
        ordered: true,
        ..Input::message("draw")
    };
    let mut room = Room::new();
    room.send(Event::Rest {
        mode: Mode::StandingBy,
    });
    let effects = room.prompt_with(order.clone());
    assert_eq!(outcome(&effects), Some(Outcome::Stopped));
    assert_eq!(room.agent.mode(), Mode::StandingBy);
    assert!(room.asked.is_empty(), "no model is asked");
    // A person's own wish for a mode that makes no sense is heard all the same.
    room.prompt_with(Input {
        ordered: false,
        ..order
    });
    assert_eq!(room.agent.mode(), Mode::OneShotting);
}

#[test]
fn waits_that_make_no_sense_are_refused_in_words_that_help() {
    let cases = [
        (
            json!({"_type": "await-mode-transition", "otherFairyId": "Pip", "mode": "standing-by"}),
            "you cannot wait for yourself: wait for another fairy, or go on",
        ),
        (
            json!({"_type": "await-mode-transition", "otherFairyId": "Fern", "mode": "working-drone"}),
            "Fern is working-drone already: go on",
        ),
        (
            json!({"_type": "await-mode-transition", "otherFairyId": "Fern", "mode": "orchestrating-active"}),
            "Fern will never be orchestrating-active: it can be standing-by, working-drone, idling",
        ),
        (
            json!({"_type": "await-mode-transition", "otherFairyId": "Fern", "mode": "flying"}),
            "there is no mode \"flying\"",
        ),
        (
            json!({"_type": "await-mode-transition", "otherFairyId": "Bramble", "mode": "standing-by"}),
            "there is no fairy \"Bramble\" in the project",
        ),
    ];
    for (action, reason) in cases {
        let mut room = leading();
        // The refusal ends the answer: the next question comes before its end.
        room.delta(&json!({"actions": [action]}).to_string());
        assert_eq!(room.agent.mode(), Mode::OrchestratingActive);
        assert!(room.told().contains(reason), "{}", room.told());
    }
}

#[test]
fn who_waited_long_enough_is_woken_once_for_all_that_did_not_come() {
    let mut board = under_way();
    board.now += board.rules.wait_ms - 1;
    assert_eq!(board.happened(News::Tick), []);
    board.now += 1;
    let orders = board.happened(News::Tick);
    assert_eq!(
        told(&orders),
        [
            "The task \"a\" (Title a) is not done in time; Fern still works on it. Await it again, or delete it.\n\
          The task \"b\" (Title b) is not done in time; Moth still works on it. Await it again, or delete it."
        ]
    );
    assert_eq!(board.waits, []);
    assert_eq!(board.happened(News::Tick), []);
}
