//! A token with a region comments there and nowhere else.

use serde_json::{Value, json};

use crate::arena::Stage;
use crate::client::{Client, DENIED, OK};

fn said(by: &str, x: i64, parent: Option<&str>) -> Value {
    json!({
        "author": by, "authorName": "A", "createdAt": 1, "x": x, "y": 10, "text": "hm",
        "parent": parent,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn comments_are_said_answered_and_settled_in_the_region_only() {
    let stage = Stage::set().await;
    let mut owner = Client::connect(stage.address, &stage.page, 1).await;
    owner.join(&stage.owner).await.unwrap();
    let (near, far) = ("cm_near00000001", "cm_far000000001");
    for (id, x) in [(near, 10), (far, 5000)] {
        assert_eq!(owner.comment(id, said("person:owner", x, None)).await, OK);
    }
    let region = json!({"x": 0, "y": 0, "w": 500, "h": 500});
    let limits = json!({"region": region, "subject": "person:guest"});
    let token = stage.token(limits).await;
    let mine = |x, parent| said("person:guest", x, parent);
    let cases = [
        ("cm_mine00000001", mine(20, None), OK),
        ("cm_mine00000002", mine(5000, None), DENIED),
        ("cm_mine00000003", mine(20, Some(near)), OK),
        ("cm_mine00000004", mine(20, Some(far)), DENIED),
        (near, json!({"resolved": true}), OK),
        (far, json!({"resolved": true}), DENIED),
    ];
    for (peer, (id, comment, wanted)) in (100..).zip(cases) {
        // A refusal ends what a document can say: each goes with one of its own.
        let mut guest = Client::connect(stage.address, &stage.page, peer).await;
        guest.join(&token).await.unwrap();
        assert_eq!(guest.comment(id, comment).await, wanted, "{id}");
    }
}
