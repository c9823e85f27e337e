//! The loop of steps in a run: scheduled requests, todos, tasks, failures, budgets.

use glade_agent::{
    Agent, Effect, Event, Failure, FailureKind, Input, Limits, Mode, Outcome, PartData, Source,
    Status, Usage,
};
use glade_canvas::Rect;
use serde_json::{Value, json};

use crate::room::{Room, VIEW, a_box, outcome, words};

fn todo(id: &str, status: &str, text: &str) -> Value {
    json!({"_type": "upsert-personal-todo-item", "id": id, "status": status, "text": text})
}

fn task(id: &str, x: i32) -> Value {
    json!({"_type": "create-task", "taskId": id, "title": format!("Task {id}"), "text": "draw it", "x": x, "y": 0, "w": 300, "h": 200})
}

fn planner() -> Room {
    let mut room = Room::new();
    room.agent.settings.plan_first = true;
    room.prompt("plan and do");
    room
}

#[test]
fn open_todos_go_on_and_done_ones_end_the_run() {
    let mut room = Room::asked("draw two things");
    let effects = room.answer(json!([
        todo("1", "in-progress", "first"),
        todo("2", "todo", "second")
    ]));
    assert_eq!(outcome(&effects), None);
    assert!(room.told().contains("open are: 1, 2"), "{}", room.told());
    let effects = room.answer(json!([todo("1", "done", ""), a_box("a", 0, 0, "A")]));
    assert_eq!(outcome(&effects), None);
    assert_eq!(
        room.agent.agenda().todos[0].text,
        "first",
        "words that are not given stay"
    );
    let effects = room.answer(json!([{"_type": "delete-personal-todo-items", "ids": ["2"]}]));
    assert_eq!(outcome(&effects), Some(Outcome::Done));
    assert_eq!((room.agent.mode(), room.asked.len()), (Mode::Idling, 3));
    assert_eq!(room.agent.agenda().todos, [], "idling forgets the list");
}

#[test]
fn the_host_hears_of_every_change_of_the_list() {
    let mut room = Room::asked("draw");
    let effects = room.answer(json!([todo("1", "todo", "one")]));
    let agenda = effects.iter().find_map(|effect| match effect {
        Effect::Agenda(agenda) => Some(agenda.todos.clone()),
        _ => None,
    });
    let todos = agenda.expect("the list");
    assert_eq!(
        (todos.len(), todos[0].status, todos[0].text.as_str()),
        (1, Status::Todo, "one")
    );
}

#[test]
fn a_review_is_another_step_at_its_place() {
    let mut room = Room::asked("draw");
    let effects = room.answer(json!([
        a_box("a", 0, 0, "A"),
        {"_type": "review", "intent": "the box", "x": -50, "y": -50, "w": 400, "h": 300},
    ]));
    assert_eq!(outcome(&effects), None);
    assert!(
        room.told().contains("\n\nGo on:\n\nReview") && room.told().contains("the box"),
        "{}",
        room.told()
    );
    assert_eq!(room.agent.view(), Rect::new(950.0, 1950.0, 400.0, 300.0));
    assert_eq!(
        outcome(&room.answer(json!([]))),
        Some(Outcome::Done),
        "nothing to correct is an answer"
    );
}

#[test]
fn what_was_counted_comes_as_data_and_is_remembered() {
    let mut room = Room::asked("how many?");
    room.answer(json!([
        a_box("a", 0, 0, "Order one"),
        a_box("b", 300, 0, "Order two"),
        a_box("c", 600, 0, "Pay"),
        {"_type": "count", "expression": "type=rectangle text~order color=blue"},
    ]));
    let data = room.last_prompt().parts.iter().find_map(|part| match part {
        PartData::Data(data) => Some(data.items.clone()),
        _ => None,
    });
    let counted = json!({"count": "type=rectangle text~order color=blue", "shapes": 2});
    assert_eq!(data, Some(vec![counted]));
    room.answer(json!([{"_type": "message", "text": "Two."}]));
    room.prompt("and now?");
    let all: String = room
        .last_prompt()
        .messages
        .iter()
        .map(|message| message.content.as_str())
        .collect();
    assert!(all.contains("[DATA RETRIEVED] {\"count\""), "{all}");
}

