//! Pages leave as files of every form, with their images inside.

use glade_canvas::file;
use loro_protocol::UpdateStatusCode;
use serde_json::{Value, json};

use crate::stage::{Stage, put, rectangle};

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20' fill='#f00'/></svg>";

/// A page with a rectangle and an image, and the image's id.
async fn page_with_an_image(stage: &Stage) -> (String, String) {
    let workspace: Value = stage
        .get(&stage.owner, "/api/workspaces/main")
        .await
        .json()
        .await
        .unwrap();
    let page = workspace["pages"][0]["id"].as_str().unwrap().to_owned();
    let kept: Value = stage
        .http
        .post(stage.url("/api/blobs"))
        .bearer_auth(&stage.owner)
        .body(SVG)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let id = kept["id"].as_str().unwrap().to_owned();
    let mut client = stage.connect(1).await;
    client.join(&page, &stage.owner).await;
    let image = json!({"type": "image", "x": 200, "y": 0, "width": 40, "height": 20, "fileId": id, "index": "a9",
        "status": "saved", "scale": [1, 1]});
    let image = put("picture", &image);
    let status = client.edit(&page, &[rectangle("r", 0.0, 0.0), image]).await;
    assert_eq!(status, UpdateStatusCode::Ok);
    (page, id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_leaves_in_every_form_with_its_images() {
    let stage = Stage::open().await;
    let (page, image) = page_with_an_image(&stage).await;
    let export = async |query: &str| {
        let path = format!("/api/pages/{page}/export?{query}");
        let answer = stage.get(&stage.owner, &path).await;
        assert_eq!(answer.status(), 200, "{query}");
        let kind = answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        (kind, answer.bytes().await.unwrap().to_vec())
    };

    let (kind, bytes) = export("format=excalidraw").await;
    assert_eq!(kind, "application/json");
    let loaded = file::from_any(&bytes).unwrap();
    assert_eq!(loaded.images()[&image].data, SVG.as_bytes());
    assert_eq!(loaded.elements.len(), 2);

    let (kind, small) = export("format=png").await;
    assert_eq!(kind, "image/png");
    let (_, large) = export("format=png&scale=2&dark=true&background=false").await;
    let side = |png: &[u8]| u32::from_be_bytes([png[16], png[17], png[18], png[19]]);
    assert_eq!(side(&large) / 2, side(&small));
    assert!(file::from_any(&small).is_err());
    let (_, editable) = export("format=png&embed=true").await;
    assert_eq!(file::from_any(&editable).unwrap().elements, loaded.elements);

    let (kind, bytes) = export("format=svg&embed=true").await;
    assert_eq!(kind, "image/svg+xml");
    let svg = String::from_utf8(bytes.clone()).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("data:image/svg+xml;base64,"));
    assert_eq!(file::from_any(&bytes).unwrap().elements, loaded.elements);

    let (kind, bytes) = export("format=jpeg").await;
    assert_eq!(kind, "image/jpeg");
    assert!(bytes.starts_with(&[0xff, 0xd8, 0xff]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_cannot_be_is_refused_in_words() {
    let stage = Stage::open().await;
    let (page, _) = page_with_an_image(&stage).await;
    for query in [
        "format=pdf",
        "format=png&scale=0",
        "format=png&scale=1e9",
        "format=png&scale=NaN",
    ] {
        let path = format!("/api/pages/{page}/export?{query}");
        let answer = stage.get(&stage.owner, &path).await;
        assert_eq!(answer.status(), 400, "{query}");
    }
}
