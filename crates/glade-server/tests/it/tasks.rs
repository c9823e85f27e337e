//! Tasks over HTTP: who may do what to them, who hears of it, and a fairy set on one.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Events, Stage};

const TASKS: &str = "/api/workspaces/main/tasks";

async fn workspace(stage: &Stage, token: &str) -> Value {
    let answer = stage.get(token, "/api/workspaces/main").await;
    answer.json().await.unwrap()
}

async fn make(stage: &Stage, body: Value) -> Value {
    let (status, task) = stage.send(Method::POST, &stage.owner, TASKS, body).await;
    assert_eq!(status, 201, "{task}");
    task
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_are_made_changed_reordered_and_deleted_and_outlast_the_server() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let owner = stage.owner.clone();
    let first = make(
        &stage,
        json!({"title": " Draw the plan ", "text": "Three boxes.", "page": page,
            "bounds": {"x": 1.5, "y": 2.0, "w": 300.0, "h": 200.0}}),
    )
    .await;
    let id = first["id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("tk_"), "{id}");
    let expected = json!({
        "id": id, "title": "Draw the plan", "text": "Three boxes.", "page": page,
        "bounds": {"x": 1.5, "y": 2.0, "w": 300.0, "h": 200.0}, "status": "todo",
        "assignee": null, "project": null, "createdBy": "person:owner",
        "createdAt": first["createdAt"], "position": 1.0,
    });
    assert_eq!(first, expected);
    let second = make(&stage, json!({"title": "Colour it", "page": page})).await;
    assert_eq!(second["position"], 2.0);

    let path = format!("/api/tasks/{id}");
    let change = json!({"status": "in-progress", "bounds": null, "position": 3.0});
    let (status, changed) = stage.send(Method::PATCH, &owner, &path, change).await;
    assert_eq!(status, 200);
    let expected = json!({
        "id": id, "title": "Draw the plan", "text": "Three boxes.", "page": page,
        "bounds": null, "status": "in-progress", "assignee": null, "project": null,
        "createdBy": "person:owner", "createdAt": first["createdAt"], "position": 3.0,
    });
    assert_eq!(changed, expected);
    for wrong in [
        json!({"title": "  "}),
        json!({"bounds": {"x": 0, "y": 0, "w": 0, "h": 5}}),
        json!({"status": "later"}),
        json!({"assignee": "fy_nobody"}),
        json!({"page": "pg_nowhere"}),
        json!({"projekt": "x"}),
    ] {
        let (status, answer) = stage
            .send(Method::PATCH, &owner, &path, wrong.clone())
            .await;
        assert!((400..500).contains(&status), "{wrong}: {status} {answer}");
    }

    let stage = Stage::in_folder(stage.close().await).await;
    let owner = stage.owner.clone();
    let all = json!([second, changed]);
    assert_eq!(workspace(&stage, &owner).await["tasks"], all);
    let listed: Value = stage.get(&owner, TASKS).await.json().await.unwrap();
    assert_eq!(listed, all);
    let (status, _) = stage.send(Method::DELETE, &owner, &path, json!({})).await;
    assert_eq!(status, 204);
    assert_eq!(workspace(&stage, &owner).await["tasks"], json!([second]));
    let (status, _) = stage.send(Method::DELETE, &owner, &path, json!({})).await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_seen_by_the_readers_of_its_page_and_changed_by_its_editors() {
    let stage = Stage::open().await;
    let open = stage.make("Open", "public").await;
    let shut = stage.page().await;
    let reader = stage
        .attenuate(
            &stage.owner,
            json!({"ops": ["read"], "tiers": ["public"], "subject": "person:ann"}),
        )
        .await;
    let mut events = stage.events(&reader).await;
    assert_eq!(events.next().await.unwrap()["tasks"], json!([]));

    let hidden = make(&stage, json!({"title": "Hidden", "page": shut})).await;
    let seen = make(&stage, json!({"title": "Seen", "page": open})).await;
    let heard = events.change("task").await;
    assert_eq!(heard["value"], seen);
    let listed: Value = stage.get(&reader, TASKS).await.json().await.unwrap();
    assert_eq!(listed, json!([seen]));

    for (task, status) in [(&seen, 403), (&hidden, 404)] {
        let path = format!("/api/tasks/{}", task["id"].as_str().unwrap());
        let change = json!({"title": "Mine"});
        let (answered, _) = stage.send(Method::PATCH, &reader, &path, change).await;
        assert_eq!(answered, status);
        let (answered, _) = stage.send(Method::DELETE, &reader, &path, json!({})).await;
        assert_eq!(answered, status);
        let start = format!("{path}/start");
        let (answered, _) = stage.send(Method::POST, &reader, &start, json!({})).await;
        assert_eq!(answered, status);
    }
    let new = json!({"title": "Mine", "page": open});
    assert_eq!(stage.send(Method::POST, &reader, TASKS, new).await.0, 403);

    // Moved out of sight, it is gone for whoever may not follow.
    let path = format!("/api/tasks/{}", seen["id"].as_str().unwrap());
    let away = json!({"page": shut});
    assert_eq!(
        stage.send(Method::PATCH, &stage.owner, &path, away).await.0,
        200
    );
    let heard = events.change("task").await;
    assert_eq!(heard, json!({"kind": "task", "removed": seen["id"]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_goes_out_of_sight_with_the_tier_of_its_page_and_comes_back_with_it() {
    let stage = Stage::open().await;
    let page = stage.make("Open", "public").await;
    let task = make(&stage, json!({"title": "Seen", "page": page})).await;
    let limits = json!({"ops": ["read"], "tiers": ["public"], "subject": "person:ann"});
    let reader = stage.attenuate(&stage.owner, limits).await;
    let mut events = stage.events(&reader).await;
    assert_eq!(events.next().await.unwrap()["tasks"], json!([task]));

    let path = format!("/api/pages/{page}");
    let tier = |tier: &str| stage.send(Method::PATCH, &stage.owner, &path, json!({"tier": tier}));
    assert_eq!(tier("secret").await.0, 200);
    let snapshot = next_snapshot(&mut events).await;
    assert_eq!(snapshot["tasks"], json!([]), "{snapshot}");

    // What was done to it meanwhile is seen when the page is.
    let change = json!({"title": "Unseen"});
    let path = format!("/api/tasks/{}", task["id"].as_str().unwrap());
    let (status, changed) = stage.send(Method::PATCH, &stage.owner, &path, change).await;
    assert_eq!(status, 200);
    assert_eq!(tier("public").await.0, 200);
    let snapshot = next_snapshot(&mut events).await;
    assert_eq!(snapshot["tasks"], json!([changed]), "{snapshot}");
}

async fn next_snapshot(events: &mut Events) -> Value {
    loop {
        let heard = events.next().await.unwrap();
        if heard["pages"].is_array() {
            return heard;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn starting_a_task_sets_its_fairy_on_it() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let fairy = workspace(&stage, &stage.owner).await["fairies"][0]["id"].clone();
    let task = make(
        &stage,
        json!({"title": "Draw a flow", "text": "Order -> Pay", "page": page}),
    )
    .await;
    let path = format!("/api/tasks/{}", task["id"].as_str().unwrap());
    let start = format!("{path}/start");
    let (status, _) = stage
        .send(Method::POST, &stage.owner, &start, json!({}))
        .await;
    assert_eq!(status, 409, "nobody is to do it");

    let given = json!({"assignee": fairy});
    let (status, _) = stage.send(Method::PATCH, &stage.owner, &path, given).await;
    assert_eq!(status, 200);
    let (status, begun) = stage
        .send(Method::POST, &stage.owner, &start, json!({}))
        .await;
    assert_eq!(status, 202, "{begun}");
    let run = begun["run"].as_str().unwrap();
    let mut told = Value::Null;
    for _ in 0..100 {
        told = stage
            .get(&stage.owner, &format!("/api/runs/{run}"))
            .await
            .json()
            .await
            .unwrap();
        if told["status"] != "running" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(told["status"], "pending", "{told}");
    assert_eq!(told["message"], "Draw a flow\n\nOrder -> Pay");
    assert!(told["elements"].as_array().unwrap().len() >= 3, "{told}");
    let status = async || workspace(&stage, &stage.owner).await["tasks"][0]["status"].clone();
    for _ in 0..100 {
        if status().await == "done" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(status().await, "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_does_not_tell_of_a_fairy_on_a_page_that_one_may_not_read() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let secret = stage.make("Plans", "secret").await;
    let fairies = "/api/workspaces/main/fairies";
    let (status, fairy) = stage
        .send(Method::POST, &stage.owner, fairies, json!({"page": secret}))
        .await;
    assert_eq!(status, 201, "{fairy}");
    let fairy = fairy["id"].as_str().unwrap();
    let guest = stage
        .attenuate(
            &stage.owner,
            json!({"subject": "person:ann", "pages": [page]}),
        )
        .await;
    let mut events = stage.events(&guest).await;
    let task = make(
        &stage,
        json!({"title": "Draw", "page": page, "assignee": fairy}),
    )
    .await;
    assert_eq!(task["assignee"], fairy, "the owner sees it");
    let told = events.change("task").await;
    assert_eq!(told["value"]["assignee"], Value::Null, "{told}");
    let path = format!("/api/tasks/{}", task["id"].as_str().unwrap());
    let (_, changed) = stage
        .send(Method::PATCH, &guest, &path, json!({"title": "Draw it"}))
        .await;
    assert_eq!(changed["assignee"], Value::Null, "{changed}");
    for shown in [
        workspace(&stage, &guest).await,
        stage.get(&guest, TASKS).await.json().await.unwrap(),
    ] {
        assert!(!shown.to_string().contains(fairy), "{shown}");
    }
    let (_, owners) = stage
        .send(Method::PATCH, &stage.owner, &path, json!({"title": "Draw"}))
        .await;
    assert_eq!(owners["assignee"], fairy, "it is still there");
}
