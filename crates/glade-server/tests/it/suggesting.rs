//! People who may only suggest: their edits merge and are pending, for others to keep or undo.

use std::collections::BTreeSet;

use glade_doc::{Edit, RunTag};
use loro::VersionVector;
use loro_protocol::{Permission, ProtocolMessage, UpdateStatusCode};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Client, Stage, rectangle};
use crate::text_pages::{rewrite, text_page, words, writer_with};

async fn token(stage: &Stage, subject: &str, ops: &[&str]) -> String {
    let limits = json!({"subject": subject, "ops": ops});
    stage.attenuate(&stage.owner, limits).await
}

async fn suggester(stage: &Stage) -> String {
    token(stage, "person:sue", &["read", "comment", "suggest"]).await
}

/// The pending runs that nobody asked a fairy for.
async fn suggestions(stage: &Stage) -> Vec<Value> {
    let (_, workspace) = stage
        .send(
            Method::GET,
            &stage.owner,
            "/api/workspaces/main",
            Value::Null,
        )
        .await;
    let runs = workspace["runs"].as_array().unwrap().clone();
    let waits = |run: &Value| run["settled"] == false && run["fairy"] == "";
    runs.into_iter().filter(waits).collect()
}

async fn settle(stage: &Stage, token: &str, run: &Value, how: &str) -> (u16, Value) {
    let path = format!("/api/runs/{}/{how}", run["id"].as_str().unwrap());
    stage.send(Method::POST, token, &path, json!({})).await
}

async fn live(stage: &Stage, page: &str) -> BTreeSet<String> {
    let path = format!("/api/pages/{page}/export?format=json");
    let (_, export) = stage
        .send(Method::GET, &stage.owner, &path, Value::Null)
        .await;
    let elements = export["elements"].as_object().unwrap().clone();
    let live = elements
        .into_iter()
        .filter(|(_, props)| props["isDeleted"] != true);
    live.map(|(id, _)| id).collect()
}

fn ids(ids: &[&str]) -> BTreeSet<String> {
    ids.iter().map(ToString::to_string).collect()
}

async fn joined(stage: &Stage, page: &str, token: &str, peer: u64) -> Client {
    let mut client = stage.connect(peer).await;
    let answer = client.join(page, token).await;
    let ProtocolMessage::JoinResponseOk {
        permission,
        version,
        ..
    } = answer
    else {
        panic!("{answer:?}");
    };
    assert!(matches!(permission, Permission::Write));
    while !has(&client, &version) {
        client.catch_up().await;
    }
    client
}

