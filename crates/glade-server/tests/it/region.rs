//! A token with a region writes there and nowhere else.

use loro_protocol::UpdateStatusCode::{self, Ok as Merged, PermissionDenied as Refused};
use serde_json::{Value, json};

use crate::stage::{Client, Stage, put, rectangle};

/// The owner has drawn `in` inside the region, `out` outside of it, an arrow between them, and `gone`
/// outside, which is deleted.
async fn drawn() -> (Stage, String, Client) {
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
        rectangle("gone", 900.0, 900.0),
    ];
    assert_eq!(owner.edit(&page, &drawn).await, Merged);
    let deleted = put("gone", &json!({"isDeleted": true}));
    assert_eq!(owner.edit(&page, &[deleted]).await, Merged);

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
    (stage, page, guest)
}

async fn edit_as_guest(edits: &[glade_doc::Edit]) -> UpdateStatusCode {
    let (_stage, page, mut guest) = drawn().await;
    guest.edit(&page, edits).await
}

/// Which of these are merged, each for itself.
async fn merged(edits: Vec<glade_doc::Edit>) -> Vec<glade_doc::Edit> {
    let mut merged = Vec::new();
    for edit in edits {
        if edit_as_guest(std::slice::from_ref(&edit)).await == Merged {
            merged.push(edit);
        }
    }
    merged
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

#[tokio::test(flavor = "multi_thread")]
async fn what_leads_out_is_a_line_and_no_drawing() {
    let ends = json!({"start": "in", "end": "out"});
    let leading = |more: Value| {
        let glade_doc::Edit::Put { id, mut props } = arrow("new", 210.0, 680.0, ends.clone())
        else {
            unreachable!();
        };
        props.extend(more.as_object().unwrap().clone());
        glade_doc::Edit::Put { id, props }
    };
    let elbow = |points: Value| leading(json!({"elbowed": true, "points": points, "height": 30}));
    let square = elbow(json!([
        [0, 0],
        [300, 0],
        [300, 30],
        [650, 30],
        [650, 0],
        [680, 0]
    ]));
    let merges = [square.clone(), leading(json!({"strokeWidth": 4}))];
    assert_eq!(merged(merges.to_vec()).await, merges);

    let zigzag: Vec<Value> = (0..100)
        .map(|at| json!([6 * at, 30 * (at % 2)]))
        .chain([json!([680, 0])])
        .collect();
    let stairs: Vec<Value> = (0..40)
        .map(|at| json!([30 * (at / 2), 10 * ((at + 1) / 2) % 40]))
        .chain([json!([680, 0])])
        .collect();
    for harm in [
        elbow(json!(zigzag)),
        elbow(json!(stairs)),
        leading(json!({"strokeWidth": 20})),
    ] {
        let edits = std::slice::from_ref(&harm);
        assert_eq!(edit_as_guest(edits).await, Refused, "{harm:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_label_of_an_arrow_lies_on_it_and_is_short() {
    let on = |x: i64, y: i64, more: Value| {
        let mut props = json!({"containerId": "lead", "x": x, "y": y});
        props
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        text("new", &props)
    };
    let middle = on(520, 118, json!({}));
    assert_eq!(edit_as_guest(std::slice::from_ref(&middle)).await, Merged);
    let wall = "word ".repeat(2000);
    for harm in [
        on(820, 118, json!({})),
        on(520, 400, json!({})),
        on(
            520,
            118,
            json!({"fontSize": 400, "originalText": "HUGE WORDS", "width": 2000, "height": 500}),
        ),
        on(
            520,
            118,
            json!({"originalText": wall, "width": 400, "height": 2000}),
        ),
    ] {
        let edits = std::slice::from_ref(&harm);
        assert_eq!(edit_as_guest(edits).await, Refused, "{harm:?}");
    }
}

fn text(id: &str, more: &Value) -> glade_doc::Edit {
    let mut props = json!({"type": "text", "x": 110, "y": 120, "width": 50, "height": 25, "originalText": "In"});
    for (name, value) in more.as_object().unwrap() {
        props[name] = value.clone();
    }
    put(id, &props)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_is_text_in_the_box_of_its_container() {
    let label_of = json!({"labelOf": "in"});
    let box_at = |x: i64, more: &Value| {
        let mut props = json!({"type": "rectangle", "x": x, "y": 100, "width": 100, "height": 60});
        for (name, value) in more.as_object().unwrap() {
            props[name] = value.clone();
        }
        put("new", &props)
    };
    let long = "far and wide ".repeat(40);
    let harm = vec![
        box_at(5000, &json!({"containerId": "in"})),
        box_at(5000, &json!({"customData": label_of})),
        text("new", &json!({"containerId": "in", "x": 5000})),
        text("new", &json!({"customData": label_of, "x": 5000})),
        text("new", &json!({"containerId": "lead", "x": 5000})),
        text("new", &json!({"containerId": "lead", "y": -5000})),
        text("new", &json!({"containerId": "out", "x": 910})),
        put("label", &json!({"x": 5000})),
        put("label", &json!({"width": 5000})),
        put("out", &json!({"containerId": "in"})),
        put("out", &json!({"customData": label_of})),
        put(
            "out",
            &json!({"type": "text", "containerId": "in", "x": 110}),
        ),
        // Words that are drawn farther than the box says.
        text("new", &json!({"originalText": long})),
        text("new", &json!({"fontSize": 2000})),
        text("new", &json!({"containerId": "in", "fontSize": 2000})),
        text(
            "new",
            &json!({"autoResize": false, "originalText": long.repeat(4)}),
        ),
    ];
    assert_eq!(merged(harm).await, []);
    let fine = vec![
        text("new", &json!({"containerId": "in"})),
        text("new", &json!({"x": 400})),
        // The label of an arrow that leads out lies on the arrow.
        text("new", &json!({"containerId": "lead", "x": 525})),
    ];
    assert_eq!(merged(fine.clone()).await, fine);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_drawn_is_judged_whatever_its_size_claims() {
    let line = |kind: &str, points: Value, more: &Value| {
        let mut props =
            json!({"type": kind, "x": 100, "y": 100, "width": 10, "height": 10, "points": points});
        for (name, value) in more.as_object().unwrap() {
            props[name] = value.clone();
        }
        put("new", &props)
    };
    let far = json!([[0, 0], [5000, 0]]);
    let bound = json!({"elementId": "in", "fixedPoint": [0.5, 0.5], "mode": "orbit"});
    let harm = vec![
        line("line", far.clone(), &json!({})),
        line("freedraw", far.clone(), &json!({})),
        line(
            "line",
            json!([[0, 0], [600, 0]]),
            &json!({"startBinding": bound, "endBinding": bound}),
        ),
        // A scribble between the ends of an arrow that leads out.
        line(
            "arrow",
            json!([[100, 30], [300, 20], [600, 40], [790, 30]]),
            &json!({
                "startBinding": bound,
                "endBinding": {"elementId": "out", "fixedPoint": [0.5, 0.5], "mode": "orbit"},
            }),
        ),
        put("in", &json!({"width": -5000})),
        put("in", &json!({"height": -5000})),
        put("in", &json!({"x": 1e300})),
        put("in", &json!({"x": -1e300, "width": 1e300})),
        put("in", &json!({"strokeWidth": 1000})),
        put("in", &json!({"width": 480, "height": 10, "angle": 0.8})),
    ];
    assert_eq!(merged(harm).await, []);
    let fine = vec![
        line("line", json!([[0, 0], [300, 0]]), &json!({})),
        put("in", &json!({"width": -90})),
        put("in", &json!({"angle": 0.8, "strokeWidth": 8})),
    ];
    assert_eq!(merged(fine.clone()).await, fine);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_deleted_outside_stays_as_it_was() {
    let harm = vec![
        put("gone", &json!({"strokeColor": "#ff0000"})),
        put("gone", &json!({"x": 10, "y": 10})),
        put("gone", &json!({"isDeleted": false})),
        put("gone", &json!({"isDeleted": false, "x": 10, "y": 10})),
    ];
    assert_eq!(merged(harm).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_outside_keeps_its_order() {
    let order = |keys: [&str; 4]| -> Vec<glade_doc::Edit> {
        let ids = ["in", "label", "lead", "out"];
        let pairs = ids.iter().zip(keys);
        pairs
            .map(|(id, key)| put(id, &json!({"index": key})))
            .collect()
    };
    // None has an order yet: they lie as their names do.
    assert_eq!(
        edit_as_guest(&order(["a1", "a2", "a3", "a4"])).await,
        Merged
    );
    assert_eq!(
        edit_as_guest(&[put("in", &json!({"index": "a1"}))]).await,
        Merged
    );
    assert_eq!(
        edit_as_guest(&[put("out", &json!({"index": "a1"}))]).await,
        Refused
    );
    let (stage, page, mut guest) = drawn().await;
    let mut owner = stage.connect(3).await;
    owner.join(&page, &stage.owner).await;
    owner.catch_up().await;
    let twice = [
        rectangle("far", 900.0, 300.0),
        put("far", &json!({"index": "a5"})),
        put("out", &json!({"index": "a5"})),
    ];
    assert_eq!(owner.edit(&page, &twice).await, Merged);
    guest.catch_up().await;
    let swapped = put("far", &json!({"index": "a6"}));
    assert_eq!(guest.edit(&page, &[swapped]).await, Refused);
}

/// Two lines of one person wrote at the same time: which of them wins is Loro's to say, not the order
/// in which they are told.
#[tokio::test(flavor = "multi_thread")]
async fn the_write_that_wins_is_the_one_that_is_judged() {
    for (far_first, peers) in [
        (true, [21, 22]),
        (false, [21, 22]),
        (true, [22, 21]),
        (false, [22, 21]),
    ] {
        let (_stage, page, mut guest) = drawn().await;
        let start = guest.doc.version();
        let (near, far) = (guest.doc.fork(), guest.doc.fork());
        // The one outside is the later of the two, however they come.
        near.commit(peers[0], None, &[put("in", &json!({"x": 200}))])
            .unwrap();
        for step in 1..9 {
            let moved = put("in", &json!({"x": 200 + step, "y": 100 + step}));
            far.commit(peers[1], None, &[moved]).unwrap();
        }
        far.commit(peers[1], None, &[put("in", &json!({"x": 5000}))])
            .unwrap();
        let updates = [&near, &far].map(|doc| doc.updates_since(&start).unwrap());
        let [near, far] = updates;
        let order = if far_first { [far, near] } else { [near, far] };
        for update in order {
            guest.doc.import(&update).unwrap();
        }
        let both = guest.doc.updates_since(&start).unwrap();
        assert_eq!(guest.send_update(&page, both).await, Refused, "{peers:?}");
    }
}
