//! Spans, sent over HTTP to a collector of our own: what a run is made of, each under its cause.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::Server;

/// Takes what is posted to it: the request's first line, and its body.
fn collector() -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (posted, received) = channel();
    std::thread::spawn(move || {
        for line in listener.incoming() {
            let mut line = line.unwrap();
            let posted = posted.clone();
            std::thread::spawn(move || {
                let (mut text, mut piece) = (Vec::new(), [0; 4096]);
                loop {
                    let Ok(read @ 1..) = line.read(&mut piece) else {
                        return;
                    };
                    text.extend_from_slice(&piece[..read]);
                    let head = text.windows(4).position(|four| four == b"\r\n\r\n");
                    let Some(head) = head else { continue };
                    let words = String::from_utf8_lossy(&text[..head]).to_lowercase();
                    let length = words
                        .lines()
                        .find_map(|line| line.strip_prefix("content-length: "));
                    let length: usize = length.unwrap().parse().unwrap();
                    if text.len() < head + 4 + length {
                        continue;
                    }
                    let body = serde_json::from_slice(&text[head + 4..head + 4 + length]).unwrap();
                    let first = words.lines().next().unwrap().to_owned();
                    if posted.send((first, body)).is_err() {
                        return;
                    }
                    line.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                        .unwrap();
                    text.clear();
                }
            });
        }
    });
    (address, received)
}

/// What was posted until a run was over: its own span, which ends last, and all of them.
fn until_a_run_is_over(received: &Receiver<(String, Value)>) -> (Value, Vec<Value>) {
    let mut spans: Vec<Value> = Vec::new();
    let started = Instant::now();
    loop {
        let left = Duration::from_secs(40).saturating_sub(started.elapsed());
        let (first, body) = received.recv_timeout(left).expect("the run is told");
        assert_eq!(first, "post /v1/traces http/1.1");
        let resource = &body["resourceSpans"][0];
        let service = &resource["resource"]["attributes"][0]["value"]["stringValue"];
        assert_eq!(service, "glade");
        let told = resource["scopeSpans"][0]["spans"].as_array().unwrap();
        spans.extend(told.iter().cloned());
        let root = spans.iter().find(|span| span.get("parentSpanId").is_none());
        if let Some(root) = root {
            return (root.clone(), spans);
        }
    }
}

fn attribute(span: &Value, key: &str) -> Option<String> {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|one| one["key"] == key)?;
    let text = found["value"]["stringValue"].as_str();
    Some(text.unwrap_or_default().to_owned())
}

/// The spans that one caused.
fn under(spans: &[Value], parent: &Value) -> Vec<Value> {
    let inside = spans
        .iter()
        .filter(|span| span["parentSpanId"] == parent["spanId"]);
    inside.cloned().collect()
}

fn names(spans: &[Value]) -> Vec<&str> {
    spans
        .iter()
        .map(|span| span["name"].as_str().unwrap())
        .collect()
}

#[test]
fn a_run_is_told_to_a_collector_as_a_tree_of_spans() {
    let (address, received) = collector();
    let data = tempfile::tempdir().unwrap();
    let environment = [("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str())];
    let server = Server::in_environment(data.path(), &["--sketch-pace", "0"], &environment);
    let (_, workspace) = server.ask("GET", "/api/workspaces/main", &server.token, &Value::Null);
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap();
    let asked = json!({"input": {"message": "Draw a flow: Tea -> Cup"}});
    let path = format!("/api/fairies/{fairy}/interrupt");
    let (status, begun) = server.ask("POST", &path, &server.token, &asked);
    assert_eq!(status, 202, "{begun}");

    let (root, spans) = until_a_run_is_over(&received);
    server.kill();
    assert_eq!(root["name"], format!("invoke_agent {fairy}"));
    assert_eq!(
        attribute(&root, "glade.run").as_deref(),
        begun["run"].as_str()
    );
    let chats = under(&spans, &root);
    assert_eq!(chats.len(), 1, "{chats:?}");
    assert_eq!(chats[0]["name"], "chat sketch");
    assert_eq!(
        attribute(&chats[0], "gen_ai.operation.name").as_deref(),
        Some("chat")
    );
    let inside = under(&spans, &chats[0]);
    let names = names(&inside);
    let count = |name: &str| names.iter().filter(|one| **one == name).count();
    assert_eq!(
        count("execute_tool create"),
        3,
        "two boxes and an arrow: {names:?}"
    );
    assert!(count("token_batch") > 0 && count("commit") > 0, "{names:?}");
    let content = spans
        .iter()
        .any(|span| attribute(span, "gen_ai.input.messages").is_some());
    assert!(
        !content,
        "what was said stays here unless somebody asks for it"
    );
    assert!(spans.iter().all(|span| span["traceId"] == root["traceId"]));
}

#[test]
fn a_run_on_files_is_told_as_one_on_pages_is() {
    let (address, received) = collector();
    let data = tempfile::tempdir().unwrap();
    let project = tempfile::tempdir().unwrap();
    std::fs::write(project.path().join("a.txt"), "tea\n").unwrap();
    let environment = [("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str())];
    let folder = project.path().to_str().unwrap();
    let flags = ["--sketch-pace", "0", "--project", folder];
    let server = Server::in_environment(data.path(), &flags, &environment);
    let (_, chat) = server.ask("POST", "/api/code/chats", &server.token, &json!({}));
    let chat = chat["id"].as_str().unwrap();
    let parts = json!([{"type": "text", "text": "find \"tea\""}]);
    let asked = json!({"id": chat, "messages": [{"id": "m", "role": "user", "parts": parts}]});
    let (status, _) = server.ask("POST", "/api/ai/chat", &server.token, &asked);
    assert_eq!(status, 200);
    let (root, spans) = until_a_run_is_over(&received);
    server.kill();
    assert_eq!(root["name"], format!("invoke_agent {chat}"));
    assert_eq!(attribute(&root, "glade.page").as_deref(), Some("code"));
    let mut steps = under(&spans, &root);
    steps.retain(|span| span["name"] == "chat sketch");
    assert!(
        steps.len() > 1,
        "one that uses a tool, one that answers: {steps:?}"
    );
    assert!(
        steps
            .iter()
            .all(|step| step["parentSpanId"] == root["spanId"])
    );
    let tools = spans.iter().filter(|span| {
        let operation = attribute(span, "gen_ai.operation.name");
        operation.as_deref() == Some("execute_tool")
    });
    let tools: Vec<_> = tools
        .map(|tool| (&tool["name"], tool.get("status")))
        .collect();
    assert!(
        !tools.is_empty() && tools.iter().all(|(_, failed)| failed.is_none()),
        "{tools:?}"
    );
    let words = under(&spans, &steps[0]);
    assert!(names(&words).contains(&"token_batch"), "{words:?}");
}
