//! Changing files.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use std::{fs, os::unix::fs::symlink};

use glade_code::{Code, run_calls};
use serde_json::{Value, json};

use crate::support::{TestProject, call};

#[test]
fn edits_are_made_in_order_and_shown_as_a_diff() {
    let project = TestProject::with(&[("a.rs", "let a = 1;\nlet b = a + a;\n")]);
    let edits = json!([
        {"old_string": "let a = 1;", "new_string": "let sum = 1;"},
        {"old_string": "a + a", "new_string": "sum + sum"},
        {"old_string": "sum", "new_string": "total", "replace_all": true},
    ]);
    let output = project
        .call("multi-edit", json!({"path": "a.rs", "edits": edits}))
        .unwrap();
    assert_eq!(
        project.on_disk("a.rs").unwrap(),
        "let total = 1;\nlet b = total + total;\n"
    );
    assert_eq!(
        output,
        json!({
            "path": "a.rs",
            "editsApplied": 5,
            "lines": [[1, 2]],
            "diff": {"text": "--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,2 @@\n-let a = 1;\n-let b = a + a;\n+let total = 1;\n+let b = total + total;\n"},
        })
    );
}

#[test]
fn an_edit_that_does_not_match_changes_nothing_and_is_named() {
    let text = "one\ntwo\ntwo\n";
    let project = TestProject::with(&[("a.txt", text)]);
    let edit = |old: &str| json!({"path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}, {"old_string": old, "new_string": "x"}]});
    assert_eq!(
        project.words("multi-edit", edit("three")),
        "NO_MATCH: Edit 2 of 2: old_string is not in the file, letter for letter. Nothing was changed."
    );
    assert_eq!(
        project.words("multi-edit", edit("two")),
        "AMBIGUOUS_MATCH: Edit 2 of 2: old_string is in the file 2 times, in lines 2, 3. Give more of the text around the one that is meant, or set replace_all. Nothing was changed."
    );
    assert_eq!(
        project.call("multi-edit", edit("")),
        Err(Code::Invalid("old_string"))
    );
    assert_eq!(
        project.call("multi-edit", json!({"path": "a.txt", "edits": []})),
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

fn write(text: &str) -> Value {
    json!({"path": "a.txt", "content": text})
}

fn one_edit(old: &str, new: &str) -> Value {
    json!({"path": "a.txt", "edits": [{"old_string": old, "new_string": new}]})
}

#[test]
fn what_changed_since_it_was_read_is_not_overwritten_and_told() {
    let changes = [
        ("overwrite-file", write("mine\n")),
        ("multi-edit", one_edit("one", "1")),
        ("delete-file", json!({"path": "a.txt"})),
        ("move-file", json!({"path": "a.txt", "to": "b.txt"})),
    ];
    for (tool, input) in changes {
        let project = TestProject::with(&[("a.txt", "one\n")]);
        project.read("a.txt").unwrap();
        project.put("a.txt", "one\na person's line\n");
        let words = project.words(tool, input.clone());
        assert!(
            words.starts_with("STALE_READ: a.txt was changed"),
            "{words}"
        );
        assert!(words.contains("\n+a person's line\n"), "{words}");
        assert_eq!(project.on_disk("a.txt").unwrap(), "one\na person's line\n");
        // It was told what changed: it may go on without reading again.
        project.call(tool, input).expect(tool);
    }
}

#[test]
fn what_is_told_of_a_change_is_known_from_the_next_answer_on() {
    let project = TestProject::with(&[("a.txt", "one\n")]);
    project.read("a.txt").unwrap();
    project.put("a.txt", "one\na person's line\n");
    let calls = [
        call("1", "multi-edit", one_edit("one", "1")),
        call("2", "overwrite-file", write("mine\n")),
    ];
    let carried = run_calls(
        project.context(),
        &calls,
        Duration::from_secs(5),
        &|_, _| Ok(()),
    );
    let codes: Vec<Code> = carried
        .into_iter()
        .map(|one| one.outcome.unwrap_err().code)
        .collect();
    assert_eq!(codes, [Code::Stale, Code::Stale]);
    assert_eq!(project.on_disk("a.txt").unwrap(), "one\na person's line\n");
}

#[test]
fn only_what_was_shown_whole_is_replaced_whole() {
    let text: String = (0..100)
        .map(|n| format!("{n} {}\n", "x".repeat(700)))
        .collect();
    let project = TestProject::with(&[("a.txt", &text)]);
    assert_eq!(
        project.call("overwrite-file", write("x")),
        Err(Code::Stale),
        "it was never read"
    );
    let range =
        |start: usize, end: usize| json!({"path": "a.txt", "start_line": start, "end_line": end});
    let first = project.read("a.txt").unwrap();
    assert_eq!(first["truncated"], true);
    let words = project.words("overwrite-file", write("x"));
    assert!(words.contains("shown only in part"), "{words}");
    project
        .call("multi-edit", one_edit("99 x", "99 y"))
        .expect("its words are found");
    assert_eq!(project.call("overwrite-file", write("x")), Err(Code::Stale));
    for start in [61, 1, 31, 91] {
        assert_eq!(project.call("overwrite-file", write("x")), Err(Code::Stale));
        project.call("read-file", range(start, start + 34)).unwrap();
    }
    project
        .call("overwrite-file", write("x"))
        .expect("all of it was shown by now");
    project
        .call("overwrite-file", write("y"))
        .expect("its own writes count as seen");
}

#[test]
fn an_edit_that_does_not_match_is_told_what_comes_nearest() {
    let text = "fn one() {\n    go(1);\n}\n";
    let project = TestProject::with(&[("a.txt", text)]);
    let words = |old: &str| project.words("multi-edit", one_edit(old, "x"));
    assert_eq!(
        words("    go(2);"),
        "NO_MATCH: Edit 1 of 1: old_string is not in the file, letter for letter. The nearest is:\n```\n2\t    go(1);\n```\n Nothing was changed."
    );
    let spaces = words("fn one() {\n\tgo(1);\n}");
    assert!(
        spaces.contains("other white space are here:\n```\n1\tfn one() {\n"),
        "{spaces}"
    );
    let numbers = words("2\t    go(1);");
    assert!(numbers.contains("Leave out the numbers"), "{numbers}");
}

#[test]
fn a_file_with_ends_of_another_kind_keeps_them() {
    let project = TestProject::with(&[("a.txt", "one\r\ntwo\r\nthree\r\n")]);
    project
        .call("multi-edit", one_edit("one\ntwo\n", "1\n2\n"))
        .unwrap();
    assert_eq!(project.on_disk("a.txt").unwrap(), "1\r\n2\r\nthree\r\n");
}

#[test]
fn a_whole_word_is_replaced_and_longer_ones_are_left() {
    let project = TestProject::with(&[("a.txt", "sum sums my_sum (sum)\n")]);
    let edit = json!({"old_string": "sum", "new_string": "total", "whole_word": true, "replace_all": true});
    let output = project
        .call("multi-edit", json!({"path": "a.txt", "edits": [edit]}))
        .unwrap();
    assert_eq!(output["editsApplied"], 2);
    assert_eq!(
        project.on_disk("a.txt").unwrap(),
        "total sums my_sum (total)\n"
    );
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
            json!({"path": "link.sh", "edits": [{"old_string": "one", "new_string": "two"}]}),
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
            json!({"path": path, "edits": [{"old_string": "needle", "new_string": "pin"}]}),
        )
    };
    assert_eq!(
        edit("big.txt").unwrap()["diff"],
        json!({"omitted": "too large"})
    );
    assert!(project.on_disk("big.txt").unwrap().starts_with("pin\n"));
    assert_eq!(edit("bigger.txt"), Err(Code::FileTooLarge));
}
