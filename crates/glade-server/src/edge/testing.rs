//! What the edge's tests share.

use axum::body::to_bytes;
use axum::response::Response;

pub async fn text_body(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub async fn json_body(response: Response) -> serde_json::Value {
    let text = text_body(response).await;
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
