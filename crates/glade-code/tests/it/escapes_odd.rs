//! Odd names, odd kinds and odd sizes: each gets an answer, none gets out.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use glade_code::Code;
use serde_json::json;

use crate::escapes::all_tools_on;
use crate::support::TestProject;

/// A hook runs as a program at the next commit: whoever may write one has got out.
#[test]
fn the_folder_of_version_control_is_closed_under_every_name() {
    let project = TestProject::with(&[
        (".git/config", "[core]\n"),
        (".git/hooks/old", "#!/bin/sh\n"),
    ]);
    symlink(".git", project.root().join("alias")).unwrap();
    symlink(".git/config", project.root().join("config.txt")).unwrap();
    symlink(".git/hooks/old", project.root().join("hook.txt")).unwrap();
    fs::create_dir(project.root().join("deep")).unwrap();
    symlink("../alias/hooks", project.root().join("deep/hooks")).unwrap();
    let paths = [
        ".git/config",
        "alias",
        "alias/config",
        "alias/hooks/pre-commit",
        "alias/new/folder/file",
        "config.txt",
        "hook.txt",
        "deep/hooks/pre-commit",
    ];
    for path in paths {
        for (tool, input) in all_tools_on(path) {
            let got = project.call(tool, input);
            assert!(got.is_err(), "{tool} {path}: {got:?}");
        }
    }
    let hooks = fs::read_dir(project.root().join(".git/hooks")).unwrap();
    assert_eq!(hooks.count(), 1);
    assert!(!project.root().join(".git/new").exists());
    for (tool, input) in [
        ("grep-search", json!({"query": "core"})),
        ("glob", json!({"pattern": "**/config"})),
        (
            "list-files",
            json!({"recursive": true, "pattern": "**/old"}),
        ),
    ] {
        let text = project.call(tool, input).unwrap().to_string();
        assert!(
            !text.contains("config\"") && !text.contains("old"),
            "{tool}: {text}"
        );
    }
}

#[test]
fn names_and_paths_of_any_length_get_an_answer() {
    let project = TestProject::with(&[("a.txt", "needle\n")]);
    let longest = "n".repeat(255);
    project
        .call(
            "overwrite-file",
            json!({"path": longest, "content": "needle\n"}),
        )
        .unwrap();
    assert_eq!(project.read(&longest).unwrap()["content"], "needle\n");
    let paths = [
        "n".repeat(256),
        "n/".repeat(5_000),
        format!("{}x", "./".repeat(10_000)),
        "n".repeat(1 << 20),
        "~/.ssh/id_rsa".to_owned(),
        "a.txt/b.txt".to_owned(),
        "a\0.txt".to_owned(),
        " ".to_owned(),
        "\u{202e}txt.a".to_owned(),
        "C:\\Windows\\system.ini".to_owned(),
        "\\\\server\\share".to_owned(),
        "file:///etc/passwd".to_owned(),
    ];
    let began = Instant::now();
    for path in &paths {
        for (tool, input) in all_tools_on(path) {
            if tool != "overwrite-file" {
                let got = project.call(tool, input);
                assert!(got.is_err(), "{tool} {path:.40}: {got:?}");
            }
        }
    }
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(
        project.read("file:///etc/passwd").is_err(),
        "an address is no path"
    );
}

#[test]
fn a_name_that_is_no_text_is_passed_over() {
    let project = TestProject::with(&[("a.txt", "needle\n")]);
    let odd = project.root().join(OsStr::from_bytes(b"\xff\xfe.txt"));
    fs::write(&odd, "needle\n").unwrap();
    let folder = project.root().join(OsStr::from_bytes(b"fold\xffer"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("b.txt"), "needle\n").unwrap();
    let found = project
        .call("grep-search", json!({"query": "needle"}))
        .unwrap();
    assert_eq!(
        (&found["totalMatches"], &found["filesSearched"]),
        (&json!(1), &json!(1))
    );
    let listed = project
        .call("list-files", json!({"recursive": true}))
        .unwrap();
    assert_eq!(listed["files"], json!([{"path": "a.txt", "type": "file"}]));
}

#[test]
fn loops_sockets_and_devices_are_no_files() {
    let project = TestProject::with(&[("a.txt", "needle\n")]);
    let root = project.root();
    symlink("loop-b", root.join("loop-a")).unwrap();
    symlink("loop-a", root.join("loop-b")).unwrap();
    symlink(".", root.join("self")).unwrap();
    symlink("/proc", root.join("proc")).unwrap();
    symlink("/dev/stdin", root.join("stdin")).unwrap();
    let _socket = UnixListener::bind(root.join("socket")).unwrap();
    // Only a machine's owner makes devices.
    let device = Command::new("mknod")
        .arg(root.join("device"))
        .args(["c", "1", "5"])
        .output()
        .is_ok_and(|made| made.status.success());
    let mut names = vec![
        "loop-a",
        "loop-a/x",
        "proc",
        "proc/self/environ",
        "stdin",
        "socket",
    ];
    names.extend(device.then_some("device"));
    let began = Instant::now();
    for name in names {
        for (tool, input) in all_tools_on(name) {
            let got = project.call(tool, input);
            assert!(got.is_err(), "{tool} {name}: {got:?}");
        }
    }
    // A link to the folder itself leads round in a circle, inside.
    assert_eq!(
        project.read("self/self/self/a.txt").unwrap()["content"],
        "needle\n"
    );
    let found = project
        .call("grep-search", json!({"query": "needle"}))
        .unwrap();
    assert_eq!(found["totalMatches"], 1);
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn what_is_too_large_says_so_and_is_searched_all_the_same() {
    let project = TestProject::with(&[]);
    let mut text = "filler filler filler filler\n".repeat(400_000);
    text.push_str("needle\n");
    project.put("huge.txt", &text);
    project.put("one-line.txt", &format!("{}needle", "x".repeat(20 << 20)));
    for path in ["huge.txt", "one-line.txt"] {
        let read = project.read(path).unwrap();
        assert!(read.to_string().len() < 40_000, "{path}");
    }
    let edit = json!({"path": "huge.txt", "edits": [{"old_string": "needle", "new_string": "x"}]});
    assert_eq!(
        project.call("multi-edit", edit).unwrap_err(),
        Code::FileTooLarge
    );
    let over = json!({"path": "huge.txt", "content": "x"});
    assert_eq!(
        project.call("overwrite-file", over).unwrap_err(),
        Code::FileTooLarge
    );
    let found = project
        .call("grep-search", json!({"query": "needle"}))
        .unwrap();
    assert_eq!(found["totalMatches"], 2);
    // However long its line is, what is told of it is short.
    assert!(found.to_string().len() < 3_000);
    let end = json!({"path": "huge.txt", "start_line": 400_001});
    assert_eq!(
        project.call("read-file", end).unwrap()["content"],
        "needle\n"
    );
}