#[test]
fn an_expression_that_makes_no_sense_is_told() {
    let mut room = Room::asked("how many?");
    room.answer(json!([{"_type": "count", "expression": "size>3"}]));
    assert!(room.told().contains("is no condition"), "{}", room.told());
}

#[test]
fn flying_on_ends_the_answer_and_shows_what_it_drew() {
    let mut room = Room::asked("draw");
    let step = room.step();
    let text = json!({"actions": [
        a_box("a", 0, 0, "A"),
        {"_type": "fly-to-bounds", "intent": "look right", "x": 5000, "y": 0, "w": 800, "h": 600},
        a_box("late", 0, 300, "Late"),
    ]})
    .to_string();
    let effects = room.delta(&text);
    assert!(effects.contains(&Effect::CancelAsk { step }));
    assert_ne!(room.step(), step);
    assert_eq!(room.agent.view(), Rect::new(6000.0, 2000.0, 800.0, 600.0));
    assert_eq!(room.live().len(), 2, "what came after is not heard");
    let clusters = room
        .last_prompt()
        .parts
        .iter()
        .any(|part| matches!(part, PartData::PeripheralShapes(_)));
    assert!(clusters, "the box just drawn is behind it now");
    assert_eq!(
        room.send(Event::Delta {
            step,
            text: "x".to_owned()
        }),
        [],
        "the old answer is over"
    );
    assert_eq!(
        outcome(&room.answer(json!([{"_type": "message", "text": "Nothing here."}]))),
        Some(Outcome::Done)
    );
}

#[test]
fn a_plan_is_worked_off_task_by_task() {
    let mut room = planner();
    assert_eq!(room.agent.mode(), Mode::Soloing);
    let effects = room.answer(json!([task("one", 0), task("two", 400)]));
    assert_eq!(outcome(&effects), None);
    assert!(
        room.told().contains("open are: one, two"),
        "{}",
        room.told()
    );
    room.delta(&json!({"actions": [{"_type": "start-task", "taskId": "one"}]}).to_string());
    assert_eq!(room.agent.mode(), Mode::WorkingSolo);
    assert_eq!(room.agent.view(), Rect::new(1000.0, 2000.0, 300.0, 200.0));
    let effects = room.answer(json!([a_box("a", 0, 0, "A")]));
    assert_eq!(outcome(&effects), None, "until it is marked as done");
    assert!(
        room.told().contains("is not marked as done yet"),
        "{}",
        room.told()
    );
    let history = |room: &Room| -> Vec<String> {
        room.last_prompt()
            .parts
            .iter()
            .find_map(|part| match part {
                PartData::ChatHistory(data) => {
                    Some(data.items.iter().map(|line| line.text.clone()).collect())
                }
                _ => None,
            })
            .unwrap_or_default()
    };
    assert!(
        !history(&room)
            .iter()
            .any(|line| line.contains("plan and do")),
        "a task remembers itself alone"
    );
    room.delta(&json!({"actions": [{"_type": "mark-task-done"}]}).to_string());
    assert_eq!(room.agent.mode(), Mode::Soloing);
    assert!(room.told().contains("Open are: two"), "{}", room.told());
    assert!(
        !history(&room).iter().any(|line| line.contains("\"a\"")),
        "what was done in the task is forgotten"
    );
    room.delta(&json!({"actions": [{"_type": "start-task", "taskId": "two"}]}).to_string());
    room.delta(&json!({"actions": [{"_type": "mark-task-done"}]}).to_string());
    let effects = room.answer(json!([{"_type": "message", "text": "Both are done."}]));
    assert_eq!(outcome(&effects), Some(Outcome::Done));
    assert_eq!(room.agent.mode(), Mode::Idling);
    assert!(room.agent.agenda().open_tasks().next().is_none());
}

