//! Answers that become drawings, and runs that end or are tried again.

use std::time::Duration;

use glade_model::ModelError;
use glade_store::RunStatus;

use super::stage::{ONE_BOX, Stage, answer, named, whole_pages};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_answer_becomes_a_pending_run_that_can_be_undone() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    stage.model.say(&answer());
    stage.model.end();
    stage.wait_for_end(&run).await;
    assert_eq!(stage.live().await, whole_pages()[4]);
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.settled), (RunStatus::Pending, false));
    assert_eq!(row.elements.len(), 5);
    assert_eq!((row.cost.input_tokens, row.cost.output_tokens), (7, 5));

    let room = stage.deps.rooms.room(&stage.page).await.unwrap();
    let report = room.undo_run(run.as_str().into(), None).await.unwrap();
    assert_eq!(report.undone.len(), 5);
    assert_eq!(report.kept, []);
    assert_eq!(stage.live().await, named(&[]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_the_fairy_ends_itself_is_not_mistaken_for_the_next() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let fly = r#"{"_type":"fly-to-bounds","intent":"","x":900,"y":0,"w":500,"h":400}"#;
    // The rest of the old answer, and its end, arrive together with the action that ends it.
    let late = ONE_BOX.replace("\"A\"", "\"Late\"");
    for piece in format!(r#"{{"actions":[{ONE_BOX},{fly},{late}]}}"#).split_inclusive(',') {
        stage.model.say(piece);
    }
    stage.model.end();
    stage
        .wait("the model is asked again", || stage.model.requests() == 2)
        .await;
    assert_eq!(stage.live().await.len(), 2, "the box, not the late one");
    assert_eq!(
        stage.deps.workspace.run(&run).unwrap().status,
        RunStatus::Running
    );
    stage
        .model
        .say(r#"{"actions":[{"_type":"message","text":"Nothing here."}]}"#);
    stage.model.end();
    stage.wait_for_end(&run).await;
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!((row.status, row.steps.len()), (RunStatus::Pending, 2));
    assert!(
        row.cost.input_tokens > 7 && row.cost.output_tokens > 5,
        "the cut answer has its cost too: {:?}",
        row.cost
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_that_passes_is_tried_again_in_the_same_run() {
    let stage = Stage::set().await;
    let run = stage.prompt("go").await;
    let error = ModelError::RateLimited {
        model: "sketch".to_owned(),
        retry_after: Some(Duration::from_millis(20)),
    };
    let _closed = stage.model.asked.lock().unwrap()[0].send(Err(error));
    stage
        .wait("the model is asked again", || stage.model.requests() == 2)
        .await;
    stage.model.say(&format!(r#"{{"actions":[{ONE_BOX}]}}"#));
    stage.model.end();
    stage.wait_for_end(&run).await;
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!(row.status, RunStatus::Pending);
    let errors: Vec<bool> = row.steps.iter().map(|step| step.error.is_some()).collect();
    assert_eq!(errors, [true, false]);
}
