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