#[test]
fn a_wrong_task_interrupts_with_a_corrective_message() {
    let mut room = planner();
    room.answer(json!([task("one", 0)]));
    let text = json!({"actions": [{"_type": "start-task", "taskId": "nine"}, {"_type": "message", "text": "never said"}]});
    let effects = room.delta(&text.to_string());
    assert!(
        room.told()
            .contains("there is no task \"nine\"; open are: one"),
        "{}",
        room.told()
    );
    assert_eq!(words(&effects), [] as [&str; 0]);
    assert_eq!(room.agent.mode(), Mode::Soloing);
}

#[test]
fn drawing_is_not_allowed_while_planning_nor_planning_while_drawing() {
    let mut room = planner();
    room.answer(json!([a_box("a", 0, 0, "A")]));
    assert!(
        room.told().contains("not allowed in mode soloing"),
        "{}",
        room.told()
    );
    let mut room = Room::asked("draw");
    room.answer(json!([task("one", 0)]));
    assert!(
        room.told().contains("not allowed in mode one-shotting"),
        "{}",
        room.told()
    );
}

#[test]
fn stop_while_working_on_a_task_idles_and_keeps_the_plan() {
    let mut room = planner();
    room.answer(json!([task("one", 0)]));
    room.delta(&json!({"actions": [{"_type": "start-task", "taskId": "one"}]}).to_string());
    assert_eq!(outcome(&room.stop()), Some(Outcome::Stopped));
    assert_eq!(room.agent.mode(), Mode::Idling);
    assert_eq!(room.agent.agenda().current, None);
    assert_eq!(room.agent.agenda().tasks.len(), 1);
}

#[test]
fn stop_pauses_and_a_prompt_resumes_with_the_todos() {
    let mut room = Room::asked("draw");
    room.answer(json!([todo("1", "todo", "one")]));
    room.stop();
    assert_eq!(room.agent.mode(), Mode::Pausing);
    room.prompt("go on");
    assert_eq!(room.agent.mode(), Mode::OneShotting);
    assert_eq!(room.agent.agenda().todos.len(), 1);
}

#[test]
fn who_may_not_know_of_a_run_hears_nothing_of_the_todos_that_it_wrote() {
    let mut room = Room::asked("draw");
    room.answer(json!([todo("vault", "todo", "paint the vault")]));
    room.stop();
    room.visible_runs = Some(["run_2".into()].into());
    room.prompt("go on");
    let prompt = |room: &Room| format!("{:?}", room.last_prompt());
    assert!(!prompt(&room).contains("vault"), "{}", prompt(&room));
    room.answer(json!([todo("2", "todo", "mine")]));
    assert!(room.told().contains("open are: 2."), "{}", room.told());
    assert!(!prompt(&room).contains("vault"), "{}", prompt(&room));
    room.stop();
    room.visible_runs = None;
    room.prompt("go on");
    assert!(prompt(&room).contains("paint the vault"), "nothing is lost");
}

#[test]
fn a_mode_that_is_asked_for_is_taken_unless_nothing_can_be_done_in_it() {
    let mut room = Room::new();
    room.prompt_with(Input {
        mode: Some(Mode::Soloing),
        ..Input::message("plan")
    });
    assert_eq!(room.agent.mode(), Mode::Soloing);
    room.stop();
    room.prompt_with(Input {
        mode: Some(Mode::Sleeping),
        ..Input::message("draw")
    });
    assert_eq!(room.agent.mode(), Mode::OneShotting);
}

