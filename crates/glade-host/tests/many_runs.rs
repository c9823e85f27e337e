//! What a server holds does not grow with the runs that it has done. A program of its own: nothing else is in its memory.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use futures_util::StreamExt as _;
use glade_canvas::Rect;
use glade_doc::Surface;
use glade_host::headless::Headless;

/// Runs before the first look, so that everything that is made once is there.
const BEFORE: usize = 100;
/// Megabytes that an allocator may hold on to, whatever was done.
const SPARE: usize = 12;

/// How many runs are done between the two looks.
fn more() -> usize {
    match std::env::var_os("GLADE_SOAK") {
        Some(_) => 100_000,
        None => 400,
    }
}

/// Megabytes that this process holds.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.unwrap().split_whitespace().next().unwrap();
    kilobytes.parse::<usize>().unwrap() / 1024
}

/// One message, until its run is over: something that the fairy only talks about, for a page grows with what is drawn.
async fn talk(headless: &Headless, number: usize) {
    let view = Rect::new(0.0, 0.0, 800.0, 600.0);
    let message = format!("What can you do? ({number})");
    let (run, said) = headless.ask(&message, view).await.unwrap();
    let said = said.collect::<Vec<_>>().await;
    assert!(!said.is_empty(), "message {number} was not answered");
    let outcome = headless.outcome(&run).await.unwrap();
    assert_eq!(outcome.error, None, "message {number}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_holds_no_more_after_many_runs_than_after_a_few() {
    let (scratch, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let headless = Headless::start(scratch.path(), data.path(), "sketch", Surface::Canvas, &[]);
    let headless = headless.await.unwrap();
    for number in 0..BEFORE {
        talk(&headless, number).await;
    }
    let few = memory();
    for number in BEFORE..BEFORE + more() {
        talk(&headless, number).await;
    }
    let many = memory();
    eprintln!(
        "{few} MB after {BEFORE} runs, {many} MB after {} more",
        more()
    );
    assert!(
        many <= few + SPARE,
        "{few} MB after {BEFORE} runs, {many} MB after {} more",
        more()
    );
}
