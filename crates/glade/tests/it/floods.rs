//! Models that say far too much, over the wire: what they take is bounded, the run ends with the
//! reason, and Stop is answered at once.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::provider::{Answer, Provider};
use crate::server::Server;

/// What a server may grow by, in MB, whatever a model says.
const GROWTH: u64 = 100;
/// What the data folder may grow by, in MB.
const STORED: u64 = 40;
/// How long Stop may take.
const SOON: Duration = Duration::from_secs(1);

const WORD: &str = "xxxxxxxxxxxxxxxx";

/// 4 KB.
fn much() -> String {
    WORD.repeat(256)
}

/// A server whose fairies think with that provider.
struct Flooded {
    server: Server,
    provider: Provider,
    data: tempfile::TempDir,
    project: tempfile::TempDir,
}

impl Flooded {
    fn by(answer: Answer) -> Self {
        let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(project.path().join("a.txt"), "a\n").unwrap();
        let provider = Provider::start(answer);
        let folder = project.path().to_str().unwrap();
        let server = Server::in_environment(
            data.path(),
            &["--model", "local/flood", "--project", folder],
            &[("OLLAMA_HOST", &provider.address.to_string())],
        );
        Self {
            server,
            provider,
            data,
            project,
        }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.server.ask(method, path, &self.server.token, body);
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }

    fn fairy(&self) -> String {
        let workspace = self.ask("GET", "/api/workspaces/main", &json!({}));
        workspace["fairies"][0]["id"].as_str().unwrap().to_owned()
    }

    /// Sets the fairy to work; answers it and its run.
    fn set_off(&self) -> (String, String) {
        let fairy = self.fairy();
        let path = format!("/api/fairies/{fairy}/interrupt");
        let begun = self.ask("POST", &path, &json!({"input": {"message": "draw"}}));
        (fairy, begun["run"].as_str().unwrap().to_owned())
    }