#[test]
fn what_is_scheduled_starts_an_idle_fairy_and_waits_for_a_busy_one() {
    let mut room = Room::new();
    room.schedule(Input {
        bounds: Some(VIEW),
        ..Input::message("first")
    });
    assert_eq!(room.asked.len(), 1, "idle: at once");
    let there = Rect::new(0.0, 0.0, 500.0, 400.0);
    assert_eq!(
        room.schedule(Input::message("second")),
        [],
        "busy: it waits"
    );
    room.schedule(Input {
        bounds: Some(there),
        ..Input::message("third")
    });
    let effects = room.answer(json!([a_box("a", 0, 0, "A")]));
    assert_eq!(outcome(&effects), None);
    assert!(
        room.told()
            .ends_with("The person's message:\n\nsecond\n\nthird"),
        "{}",
        room.told()
    );
    assert_eq!(room.agent.view(), there);
    assert_eq!(
        outcome(&room.answer(json!([a_box("b", 0, 0, "B")]))),
        Some(Outcome::Done)
    );
}

#[test]
fn a_failure_that_may_pass_is_tried_again_ever_later() {
    let mut room = Room::asked("draw");
    let first = room.last_prompt().clone();
    let mut waits = Vec::new();
    for _ in 0..4 {
        let effects = room.fail("the model is overloaded", true);
        assert_eq!(outcome(&effects), None);
        waits.push(room.wake.expect("a time").1);
        room.let_it_wake();
        assert_eq!(room.last_prompt(), &first, "the same prompt, word for word");
    }
    assert_eq!(waits, [1000, 2000, 4000, 8000]);
    let effects = room.fail("the model is overloaded", true);
    assert_eq!(
        outcome(&effects),
        Some(Outcome::Failed(Failure::generic("the model is overloaded")))
    );
    room.prompt("again");
    assert_eq!(
        outcome(&room.answer(json!([a_box("a", 0, 0, "A")]))),
        Some(Outcome::Done),
        "the next prompt is not lost"
    );
}

#[test]
fn an_answer_resets_the_count_of_failures() {
    let mut room = Room::asked("draw");
    for number in 0..10 {
        room.fail("busy", true);
        assert_eq!(room.wake.expect("a time").1, 1000, "try {number}");
        room.let_it_wake();
        room.answer(json!([todo("1", "todo", "one")]));
    }
}

#[test]
fn the_provider_says_how_long_to_wait() {
    let mut room = Room::asked("draw");
    let failed = |step, after| Event::Failed {
        step,
        failure: Failure {
            kind: FailureKind::PlanLimit,
            retry_after_ms: Some(after),
            ..Failure::generic("too many requests")
        },
        retryable: true,
    };
    room.send(failed(room.step(), 17_000));
    assert_eq!(room.wake.map(|(_, ms)| ms), Some(17_000));
    room.let_it_wake();
    let effects = room.send(failed(room.step(), 3_600_000));
    assert!(outcome(&effects).is_some(), "nobody waits for an hour");
}

#[test]
fn after_a_cut_the_next_try_goes_on_from_what_stands() {
    let mut room = Room::asked("draw");
    let text = json!({"actions": [a_box("a", 0, 0, "A"), a_box("b", 300, 0, "B")]}).to_string();
    room.delta(&text[..text.len() - 10]);
    room.fail("cut", true);
    assert_eq!(
        room.live().len(),
        2,
        "the whole box stands, the cut one is gone"
    );
    room.let_it_wake();
    assert!(
        room.told().contains("your answer broke off"),
        "{}",
        room.told()
    );
    let history: String = room
        .last_prompt()
        .messages
        .iter()
        .map(|message| message.content.as_str())
        .collect();
    assert!(
        history.contains("draw") && history.contains("[ACTION]"),
        "{history}"
    );
}

#[test]
fn a_message_while_it_waits_is_answered_at_once() {
    let mut room = Room::asked("draw");
    room.fail("busy", true);
    let (step, _) = room.wake.expect("it waits");
    let effects = room.prompt("never mind, a box");
    assert_eq!(outcome(&effects), Some(Outcome::Interrupted));
    assert_eq!(
        room.send(Event::Woken { step }),
        [],
        "the old alarm rings for nobody"
    );
    assert_eq!(
        outcome(&room.answer(json!([a_box("a", 0, 0, "A")]))),
        Some(Outcome::Done)
    );
}

