//! What a fairy takes on from the page's list, fetches from outside, and sees: through the host.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use glade_agent::{Input, Outside};
use glade_store::RunStatus;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::stage::{ONE_BOX, Stage};
use crate::fairies::{Asked, Fetcher, HostError};
use crate::ids;
use crate::workspace::{Task, TaskStatus};

const DONE: &str = r#"{"_type":"message","text":"Done."}"#;

impl Stage {
    async fn to_do(&self, title: &str) -> String {
        let task = Task {
            id: ids::task(),
            title: title.to_owned(),
            text: String::new(),
            page: self.page.to_string(),
            bounds: None,
            status: TaskStatus::Todo,
            assignee: None,
            project: None,
            created_by: "person:owner".to_owned(),
            created_at: 0,
            position: 0.0,
        };
        self.deps
            .workspace
            .add_task(task, Vec::new())
            .await
            .unwrap()
            .id
    }

    fn task(&self, id: &str) -> (Option<String>, TaskStatus) {
        let task = self.deps.workspace.task(id).unwrap();
        (task.assignee, task.status)
    }

    fn printed(&self) -> String {
        let messages = self.model.prompt().messages;
        messages
            .iter()
            .map(|message| message.content.as_str())
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_task_is_seen_claimed_and_marked_as_done() {
    let stage = Stage::set().await;
    let task = stage.to_do("Draw the door").await;
    let run = stage.prompt("help").await;
    assert!(stage.printed().contains(&task) && stage.printed().contains("Draw the door"));
    stage
        .model
        .answer(&format!(r#"{{"_type":"claim-todo-item","id":"{task}"}}"#));
    stage.asked(2).await;
    assert_eq!(
        stage.task(&task),
        (Some(stage.fairy.clone()), TaskStatus::InProgress)
    );
    let done = format!(r#"{{"_type":"upsert-personal-todo-item","id":"{task}","status":"done"}}"#);
    stage.model.answer(&format!("{ONE_BOX},{done}"));
    stage.wait_for_end(&run).await;
    assert_eq!(
        stage.task(&task),
        (Some(stage.fairy.clone()), TaskStatus::Done)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_claim_the_same_the_slower_is_told() {
    let stage = Stage::set().await;
    let task = stage.to_do("Draw the door").await;
    let run = stage.prompt("help").await;
    // Seen in the prompt, but gone since.
    let taken = stage.deps.workspace.change_task(&task, |task| {
        task.assignee = Some("fy_other".to_owned());
        Ok::<_, HostError>(Vec::new())
    });
    taken.await.unwrap();
    stage
        .model
        .answer(&format!(r#"{{"_type":"claim-todo-item","id":"{task}"}}"#));
    stage.asked(2).await;
    assert!(
        stage.printed().contains("somebody else has taken it on"),
        "{}",
        stage.printed()
    );
    stage.model.answer(DONE);
    stage.wait_for_end(&run).await;
    assert_eq!(
        stage.task(&task),
        (Some("fy_other".to_owned()), TaskStatus::Todo)
    );
}

/// Answers when it is let.
struct Slow {
    leave: Arc<Semaphore>,
}

impl Fetcher for Slow {
    fn fetch(&self, what: Outside) -> BoxFuture<'static, Result<Value, String>> {
        let leave = Arc::clone(&self.leave);
        async move {
            leave
                .acquire()
                .await
                .map_err(|error| error.to_string())?
                .forget();
            Ok(json!({"what": what, "capital": "Valletta"}))
        }
        .boxed()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_waits_for_what_it_fetches_and_stop_does_not() {
    let leave = Arc::new(Semaphore::new(0));
    let slow: Arc<dyn Fetcher> = Arc::new(Slow {
        leave: Arc::clone(&leave),
    });
    let dir = tempfile::tempdir().unwrap();
    let stage = Stage::with(dir, usize::MAX, Some(slow)).await;
    let fetch = r#"{"_type":"country-info","code":"MLT"}"#;
    let run = stage.prompt("Malta").await;
    stage.model.answer(fetch);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(stage.model.requests(), 1, "it waits");
    leave.add_permits(1);
    stage.asked(2).await;
    assert!(stage.printed().contains("Valletta"), "{}", stage.printed());
    stage.model.answer(DONE);
    stage.wait_for_end(&run).await;

    let run = stage.prompt("again").await;
    stage.model.answer(fetch);
    stage.host.stop(&stage.fairy).await.unwrap();
    assert_eq!(
        stage.deps.workspace.run(&run).unwrap().status,
        RunStatus::Cancelled
    );
    leave.add_permits(1);
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    assert_eq!(stage.model.requests(), 3, "what comes too late is nobody's");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_there_is_not_is_refused_in_words_and_nothing_is_stopped_for_it() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let asked = || Asked {
        input: Input {
            model: Some("nobody/nothing".to_owned()),
            ..Input::message("with another")
        },
        message: None,
        asker: None,
    };
    for refused in [
        stage.host.prompt(&stage.fairy, asked()).await.map(|_| ()),
        stage.host.schedule(&stage.fairy, asked()).await.map(|_| ()),
    ] {
        let error = refused.unwrap_err().to_string();
        assert!(
            error.contains("there is no model nobody/nothing"),
            "{error}"
        );
    }
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;
    assert_eq!(
        stage.deps.workspace.run(&run).unwrap().status,
        RunStatus::Pending
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_picture_that_a_model_saw_is_kept_under_the_hash_in_its_prompt() {
    let stage = Stage::set().await;
    stage.model.has_eyes.store(true, Ordering::Relaxed);
    let run = stage.prompt("draw").await;
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;
    let run = stage.prompt("and now?").await;
    let seen = stage.model.prompt().picture.unwrap();
    stage.model.answer(DONE);
    stage.wait_for_end(&run).await;
    let steps = stage.deps.store.steps_of_run(&run).unwrap();
    let stored: Value = serde_json::from_str(&steps[0].prompt_json).unwrap();
    assert_eq!(stored["picture"]["sha256"], json!(seen.sha256));
    let kept = stage.deps.store.blob(&seen.sha256).unwrap().unwrap();
    assert_eq!(kept.bytes(), seen.bytes);
    let preview = stage.host.preview(&stage.fairy, Input::message("what?"));
    let picture = preview.await.unwrap().picture.unwrap();
    assert_eq!(picture.media_type, "image/jpeg", "a preview has one too");
    assert!(!picture.bytes.is_empty() && picture.sha256.len() == 64);
}
