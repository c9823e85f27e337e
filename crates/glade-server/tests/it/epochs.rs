//! A page that everybody has left lets go of its past; whoever comes back from before begins again.

use std::time::Duration;

use glade_doc::PageDoc;
use glade_server::RoomTuning;
use glade_store::Store;
use loro_protocol::{JoinErrorCode, ProtocolMessage, UpdateStatusCode};
use serde_json::{Value, json};

use crate::stage::{Stage, rectangle};
use crate::text_pages;

/// Lets go of its past whenever it comes to rest.
fn eager() -> RoomTuning {
    RoomTuning {
        compact_operations: 1,
        ..RoomTuning::default()
    }
}

async fn drawn(stage: &Stage, page: &str) -> Value {
    let workspace: Value = stage
        .get(&stage.owner, "/api/workspaces/main")
        .await
        .json()
        .await
        .unwrap();
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap();
    let asked = json!({"input": {"message": "Order -> Pay", "page": page}});
    let path = format!("/api/fairies/{fairy}/interrupt");
    let begun: Value = stage
        .post(&stage.owner, &path, asked)
        .await
        .json()
        .await
        .unwrap();
    let run = format!("/api/runs/{}", begun["run"].as_str().unwrap());
    for _ in 0..200 {
        let run: Value = stage.get(&stage.owner, &run).await.json().await.unwrap();
        if run["status"] == "pending" {
            return run;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the fairy does not come to an end");
}

async fn elements(stage: &Stage, page: &str) -> Value {
    let path = format!("/api/pages/{page}/export?format=json");
    let export: Value = stage.get(&stage.owner, &path).await.json().await.unwrap();
    export["elements"].clone()
}

async fn restarted(stage: Stage) -> Stage {
    Stage::start(stage.close().await, 0.0, eager()).await
}

fn epoch(stage: &Stage, page: &str) -> i64 {
    let db = rusqlite::Connection::open(stage.data().join("glade.db")).unwrap();
    db.query_row(
        "SELECT epoch FROM page_snapshot WHERE page = ?1",
        [page],
        |row| row.get(0),
    )
    .unwrap_or(0)
}

async fn epoch_begins(stage: &Stage, page: &str) {
    for _ in 0..200 {
        if epoch(stage, page) > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no epoch begins");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_page_begins_an_epoch_under_its_people_and_they_go_on() {
    let tuning = RoomTuning {
        compact_operations: 100,
        compact_quiet: Duration::from_millis(300),
        ..RoomTuning::default()
    };
    let stage = Stage::start(tempfile::tempdir().unwrap(), 0.0, tuning).await;
    let page = stage.page().await;
    let mut ann = stage.connect(1).await;
    ann.join(&page, &stage.owner).await;
    for x in 0..120 {
        let moved = ann.edit(&page, &[rectangle("a", f64::from(x), 0.0)]).await;
        assert_eq!(moved, UpdateStatusCode::Ok);
    }
    epoch_begins(&stage, &page).await;
    // Ann notices nothing, and whoever comes new gets the page as it is.
    let moved = ann.edit(&page, &[rectangle("a", 777.0, 0.0)]).await;
    assert_eq!(moved, UpdateStatusCode::Ok);
    let mut ben = stage.connect(2).await;
    ben.join(&page, &stage.owner).await;
    ben.catch_up().await;
    assert_eq!(ben.doc.elements(), ann.doc.elements());
    assert!(ben.doc.history() < 20, "{}", ben.doc.history());
    let made = ben.edit(&page, &[rectangle("b", 5.0, 5.0)]).await;
    assert_eq!(made, UpdateStatusCode::Ok);
    ann.catch_up().await;
    assert_eq!(ben.doc.elements(), ann.doc.elements());
    // One epoch is enough for a page that stays as short as this.
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(epoch(&stage, &page), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_epoch_keeps_the_pending_run_undoable_and_tells_old_replicas_to_begin_again() {
    let stage = Stage::start(tempfile::tempdir().unwrap(), 0.0, eager()).await;
    let page = stage.page().await;
    let mut early = stage.connect(1).await;
    early.join(&page, &stage.owner).await;
    assert_eq!(
        early.edit(&page, &[rectangle("mine", 0.0, 0.0)]).await,
        UpdateStatusCode::Ok
    );
    let mut other = stage.connect(2).await;
    other.join(&page, &stage.owner).await;
    other.catch_up().await;
    // A past that is longer than what the fairy will do, which stays.
    for x in 1..400 {
        let moved = other
            .edit(&page, &[rectangle("mine", f64::from(x), 0.0)])
            .await;
        assert_eq!(moved, UpdateStatusCode::Ok);
    }
    let before = elements(&stage, &page).await;
    let run = drawn(&stage, &page).await;
    let after = elements(&stage, &page).await;
    assert_ne!(before, after);
    drop(other);

    let stage = restarted(stage).await;
    assert_eq!(epoch(&stage, &page), 1);
    assert_eq!(elements(&stage, &page).await, after);

    // The early tab was away while that happened, and has drawn something since.
    let mine = early
        .doc
        .commit(1, None, &[rectangle("later", 5.0, 5.0)])
        .unwrap()
        .unwrap();
    let mut back = stage.connect(1).await;
    back.doc = early.doc;
    match back.join(&page, &stage.owner).await {
        ProtocolMessage::JoinError { code, .. } => assert_eq!(code, JoinErrorCode::VersionUnknown),
        other => panic!("{other:?}"),
    }
    // It takes the state as it is, and makes its own difference anew under another id.
    back.doc = PageDoc::new();
    let joined = back.join(&page, &stage.owner).await;
    assert!(
        matches!(joined, ProtocolMessage::JoinResponseOk { .. }),
        "{joined:?}"
    );
    back.catch_up().await;
    let mut again = stage.connect(3).await;
    again.doc = back.doc;
    again.join(&page, &stage.owner).await;
    let done = again.edit(&page, &[rectangle("later", 5.0, 5.0)]).await;
    assert_eq!(done, UpdateStatusCode::Ok);
    // What was made on the past is refused as such, should a client send it all the same.
    let refused = again.send_update(&page, mine.update).await;
    assert_eq!(refused, UpdateStatusCode::InvalidUpdate);

    let undo = format!("/api/runs/{}/undo", run["id"].as_str().unwrap());
    let undone: Value = stage
        .post(&stage.owner, &undo, json!({}))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(undone["kept"], json!([]));
    let shown = |all: Value| -> Vec<String> {
        let all = all.as_object().unwrap().clone();
        let live = all
            .into_iter()
            .filter(|(_, element)| element["isDeleted"] != true);
        live.map(|(id, _)| id).collect()
    };
    assert_eq!(shown(elements(&stage, &page).await), ["later", "mine"]);

    // Settled, it bounds nothing any more.
    let stage = restarted(stage).await;
    assert_eq!(epoch(&stage, &page), 2);
    assert_eq!(shown(elements(&stage, &page).await), ["later", "mine"]);
    let dir = stage.close().await;
    let report = glade_store::Archive::open(dir.path())
        .unwrap()
        .verify(None, &glade_access::signature_holds)
        .unwrap();
    assert_eq!(report.findings, []);
    drop(Store::open(dir.path()));
}

/// What everyone may do with a text page, whether or not it has let go of its past.
async fn a_text_page_works(stage: &Stage, page: &str, peer: u64, word: &str) {
    let mut ann = text_pages::writer_with(stage, page, &stage.owner, peer).await;
    let id = ann.doc.elements().into_keys().next().unwrap();
    let text = format!("{} {word}", text_pages::words(&ann, id.as_str()));
    let edit = text_pages::rewrite(&ann, id.as_str(), &text);
    assert_eq!(ann.edit(page, &[edit]).await, UpdateStatusCode::Ok);

    let export = async |format: &str| {
        let path = format!("/api/pages/{page}/export?format={format}");
        stage.get(&stage.owner, &path).await.text().await.unwrap()
    };
    for format in ["markdown", "json", "html"] {
        let exported = export(format).await;
        assert!(exported.contains(word), "{format}: {exported}");
    }
    let path = format!("/api/workspaces/main/search?q={word}");
    let found = stage.read(&path).await.to_string();
    assert!(found.contains(page), "{found}");

    // A person appends a file, and a fairy changes words.
    let appended = reqwest::Client::new()
        .post(stage.url(&format!("/api/pages/{page}/import?mode=append")))
        .bearer_auth(&stage.owner)
        .header("content-type", "text/markdown")
        .body(format!("appended {word}"))
        .send()
        .await
        .unwrap();
    assert!(appended.status().is_success(), "{}", appended.status());
    let fairy = stage.read("/api/workspaces/main/fairies").await[0]["id"].clone();
    let wish = json!({"message": format!("replace {word} with {word}ish"), "page": page});
    let run = stage.ask(fairy.as_str().unwrap(), wish).await;
    let words = export("markdown").await;
    assert!(words.contains(&format!("appended {word}ish")), "{words}");
    let undo = format!("/api/runs/{}/undo", run["id"].as_str().unwrap());
    let undone = stage.post(&stage.owner, &undo, json!({})).await;
    assert!(undone.status().is_success());
    let words = export("markdown").await;
    assert!(words.contains(&format!("appended {word}\n")), "{words}");

    // A copy is a text page too.
    let path = format!("/api/pages/{page}/duplicate");
    let copy: Value = stage
        .post(&stage.owner, &path, json!({}))
        .await
        .json()
        .await
        .unwrap();
    let copy = copy["id"].as_str().unwrap();
    let path = format!("/api/pages/{copy}/export?format=markdown");
    let copied = stage.get(&stage.owner, &path).await.text().await.unwrap();
    assert_eq!(copied, words);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_page_takes_everything_before_and_after_its_epochs() {
    let tuning = RoomTuning {
        compact_operations: 100,
        compact_quiet: Duration::from_millis(300),
        ..RoomTuning::default()
    };
    let stage = Stage::start(tempfile::tempdir().unwrap(), 0.0, tuning).await;
    let page = text_pages::text_page(&stage).await;
    a_text_page_works(&stage, &page, 11, "before").await;
    let mut ann = text_pages::writer_with(&stage, &page, &stage.owner, 1).await;
    let id = ann.doc.elements().into_keys().next().unwrap();
    for n in 0..120 {
        let edit = text_pages::rewrite(&ann, id.as_str(), &format!("Sentence number {n}"));
        assert_eq!(ann.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    }
    epoch_begins(&stage, &page).await;
    // Whoever was there goes on, and everything works in the room that is open, and when it is
    // opened again.
    let edit = text_pages::rewrite(&ann, id.as_str(), "and on");
    assert_eq!(ann.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    a_text_page_works(&stage, &page, 12, "quietly").await;
    drop(ann);
    let stage = restarted(stage).await;
    a_text_page_works(&stage, &page, 13, "reopened").await;
    let stage = restarted(stage).await;
    assert!(epoch(&stage, &page) >= 2);
    a_text_page_works(&stage, &page, 14, "again").await;
}
