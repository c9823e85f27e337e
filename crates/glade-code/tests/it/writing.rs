//! Changing files.

use std::os::unix::fs::PermissionsExt;
use std::{fs, os::unix::fs::symlink};

use glade_code::Code;
use serde_json::json;

use crate::support::TestProject;

#[test]
fn edits_are_made_in_order_and_shown_as_a_diff() {
    let project = TestProject::with(&[("a.rs", "let a = 1;\nlet b = a + a;\n")]);
    let edits = json!([
        {"old_string": "let a = 1;", "new_string": "let sum = 1;"},
        {"old_string": "a + a", "new_string": "sum + sum"},
        {"old_string": "sum", "new_string": "total", "replace_all": true},
    ]);
    let output = project
        .call("multi-edit", json!({"file_path": "a.rs", "edits": edits}))
        .unwrap();
    assert_eq!(
        project.on_disk("a.rs").unwrap(),
        "let total = 1;\nlet b = total + total;\n"
    );
    assert_eq!(
        output,
        json!({
            "editsApplied": 5,
            "diff": {"text": "--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,2 @@\n-let a = 1;\n-let b = a + a;\n+let total = 1;\n+let b = total + total;\n"},
        })
    );
}

#[test]
fn an_edit_that_does_not_match_changes_nothing_and_is_named() {
    let text = "one\ntwo\ntwo\n";
    let project = TestProject::with(&[("a.txt", text)]);
    let edit = |old: &str| json!({"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}, {"old_string": old, "new_string": "x"}]});
    assert_eq!(
        project.words("multi-edit", edit("three")),
        "NO_MATCH: Edit 2 of 2: old_string is not in the file, letter for letter. Nothing was changed."
    );
    assert_eq!(
        project.call("multi-edit", edit("two")),
        Err(Code::AmbiguousMatch)
    );
    assert_eq!(
        project.call("multi-edit", edit("")),
        Err(Code::Invalid("old_string"))
    );
    assert_eq!(
        project.call("multi-edit", json!({"file_path": "a.txt", "edits": []})),
        Err(Code::Missing("edits"))
    );
    assert_eq!(project.on_disk("a.txt").unwrap(), text);
}

#[test]
fn a_new_file_gets_its_folders() {
    let project = TestProject::with(&[]);
    let output = project
        .call(
            "overwrite-file",
            json!({"path": "src/deep/new.rs", "content": "```rust\nfn x() {}\n```"}),
        )
        .unwrap();
    assert_eq!(output["created"], true);
    assert_eq!(project.on_disk("src/deep/new.rs").unwrap(), "fn x() {}\n");
    assert_eq!(
        fs::read_dir(project.root().join("src/deep"))
            .unwrap()
            .count(),
        1,
        "no draft is left"
    );
}

#[test]
fn what_changed_since_it_was_read_is_not_overwritten() {
    let project = TestProject::with(&[("a.txt", "one\n")]);
    let write = || {
        project.call(
            "overwrite-file",
            json!({"path": "a.txt", "content": "mine\n"}),
        )
    };
    let edit = || {
        project.call(
            "multi-edit",
            json!({"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}]}),
        )
    };
    assert_eq!(write(), Err(Code::Stale), "it was never read");
    project.read("a.txt").unwrap();
    project.put("a.txt", "one\na person's line\n");
    assert_eq!(write(), Err(Code::Stale));
    assert_eq!(edit(), Err(Code::Stale));
    assert_eq!(
        project.call("delete-file", json!({"path": "a.txt"})),
        Err(Code::Stale)
    );
    assert_eq!(project.on_disk("a.txt").unwrap(), "one\na person's line\n");
    project.read("a.txt").unwrap();
    edit().unwrap();
    write().expect("its own writes count as seen");
    assert_eq!(project.on_disk("a.txt").unwrap(), "mine\n");
}

#[test]
fn a_file_keeps_its_permissions_and_a_link_stays_a_link() {
    let project = TestProject::with(&[("run.sh", "echo one\n")]);
    let script = project.root().join("run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o750)).unwrap();
    symlink("run.sh", project.root().join("link.sh")).unwrap();
    project
        .call(
            "multi-edit",
            json!({"file_path": "link.sh", "edits": [{"old_string": "one", "new_string": "two"}]}),
        )
        .unwrap();
    assert_eq!(project.on_disk("run.sh").unwrap(), "echo two\n");
    assert_eq!(
        fs::metadata(&script).unwrap().permissions().mode() & 0o777,
        0o750
    );
    assert!(
        fs::symlink_metadata(project.root().join("link.sh"))
            .unwrap()
            .is_symlink()
    );
}

#[test]
fn five_megabytes_are_edited_and_more_are_refused() {
    let line = format!("{}\n", "y".repeat(1023));
    let project = TestProject::with(&[]);
    project.put("big.txt", &format!("needle\n{}", line.repeat(5 * 1024 - 1)));
    project.put("bigger.txt", &format!("needle\n{}", line.repeat(5 * 1024)));
    let edit = |path: &str| {
        project.call(
            "multi-edit",
            json!({"file_path": path, "edits": [{"old_string": "needle", "new_string": "pin"}]}),
        )
    };
    assert_eq!(
        edit("big.txt").unwrap()["diff"],
        json!({"omitted": "too large"})
    );
    assert!(project.on_disk("big.txt").unwrap().starts_with("pin\n"));
    assert_eq!(edit("bigger.txt"), Err(Code::FileTooLarge));
}
