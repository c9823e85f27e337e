//! Pictures go in by their bytes and come out unable to do harm.

use serde_json::{Value, json};

use crate::stage::Stage;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and the rest";
const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";

async fn bring(
    stage: &Stage,
    token: &str,
    kind: Option<&str>,
    bytes: Vec<u8>,
) -> reqwest::Response {
    let mut request = stage.http.post(stage.url("/api/blobs")).bearer_auth(token);
    if let Some(kind) = kind {
        request = request.header("content-type", kind);
    }
    request.body(bytes).send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_kept_under_its_hash_and_comes_back_whole() {
    let stage = Stage::open().await;
    for _ in 0..2 {
        let answer = bring(&stage, &stage.owner, Some("image/png"), PNG.to_vec()).await;
        assert_eq!(answer.status(), 201);
        let body: Value = answer.json().await.unwrap();
        let id = glade_store::audit::digest(PNG);
        assert_eq!(
            body,
            json!({"id": id, "contentType": "image/png", "size": PNG.len()})
        );
        let got = stage.get(&stage.owner, &format!("/api/blobs/{id}")).await;
        assert_eq!(got.headers()["content-type"], "image/png");
        assert_eq!(got.headers()["x-content-type-options"], "nosniff");
        assert!(!got.headers().contains_key("content-disposition"));
        assert_eq!(got.bytes().await.unwrap(), PNG);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_svg_comes_as_a_download_that_may_do_nothing() {
    let stage = Stage::open().await;
    let answer = bring(&stage, &stage.owner, None, SVG.to_vec()).await;
    assert_eq!(answer.status(), 201);
    let body: Value = answer.json().await.unwrap();
    let path = format!("/api/blobs/{}", body["id"].as_str().unwrap());
    let got = stage.get(&stage.owner, &path).await;
    let policy = got.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && policy.ends_with("sandbox"));
    let disposition = got.headers()["content-disposition"].to_str().unwrap();
    assert!(disposition.starts_with("attachment"), "{disposition}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_no_picture_or_not_allowed_is_refused() {
    let stage = Stage::open().await;
    let reader = stage
        .attenuate(&stage.owner, json!({"ops": ["read"]}))
        .await;
    let limits = json!({"ops": ["read", "suggest"], "subject": "person:sue"});
    let suggester = stage.attenuate(&stage.owner, limits).await;
    let mut huge = PNG.to_vec();
    huge.resize(glade_store::MAX_BLOB + 1, 0);
    let mut largest = huge.clone();
    largest.pop();
    for (token, kind, bytes, status) in [
        (&stage.owner, None, b"<html></html>".to_vec(), 415),
        (&stage.owner, None, Vec::new(), 415),
        (&stage.owner, Some("image/jpeg"), PNG.to_vec(), 415),
        (&stage.owner, None, huge, 413),
        (&stage.owner, None, largest, 201),
        (&reader, None, PNG.to_vec(), 403),
        (&suggester, None, PNG.to_vec(), 201),
    ] {
        let answer = bring(&stage, token, kind, bytes).await;
        assert_eq!(answer.status(), status);
    }
    let none = stage.get(&reader, "/api/blobs/00").await;
    assert_eq!(none.status(), 404);
    let stranger = stage.http.get(stage.url("/api/blobs/00")).send().await;
    assert_eq!(stranger.unwrap().status(), 401);
}
