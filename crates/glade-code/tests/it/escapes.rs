//! Nothing gets out of the folder, and nothing hangs.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use glade_code::Code;
use serde_json::{Value, json};

use crate::support::TestProject;

pub const SECRET: &str = "the secret outside";

/// A project beside a secret, with links that lead to it.
fn beside_a_secret() -> TestProject {
    let project = TestProject::with(&[("inside.txt", "inside\n")]);
    let outside = project.folder.path();
    fs::write(outside.join("secret.txt"), SECRET).unwrap();
    symlink(outside.join("secret.txt"), project.root().join("link.txt")).unwrap();
    symlink("../secret.txt", project.root().join("relative.txt")).unwrap();
    symlink(outside, project.root().join("folder")).unwrap();
    symlink("..", project.root().join("up")).unwrap();
    project
}

/// Every tool on one path.
pub fn all_tools_on(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("read-file", json!({"path": path})),
        ("read-file", json!({"path": path, "start_line": 1})),
        (
            "overwrite-file",
            json!({"path": path, "content": "overwritten"}),
        ),
        (
            "multi-edit",
            json!({"path": path, "edits": [{"old_string": "secret", "new_string": "x"}]}),
        ),
        ("delete-file", json!({"path": path})),
        ("list-files", json!({"path": path, "recursive": true})),
        ("glob", json!({"path": path, "pattern": "**"})),
    ]
}

#[test]
fn no_path_leads_out() {
    let project = beside_a_secret();
    let absolute = project.folder.path().join("secret.txt");
    let paths = [
        "../secret.txt",
        "inside.txt/../../secret.txt",
        "./../secret.txt",
        "folder/../../secret.txt",
        absolute.to_str().unwrap(),
        "/etc/passwd",
        "/proc/self/environ",
        "link.txt",
        "relative.txt",
        "folder",
        "folder/secret.txt",
        "up/secret.txt",
        "up/project/../secret.txt",
        "folder/new.txt",
    ];
    for path in paths {
        for (tool, input) in all_tools_on(path) {
            let got = project.call(tool, input);
            assert!(got.is_err(), "{tool} {path}: {got:?}");
        }
    }
    assert_eq!(fs::read_to_string(&absolute).unwrap(), SECRET);
    assert!(!project.folder.path().join("new.txt").exists());
    for (tool, input) in [
        ("grep-search", json!({"query": "secret outside"})),
        (
            "list-files",
            json!({"recursive": true, "pattern": "*secret*"}),
        ),
        ("glob", json!({"pattern": "**/*secret*"})),
    ] {
        let text = project.call(tool, input).unwrap().to_string();
        assert!(!text.contains("secret.txt"), "{tool} told of it: {text}");
    }
}

#[test]
fn devices_pipes_and_sparse_files_do_not_hang() {
    let project = TestProject::with(&[("a.txt", "needle\n")]);
    let fifo = project.root().join("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    symlink("/dev/zero", project.root().join("zero")).unwrap();
    let sparse = fs::File::create(project.root().join("sparse.txt")).unwrap();
    sparse.set_len(1 << 40).unwrap();

    let began = Instant::now();
    for path in ["fifo", "zero", "sparse.txt"] {
        for (tool, input) in all_tools_on(path) {
            assert!(project.call(tool, input).is_err(), "{tool} {path}");
        }
    }
    // A search of a terabyte of nothing ends at the first zero byte.
    let found = project
        .call("grep-search", json!({"query": "needle"}))
        .unwrap();
    assert_eq!(found["totalMatches"], 1);
    let range = json!({"path": "sparse.txt", "start_line": 1, "end_line": 2});
    assert_eq!(project.call("read-file", range), Err(Code::Binary));
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn odd_names_are_files_like_others() {
    let names = [
        "with space.txt",
        "-rf",
        "ünï/コード.txt",
        "a\nb.txt",
        "$(x).txt",
        "..a",
        "'\".txt",
    ];
    let project = TestProject::with(&names.map(|name| (name, "needle\n")));
    for name in names {
        assert_eq!(
            project.read(name).unwrap()["content"],
            "needle\n",
            "{name:?}"
        );
    }
    let found = project
        .call("grep-search", json!({"query": "needle"}))
        .unwrap();
    assert_eq!(found["totalMatches"], names.len());
}
