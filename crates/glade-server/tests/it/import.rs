//! Files brought onto a page: one edit of the caller's, through the same gate.

use loro_protocol::UpdateStatusCode;
use serde_json::{Value, json};

use crate::stage::{Stage, rectangle};

const A_PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

impl Stage {
    pub async fn bring(
        &self,
        token: &str,
        page: &str,
        mode: &str,
        kind: &str,
        file: Vec<u8>,
    ) -> (u16, Value) {
        let path = format!("/api/pages/{page}/import?mode={mode}");
        let request = self.http.post(self.url(&path)).bearer_auth(token);
        let answer = request
            .header("Content-Type", kind)
            .body(file)
            .send()
            .await
            .unwrap();
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    pub async fn exported(&self, page: &str) -> Vec<Value> {
        let path = format!("/api/pages/{page}/export?format=excalidraw");
        let file: Value = self.get(&self.owner, &path).await.json().await.unwrap();
        file["elements"].as_array().unwrap().clone()
    }
}

fn scene() -> Vec<u8> {
    let file = json!({"type": "excalidraw", "version": 2, "elements": [
        {"id": "r", "type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 50, "ofTomorrow": {"kept": true}},
        {"id": "words", "type": "text", "x": 0, "y": 0, "width": 10, "height": 10, "text": "hi", "containerId": "r"},
        {"id": "seen", "type": "image", "x": 200, "y": 0, "width": 10, "height": 10, "fileId": "pixel"},
        {"id": "odd"},
    ], "files": {"pixel": {"id": "pixel", "mimeType": "image/png", "dataURL": format!("data:image/png;base64,{A_PIXEL}")}}});
    file.to_string().into_bytes()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_read_for_an_editor_and_nothing_comes_of_it() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let read = async |file: Vec<u8>| {
        let path = stage.url(&format!("/api/pages/{page}/read"));
        let request = stage.http.post(path).bearer_auth(&stage.owner);
        let answer = request.body(file).send().await.unwrap();
        let status = answer.status().as_u16();
        (status, answer.json::<Value>().await.unwrap())
    };
    let (status, answer) = read(scene()).await;
    let elements = answer["scene"]["elements"].as_array().unwrap();
    let ids: Value = elements
        .iter()
        .map(|element| element["id"].clone())
        .collect();
    assert_eq!((status, ids), (200, json!(["r", "words", "seen"])));
    let url = answer["scene"]["files"]["pixel"]["dataURL"]
        .as_str()
        .unwrap();
    assert!(url.ends_with(A_PIXEL));
    assert_eq!(
        answer["notes"],
        json!(["left out element 3: it has no type"])
    );

    let board = include_bytes!("../../../glade-canvas/tests/corpus/board.tldr").to_vec();
    let (status, answer) = read(board).await;
    assert_eq!(
        (status, &answer["scene"]["type"]),
        (200, &json!("excalidraw"))
    );
    assert_eq!(read(b"# Roses".to_vec()).await.0, 400);
    assert_eq!(stage.exported(&page).await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_comes_beside_what_is_there_or_instead_of_it() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let owner = stage.owner.clone();
    let mut client = stage.connect(1).await;
    client.join(&page, &owner).await;
    let status = client.edit(&page, &[rectangle("r", 5.0, 5.0)]).await;
    assert_eq!(status, UpdateStatusCode::Ok);

    let (status, answer) = stage
        .bring(&owner, &page, "append", "application/json", scene())
        .await;
    assert_eq!(status, 200, "{answer}");
    // The page has an `r`: the one that comes gets another name, and its label goes with it.
    assert_eq!(
        answer,
        json!({"imported": 3, "deleted": 0, "elements": ["r-2", "words", "seen"],
            "notes": ["left out element 3: it has no type"]})
    );
    let there = stage.exported(&page).await;
    let named = |name: &str| there.iter().find(|element| element["id"] == name).unwrap();
    assert_eq!(there.len(), 4);
    assert_eq!(named("words")["containerId"], "r-2");
    assert_eq!(named("r-2")["ofTomorrow"], json!({"kept": true}));
    assert!(
        named("r-2")["x"].as_f64().unwrap() > 100.0,
        "beside what is there"
    );
    let blob = named("seen")["fileId"].as_str().unwrap();
    let picture = stage.get(&owner, &format!("/api/blobs/{blob}")).await;
    assert_eq!(picture.status().as_u16(), 200);

    let (status, answer) = stage.bring(&owner, &page, "replace", "", scene()).await;
    assert_eq!(
        (status, &answer["imported"], &answer["deleted"]),
        (200, &json!(3), &json!(4))
    );
    assert_eq!(stage.exported(&page).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_that_is_written_out_in_its_address_is_brought_too() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let owner = stage.owner.clone();
    let url = "data:image/svg+xml;charset=utf-8,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E";
    let file = json!({"type": "excalidraw", "version": 2,
        "elements": [{"id": "seen", "type": "image", "width": 10, "height": 10, "fileId": "drawn"}],
        "files": {"drawn": {"id": "drawn", "mimeType": "image/svg+xml", "dataURL": url}}});
    let bytes = file.to_string().into_bytes();
    let (status, answer) = stage.bring(&owner, &page, "append", "", bytes).await;
    assert_eq!((status, &answer["notes"]), (200, &json!([])), "{answer}");
    let blob = stage.exported(&page).await[0]["fileId"].clone();
    let path = format!("/api/blobs/{}", blob.as_str().unwrap());
    assert_eq!(stage.get(&owner, &path).await.status().as_u16(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_not_or_cannot_be_brought_is_refused_and_changes_nothing() {
    let stage = Stage::open().await;
    let owner = stage.owner.clone();
    let reader = stage.attenuate(&owner, json!({"ops": ["read"]})).await;
    let page = stage.page().await;
    let status = |answer: (u16, Value)| answer.0;
    assert_eq!(
        status(stage.bring(&reader, &page, "append", "", scene()).await),
        403
    );
    assert_eq!(
        status(stage.bring(&owner, &page, "beside", "", scene()).await),
        400
    );
    assert_eq!(
        status(
            stage
                .bring(&owner, &page, "append", "video/mp4", scene())
                .await
        ),
        415
    );
    assert_eq!(
        status(
            stage
                .bring(&owner, &page, "append", "", b"{\"elements\": [".to_vec())
                .await
        ),
        400
    );
    assert_eq!(
        status(
            stage
                .bring(&owner, "pg_nowhere", "append", "", scene())
                .await
        ),
        404
    );
    assert_eq!(stage.exported(&page).await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_library_and_a_tldraw_file_are_laid_out() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let owner = stage.owner.clone();
    let item = |x: i32| json!({"elements": [{"id": "same", "type": "ellipse", "x": x, "y": 7, "width": 80, "height": 80}]});
    let library =
        json!({"type": "excalidrawlib", "version": 2, "libraryItems": [item(0), item(0)]});
    let (status, answer) = stage
        .bring(
            &owner,
            &page,
            "replace",
            "application/vnd.excalidrawlib+json",
            library.to_string().into_bytes(),
        )
        .await;
    assert_eq!(
        (status, &answer["elements"]),
        (200, &json!(["same", "same-2"]))
    );
    let places: Vec<Value> = stage
        .exported(&page)
        .await
        .iter()
        .map(|one| one["x"].clone())
        .collect();
    assert_eq!(places, [json!(0.0), json!(180.0)]);

    let tldr = json!({"tldrawFileFormatVersion": 1, "schema": {}, "records": [
        {"typeName": "page", "id": "page:p", "index": "a1", "name": "P"},
        {"typeName": "shape", "id": "shape:n", "type": "note", "x": 0, "y": 0, "rotation": 0, "index": "a1",
            "parentId": "page:p", "props": {"color": "yellow", "text": "hello"}},
        {"typeName": "shape", "id": "shape:v", "type": "video", "x": 0, "y": 0, "index": "a2", "parentId": "page:p", "props": {}},
    ]});
    let (status, answer) = stage
        .bring(
            &owner,
            &page,
            "replace",
            "application/vnd.tldraw+json",
            tldr.to_string().into_bytes(),
        )
        .await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(
        (&answer["elements"], &answer["notes"]),
        (
            &json!(["n", "n-label"]),
            &json!(["left out the video \"v\": there is nothing like it"])
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_comes_whole_or_not_at_all() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let shapes = |last: f64| -> Vec<u8> {
        let element = |n: i32| {
            let x = if n == 999 { last } else { f64::from(n) };
            json!({"id": format!("s{n}"), "type": "rectangle", "x": x, "y": 0, "width": 10, "height": 10})
        };
        let elements: Vec<Value> = (0..1000).map(element).collect();
        let file = json!({"type": "excalidraw", "version": 2, "elements": elements});
        file.to_string().into_bytes()
    };
    let region = json!({"x": -100, "y": -100, "w": 2000, "h": 500});
    let limits = json!({"subject": "person:near", "region": region});
    let near = stage.attenuate(&stage.owner, limits).await;
    let kind = "application/json";
    // Only the very last lies outside.
    let (status, problem) = stage
        .bring(&near, &page, "append", kind, shapes(90_000.0))
        .await;
    assert_eq!(status, 403, "{problem}");
    assert_eq!(stage.exported(&page).await.len(), 0);
    let before = updates(&stage, &page);
    let (status, answer) = stage
        .bring(&near, &page, "append", kind, shapes(1000.0))
        .await;
    assert_eq!((status, &answer["imported"]), (200, &json!(1000)));
    assert_eq!(stage.exported(&page).await.len(), 1000);
    // Several updates, each small enough for everybody, in one write to the disk.
    assert_eq!(updates(&stage, &page) - before, 5);
}

fn updates(stage: &Stage, page: &str) -> i64 {
    let db = rusqlite::Connection::open(stage.data().join("glade.db")).unwrap();
    db.query_row(
        "SELECT count(*) FROM page_update WHERE page = ?1",
        [page],
        |row| row.get(0),
    )
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drawing_is_refused_on_a_text_page_and_changes_nothing() {
    let stage = Stage::open().await;
    let new = json!({"name": "Notes", "kind": "text"});
    let path = "/api/workspaces/main/pages";
    let made = stage.post(&stage.owner, path, new).await;
    let made: Value = made.json().await.unwrap();
    let page = made["id"].as_str().unwrap().to_owned();
    let words = b"Some *words*.\n".to_vec();
    let (status, _) = stage
        .bring(&stage.owner, &page, "replace", "text/markdown", words)
        .await;
    assert_eq!(status, 200);
    for mode in ["append", "replace"] {
        for kind in ["application/json", "text/markdown"] {
            let (status, why) = stage.bring(&stage.owner, &page, mode, kind, scene()).await;
            assert_eq!(status, 415, "{mode} {kind}: {why}");
        }
    }
    let path = format!("/api/pages/{page}/export?format=markdown");
    let text = stage.get(&stage.owner, &path).await.text().await.unwrap();
    assert_eq!(text, "Some *words*.\n");
}
