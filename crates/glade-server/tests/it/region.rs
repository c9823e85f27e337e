//! A token with a region writes there and nowhere else.

use loro_protocol::UpdateStatusCode::{self, Ok as Merged, PermissionDenied as Refused};
use serde_json::{Value, json};

use crate::stage::{Stage, put, rectangle};

/// The owner has drawn `in` inside the region, `out` outside of it, and an arrow between them.
async fn edit_as_guest(edits: &[glade_doc::Edit]) -> UpdateStatusCode {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let mut owner = stage.connect(1).await;
    owner.join(&page, &stage.owner).await;
    let drawn = [
        rectangle("in", 100.0, 100.0),
        rectangle("out", 900.0, 100.0),
        arrow("lead", 200.0, 700.0, json!({"start": "in", "end": "out"})),
        put(
            "label",
            &json!({"type": "text", "containerId": "in", "x": 110, "y": 120, "width": 50, "height": 25, "originalText": "In"}),
        ),
    ];
    assert_eq!(owner.edit(&page, &drawn).await, Merged);

    let region = json!({"x": 0, "y": 0, "w": 500, "h": 500});
    let token = stage
        .attenuate(
            &stage.owner,
            json!({"region": region, "subject": "person:guest"}),
        )
        .await;
    let mut guest = stage.connect(2).await;
    guest.join(&page, &token).await;
    guest.catch_up().await;
    guest.edit(&page, edits).await
}

fn arrow(id: &str, x: f64, w: f64, ends: Value) -> glade_doc::Edit {
    let binding = |side: &str| {
        ends[side]
            .as_str()
            .map(|target| json!({"elementId": target, "fixedPoint": [0.5, 0.5], "mode": "orbit"}))
    };
    put(
        id,
        &json!({
            "type": "arrow", "x": x, "y": 130, "width": w, "height": 0,
            "points": [[0, 0], [w, 0]],
            "startBinding": binding("start"), "endBinding": binding("end"),
        }),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_inside_before_and_after_may_be_changed() {
    let moved = put("in", &json!({"x": 300, "y": 300}));
    assert_eq!(edit_as_guest(&[moved]).await, Merged);
    assert_eq!(
        edit_as_guest(&[rectangle("new", 400.0, 440.0)]).await,
        Merged
    );
    let label = put("label", &json!({"originalText": "Inside"}));
    assert_eq!(edit_as_guest(&[label]).await, Merged);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_made_dragged_or_deleted_outside() {
    for harm in [
        rectangle("new", 450.0, 0.0),
        put("in", &json!({"x": 600})),
        put("out", &json!({"x": 10})),
        put("out", &json!({"strokeColor": "#ff0000"})),
        put("out", &json!({"isDeleted": true})),
        put("in", &json!({"angle": 1.0, "width": 480})),
    ] {
        assert_eq!(
            edit_as_guest(std::slice::from_ref(&harm)).await,
            Refused,
            "{harm:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_arrow_may_lead_out_but_not_live_there() {
    let out = arrow("new", 210.0, 680.0, json!({"start": "in", "end": "out"}));
    assert_eq!(edit_as_guest(&[out]).await, Merged);
    let follows = arrow("lead", 210.0, 690.0, json!({"start": "in", "end": "out"}));
    assert_eq!(edit_as_guest(&[follows]).await, Merged);
    for harm in [
        arrow("new", 1000.0, 300.0, json!({"start": "out"})),
        arrow("new", 210.0, 5000.0, json!({"start": "in", "end": "out"})),
        arrow("new", 100.0, 900.0, json!({})),
        arrow("lead", 1200.0, 100.0, json!({"start": "in", "end": "out"})),
    ] {
        assert_eq!(
            edit_as_guest(std::slice::from_ref(&harm)).await,
            Refused,
            "{harm:?}"
        );
    }
}