/// Whether the client has all that the server said it has.
fn has(client: &Client, version: &[u8]) -> bool {
    let server = VersionVector::decode(version).unwrap();
    client.doc.loro().oplog_vv().includes_vv(&server)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_suggester_draws_is_seen_by_all_and_waits_for_an_editor() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let (sue, ed) = (
        suggester(&stage).await,
        token(&stage, "person:ed", &["read", "edit"]).await,
    );
    let mut owner = joined(&stage, &page, &stage.owner, 1).await;
    assert_eq!(
        owner.edit(&page, &[rectangle("theirs", 0.0, 0.0)]).await,
        UpdateStatusCode::Ok
    );
    let mut line = joined(&stage, &page, &sue, 2).await;
    for edit in [rectangle("mine", 5.0, 5.0), rectangle("theirs", 70.0, 0.0)] {
        assert_eq!(line.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    }
    while owner.doc.elements() != line.doc.elements() {
        owner.catch_up().await;
    }

    let waiting = suggestions(&stage).await;
    let [run] = waiting.as_slice() else {
        panic!("{waiting:?}");
    };
    assert_eq!(run["author"], "person:sue");
    assert_eq!(run["status"], "pending");
    assert_eq!(run["page"], page.as_str());
    assert_eq!(run["elements"], json!(["mine", "theirs"]));

    // Only whoever may edit settles it.
    for how in ["keep", "undo"] {
        assert_eq!(settle(&stage, &sue, run, how).await.0, 403);
    }
    assert_eq!(suggestions(&stage).await, waiting);
    let (status, undone) = settle(&stage, &ed, run, "undo").await;
    assert_eq!((status, &undone["kept"]), (200, &json!([])));
    assert_eq!(live(&stage, &page).await, ids(&["theirs"]));
    assert_eq!(suggestions(&stage).await, Vec::<Value>::new());
    while line.doc.element(&"theirs".into()).unwrap()["x"] != 0.0 {
        line.catch_up().await;
    }

    // What comes after is another run; kept, it stays and can no longer be undone.
    let again = line.edit(&page, &[rectangle("more", 9.0, 9.0)]).await;
    assert_eq!(again, UpdateStatusCode::Ok);
    let [next] = suggestions(&stage).await.try_into().unwrap();
    assert_ne!(next["id"], run["id"]);
    assert_eq!(settle(&stage, &ed, &next, "keep").await.0, 200);
    assert_eq!(settle(&stage, &ed, &next, "undo").await.0, 409);
    assert_eq!(live(&stage, &page).await, ids(&["more", "theirs"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn undoing_a_suggestion_keeps_what_others_did_to_it_since() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let sue = suggester(&stage).await;
    let mut line = joined(&stage, &page, &sue, 2).await;
    let drawn = [rectangle("a", 0.0, 0.0), rectangle("b", 0.0, 0.0)];
    assert_eq!(line.edit(&page, &drawn).await, UpdateStatusCode::Ok);
    let mut owner = joined(&stage, &page, &stage.owner, 1).await;
    let moved = owner.edit(&page, &[rectangle("b", 44.0, 0.0)]).await;
    assert_eq!(moved, UpdateStatusCode::Ok);
    let [run] = suggestions(&stage).await.try_into().unwrap();
    let (_, undone) = settle(&stage, &stage.owner, &run, "undo").await;
    assert_eq!(
        undone,
        json!({"undone": 1, "kept": [{"what": "b", "property": "x", "by": "person:owner"}]})
    );
    assert_eq!(live(&stage, &page).await, ids(&["b"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suggestion_survives_a_restart_and_grows() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let sue = suggester(&stage).await;
    let mut line = joined(&stage, &page, &sue, 2).await;
    let drawn = line.edit(&page, &[rectangle("a", 0.0, 0.0)]).await;
    assert_eq!(drawn, UpdateStatusCode::Ok);
    let [before] = suggestions(&stage).await.try_into().unwrap();
    drop(line);
    let stage = Stage::in_folder(stage.close().await).await;
    let mut line = joined(&stage, &page, &sue, 3).await;
    let drawn = line.edit(&page, &[rectangle("b", 0.0, 0.0)]).await;
    assert_eq!(drawn, UpdateStatusCode::Ok);
    let [after] = suggestions(&stage).await.try_into().unwrap();
    assert_eq!(after["id"], before["id"]);
    assert_eq!(after["elements"], json!(["a", "b"]));
    assert_eq!(settle(&stage, &stage.owner, &after, "undo").await.0, 200);
    assert_eq!(live(&stage, &page).await, ids(&[]));
    let dir = stage.close().await;
    let report = glade_store::Archive::open(dir.path())
        .unwrap()
        .verify(None, &glade_access::signature_holds)
        .unwrap();
    assert_eq!(report.findings, []);
}

/// Whoever's work is pending can neither say that it stands nor draw so that it does.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_settles_their_own_pending_work_through_any_door() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let ops = ["read", "comment", "suggest", "edit", "command"];
    let authors = [
        (suggester(&stage).await, "person:sue", 2),
        (
            token(&stage, "fairy:fy_away", &ops).await,
            "fairy:fy_away",
            3,
        ),
        (token(&stage, "agent:helper", &ops).await, "agent:helper", 4),
    ];
    for (token, subject, peer) in &authors {
        let mut line = joined(&stage, &page, token, *peer).await;
        let id = format!("by-{peer}");
        // Drawn without a word about a run: it is pending all the same.
        let drawn = line.edit(&page, &[rectangle(&id, 0.0, 0.0)]).await;
        assert_eq!(drawn, UpdateStatusCode::Ok);
        let waiting = suggestions(&stage).await;
        let run = waiting
            .iter()
            .find(|run| run["author"] == *subject)
            .unwrap_or_else(|| panic!("{subject}: {waiting:?}"));
        for how in ["keep", "undo"] {
            let (status, problem) = settle(&stage, token, run, how).await;
            assert_eq!(status, 403, "{subject} {how}: {problem}");
        }
        // Drawn in the name of another's run: refused.
        let tag = RunTag {
            run: "run_ofsomeone00".into(),
            step: 1,
            action: 1,
        };
        let edits = [rectangle("claimed", 1.0, 1.0)];
        let commit = line.doc.commit(*peer, Some(&tag), &edits).unwrap().unwrap();
        let refused = line.send_update(&page, commit.update).await;
        assert_eq!(refused, UpdateStatusCode::PermissionDenied, "{subject}");
        // Deleting what is pending does not settle it either.
        let mut line = joined(&stage, &page, token, peer + 10).await;
        let gone = line
            .edit(
                &page,
                &[Edit::Delete {
                    id: id.as_str().into(),
                }],
            )
            .await;
        assert_eq!(gone, UpdateStatusCode::Ok);
        let still = suggestions(&stage).await;
        assert!(still.iter().any(|now| now["id"] == run["id"]), "{still:?}");
    }
    // The server's own doors for edits need the right to edit.
    let (sue, _, _) = &authors[0];
    let file = json!({"type": "excalidraw", "version": 2, "elements": []});
    let import = format!("/api/pages/{page}/import?mode=append");
    assert_eq!(stage.send(Method::POST, sue, &import, file).await.0, 403);
    assert_eq!(live(&stage, &page).await, ids(&[]));
}

/// The words of a block that are marked as pending, each with its run.
fn pending(client: &Client, block: &str) -> Vec<(String, String)> {
    let text = client.doc.words(&block.into()).unwrap();
    let pieces = text.to_delta().into_iter().filter_map(|piece| match piece {
        loro::TextDelta::Insert { insert, attributes } => {
            let run = attributes?.get("agent-pending")?.as_string()?.to_string();
            Some((insert, run))
        }
        _ => None,
    });
    pieces.collect()
}

/// A newcomer's view of a text page, once it says what is asked for.
async fn seen(stage: &Stage, page: &str, text: &str, peer: u64) -> (Client, String) {
    let mut client = writer_with(stage, page, &stage.owner, peer).await;
    let block = client.doc.elements().into_keys().next().unwrap().0;
    while words(&client, &block) != text {
        client.catch_up().await;
    }
    (client, block)
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_a_suggester_types_are_pending_until_somebody_decides() {
    let stage = Stage::open().await;
    let page = text_page(&stage).await;
    let (mut owner, block) = seen(&stage, &page, "", 1).await;
    let said = rewrite(&owner, &block, "We meet on Monday.");
    assert_eq!(owner.edit(&page, &[said]).await, UpdateStatusCode::Ok);

    let sue = suggester(&stage).await;
    let mut line = writer_with(&stage, &page, &sue, 2).await;
    let edit = rewrite(&line, &block, "We all meet on Tuesday.");
    assert_eq!(line.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    let [run] = suggestions(&stage).await.try_into().unwrap();
    assert_eq!(
        (&run["author"], &run["elements"]),
        (&json!("person:sue"), &json!([block]))
    );
    let id = run["id"].as_str().unwrap();
    let (mut ben, _) = seen(&stage, &page, "We all meet on Tuesday.", 3).await;
    while pending(&ben, &block).is_empty() {
        ben.catch_up().await;
    }
    let marked = pending(&ben, &block);
    assert!(marked.iter().all(|(_, by)| by == id), "{marked:?}");
    let marked: String = marked.into_iter().map(|(words, _)| words).collect();
    assert!(
        marked.contains("all") && marked.contains("Tues"),
        "{marked}"
    );
    assert!(!marked.contains("meet"), "{marked}");

    // Undone, the page says what it said; kept, nothing is pending any more.
    assert_eq!(settle(&stage, &stage.owner, &run, "undo").await.0, 200);
    let (undone, _) = seen(&stage, &page, "We meet on Monday.", 4).await;
    assert_eq!(pending(&undone, &block), []);
    let mut line = writer_with(&stage, &page, &sue, 5).await;
    let edit = rewrite(&line, &block, "We meet on Monday, at noon.");
    assert_eq!(line.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    let [run] = suggestions(&stage).await.try_into().unwrap();
    assert_eq!(settle(&stage, &stage.owner, &run, "keep").await.0, 200);
    let (kept, _) = seen(&stage, &page, "We meet on Monday, at noon.", 6).await;
    assert_eq!(pending(&kept, &block), []);
}
