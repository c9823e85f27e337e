//! Runs of many steps, what is scheduled, and what a run may cost.

use std::time::{Duration, Instant};

use glade_access::Capability;
use glade_agent::{Input, Limits};
use glade_model::{ModelEvent, Spent};
use glade_store::RunStatus;
use serde_json::json;

use super::stage::{ONE_BOX, Stage};
use crate::fairies::{Asked, COMMITS_A_SECOND, FairyChange, HostError, Manage};
use crate::workspace::Scope;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn todos_are_shown_while_they_are_worked_off_and_what_is_scheduled_waits() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let later = Asked {
        input: Input::message("and in red"),
        message: None,
        asker: None,
    };
    let started = stage.host.schedule(&stage.fairy, later).await.unwrap();
    assert!(started.is_none(), "it is busy");
    stage.model.say(r#"{"actions":[{"_type":"upsert-personal-todo-item","id":"1","status":"todo","text":"paint"}]}"#);
    stage.model.end();
    stage
        .wait("the model is asked again", || stage.model.requests() == 2)
        .await;
    let todos = stage.deps.workspace.fairy(&stage.fairy).unwrap().todos;
    assert_eq!(
        todos,
        [json!({"id": "1", "status": "todo", "text": "paint"})]
    );
    stage.model.say(r#"{"actions":[{"_type":"upsert-personal-todo-item","id":"1","status":"done","text":"paint"}]}"#);
    stage.model.end();
    stage.wait_for_end(&run).await;
    let fairy = stage.deps.workspace.fairy(&stage.fairy).unwrap();
    assert_eq!((fairy.mode.as_str(), fairy.todos), ("idling", vec![]));
}

const TODO: &str =
    r#"{"_type":"upsert-personal-todo-item","id":"1","status":"todo","text":"paint"}"#;

impl Stage {
    async fn change(&self, change: FairyChange) {
        let manage = Manage::Change(Box::new(change));
        self.host.manage(&self.fairy, manage).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fairy_that_is_sent_out_of_its_scope_ends_what_it_is_at_and_stays() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    stage.model.say(r#"{"actions":["#);
    let change = FairyChange {
        page: Some("pg_elsewhere".to_owned()),
        scope: Some(Scope {
            pages: Some([stage.page.to_string()].into()),
            ..Scope::default()
        }),
        ..FairyChange::default()
    };
    let manage = Manage::Change(Box::new(change));
    let sent = stage.host.manage(&stage.fairy, manage).await;
    assert!(matches!(sent, Err(HostError::OutOfScope(..))), "{sent:?}");
    let status = |run: &str| stage.deps.workspace.run(run).unwrap().status;
    stage.wait_for_end(&run).await;
    assert_eq!(status(&run), RunStatus::Cancelled);
    let run = stage.prompt("again").await;
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;
    assert_eq!(status(&run), RunStatus::Pending);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_ends_without_an_end_is_a_failure_that_is_tried_again() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    stage.model.say(r#"{"actions":["#);
    stage.model.cut();
    stage.asked(2).await;
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!(row.status, RunStatus::Pending);
    let error = row.steps[0].error.as_deref().unwrap();
    assert!(error.contains("broke off in the middle"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_cost_enough_ends_with_a_word_about_it() {
    let stage = Stage::set().await;
    stage
        .change(FairyChange {
            limits: Some(Limits {
                usd: 0.5,
                ..Limits::default()
            }),
            ..FairyChange::default()
        })
        .await;
    let run = stage.prompt("go").await;
    let spent = Spent {
        usd: Some(0.51),
        ..Spent::default()
    };
    stage.model.tell(Ok(ModelEvent::Spent(spent)));
    stage.model.answer(TODO);
    stage.wait_for_end(&run).await;
    assert_eq!(stage.model.requests(), 1, "the open todo costs no more");
    let chat = stage.deps.store.messages(&stage.fairy).unwrap();
    let words = &chat.last().unwrap().body_json;
    assert!(
        words.contains("this cost $0.51 and I may spend $0.50"),
        "{words}"
    );
    let cost = stage.deps.workspace.run(&run).unwrap().cost.usd;
    assert!((cost - 0.51).abs() < 1e-9);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_else_asks_for_later_is_a_run_of_its_own_and_merges_with_its_like() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let ann = Capability::local("main", "person:ann").unwrap();
    for message in ["a house", "with a door"] {
        let asked = Asked {
            input: Input::message(message),
            message: None,
            asker: Some(ann.clone()),
        };
        let started = stage.host.schedule(&stage.fairy, asked).await.unwrap();
        assert!(started.is_none(), "it is busy");
    }
    // A failure of the first does not lose the second.
    let gone = glade_model::ModelError::Auth {
        model: "sketch".to_owned(),
        detail: "no".to_owned(),
    };
    stage.model.tell(Err(gone));
    stage.wait_for_end(&run).await;
    stage.asked(2).await;
    stage.model.answer(ONE_BOX);
    let runs = || stage.deps.workspace.snapshot().runs;
    stage
        .wait("both end", || {
            runs().iter().all(|run| run.status != RunStatus::Running)
        })
        .await;
    let ended: Vec<_> = runs().into_iter().map(|r| (r.message, r.status)).collect();
    assert_eq!(
        ended,
        [
            ("go".to_owned(), RunStatus::Failed),
            ("a house\n\nwith a door".to_owned(), RunStatus::Pending)
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_fairy_that_keeps_at_once_does_is_kept() {
    let stage = Stage::set().await;
    stage
        .change(FairyChange {
            keep_at_once: Some(true),
            ..FairyChange::default()
        })
        .await;
    let run = stage.prompt("go").await;
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.settled), (RunStatus::Kept, true));
    stage.deps.store.write(Vec::new()).await.unwrap();
    let room = stage.deps.rooms.room(&stage.page).await.unwrap();
    stage
        .wait("the room lets go", || {
            let touches = stage.deps.store.load_page(stage.page.as_str()).unwrap();
            touches.touches.is_empty()
        })
        .await;
    let report = room.undo_run(run.as_str().into(), None).await.unwrap();
    assert_eq!(report.undone.len(), 0);
    assert_eq!(stage.live().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fairy_commits_at_most_thirty_times_a_second() {
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::at_a_pace(dir, COMMITS_A_SECOND).await;
    let run = stage.prompt("go").await;
    let boxes: Vec<String> = (0..40)
        .map(|number| {
            ONE_BOX.replace(
                r#""shapeId":"a","x":0"#,
                &format!(r#""shapeId":"b{number}","x":{}"#, number * 300),
            )
        })
        .collect();
    let began = Instant::now();
    stage.model.answer(&boxes.join(","));
    stage.wait_for_end(&run).await;
    assert!(
        began.elapsed() >= Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(stage.live().await.len(), 80);
}

/// Through store, room and chat; the core's own test looks closer at what is folded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_steps_hold_the_budget_of_the_history() {
    let stage = Stage::set().await;
    stage
        .change(FairyChange {
            limits: Some(Limits {
                steps: 500,
                tokens: u64::MAX,
                ..Limits::default()
            }),
            ..FairyChange::default()
        })
        .await;
    let run = stage.prompt("go").await;
    let mut longest = 0;
    for step in 1..=500 {
        stage.asked(step).await;
        let prompt = stage.model.prompt();
        let said: usize = prompt
            .messages
            .iter()
            .map(|message| message.content.len())
            .sum();
        longest = longest.max(said);
        let note = format!(
            r#"{{"_type":"think","text":"step {step}: {}"}}"#,
            "so ".repeat(60)
        );
        stage.model.answer(&format!("{note},{TODO}"));
    }
    stage.wait_for_end(&run).await;
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.steps.len()), (RunStatus::Kept, 500));
    assert!(
        longest < 4 * glade_agent::history::TOKEN_BUDGET + 4_000,
        "{longest} characters"
    );
}
