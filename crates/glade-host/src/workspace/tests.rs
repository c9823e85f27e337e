//! What the workspace holds in memory, and what it leaves to the store.

use glade_store::{RunOwner, RunStatus, RunTarget, Store};

use super::{Fairy, RECENT_RUNS, Run, Workspace};
use crate::first_start;

fn opened(dir: &std::path::Path) -> (Workspace, Fairy) {
    let store = Store::open(dir).unwrap();
    first_start::furnish(&store, "sketch").unwrap();
    let workspace = Workspace::open(store).unwrap();
    let fairy = workspace.snapshot().fairies.remove(0);
    (workspace, fairy)
}

fn run(fairy: &str, number: i64, status: RunStatus) -> Run {
    let owner = RunOwner::Fairy(fairy.to_owned());
    let target = RunTarget::Pages("pg_1".to_owned());
    let mut run = Run::begin(owner, target, format!("ask {number}"));
    run.started_at = number;
    run.settled = status == RunStatus::Kept;
    run.status = status;
    run
}

/// Runs held, and runs that the fairy is shown with.
fn held_after(count: i64) -> (usize, usize) {
    let dir = tempfile::tempdir().unwrap();
    let (workspace, fairy) = opened(dir.path());
    for number in 0..count {
        workspace.show_run(run(&fairy.id, number, RunStatus::Kept));
    }
    let snapshot = workspace.snapshot();
    (snapshot.runs.len(), snapshot.fairies[0].runs.len())
}

#[test]
fn a_server_that_has_done_many_runs_holds_no_more_than_one_that_has_done_a_few() {
    let most = 2 * RECENT_RUNS as usize;
    assert_eq!(held_after(100), (most, most));
    let (held, of_fairy) = held_after(100_000);
    assert!(held <= most && of_fairy <= most, "{held}, {of_fairy}");
}

#[tokio::test]
async fn a_run_that_left_memory_is_found_in_the_store_and_one_that_waits_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (workspace, fairy) = opened(dir.path());
    let old = run(&fairy.id, 0, RunStatus::Kept);
    let waits = run(&fairy.id, 1, RunStatus::Pending);
    for run in [&old, &waits] {
        workspace.put_run(run.clone()).await.unwrap();
    }
    for number in 2..200 {
        workspace.show_run(run(&fairy.id, number, RunStatus::Kept));
    }
    assert_eq!(workspace.run(&old.id), None);
    assert_eq!(workspace.find_run(&old.id).unwrap(), Some(old));
    assert_eq!(workspace.run(&waits.id), Some(waits));
}
