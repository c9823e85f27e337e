//! Moving files.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Mutex;
use std::time::Duration;

use glade_code::{ChangeKind, Code, PlannedChange, UnifiedDiff, results, run_calls};
use serde_json::{Value, json};

use crate::support::{TestProject, call};

fn to(from: &str, to: &str) -> Value {
    json!({"path": from, "to": to})
}

#[test]
fn a_file_is_moved_as_it_is() {
    let project = TestProject::with(&[("run.sh", "echo\n")]);
    fs::write(project.root().join("logo.bin"), [0, 159, 146, 150]).unwrap();
    let script = project.root().join("run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o750)).unwrap();
    let moved = project
        .call("move-file", to("run.sh", "bin/new/run.sh"))
        .unwrap();
    assert_eq!(
        moved,
        json!({"from": "run.sh", "to": "bin/new/run.sh", "diff": {"text": "rename from run.sh\nrename to bin/new/run.sh\n"}})
    );
    assert!(results::print("move-file", &moved).starts_with("Moved run.sh to bin/new/run.sh."));
    assert_eq!(
        (project.on_disk("run.sh"), project.on_disk("bin/new/run.sh")),
        (None, Some("echo\n".to_owned()))
    );
    let mode = fs::metadata(project.root().join("bin/new/run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
    project
        .call("move-file", to("logo.bin", "img/logo.bin"))
        .unwrap();
    assert_eq!(
        fs::read(project.root().join("img/logo.bin")).unwrap(),
        [0, 159, 146, 150]
    );
}

#[test]
fn a_move_overwrites_nothing_and_leaves_the_project_to_nobody() {
    let project = TestProject::with(&[
        ("a.txt", "a"),
        ("b.txt", "b"),
        ("dir/c.txt", "c"),
        (".gitignore", "x\n"),
    ]);
    symlink("a.txt", project.root().join("link.txt")).unwrap();
    symlink("nowhere", project.root().join("dead.txt")).unwrap();
    let cases = [
        (to("a.txt", "b.txt"), Code::AlreadyThere),
        (to("a.txt", "a.txt"), Code::AlreadyThere),
        (to("a.txt", "dir"), Code::AlreadyThere),
        (to("a.txt", "dead.txt"), Code::AlreadyThere),
        (to("none.txt", "c.txt"), Code::FileNotFound),
        (to("dir", "folder"), Code::NotAFile),
        (to("link.txt", "c.txt"), Code::NotAFile),
        (to("a.txt", "../out.txt"), Code::OutsideProject),
        (to("../out.txt", "c.txt"), Code::OutsideProject),
        (to("a.txt", ".git/hooks/x"), Code::ProtectedPath),
        (to("a.txt", "sub/.gitignore"), Code::ProtectedPath),
        (to(".gitignore", "c.txt"), Code::ProtectedPath),
        (to("a.txt", ".env"), Code::ProtectedPath),
        (json!({"path": "a.txt"}), Code::Missing("to")),
    ];
    for (input, code) in cases {
        assert_eq!(
            project.call("move-file", input.clone()),
            Err(code),
            "{input}"
        );
    }
    assert_eq!(project.on_disk("a.txt").unwrap(), "a");
    assert!(!project.root().parent().unwrap().join("out.txt").exists());
}

#[test]
fn a_move_is_one_change_of_two_paths_told_before_it_is_made() {
    let project = TestProject::with(&[("a.txt", "a\n")]);
    let told: Mutex<Vec<PlannedChange>> = Mutex::default();
    let calls = [call("1", "move-file", to("a.txt", "b.txt"))];
    run_calls(
        project.context(),
        &calls,
        Duration::from_secs(5),
        &|_, change| {
            assert_eq!(project.on_disk("a.txt").as_deref(), Some("a\n"));
            told.lock().unwrap().push(change.clone());
            Ok(())
        },
    );
    let told = told.into_inner().unwrap();
    let [change] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(change.kind(), ChangeKind::Move);
    let text = "rename from a.txt\nrename to b.txt\n".to_owned();
    assert_eq!(change.diff(), UnifiedDiff::Text(text));
    let writes: Vec<_> = change
        .writes()
        .iter()
        .map(|it| {
            (
                it.path.as_str().to_owned(),
                it.before.is_some(),
                it.after.is_some(),
            )
        })
        .collect();
    assert_eq!(
        writes,
        [
            ("a.txt".to_owned(), true, false),
            ("b.txt".to_owned(), false, true)
        ]
    );
}

#[test]
fn what_changes_between_the_plan_and_the_move_stops_it() {
    let project = TestProject::with(&[("a.txt", "a\n")]);
    let calls = [call("1", "move-file", to("a.txt", "b.txt"))];
    let disturbances: [fn(&TestProject); 2] = [
        |project| project.put("a.txt", "a person's\n"),
        |project| project.put("b.txt", "somebody's\n"),
    ];
    for disturb in disturbances {
        project.put("a.txt", "a\n");
        let carried = run_calls(
            project.context(),
            &calls,
            Duration::from_secs(5),
            &|_, _| {
                disturb(&project);
                Ok(())
            },
        );
        assert_eq!(carried[0].outcome.as_ref().unwrap_err().code, Code::Stale);
        assert!(project.on_disk("a.txt").is_some());
    }
    assert_eq!(project.on_disk("b.txt").unwrap(), "somebody's\n");
}

#[test]
fn calls_about_either_end_of_a_move_keep_their_order() {
    for _ in 0..20 {
        let project = TestProject::with(&[("a.txt", "one\n"), ("c.txt", "c\n")]);
        let edit = |path: &str, old: &str, new: &str| json!({"path": path, "edits": [{"old_string": old, "new_string": new}]});
        let calls = [
            call("1", "multi-edit", edit("a.txt", "one", "two")),
            call("2", "multi-edit", edit("c.txt", "c", "d")),
            call("3", "move-file", to("a.txt", "b.txt")),
            call("4", "multi-edit", edit("b.txt", "two", "three")),
            call("5", "move-file", to("c.txt", "a.txt")),
        ];
        let carried = run_calls(
            project.context(),
            &calls,
            Duration::from_secs(5),
            &|_, _| Ok(()),
        );
        let failed: BTreeSet<String> = carried
            .iter()
            .filter_map(|one| one.outcome.as_ref().err().map(ToString::to_string))
            .collect();
        assert_eq!(failed, BTreeSet::new());
        assert_eq!(
            [
                project.on_disk("a.txt"),
                project.on_disk("b.txt"),
                project.on_disk("c.txt")
            ],
            [Some("d\n".to_owned()), Some("three\n".to_owned()), None]
        );
    }
}

#[test]
fn a_file_that_was_read_is_known_where_it_went() {
    let project = TestProject::with(&[("a.txt", "a\n"), ("u.txt", "u\n")]);
    project.read("a.txt").unwrap();
    project.call("move-file", to("a.txt", "b.txt")).unwrap();
    let write =
        |path: &str| project.call("overwrite-file", json!({"path": path, "content": "new\n"}));
    write("b.txt").expect("it was read under its old name");
    project.call("move-file", to("u.txt", "v.txt")).unwrap();
    assert_eq!(write("v.txt"), Err(Code::Stale), "it was never read");
}
