//! What the server counts.

use loro_protocol::UpdateStatusCode;
use serde_json::json;

use crate::stage::{Stage, rectangle};

#[tokio::test(flavor = "multi_thread")]
async fn the_counts_follow_what_happens() {
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
    for n in 0..3 {
        let edit = [rectangle(&format!("r{n}"), 0.0, 0.0)];
        assert_eq!(owner.edit(&page, &edit).await, UpdateStatusCode::Ok);
    }
    let denied = anna.edit(&page, &[rectangle("x", 0.0, 0.0)]).await;
    assert_eq!(denied, UpdateStatusCode::PermissionDenied);

    let answer = stage.get(&reader, "/metrics").await;
    assert_eq!(answer.status(), 200);
    let text = answer.text().await.unwrap();
    for line in [
        "glade_rooms_open 1",
        "glade_sessions 2",
        "glade_updates_merged_total 3",
        "glade_updates_refused_total 1",
        "glade_ack_seconds_count 3",
        "glade_ack_seconds_bucket{le=\"+Inf\"} 3",
        "# TYPE glade_commit_writes histogram",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} not in {text}");
    }
    let limited = stage
        .attenuate(&stage.owner, json!({"pages": [page]}))
        .await;
    assert_eq!(stage.get(&limited, "/metrics").await.status(), 403);
    let stranger = stage.http.get(stage.url("/metrics")).send().await;
    assert_eq!(stranger.unwrap().status(), 401);
}