    fn until_over(&self, run: &str) -> Value {
        let deadline = Instant::now() + Duration::from_secs(120);
        while Instant::now() < deadline {
            let run = self.ask("GET", &format!("/api/runs/{run}"), &json!({}));
            if run["status"] != "running" {
                return run;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the run does not end");
    }

    /// Runs a fairy into the flood, and checks what that took; the run.
    fn bounded(&self) -> Value {
        let (before, stored) = (self.server.memory(), size(self.data.path()));
        let (fairy, run) = self.set_off();
        let (mut most, mut slowest) = (0, Duration::ZERO);
        std::thread::scope(|scope| {
            let over = scope.spawn(|| self.until_over(&run));
            while !over.is_finished() {
                most = most.max(self.server.memory());
                let asked = Instant::now();
                self.ask("GET", &format!("/api/fairies/{fairy}"), &json!({}));
                slowest = slowest.max(asked.elapsed());
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let grown = most.max(self.server.memory()).saturating_sub(before);
        let stored = size(self.data.path()).saturating_sub(stored);
        assert!(grown < GROWTH, "{grown} MB of memory");
        assert!(stored < STORED, "{stored} MB on disk");
        assert!(slowest < SOON, "others waited {slowest:?}");
        self.until_over(&run)
    }

    /// Stops it in the middle; how long that took.
    fn stopped_after(&self, wait: Duration) -> Duration {
        let (fairy, run) = self.set_off();
        std::thread::sleep(wait);
        let asked = Instant::now();
        self.ask("POST", &format!("/api/fairies/{fairy}/stop"), &json!({}));
        let took = asked.elapsed();
        let run = self.ask("GET", &format!("/api/runs/{run}"), &json!({}));
        assert_ne!(run["status"], "running");
        took
    }
}

/// MB of a folder's files.
fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).unwrap();
    let bytes = files.map(|file| file.unwrap().metadata().unwrap().len());
    bytes.sum::<u64>() >> 20
}

fn thinking() -> Answer {
    Answer::of(json!({"reasoning_content": much()}), (420 << 20) / 4096)
}

/// One call whose arguments go on for 180 MB.
fn arguments(tool: &str, open: &str) -> Answer {
    let call = |function: Value| json!({"tool_calls": [{"index": 0, "id": "call_1", "function": function}]});
    Answer {
        first: vec![call(json!({"name": tool, "arguments": open}))],
        ..Answer::of(call(json!({"arguments": much()})), (180 << 20) / 4096)
    }
}

fn messages() -> Answer {
    Answer {
        first: vec![json!({"content": "{\"actions\":["})],
        last: vec![json!({"content": "{\"_type\":\"message\",\"text\":\"last\"}]}"})],
        ..Answer::of(
            json!({"content": "{\"_type\":\"message\",\"text\":\"Hello there\"},"}),
            100_000,
        )
    }
}

#[test]
fn thinking_without_end_ends_the_run_with_the_reason() {
    let flooded = Flooded::by(thinking());
    let run = flooded.bounded();
    assert_eq!(run["status"], "failed", "{run}");
    let error = run["error"].as_str().unwrap();
    assert!(
        error.contains("more than 2 MB of thinking in one answer"),
        "{error}"
    );
    assert!(flooded.provider.sent() < 100, "the line was not closed");
    flooded.server.kill();
}

#[test]
fn arguments_without_end_end_the_run_with_the_reason() {
    let flooded = Flooded::by(arguments("message", "{\"text\":\""));
    let run = flooded.bounded();
    assert_eq!(run["status"], "failed", "{run}");
    let error = run["error"].as_str().unwrap();
    assert!(
        error.contains("more than 2 MB of text in one answer"),
        "{error}"
    );
    flooded.server.kill();
}

#[test]
fn a_hundred_thousand_messages_are_a_hundred() {
    let flooded = Flooded::by(messages());
    let run = flooded.bounded();
    assert_ne!(run["status"], "running");
    let chat = flooded.ask(
        "GET",
        &format!("/api/ai/chat/{}", flooded.fairy()),
        &json!({}),
    );
    let answers = chat["messages"].as_array().unwrap().iter();
    let parts = answers.filter_map(|message| message["parts"].as_array());
    let said = parts.flatten().filter(|part| part["text"] == "Hello there");
    // Once more when it was told that this is too much.
    assert!((100..=200).contains(&said.count()));
    flooded.server.kill();
}

#[test]
fn stop_is_answered_at_once_while_a_model_floods() {
    let shape = json!({"_type": "rectangle", "shapeId": "b", "x": 0, "y": 0, "w": 160, "h": 80, "color": "blue",
        "fill": "tint", "text": "A"});
    let box_of = json!({"_type": "create", "intent": "", "shape": shape}).to_string() + ",";
    let boxes = Answer {
        first: vec![json!({"content": "{\"actions\":["})],
        ..Answer::of(json!({"content": box_of}), 100_000)
    };
    let slow = |times: usize| Answer::of(json!({"reasoning_content": "hm "}), times);
    for answer in [boxes, messages(), thinking(), slow(10_000_000)] {
        let flooded = Flooded::by(answer);
        for wait in [30, 300, 1_000] {
            let took = flooded.stopped_after(Duration::from_millis(wait));
            assert!(took < SOON, "{took:?} after {wait} ms");
        }
        flooded.server.kill();
    }
}

#[test]
fn a_chat_about_code_is_bounded_and_stopped_likewise() {
    for answer in [
        arguments("overwrite-file", "{\"path\":\"a.txt\",\"content\":\""),
        thinking(),
    ] {
        let flooded = Flooded::by(answer);
        let (before, stored) = (flooded.server.memory(), size(flooded.data.path()));
        let chat = flooded.ask("POST", "/api/code/chats", &json!({"title": "Flood"}));
        let chat = chat["id"].as_str().unwrap();
        let message =
            json!({"id": "m1", "role": "user", "parts": [{"type": "text", "text": "do it"}]});
        let asked = json!({"id": chat, "messages": [message]});
        // The stream of the whole run: answered when it is over.
        flooded
            .server
            .ask("POST", "/api/ai/chat", &flooded.server.token, &asked);
        let history = flooded.ask("GET", &format!("/api/ai/chat/{chat}"), &json!({}));
        let error = history["messages"][1]["metadata"]["error"]["message"].to_string();
        assert!(error.contains("more than 2 MB of"), "{error}");
        let grown = flooded.server.memory().saturating_sub(before);
        let stored = size(flooded.data.path()).saturating_sub(stored);
        assert!(grown < GROWTH, "{grown} MB of memory");
        assert!(stored < STORED, "{stored} MB on disk");
        let file = std::fs::read_to_string(flooded.project.path().join("a.txt")).unwrap();
        assert_eq!(file, "a\n");
        flooded.server.kill();
    }
}

#[test]
fn two_thousand_links_at_once_are_refused_past_the_burst() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let make = |n: usize| {
        let wanted = json!({"ops": ["read"], "label": format!("Guest {n}")});
        server.ask("POST", "/api/tokens/attenuate", &server.token, &wanted)
    };
    let refused = (0..400).map(make).find(|(status, _)| *status != 201);
    let (status, problem) = refused.expect("a limit");
    assert_eq!(status, 429, "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("too many links"), "{detail}");
    // Everything else goes on.
    let (status, _) = server.ask("GET", "/api/tokens", &server.token, &json!({}));
    assert_eq!(status, 200);
    server.kill();
}

#[test]
fn three_large_imports_delay_nobody() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let new = json!({"name": "Long", "kind": "text"});
    let make = |_| {
        let (status, page) = server.ask("POST", "/api/workspaces/main/pages", &server.token, &new);
        assert_eq!(status, 201, "{page}");
        page["id"].as_str().unwrap().to_owned()
    };
    let pages: Vec<String> = (0..3).map(make).collect();
    let sources = [
        "> ".repeat(1_000_000),
        "* a\n".repeat(500_000),
        "[a](b \"c\" `d` **e**\n".repeat(9_000),
    ];
    let mut slowest = Duration::ZERO;
    std::thread::scope(|scope| {
        let imports: Vec<_> = pages
            .iter()
            .zip(&sources)
            .map(|(page, source)| {
                let path = format!("/api/pages/{page}/import?mode=replace");
                let server = &server;
                scope.spawn(move || server.send("POST", &path, "text/markdown", source.as_bytes()))
            })
            .collect();
        while imports.iter().any(|import| !import.is_finished()) {
            let asked = Instant::now();
            let answer = server.ask("GET", "/api/workspaces/main", &server.token, &json!({}));
            assert_eq!(answer.0, 200);
            slowest = slowest.max(asked.elapsed());
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    assert!(slowest < SOON, "others waited {slowest:?}");
    server.kill();
}
