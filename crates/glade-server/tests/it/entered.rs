//! Whatever is refused, at whichever door, is in the audit chain, under the name of whoever it was
//! if that is known; and being refused is no way to fill it.

use std::time::Duration;

use glade_access::signature_holds;
use glade_store::Archive;
use loro::awareness::EphemeralStore;
use loro_protocol::{BatchId, CrdtType, JoinErrorCode, ProtocolMessage};
use reqwest::Method;
use serde_json::json;

use crate::arena::Stage;
use crate::audit::entries;
use crate::client::{Client, DENIED, Fate, INVALID, OK, write};

const JOIN_FAILED: Result<loro_protocol::Permission, JoinErrorCode> =
    Err(JoinErrorCode::AuthFailed);

/// `(subject, code)` of the refusals, in order, once there are so many.
async fn refusals(stage: &Stage, count: usize) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for _ in 0..100 {
        found = entries(stage.data())
            .into_iter()
            .filter(|(kind, ..)| kind == "refusal")
            .map(|(_, subject, body)| (subject, body["code"].as_str().unwrap().to_owned()))
            .collect();
        if found.len() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    found
}

fn named(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    expected.iter().map(owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn joins_with_a_bad_token_are_entered_under_the_name_that_is_known() {
    let stage = Stage::set().await;
    let mut eve = Client::connect(stage.address, &stage.page, 7).await;

    let cut = &stage.owner[..stage.owner.len() / 2];
    assert_eq!(eve.join(cut).await, JOIN_FAILED, "truncated");
    assert_eq!(eve.join("").await, JOIN_FAILED, "none at all");
    let brief = stage
        .token(json!({ "expiresIn": 1, "subject": "person:brief" }))
        .await;
    tokio::time::sleep(Duration::from_millis(2100)).await;
    assert_eq!(eve.join(&brief).await, JOIN_FAILED, "expired");
    let taken = stage.token(json!({ "subject": "person:taken" })).await;
    let revoke = json!({ "token": taken });
    stage.post(&stage.owner, "/api/tokens/revoke", revoke).await;
    assert_eq!(eve.join(&taken).await, JOIN_FAILED, "revoked");
    let elsewhere = stage
        .token(json!({ "subject": "person:lost", "pages": ["pg_elsewhere"] }))
        .await;
    assert_eq!(eve.join(&elsewhere).await, JOIN_FAILED, "another page's");
    let mut lost = Client::connect(stage.address, "pg_nowhere", 8).await;
    assert_eq!(lost.join(&elsewhere).await, JOIN_FAILED, "no page at all");

    let expected = named(&[
        ("unknown", "join"),
        ("unknown", "join"),
        ("person:brief", "join"),
        ("person:taken", "join"),
        ("person:lost", "join"),
        ("person:lost", "join"),
    ]);
    assert_eq!(refusals(&stage, expected.len()).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_socket_or_a_room_refuses_is_entered() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    assert_eq!(ann.edit("ann", 1).await, OK);
    let mut eve = stage.someone("eve", 3).await;
    eve.sees("ann", 1).await;
    let foreign = write(&eve.doc.fork(), 1, "evil", 1);
    assert_eq!(eve.update(foreign).await, DENIED);
    assert_eq!(eve.update(b"nonsense".to_vec()).await, INVALID);
    let token = stage.token(json!({ "subject": "person:eve" })).await;
    eve.ask_to_join(CrdtType::LoroEphemeralStore, &token).await;
    let store = EphemeralStore::new(30_000);
    let says = std::collections::HashMap::from([("subject".to_owned(), "person:ann".into())]);
    store.set("3", loro::LoroValue::Map(says.into()));
    let lie = eve
        .send(CrdtType::LoroEphemeralStore, store.encode_all())
        .await;
    assert_eq!(eve.fate(lie).await, DENIED);
    eve.say(&ProtocolMessage::DocUpdateFragmentHeader {
        crdt: CrdtType::Loro,
        room_id: stage.page.clone(),
        batch_id: BatchId([9; 8]),
        fragment_count: 2,
        total_size_bytes: 1 << 40,
    })
    .await;
    assert!(matches!(eve.fate(BatchId([9; 8])).await, Fate::Answered(_)));
    eve.raw(vec![0xff; 40]).await;
    assert_eq!(eve.hear_end().await, Some(4400));

    let expected = named(&[
        ("person:eve", "foreign-peer"),
        ("person:eve", "malformed"),
        ("person:eve", "presence"),
        ("person:eve", "frame"),
        ("person:eve", "frame"),
    ]);
    assert_eq!(refusals(&stage, expected.len()).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_may_not_change_anything_are_entered() {
    let stage = Stage::set().await;
    let pages = "/api/workspaces/main/pages";
    let reader = stage
        .token(json!({ "ops": ["read"], "subject": "person:eve" }))
        .await;
    let guest = stage
        .token(json!({ "tiers": ["public"], "subject": "person:guest" }))
        .await;
    let own = format!("/api/pages/{}", stage.page);
    let name = json!({ "name": "Mine", "kind": "canvas" });
    assert_eq!(stage.post(&reader, pages, name.clone()).await.status, 403);
    let hidden = stage
        .call(&guest, Method::PATCH, &own, json!({ "name": "Mine" }))
        .await;
    assert_eq!(hidden.status, 404);
    assert_eq!(stage.post("nonsense", pages, name).await.status, 401);
    let key = json!({ "key": "nonsense" });
    assert_eq!(
        stage.post(&stage.owner, "/api/session", key).await.status,
        401
    );
    // Reading what is not there is nobody's crime.
    assert_eq!(stage.get(&guest, "/api/runs/run_none").await.status, 404);

    let expected = named(&[
        ("person:eve", "http"),
        ("person:guest", "http"),
        ("unknown", "http"),
        ("unknown", "session"),
    ]);
    let found = refusals(&stage, expected.len()).await;
    assert_eq!(found, expected);
    let told = entries(stage.data());
    let all = format!("{told:?}");
    assert!(!all.contains(&reader) && !all.contains("nonsense"), "{all}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_refused_requests_leaves_few_entries_and_the_chain_whole() {
    let stage = Stage::set().await;
    let reader = stage
        .token(json!({ "ops": ["read"], "subject": "person:eve" }))
        .await;
    for _ in 0..300 {
        let name = json!({ "name": "Mine", "kind": "canvas" });
        let path = "/api/workspaces/main/pages";
        assert_eq!(stage.post(&reader, path, name).await.status, 403);
    }
    // 64 one by one, then the 128th and the 256th.
    assert_eq!(refusals(&stage, 66).await.len(), 66);
    let archive = Archive::open(stage.data()).unwrap();
    let report = archive.verify(None, &signature_holds).unwrap();
    assert_eq!(report.findings, vec![]);
}
