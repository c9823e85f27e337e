//! Text pages over the real wire: two people and a fairy write, and nothing is lost.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glade_doc::{Edit, PageDoc, Surface};
use loro::cursor::Cursor;
use loro_protocol::UpdateStatusCode;
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Client, Stage, put};

pub async fn text_page(stage: &Stage) -> String {
    let body = json!({"name": "Notes", "kind": "text"});
    let made = stage
        .post(&stage.owner, "/api/workspaces/main/pages", body)
        .await;
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    assert_eq!(made["kind"], "text");
    made["id"].as_str().unwrap().to_owned()
}

async fn writer(stage: &Stage, page: &str, peer: u64) -> Client {
    writer_with(stage, page, &stage.owner, peer).await
}

pub async fn writer_with(stage: &Stage, page: &str, token: &str, peer: u64) -> Client {
    let mut client = stage.connect(peer).await;
    client.doc = PageDoc::blank(Surface::Text);
    client.join(page, token).await;
    while client.doc.elements().is_empty() {
        client.catch_up().await;
    }
    client
}

pub fn words(client: &Client, id: &str) -> String {
    let props = client.doc.element(&id.into()).unwrap();
    props["originalText"].as_str().unwrap_or("").to_owned()
}

pub fn rewrite(client: &Client, id: &str, text: &str) -> Edit {
    Edit::Rewrite {
        id: id.into(),
        base: words(client, id),
        text: text.to_owned(),
        marks: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_page_begins_with_one_paragraph_that_two_people_share() {
    let stage = Stage::open().await;
    let page = text_page(&stage).await;
    let mut ann = writer(&stage, &page, 11).await;
    let mut ben = writer(&stage, &page, 12).await;
    assert_eq!(ann.doc.elements(), ben.doc.elements());
    let ids: Vec<String> = ann.doc.elements().into_keys().map(|id| id.0).collect();
    let [id] = ids.as_slice() else {
        panic!("one block: {ids:?}");
    };
    // Both at once, neither having seen the other.
    let (one, two) = (
        rewrite(&ann, id, "Ann was here. "),
        rewrite(&ben, id, "So was Ben."),
    );
    assert_eq!(ann.edit(&page, &[one]).await, UpdateStatusCode::Ok);
    assert_eq!(ben.edit(&page, &[two]).await, UpdateStatusCode::Ok);
    let late = writer(&stage, &page, 13).await;
    let all = words(&late, id);
    assert!(
        all.contains("Ann was here. ") && all.contains("So was Ben."),
        "{all}"
    );
    let path = format!("/api/pages/{page}/export?format=json");
    let server: Value = stage.get(&stage.owner, &path).await.json().await.unwrap();
    assert_eq!(server["elements"][id]["originalText"], all);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_claims_that_words_are_pending() {
    let stage = Stage::open().await;
    let page = text_page(&stage).await;
    let mut ann = writer(&stage, &page, 11).await;
    let id = ann.doc.elements().into_keys().next().unwrap();
    let edit = rewrite(&ann, id.as_str(), "mine");
    assert_eq!(ann.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    let before = ann.doc.loro().oplog_vv();
    let map = ann
        .doc
        .loro()
        .get_map("doc")
        .ensure_mergeable_map(id.as_str());
    let text = map.unwrap().ensure_mergeable_text("originalText").unwrap();
    text.mark(0..2, "agent-pending", "run_1").unwrap();
    ann.doc.loro().commit();
    let update = ann
        .doc
        .loro()
        .export(loro::ExportMode::updates(&before))
        .unwrap();
    assert_eq!(
        ann.send_update(&page, update).await,
        UpdateStatusCode::PermissionDenied
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_kept_by_the_block_and_undone_by_the_change() {
    let stage = Stage::open().await;
    let page = text_page(&stage).await;
    let mut ann = writer(&stage, &page, 11).await;
    let first = ann.doc.elements().into_keys().next().unwrap();
    let second = json!({"nodeName": "paragraph", "index": "z", "parent": null, "originalText": "A colour of one's own"});
    let edits = [
        rewrite(&ann, first.as_str(), "The colour of the sky"),
        put("second", &second),
    ];
    assert_eq!(ann.edit(&page, &edits).await, UpdateStatusCode::Ok);
    let fairy = stage.read("/api/workspaces/main/fairies").await[0]["id"].clone();
    let wish = json!({"message": "replace colour with hue", "page": page});
    let run = stage.ask(fairy.as_str().unwrap(), wish).await;
    let run = run["id"].as_str().unwrap().to_owned();
    let text = async || {
        let path = format!("/api/pages/{page}/export?format=markdown");
        stage.get(&stage.owner, &path).await.text().await.unwrap()
    };
    assert_eq!(text().await, "The hue of the sky\n\nA hue of one's own\n");

    // What was replaced is told by places that both sides can follow.
    let changes = stage.read(&format!("/api/runs/{run}/changes")).await;
    let changes = changes.as_array().unwrap();
    let replaced = |block: &str| {
        let of_block =
            |change: &&Value| change["element"] == block && change.get("words").is_some();
        changes.iter().find(of_block).unwrap().clone()
    };
    let change = replaced("second");
    assert_eq!(change["words"]["removed"][0]["text"], "colour");
    let place = change["words"]["typed"][0]["from"].as_str().unwrap();
    let cursor = Cursor::decode(&STANDARD.decode(place).unwrap()).unwrap();
    while words(&ann, "second") != "A hue of one's own" {
        ann.catch_up().await;
    }
    let at = ann.doc.loro().get_cursor_pos(&cursor).unwrap();
    assert_eq!(at.current.pos, 2);

    // A part that nobody understands, or that no run on pages has, is not the whole.
    for part in [
        json!({"block": [first.as_str()]}),
        json!({"files": ["src/a.rs"]}),
        json!({"hunks": {"src/a.rs": [0]}, "blocks": [first.as_str()]}),
    ] {
        for what in ["keep", "undo"] {
            let path = format!("/api/runs/{run}/{what}");
            let refused = stage.post(&stage.owner, &path, part.clone()).await;
            assert_eq!(refused.status(), 422, "{what} {part}");
        }
    }
    let untouched = stage.read(&format!("/api/runs/{run}")).await;
    assert_eq!(untouched["status"], "pending");
    assert_eq!(text().await, "The hue of the sky\n\nA hue of one's own\n");

    let part = json!({"blocks": [first.as_str()]});
    let kept = stage
        .post(&stage.owner, &format!("/api/runs/{run}/keep"), part)
        .await;
    let kept: Value = kept.json().await.unwrap();
    assert_eq!(
        (&kept["status"], &kept["settled"], &kept["elements"]),
        (&json!("pending"), &json!(false), &json!(["second"]))
    );
    let part = json!({"elements": ["second"], "action": change["action"]});
    let undone = stage
        .post(&stage.owner, &format!("/api/runs/{run}/undo"), part)
        .await;
    assert_eq!(undone.status(), 200);
    assert_eq!(
        text().await,
        "The hue of the sky\n\nA colour of one's own\n"
    );
    let run = stage.read(&format!("/api/runs/{run}")).await;
    assert_eq!(run["settled"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_makes_blocks_of_a_plugin_that_is_off_and_those_that_are_there_stay() {
    let stage = Stage::open().await;
    let page = text_page(&stage).await;
    let mut ann = writer(&stage, &page, 11).await;
    let block = |id: &str, kind: &str, parent: Value| {
        let props = json!({"nodeName": kind, "parent": parent, "index": "b", "originalText": id});
        put(id, &props)
    };
    let there = [
        block("t", "table", Value::Null),
        block("c", "tableColumn", json!("t")),
        block("r", "tableRow", json!("t")),
    ];
    assert_eq!(ann.edit(&page, &there).await, UpdateStatusCode::Ok);
    let off = json!({"enabled": {"tables": false, "math": false}});
    let path = "/api/workspaces/main/plugins";
    let (status, _) = stage.send(Method::PATCH, &stage.owner, path, off).await;
    assert_eq!(status, 200);

    // What is there can be filled, moved and made something else.
    let allowed = [
        block("r.c", "tableCell", json!("r")),
        put("t", &json!({"nodeName": "table", "index": "c"})),
        block("p", "paragraph", Value::Null),
    ];
    for edit in allowed {
        assert_eq!(ann.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    }
    let barred = [
        block("r2", "tableRow", json!("t")),
        block("f", "formula", Value::Null),
        block("p", "formula", Value::Null),
    ];
    for (peer, edit) in (20..).zip(barred) {
        let mut line = writer(&stage, &page, peer).await;
        assert_eq!(
            line.edit(&page, &[edit]).await,
            UpdateStatusCode::PermissionDenied
        );
    }
    let on = json!({"enabled": {"tables": true}});
    stage.send(Method::PATCH, &stage.owner, path, on).await;
    let row = block("r2", "tableRow", json!("t"));
    assert_eq!(ann.edit(&page, &[row]).await, UpdateStatusCode::Ok);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_the_workspace_hears_which_plugins_are_off() {
    let stage = Stage::open().await;
    let limits = json!({"ops": ["read"], "subject": "person:ann"});
    let reader = stage.attenuate(&stage.owner, limits).await;
    let mut events = stage.events(&reader).await;
    let snapshot = events.next().await.unwrap();
    assert_eq!(snapshot["pluginsOff"], json!(["embeds"]));

    let path = "/api/workspaces/main/plugins";
    let off = json!({"enabled": {"tables": false}});
    let (status, _) = stage.send(Method::PATCH, &reader, path, off.clone()).await;
    assert_eq!(status, 403, "the owner's alone");
    let (status, shown) = stage.send(Method::PATCH, &stage.owner, path, off).await;
    assert_eq!(status, 200);
    let always = shown["plugins"].as_array().unwrap().iter();
    let always: Vec<&Value> = always.filter(|it| it["always"] == true).collect();
    assert_eq!(always.len(), 1);
    assert_eq!(always[0]["name"], "words");
    let heard = events.change("plugins").await;
    assert_eq!(heard["value"], json!(["tables", "embeds"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_marks_words_with_a_plugin_that_is_off_and_marked_words_can_be_parted() {
    let stage = Stage::open().await;
    let page = text_page(&stage).await;
    let mut ann = writer(&stage, &page, 11).await;
    let block = |id: &str, text: &str, marks: Value| {
        let props = json!({"nodeName": "paragraph", "parent": null, "index": id, "originalText": text, "marks": marks});
        put(id, &props)
    };
    let code = json!([[4, 7, "code", true]]);
    let there = block("a", "Run it, then go.", code.clone());
    assert_eq!(ann.edit(&page, &[there]).await, UpdateStatusCode::Ok);
    let off = json!({"enabled": {"code": false, "math": false, "mentions": false}});
    let path = "/api/workspaces/main/plugins";
    let (status, _) = stage.send(Method::PATCH, &stage.owner, path, off).await;
    assert_eq!(status, 200);

    let allowed = [
        // What is parted in two takes its marks along; what has them may lose them; others are as they were.
        block("b", "Run it.", code),
        block("b", "Run it.", json!([])),
        block("c", "Bold words.", json!([[0, 4, "bold", true]])),
    ];
    for edit in allowed {
        assert_eq!(ann.edit(&page, &[edit]).await, UpdateStatusCode::Ok);
    }
    let barred = [
        block("d", "x squared", json!([[0, 9, "tex", true]])),
        block("c", "Bold words.", json!([[0, 4, "mention", "person:ann"]])),
    ];
    for (peer, edit) in (20..).zip(barred) {
        let mut line = writer(&stage, &page, peer).await;
        assert_eq!(
            line.edit(&page, &[edit]).await,
            UpdateStatusCode::PermissionDenied
        );
    }
    let on = json!({"enabled": {"math": true}});
    stage.send(Method::PATCH, &stage.owner, path, on).await;
    let formula = block("d", "x squared", json!([[0, 9, "tex", true]]));
    assert_eq!(ann.edit(&page, &[formula]).await, UpdateStatusCode::Ok);
}
