//! What happens on a served page is in the chain, and the chain verifies while the server runs.

use std::path::Path;

use glade_access::signature_holds;
use glade_store::Archive;
use loro_protocol::{ProtocolMessage, UpdateStatusCode};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::stage::{Stage, rectangle};

/// `(kind, subject, body)` of each entry.
pub fn entries(data: &Path) -> Vec<(String, String, Value)> {
    let db = Connection::open(data.join("glade.db")).unwrap();
    let mut statement = db
        .prepare("SELECT kind, subject, body FROM audit ORDER BY seq")
        .unwrap();
    let rows = statement
        .query_map([], |row| {
            let body: Vec<u8> = row.get(2)?;
            let told: Value = serde_json::from_slice(&body).unwrap();
            Ok((row.get(0)?, row.get(1)?, told["body"].clone()))
        })
        .unwrap();
    rows.map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn joins_updates_refusals_and_tokens_are_in_a_chain_that_verifies() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let reader = stage
        .attenuate(
            &stage.owner,
            json!({"ops": ["read"], "subject": "person:anna"}),
        )
        .await;
    let mut owner = stage.connect(1).await;
    owner.join(&page, &stage.owner).await;
    let mut anna = stage.connect(2).await;
    anna.join(&page, &reader).await;
    let edit = [rectangle("r", 0.0, 0.0)];
    assert_eq!(owner.edit(&page, &edit).await, UpdateStatusCode::Ok);
    assert_eq!(
        anna.edit(&page, &edit).await,
        UpdateStatusCode::PermissionDenied
    );
    stage
        .post(&stage.owner, "/api/tokens/revoke", json!({"token": reader}))
        .await;
    let refused = stage.connect(3).await.join(&page, &reader).await;
    assert!(matches!(refused, ProtocolMessage::JoinError { .. }));
    let limits = json!({"subject": "person:bob"});
    stage.attenuate(&stage.owner, limits).await;

    let told = entries(stage.data());
    let who: Vec<(&str, &str)> = told
        .iter()
        .map(|(kind, subject, _)| (kind.as_str(), subject.as_str()))
        .collect();
    assert_eq!(
        who,
        [
            // The first page, the first fairy.
            ("rights", "server"),
            ("rights", "server"),
            ("token-attenuated", "person:owner"),
            ("rights", "server"),
            ("join", "person:owner"),
            ("join", "person:anna"),
            ("update", "person:owner"),
            ("refusal", "person:anna"),
            ("token-revoked", "person:owner"),
            ("refusal", "person:anna"),
            ("token-attenuated", "person:owner"),
            ("rights", "server"),
        ]
    );
    assert_eq!(
        told[5].2,
        json!({"page": page, "what": "document", "write": false})
    );
    assert_eq!(told[7].2["code"], "read-only");
    assert_eq!(told[2].2["token"], told[8].2["token"]);
    for (_, _, body) in &told {
        assert!(!body.to_string().contains(&reader));
    }
    let report = Archive::open(stage.data())
        .unwrap()
        .verify(None, &signature_holds)
        .unwrap();
    assert_eq!((report.entries, report.findings), (12, vec![]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_told_from_its_question_to_who_undid_it() {
    let stage = Stage::open().await;
    let workspace: Value = stage
        .get(&stage.owner, "/api/workspaces/main")
        .await
        .json()
        .await
        .unwrap();
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap().to_owned();
    let asked = json!({"input": {"message": "Draw a flow: Order -> Pay"}});
    let begun: Value = stage
        .post(
            &stage.owner,
            &format!("/api/fairies/{fairy}/interrupt"),
            asked,
        )
        .await
        .json()
        .await
        .unwrap();
    let run = begun["run"].as_str().unwrap().to_owned();
    for _ in 0..500 {
        let shown: Value = stage
            .get(&stage.owner, &format!("/api/runs/{run}"))
            .await
            .json()
            .await
            .unwrap();
        if shown["status"] == "pending" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let undone = stage
        .post(&stage.owner, &format!("/api/runs/{run}/undo"), json!({}))
        .await;
    assert_eq!(undone.status(), 200);
    let reopened = stage
        .post(&stage.owner, &format!("/api/runs/{run}/reopen"), json!({}))
        .await;
    assert_eq!(reopened.status(), 200);

    let of_run: Vec<(String, String)> = entries(stage.data())
        .into_iter()
        .filter(|(_, _, body)| body["run"] == run.as_str())
        .map(|(kind, subject, _)| (kind, subject))
        .collect();
    let fairy = format!("fairy:{fairy}");
    let count = |kind: &str, subject: &str| {
        of_run
            .iter()
            .filter(|(k, s)| k == kind && s == subject)
            .count()
    };
    assert_eq!(count("step", &fairy), 1);
    // However many updates a drawing comes in; undoing it and taking that back are the server's.
    let steps = of_run.iter().filter(|(kind, _)| kind != "step");
    let mut told: Vec<(&str, &str)> = steps.map(|(k, s)| (k.as_str(), s.as_str())).collect();
    told.dedup();
    assert_eq!(
        told,
        [
            ("run-begun", fairy.as_str()),
            ("update", &fairy),
            ("run-ended", &fairy),
            ("update", "server"),
            ("run-undone", "person:owner"),
            ("update", "server"),
            ("run-reopened", "person:owner"),
        ]
    );
}

#[test]
fn a_server_that_stops_signs_what_is_left() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let dir = runtime.block_on(async {
        let stage = Stage::open().await;
        let page = stage.page().await;
        let mut owner = stage.connect(1).await;
        owner.join(&page, &stage.owner).await;
        for n in 0..5 {
            let edit = [rectangle(&format!("r{n}"), 0.0, 0.0)];
            assert_eq!(owner.edit(&page, &edit).await, UpdateStatusCode::Ok);
        }
        stage.close().await
    });
    drop(runtime);
    let report = Archive::open(dir.path())
        .unwrap()
        .verify(None, &signature_holds)
        .unwrap();
    // What the first page and fairy decide, a join, five updates, and the snapshot that they were
    // folded into.
    assert_eq!(
        (report.entries, report.vouched, report.findings),
        (9, 9, vec![])
    );
}
