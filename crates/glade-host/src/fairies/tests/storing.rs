//! A disk that takes nothing: what cannot be stored is not asked of a model.

use glade_agent::Input;
use glade_store::RunStatus;

use super::stage::{ONE_BOX, Stage};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_stored_is_not_asked_and_the_next_prompt_is_not_lost() {
    let stage = Stage::set().await;
    let disk = rusqlite::Connection::open(stage.dir.path().join("glade.db")).unwrap();
    disk.execute_batch(
        "CREATE TRIGGER full BEFORE INSERT ON run BEGIN SELECT RAISE(ABORT, 'no room left'); END",
    )
    .unwrap();
    let refused = stage.ask(Input::message("draw it")).await;
    assert_eq!(stage.model.requests(), 0);
    assert!(refused.stream.ended(), "whoever listens is told");
    assert!(stage.deps.workspace.run(&refused.run).is_none());
    assert_eq!(
        stage.deps.workspace.fairy(&stage.fairy).unwrap().mode,
        "idling"
    );

    disk.execute_batch("DROP TRIGGER full").unwrap();
    let run = stage.prompt("draw it").await;
    stage.model.answer(ONE_BOX);
    stage.wait_for_end(&run).await;
    assert_eq!(stage.live().await.len(), 2);
    let row = stage.deps.workspace.run(&run).unwrap();
    assert_eq!(row.status, RunStatus::Pending);
    assert_eq!(
        stage.deps.workspace.fairy(&stage.fairy).unwrap().runs,
        [run]
    );
}
