//! What is swapped between a look and a step leads nowhere either.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::escapes::SECRET;
use crate::support::TestProject;

/// How often a race is run: `cargo xtask soak escapes` runs each 100,000 times.
fn tries(usually: usize) -> usize {
    match std::env::var_os("GLADE_SOAK") {
        Some(_) => 100_000,
        None => usually,
    }
}

/// A folder outside the project, with a secret in it.
fn outside(project: &TestProject) -> std::path::PathBuf {
    let outside = project.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret.txt"), SECRET).unwrap();
    outside
}

fn unharmed(outside: &Path) {
    let names: Vec<OsString> = fs::read_dir(outside)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["secret.txt"], "something was written outside");
    assert_eq!(
        fs::read_to_string(outside.join("secret.txt")).unwrap(),
        SECRET
    );
}

fn tells_nothing(answer: Result<Value, glade_code::Code>) {
    if let Ok(answer) = answer {
        assert!(!answer.to_string().contains(SECRET), "{answer}");
    }
}

/// A folder is swapped for a link to the outside and back, as fast as the machine can, while tools
/// go through it.
#[test]
fn a_link_swapped_in_between_leads_nowhere() {
    let tries = tries(2_000);
    let project = TestProject::with(&[("door/secret.txt", "harmless\n"), ("inside.txt", "")]);
    let outside = outside(&project);
    let root = project.root().to_owned();
    symlink(&outside, root.join("link")).unwrap();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let swap = |from: &str, to: &str| {
                // A tool that meets no door makes a folder of that name: out of the way with it.
                while fs::rename(root.join(from), root.join(to)).is_err() {
                    let _ = fs::remove_dir_all(root.join(to));
                }
            };
            while !over.load(Ordering::Relaxed) {
                swap("door", "away");
                swap("link", "door");
                swap("door", "link");
                swap("away", "door");
            }
        });
        for index in 0..tries {
            let answer = match index % 5 {
                0 => project.read("door/secret.txt"),
                1 => project.call("overwrite-file", json!({"path": format!("door/new{}.txt", index % 7), "content": "x"})),
                2 => project.call("multi-edit", json!({"path": "door/secret.txt", "edits": [{"old_string": "secret", "new_string": "x"}]})),
                3 => project.call("grep-search", json!({"query": "outside"})),
                _ => project.call("glob", json!({"pattern": "**/secret.txt"})),
            };
            tells_nothing(answer);
        }
        over.store(true, Ordering::Relaxed);
    });
    unharmed(&outside);
}

/// The file itself is a text, a link to the outside, a pipe, an endless device and a folder by turns.
#[test]
fn a_file_swapped_for_something_else_leads_nowhere_and_hangs_nobody() {
    let project = TestProject::with(&[("door.txt", "harmless\n")]);
    let outside = outside(&project);
    let root = project.root().to_owned();
    symlink(outside.join("secret.txt"), root.join("as-link")).unwrap();
    symlink("/dev/zero", root.join("as-device")).unwrap();
    fs::create_dir(root.join("as-folder")).unwrap();
    fs::write(root.join("as-text"), "harmless\n").unwrap();
    let pipe = Command::new("mkfifo").arg(root.join("as-pipe")).status();
    assert!(pipe.unwrap().success());
    let over = AtomicBool::new(false);
    let mut slowest = Duration::ZERO;
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for kind in ["as-link", "as-pipe", "as-device", "as-folder", "as-text"] {
                    // A tool may have written its own text there meanwhile, or deleted what it met.
                    let _ = fs::remove_file(root.join("door.txt"));
                    if fs::rename(root.join(kind), root.join("door.txt")).is_ok() {
                        let _ = fs::rename(root.join("door.txt"), root.join(kind));
                    }
                }
                if !root.join("as-text").exists() {
                    let _ = fs::write(root.join("as-text"), "harmless\n");
                }
            }
        });
        for index in 0..tries(1_200) {
            let began = Instant::now();
            tells_nothing(match index % 6 {
                0 => project.read("door.txt"),
                1 => project.call("overwrite-file", json!({"path": "door.txt", "content": "x"})),
                2 => project.call("multi-edit", json!({"path": "door.txt", "edits": [{"old_string": "secret", "new_string": "x"}]})),
                3 => project.call("read-file", json!({"path": "door.txt", "start_line": 1, "end_line": 2})),
                4 => project.call("grep-search", json!({"query": "outside"})),
                _ => project.call("delete-file", json!({"path": "door.txt"})),
            });
            slowest = slowest.max(began.elapsed());
        }
        over.store(true, Ordering::Relaxed);
    });
    unharmed(&outside);
    assert!(slowest < Duration::from_secs(4), "{slowest:?}");
}

#[test]
fn a_file_that_grows_while_it_is_read_comes_to_an_end() {
    let project = TestProject::with(&[("log.txt", "begin\n")]);
    let path = project.root().join("log.txt");
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
            let mut written = 0;
            while !over.load(Ordering::Relaxed) && written < 64 << 20 {
                file.write_all(&[b'x'; 4096]).unwrap();
                written += 4096;
            }
        });
        let began = Instant::now();
        for _ in 0..6 {
            let _ = project.read("log.txt");
            let _ = project.call("grep-search", json!({"query": "begin"}));
        }
        assert!(began.elapsed() < Duration::from_secs(60));
        over.store(true, Ordering::Relaxed);
    });
}