#[test]
fn words_that_come_while_it_waits_come_with_the_next_try() {
    let mut room = Room::asked("draw");
    room.fail("busy", true);
    room.schedule(Input::message("in red"));
    room.let_it_wake();
    assert!(
        room.told()
            .ends_with("The person's message:\n\ndraw\n\nin red"),
        "{}",
        room.told()
    );
}

#[test]
fn a_failing_run_with_open_todos_ends_and_keeps_them() {
    let mut room = Room::asked("draw");
    room.answer(json!([todo("1", "todo", "one")]));
    let effects = room.fail("no key", false);
    assert_eq!(
        outcome(&effects),
        Some(Outcome::Failed(Failure::generic("no key")))
    );
    assert_eq!(room.agent.mode(), Mode::Pausing);
    assert_eq!(room.agent.agenda().todos.len(), 1);
}

#[test]
fn a_run_ends_with_a_word_when_its_tokens_are_used() {
    let mut room = Room::new();
    room.agent.settings.limits = Limits {
        steps: 1000,
        tokens: 10_000,
        ..Limits::default()
    };
    room.prompt("draw");
    let mut steps = 0;
    let ended = loop {
        steps += 1;
        let step = room.step();
        room.delta(&json!({"actions": [todo("1", "todo", "one")]}).to_string());
        let usage = Usage {
            input_tokens: 3_000,
            output_tokens: 500,
        };
        let effects = room.send(Event::Answered {
            step,
            usage,
            stop: Default::default(),
        });
        if outcome(&effects).is_some() {
            break effects;
        }
    };
    assert_eq!(steps, 3);
    assert_eq!(
        words(&ended),
        [
            "I stopped because this took 10500 tokens and I may use 10000 at once. Tell me to go on if it is worth more."
        ]
    );
    assert_eq!(room.agent.mode(), Mode::Pausing, "what is open is kept");
}

#[test]
fn a_model_that_counts_nothing_is_counted_for() {
    let mut room = Room::new();
    room.agent.settings.limits = Limits {
        steps: 1000,
        tokens: 20_000,
        ..Limits::default()
    };
    room.prompt("draw");
    for _ in 0..100 {
        if outcome(&room.answer(json!([todo("1", "todo", "one")]))).is_some() {
            return;
        }
    }
    panic!("no end");
}

#[test]
fn reset_forgets_the_chat_and_begins_where_it_looks() {
    let mut room = Room::asked("draw");
    room.answer(json!([a_box("a", 0, 0, "A"), todo("1", "todo", "one")]));
    room.roll_back_open();
    let effects = room.send(Event::Reset);
    assert_eq!(outcome(&effects), Some(Outcome::Stopped));
    assert_eq!(room.agent.mode(), Mode::Idling);
    assert!(room.agent.history().is_empty());
    assert_eq!(room.agent.agenda(), &Default::default());
    room.prompt_with(Input {
        bounds: Some(Rect::new(0.0, 0.0, 800.0, 600.0)),
        ..Input::message("new")
    });
    room.answer(json!([a_box("b", 10, 20, "B")]));
    assert_eq!(
        (room.named("B").x(), room.named("B").y()),
        (10.0, 20.0),
        "a new origin"
    );
}

#[test]
fn a_sleeping_fairy_is_woken_by_a_prompt() {
    let mut room = Room::new();
    let mut kept = serde_json::to_value(room.agent.checkpoint()).unwrap();
    kept["mode"] = json!("sleeping");
    let kept = serde_json::from_value(kept).unwrap();
    room.agent = Agent::restore(room.agent.settings.config.clone(), kept);
    room.stop();
    assert_eq!(room.agent.mode(), Mode::Sleeping);
    room.prompt("draw");
    assert_eq!(room.agent.mode(), Mode::OneShotting);
}

#[test]
fn another_fairys_words_read_as_a_persons() {
    let mut room = Room::new();
    room.prompt_with(Input {
        source: Source::OtherAgent,
        ..Input::message("help me")
    });
    assert!(room.told().contains("help me"));
    assert!(!room.told().contains("About your last answer"));
}
