//! The calls of one answer.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use glade_code::{CallOutcome, Cancel, Code, ToolError, run_calls};
use serde_json::json;

use crate::support::{TestProject, call};

fn edit(id: &str, from: &str, to: &str) -> glade_code::Call {
    call(
        id,
        "multi-edit",
        json!({"path": "a.txt", "edits": [{"old_string": from, "new_string": to}]}),
    )
}

#[test]
fn calls_about_one_file_keep_their_order_and_results_that_of_the_calls() {
    let project = TestProject::with(&[("a.txt", "0"), ("b.txt", "b")]);
    let calls = [
        edit("1", "0", "1"),
        call("2", "read-file", json!({"path": "b.txt"})),
        edit("3", "1", "2"),
        call("4", "nothing", json!({})),
        edit("5", "2", "3"),
        edit("6", "0", "9"),
    ];
    let carried = run_calls(
        project.context(),
        &calls,
        Duration::from_secs(5),
        &|_, _| Ok(()),
    );
    let codes: Vec<(&str, Option<Code>)> = carried
        .iter()
        .map(|c| {
            (
                c.id.as_str(),
                c.outcome.as_ref().err().map(|e| e.code.clone()),
            )
        })
        .collect();
    assert_eq!(
        codes,
        [
            ("1", None),
            ("2", None),
            ("3", None),
            ("4", Some(Code::UnknownTool)),
            ("5", None),
            ("6", Some(Code::NoMatch)),
        ]
    );
    assert_eq!(project.on_disk("a.txt").unwrap(), "3");
}

#[test]
fn the_bytes_before_are_kept_before_the_file_changes() {
    let project = TestProject::with(&[("a.txt", "old")]);
    let kept = Mutex::new(Vec::new());
    run_calls(
        project.context(),
        &[edit("1", "old", "new")],
        Duration::from_secs(5),
        &|call, change| {
            let on_disk = project.on_disk("a.txt").unwrap();
            kept.lock()
                .unwrap()
                .push((call.id.clone(), change.before.clone(), on_disk));
            Ok(())
        },
    );
    assert_eq!(
        *kept.lock().unwrap(),
        [("1".to_owned(), Some(b"old".to_vec()), "old".to_owned())]
    );
    let refused = run_calls(
        project.context(),
        &[edit("2", "new", "newer")],
        Duration::from_secs(5),
        &|_, _| Err(ToolError::new(Code::Io, "The disk is full.")),
    );
    assert_eq!(refused[0].outcome.as_ref().unwrap_err().code, Code::Io);
    assert_eq!(
        project.on_disk("a.txt").unwrap(),
        "new",
        "what cannot be undone is not done"
    );
}

#[test]
fn a_call_that_breaks_down_has_a_result_too() {
    let project = TestProject::with(&[("a.txt", "old")]);
    let carried = run_calls(
        project.context(),
        &[edit("1", "old", "new")],
        Duration::from_secs(5),
        &|_, _| panic!("a planted panic"),
    );
    let [CallOutcome { id, outcome, .. }] = carried.as_slice() else {
        panic!("one call, one result")
    };
    assert_eq!(
        (id.as_str(), outcome.as_ref().unwrap_err().code.clone()),
        ("1", Code::Internal)
    );
    assert_eq!(project.on_disk("a.txt").unwrap(), "old");
}

#[test]
fn a_cancelled_search_ends_at_once() {
    let project = TestProject::with(&[]);
    let line = format!("{}\n", "abcdefgh".repeat(100));
    for file in 0..200 {
        project.put(&format!("{file}.txt"), &line.repeat(500));
    }
    let cancel = Cancel::new();
    let context = glade_code::ToolContext {
        cancel: &cancel,
        ..project.context()
    };
    let search = call("1", "grep-search", json!({"query": "(a|b)+[a-z]*(g|h)+z"}));
    let (took, outcome) = thread::scope(|scope| {
        let running =
            scope.spawn(|| run_calls(context, &[search], Duration::from_secs(60), &|_, _| Ok(())));
        thread::sleep(Duration::from_millis(20));
        cancel.cancel();
        let began = Instant::now();
        let mut carried = running.join().unwrap();
        (began.elapsed(), carried.remove(0).outcome)
    });
    if let Err(error) = outcome {
        assert_eq!(error.code, Code::Cancelled);
    }
    assert!(took < Duration::from_secs(1), "took {took:?} to stop");
}

#[test]
fn a_call_past_its_time_is_ended() {
    let project = TestProject::with(&[("a.txt", "x")]);
    let carried = run_calls(
        project.context(),
        &[edit("1", "x", "y")],
        Duration::ZERO,
        &|_, _| Ok(()),
    );
    assert_eq!(
        carried[0].outcome.as_ref().unwrap_err().code,
        Code::TimedOut
    );
    assert_eq!(project.on_disk("a.txt").unwrap(), "x");
}

#[test]
fn calls_that_find_more_than_a_model_can_read_are_told_so() {
    let long = "x\n".repeat(64 * 1024);
    let files: Vec<String> = (0..40).map(|n| format!("{n}.txt")).collect();
    let contents: Vec<(&str, &str)> = files
        .iter()
        .map(|it| (it.as_str(), long.as_str()))
        .collect();
    let project = TestProject::with(&contents);
    let read = |file: &String| {
        let input = json!({"path": file});
        call(file, "read-file", input)
    };
    let calls: Vec<glade_code::Call> = files.iter().map(read).collect();
    let carried = run_calls(
        project.context(),
        &calls,
        Duration::from_secs(30),
        &|_, _| Ok(()),
    );
    let refused =
        |one: &&CallOutcome| matches!(&one.outcome, Err(error) if error.code == Code::TooMuch);
    let whole = carried.iter().filter(|one| one.outcome.is_ok()).count();
    assert_eq!(whole + carried.iter().filter(refused).count(), files.len());
    assert!((16..=24).contains(&whole), "{whole}");
}
