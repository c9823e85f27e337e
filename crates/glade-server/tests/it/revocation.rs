//! A token that was taken back opens nothing any more, and what it had open closes.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use loro_protocol::{JoinErrorCode, ProtocolMessage, UpdateStatusCode};
use serde_json::json;

use crate::stage::{Client, Heard, Stage, rectangle};

async fn closed_with(client: &mut Client) -> Option<u16> {
    loop {
        if let Heard::Closed(code) = client.hear().await {
            return code;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_token_loses_its_session_within_a_second_and_cannot_come_back() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let anna = stage
        .attenuate(&stage.owner, json!({"subject": "person:anna"}))
        .await;
    let phone = stage
        .attenuate(&anna, json!({"subject": "person:anna/phone"}))
        .await;
    let bob = stage
        .attenuate(&stage.owner, json!({"subject": "person:bob"}))
        .await;
    let mut clients = Vec::new();
    for (peer, token) in [(1, &anna), (2, &phone), (3, &bob)] {
        let mut client = stage.connect(peer).await;
        let joined = client.join(&page, token).await;
        assert!(matches!(joined, ProtocolMessage::JoinResponseOk { .. }));
        clients.push(client);
    }
    let mut events = stage
        .get(&anna, "/api/workspaces/main/events")
        .await
        .bytes_stream();
    assert!(events.next().await.is_some());

    let started = Instant::now();
    let answer = stage
        .post(&stage.owner, "/api/tokens/revoke", json!({"token": anna}))
        .await;
    assert_eq!(answer.status(), 204);
    // What was made from it goes with it; what was not, stays.
    assert_eq!(closed_with(&mut clients[0]).await, Some(4001));
    assert_eq!(closed_with(&mut clients[1]).await, Some(4001));
    let end = async { while let Some(Ok(_)) = events.next().await {} };
    tokio::time::timeout(Duration::from_secs(1), end)
        .await
        .expect("the event stream ends");
    assert!(started.elapsed() < Duration::from_secs(1));
    let status = clients[2].edit(&page, &[rectangle("r", 0.0, 0.0)]).await;
    assert_eq!(status, UpdateStatusCode::Ok);

    let joined = stage.connect(4).await.join(&page, &phone).await;
    let ProtocolMessage::JoinError { code, message, .. } = joined else {
        panic!("{joined:?}");
    };
    assert_eq!(code, JoinErrorCode::AuthFailed);
    assert!(message.contains("revoked"), "{message}");
    for token in [&anna, &phone] {
        let answer = stage.get(token, "/api/workspaces/main").await;
        assert_eq!(answer.status(), 401);
    }
    assert_eq!(stage.get(&bob, "/api/session").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_and_holders_of_what_it_came_from_may_revoke_a_token() {
    let stage = Stage::open().await;
    let anna = stage
        .attenuate(&stage.owner, json!({"subject": "person:anna"}))
        .await;
    let phone = stage.attenuate(&anna, json!({"ops": ["read"]})).await;
    let bob = stage
        .attenuate(&stage.owner, json!({"subject": "person:bob"}))
        .await;
    let revoke = async |by: &str, token: &str| {
        stage
            .post(by, "/api/tokens/revoke", json!({"token": token}))
            .await
            .status()
            .as_u16()
    };
    assert_eq!(revoke(&bob, &anna).await, 403);
    assert_eq!(revoke(&phone, &anna).await, 403);
    assert_eq!(revoke(&anna, &stage.owner).await, 400);
    assert_eq!(revoke(&stage.owner, &stage.owner).await, 400);
    assert_eq!(revoke(&stage.owner, "nonsense").await, 400);
    assert_eq!(stage.get(&anna, "/api/session").await.status(), 200);
    assert_eq!(revoke(&anna, &phone).await, 204);
    assert_eq!(stage.get(&phone, "/api/session").await.status(), 401);
    assert_eq!(stage.get(&anna, "/api/session").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_left_in_the_data_folder_is_heeded_by_a_running_server() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let anna = stage
        .attenuate(&stage.owner, json!({"subject": "person:anna"}))
        .await;
    let mut client = stage.connect(1).await;
    client.join(&page, &anna).await;
    let keys = glade_access::Keys::load_or_create(&stage.data().join("owner.key")).unwrap();
    let capability = keys.verify(&anna, std::time::SystemTime::now()).unwrap();
    let folder = stage.data().join(glade_server::REVOKE_FOLDER);
    let started = Instant::now();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(capability.revocation_ids().last().unwrap()), "").unwrap();
    assert_eq!(closed_with(&mut client).await, Some(4001));
    assert!(started.elapsed() < Duration::from_secs(1));
    // The store has it: the file may go.
    for _ in 0..50 {
        if std::fs::read_dir(&folder).unwrap().next().is_none() {
            assert_eq!(stage.get(&anna, "/api/session").await.status(), 401);
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the word was not taken in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_stops_within_a_second_when_its_askers_token_is_revoked_or_expires() {
    let stage = Stage::paced(4.0).await;
    let page = stage.page().await;
    let workspace: serde_json::Value = stage
        .get(&stage.owner, "/api/workspaces/main")
        .await
        .json()
        .await
        .unwrap();
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap().to_owned();
    for expires in [false, true] {
        let limits = if expires {
            json!({"subject": "person:anna", "expiresIn": 4})
        } else {
            json!({"subject": "person:anna"})
        };
        let anna = stage.attenuate(&stage.owner, limits).await;
        let asked = json!({"input": {"message": "A -> B -> C -> D -> E -> F -> G", "page": page}});
        let path = format!("/api/fairies/{fairy}/interrupt");
        let begun: serde_json::Value = stage.post(&anna, &path, asked).await.json().await.unwrap();
        let run = format!("/api/runs/{}", begun["run"].as_str().unwrap());
        let status = async || -> serde_json::Value {
            stage.get(&stage.owner, &run).await.json().await.unwrap()
        };
        assert_eq!(status().await["status"], "running");
        if !expires {
            // It has drawn something that must not be left half-made.
            tokio::time::sleep(Duration::from_secs(2)).await;
            let revoked = stage
                .post(&stage.owner, "/api/tokens/revoke", json!({"token": anna}))
                .await;
            assert_eq!(revoked.status(), 204);
        } else {
            tokio::time::sleep(Duration::from_secs(4)).await;
        }
        let started = Instant::now();
        let ended = loop {
            let now = status().await;
            if now["status"] != "running" {
                break now;
            }
            assert!(
                started.elapsed() < Duration::from_secs(2),
                "it goes on: {now}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert!(
            started.elapsed() < Duration::from_secs(1),
            "{:?}",
            started.elapsed()
        );
        assert_eq!(ended["status"], "cancelled");
    }
}
