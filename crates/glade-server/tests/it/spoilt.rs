//! Pages that were spoilt before there were rules for elements: everything that reads them goes on.

use std::path::Path;
use std::time::Duration;

use glade_doc::{PageDoc, Surface};
use glade_store::{Change, Store, StoreError};
use loro::{ExportMode, LoroDoc};
use serde_json::{Value, json};

use crate::stage::Stage;
use crate::text_pages;

/// Writes to a page behind the gate's back, with no server running.
async fn spoil(stage: Stage, page: &str, surface: Surface, elements: &Value) -> Stage {
    let dir = stage.close().await;
    let store = opened(dir.path()).await;
    let stored = store.load_page(page).unwrap();
    let doc = PageDoc::open(surface, stored.snapshot.as_deref(), &stored.updates).unwrap();
    let doc: &LoroDoc = doc.loro();
    doc.set_peer_id(66).unwrap();
    let before = doc.oplog_vv();
    for (id, props) in elements.as_object().unwrap() {
        let map = doc
            .get_map(surface.root())
            .ensure_mergeable_map(id)
            .unwrap();
        for (name, value) in props.as_object().unwrap() {
            match (name.as_str(), value.as_str()) {
                ("originalText", Some(words)) => {
                    let text = map.ensure_mergeable_text(name).unwrap();
                    text.insert(0, words).unwrap();
                }
                _ => map
                    .insert(name, loro::LoroValue::from(value.clone()))
                    .unwrap(),
            }
        }
    }
    doc.commit();
    let to = doc.oplog_vv().get(&66).copied().unwrap();
    let update = Change::AppendUpdate {
        page: page.to_owned(),
        peer_spans: vec![(66, 0, to)],
        blob: doc.export(ExportMode::updates(&before)).unwrap(),
        subject: "person:long-ago".to_owned(),
        at_ms: 1,
    };
    store.write_blocking(vec![update]).unwrap();
    drop(store);
    Stage::in_folder(dir).await
}

/// The server may just be letting go of it.
async fn opened(dir: &Path) -> Store {
    for _ in 0..200 {
        match Store::open(dir) {
            Err(StoreError::InUse { .. }) => tokio::time::sleep(Duration::from_millis(50)).await,
            free => return free.unwrap(),
        }
    }
    panic!("the folder stays in use");
}

async fn reads(stage: &Stage, path: &str) -> Vec<u8> {
    let asked = tokio::time::timeout(Duration::from_secs(60), stage.get(&stage.owner, path));
    let answer = asked.await.expect("it takes no longer than a minute");
    assert_eq!(answer.status().as_u16(), 200, "{path}");
    answer.bytes().await.unwrap().to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spoilt_canvas_is_exported_drawn_searched_and_worked_on() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let zigzag: Vec<Value> = (0..60_000).map(|at| json!([at % 500, at % 7])).collect();
    let stage = spoil(
        stage,
        &page,
        Surface::Canvas,
        &json!({
            "good": { "type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 60 },
            "words": { "type": "text", "x": 0, "y": 90, "originalText": "searchable" },
            "names": { "type": "rectangle", "hasOwnProperty": 1, "__proto__": { "x": 1 } },
            "huge": {
                "type": "rectangle", "width": 2e6, "height": 2e6, "strokeWidth": 0.01,
                "backgroundColor": "#ffc9c9", "fillStyle": "cross-hatch",
            },
            "far": { "type": "ellipse", "x": 1e300, "y": -1e300, "width": 1e308, "height": "wide" },
            "ink": { "type": "freedraw", "points": zigzag },
            "inside": { "type": "iframe", "link": "javascript:alert(1)" },
            "ring": { "type": "frame", "frameId": "ring", "width": 10, "height": 10 },
        }),
    )
    .await;
    for format in ["json", "svg", "png", "excalidraw"] {
        reads(&stage, &format!("/api/pages/{page}/export?format={format}")).await;
    }
    let found = reads(&stage, "/api/workspaces/main/search?q=searchable").await;
    assert!(String::from_utf8_lossy(&found).contains("searchable"));

    // What it is exported as can be imported, without what no page can hold.
    let file = reads(
        &stage,
        &format!("/api/pages/{page}/export?format=excalidraw"),
    )
    .await;
    let owner = stage.owner.clone();
    let (status, answer) = stage.bring(&owner, &page, "replace", "", file).await;
    assert_eq!(status, 200, "{answer}");
    let notes = answer["notes"].to_string();
    assert!(notes.contains("kind that no page has"), "{notes}");
    assert!(notes.contains("hasOwnProperty"), "{notes}");
    for format in ["json", "svg"] {
        reads(&stage, &format!("/api/pages/{page}/export?format={format}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spoilt_text_page_is_exported_and_searched() {
    let stage = Stage::open().await;
    let page = text_pages::text_page(&stage).await;
    let stage = spoil(
        stage,
        &page,
        Surface::Text,
        &json!({
            "good": { "nodeName": "paragraph", "index": "a0", "originalText": "searchable" },
            "names": { "nodeName": "paragraph", "index": "a1", "hasOwnProperty": 1, "originalText": "x" },
            "level": { "nodeName": "heading", "index": "a2", "level": 1e300, "originalText": "y" },
            "one": { "nodeName": "tableRow", "parent": "two" },
            "two": { "nodeName": "table", "parent": "one", "index": "a3" },
            "self": { "nodeName": "listItem", "parent": "self", "indent": 1e15, "index": "a4" },
        }),
    )
    .await;
    for format in ["json", "md", "html"] {
        let file = reads(&stage, &format!("/api/pages/{page}/export?format={format}")).await;
        assert!(
            String::from_utf8_lossy(&file).contains("searchable"),
            "{format}"
        );
    }
    reads(&stage, "/api/workspaces/main/search?q=searchable").await;
}
