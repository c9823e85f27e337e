//! kill -9 in the middle of a project of three: everyone goes on, nothing is done twice, it ends.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::Server;

const REQUEST: &str = "A week:\nDraw a flow: Mon -> Tue -> Wed\nTimeline: 2024 Idea, 2025 Beta, 2026 Launch\n\
    Mind map of Week: work, rest, play\nSticky notes: milk, bread, tea";

fn ask(server: &Server, method: &str, path: &str, body: &Value) -> Value {
    let (status, answer) = server.ask(method, path, &server.token, body);
    assert!(
        (200..300).contains(&status),
        "{method} {path}: {status} {answer}"
    );
    answer
}

fn look(server: &Server) -> Value {
    ask(server, "GET", "/api/workspaces/main", &Value::Null)
}

fn until(server: &Server, what: &str, done: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let now = look(server);
        if done(&now) {
            return now;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "never {what}: {now}"
        );
        std::thread::sleep(Duration::from_millis(30));
    }
}

fn tasks(all: &Value, status: &str) -> usize {
    let tasks = all["tasks"].as_array().unwrap().iter();
    tasks.filter(|task| task["status"] == status).count()
}

#[test]
fn a_project_outlasts_kill_9_and_nothing_is_done_twice() {
    let data = tempfile::tempdir().unwrap();
    let flags = ["--sketch-pace", "60"];
    let server = Server::with(data.path(), &flags, Stdio::null());
    let page = look(&server)["pages"][0]["id"].clone();
    let mut team = vec![look(&server)["fairies"][0]["id"].clone()];
    for _ in 0..2 {
        let made = ask(
            &server,
            "POST",
            "/api/workspaces/main/fairies",
            &json!({"page": page}),
        );
        team.push(made["id"].clone());
    }
    let body = json!({"fairies": team, "page": page, "message": REQUEST});
    ask(&server, "POST", "/api/workspaces/main/projects", &body);
    // Once while both draw, once when something is done and something is not, once more after that.
    until(&server, "at work", |all| tasks(all, "in-progress") == 2);
    server.kill();
    let server = Server::with(data.path(), &flags, Stdio::null());
    let now = look(&server);
    assert_eq!(
        now["projects"][0]["status"], "active",
        "{}",
        now["projects"]
    );
    assert_eq!(tasks(&now, "in-progress"), 2, "{}", now["tasks"]);
    until(&server, "half done", |all| tasks(all, "done") >= 1);
    server.kill();
    let server = Server::with(data.path(), &["--sketch-pace", "0"], Stdio::null());
    let over = until(&server, "over", |all| {
        all["projects"][0]["status"] != "active"
    });
    assert_eq!(
        over["projects"][0]["status"], "done",
        "{}",
        over["projects"]
    );
    assert_eq!(tasks(&over, "done"), 4);

    let path = format!(
        "/api/pages/{}/export?format=excalidraw",
        page.as_str().unwrap()
    );
    let drawn = ask(&server, "GET", &path, &Value::Null);
    let mut words: BTreeMap<String, u32> = BTreeMap::new();
    for element in drawn["elements"].as_array().unwrap() {
        if let Some(text) = element["originalText"].as_str() {
            *words.entry(text.to_owned()).or_default() += 1;
        }
    }
    for word in [
        "Mon", "Tue", "Wed", "Idea", "Beta", "Launch", "work", "rest", "play", "milk", "bread",
        "tea",
    ] {
        assert_eq!(words.get(word), Some(&1), "{word}: {words:?}");
    }
    let twice: Vec<_> = words.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "done twice: {twice:?}");
    server.kill();
}
