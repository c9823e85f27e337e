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

    let mut spans: Vec<Value> = Vec::new();
    let started = Instant::now();
    let root = loop {
        let left = Duration::from_secs(40).saturating_sub(started.elapsed());
        let (first, body) = received.recv_timeout(left).expect("the run is told");
        assert_eq!(first, "post /v1/traces http/1.1");
        let resource = &body["resourceSpans"][0];
        assert_eq!(
            resource["resource"]["attributes"][0]["value"]["stringValue"],
            "glade"
        );
        let told = resource["scopeSpans"][0]["spans"]
            .as_array()
            .unwrap()
            .clone();
        spans.extend(told);
        // The run's own span ends last.
        let root = spans.iter().find(|span| span.get("parentSpanId").is_none());
        if let Some(root) = root {
            break root.clone();
        }
    };
    server.kill();
    let attribute = |span: &Value, key: &str| {
        let found = span["attributes"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["key"] == key);
        found.map(|one| {
            one["value"]["stringValue"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
    };
    assert_eq!(root["name"], format!("invoke_agent {fairy}"));
    assert_eq!(
        attribute(&root, "glade.run").as_deref(),
        begun["run"].as_str()
    );
    let under = |parent: &Value| -> Vec<Value> {
        let inside = spans
            .iter()
            .filter(|span| span["parentSpanId"] == parent["spanId"]);
        inside.cloned().collect()
    };
    let chats = under(&root);
    assert_eq!(chats.len(), 1, "{chats:?}");
    assert_eq!(chats[0]["name"], "chat sketch");
    assert_eq!(
        attribute(&chats[0], "gen_ai.operation.name").as_deref(),
        Some("chat")
    );
    let mut names: Vec<String> = under(&chats[0])
        .iter()
        .map(|span| span["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    let count = |name: &str| names.iter().filter(|one| *one == name).count();
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
