//! A page that somebody may not see is to them like one that is not there.

use loro_protocol::ProtocolMessage;
use reqwest::Method;
use serde_json::json;

use crate::stage::Stage;

async fn rooms_open(stage: &Stage) -> String {
    let metrics = stage.get(&stage.owner, "/metrics").await;
    let text = metrics.text().await.unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("glade_rooms_open "));
    line.unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn joining_a_hidden_page_opens_no_room_and_is_answered_like_one_that_is_not_there() {
    let stage = Stage::open().await;
    let hidden = stage.make("Hidden", "secret").await;
    let deleted = stage.make("Deleted", "public").await;
    let path = format!("/api/pages/{deleted}");
    let (status, _) = stage
        .send(Method::DELETE, &stage.owner, &path, json!({}))
        .await;
    assert!((200..300).contains(&status), "{status}");
    let guest = stage
        .attenuate(
            &stage.owner,
            json!({"tiers": ["public"], "subject": "person:eve"}),
        )
        .await;
    let before = rooms_open(&stage).await;
    let mut client = stage.connect(1).await;
    let mut answers = Vec::new();
    for page in [hidden.as_str(), &deleted, "pg_none", "", "no/page"] {
        match client.join(page, &guest).await {
            ProtocolMessage::JoinError {
                code,
                message,
                receiver_version,
                app_code,
                ..
            } => answers.push((code, message, receiver_version, app_code)),
            other => panic!("{page}: {other:?}"),
        }
    }
    assert_eq!(answers, vec![answers[0].clone(); 5]);
    assert_eq!(rooms_open(&stage).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_fairy_may_do_on_hidden_pages_is_not_told() {
    let stage = Stage::open().await;
    let workspace = stage.read("/api/workspaces/main").await;
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap().to_owned();
    let open = stage.make("Open", "public").await;
    let hidden = json!({"name": "Hidden", "kind": "text", "tier": "secret"});
    let pages = "/api/workspaces/main/pages";
    let (_, hidden) = stage.send(Method::POST, &stage.owner, pages, hidden).await;
    let hidden = hidden["id"].as_str().unwrap();
    let guest = json!({"tiers": ["public"], "subject": "person:eve"});
    let guest = stage.attenuate(&stage.owner, guest).await;
    let path = format!("/api/fairies/{fairy}");
    let exported = stage
        .read(&format!("/api/pages/{hidden}/export?format=json"))
        .await;
    let block = exported["elements"].as_object().unwrap().keys().next();
    let place = json!({"block": block});
    let range = json!({"page": hidden, "from": place, "to": place});
    let scope = json!({"pages": [open, hidden], "range": range});
    let change = json!({"page": open, "scope": scope});
    let (status, told) = stage.send(Method::PATCH, &stage.owner, &path, change).await;
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["scope"]["pages"].as_array().map(Vec::len), Some(2));
    let mut events = stage.events(&guest).await;
    let snapshot = events.next().await.unwrap().to_string();
    for answer in [
        stage.get(&guest, &path).await.text().await.unwrap(),
        stage
            .get(&guest, "/api/workspaces/main")
            .await
            .text()
            .await
            .unwrap(),
        snapshot,
    ] {
        assert!(answer.contains(&fairy), "{answer}");
        assert!(!answer.contains(hidden), "{answer}");
    }
}
