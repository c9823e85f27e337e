//! Stopping by a signal: everyone is told, everything is on disk and signed, and the next start
//! goes on where this one left off.

use std::process::Stdio;
use std::time::{Duration, Instant};

use glade_store::Store;
use serde_json::{Value, json};

use crate::client::{Client, Fate, Heard, OK};
use crate::crash::page;
use crate::server::{Server, glade, said};

fn run(server: &Server, id: &Value) -> Value {
    let path = format!("/api/runs/{}", id.as_str().unwrap());
    let (status, run) = server.ask("GET", &path, &server.token, &json!({}));
    assert_eq!(status, 200, "{run}");
    run
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_asked_to_end_tells_everyone_folds_signs_and_exits_well() {
    let data = tempfile::tempdir().unwrap();
    Server::start(data.path()).kill();
    let page = page(data.path());
    // Slow enough to be at work for minutes.
    let server = Server::with(data.path(), &["--sketch-pace", "1"], Stdio::null());
    let mut client = Client::connect(server.address, &page, 7).await;
    client.join(&server.token).await.unwrap();
    assert_eq!(client.edit("e", 5).await, OK);
    let fairy = {
        let (_, workspace) = server.ask("GET", "/api/workspaces/main", &server.token, &json!({}));
        workspace["fairies"][0]["id"].as_str().unwrap().to_owned()
    };
    let input = json!({"input": {"message": "A -> B -> C -> D -> E -> F", "page": page}});
    let path = format!("/api/fairies/{fairy}/interrupt");
    let (status, begun) = server.ask("POST", &path, &server.token, &input);
    assert_eq!(status, 202, "{begun}");
    let begun = begun["run"].clone();
    // Until the fairy has drawn something.
    while client.doc.elements().len() < 2 {
        client.hear().await;
    }

    let (code, took) = tokio::task::block_in_place(|| server.terminate());
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(8), "{took:?}");
    let closed = loop {
        if let Heard::Closed(code) = client.hear().await {
            break code;
        }
    };
    assert_eq!(closed, Some(1001));
    assert!(matches!(client.edit("e", 6).await, Fate::Closed(_)));

    let verified = glade(&["audit", "verify", "--data"], &[data.path()]);
    let text = said(&verified);
    assert!(
        verified.status.success() && !text.contains("not signed yet"),
        "{text}"
    );
    {
        let store = Store::open(data.path()).unwrap();
        let stored = store.load_page(&page).unwrap();
        assert!(stored.snapshot.is_some());
        assert_eq!(stored.updates.len(), 0, "the log is folded");
    }

    let server = Server::with(data.path(), &["--sketch-pace", "40"], Stdio::null());
    let taken_up = run(&server, &begun);
    assert_eq!(
        (&taken_up["status"], &taken_up["settled"]),
        (&json!("running"), &json!(false)),
        "the run that was under way is taken up again: {taken_up}"
    );
    let mut reader = Client::connect(server.address, &page, 8).await;
    reader.join(&server.token).await.unwrap();
    while reader.doc.elements().is_empty() {
        reader.hear().await;
    }
    assert_eq!(reader.doc.element(&"e".into()).unwrap()["x"], json!(5));
    // It comes to its end, and everything that was asked for is there, once.
    let asked_at = Instant::now();
    let ended = loop {
        let now = tokio::task::block_in_place(|| run(&server, &begun));
        if now["status"] != "running" {
            break now;
        }
        assert!(asked_at.elapsed() < Duration::from_secs(60), "{now}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(ended["status"], "pending", "{ended}");
    let path = format!("/api/pages/{page}/export?format=json");
    let (_, export) = server.ask("GET", &path, &server.token, &json!({}));
    let mut words: Vec<String> = export["elements"]
        .as_object()
        .unwrap()
        .values()
        .filter(|element| element["isDeleted"] != true)
        .filter_map(|element| element["originalText"].as_str())
        .map(str::to_owned)
        .collect();
    words.sort();
    assert_eq!(words, ["A", "B", "C", "D", "E", "F"]);
    server.kill();
}
