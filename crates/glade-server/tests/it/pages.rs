//! The list of pages, and that a token without a tier learns nothing of it.

use futures_util::StreamExt;
use loro_protocol::{ProtocolMessage, UpdateStatusCode};
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Heard, Stage, rectangle};

impl Stage {
    async fn names(&self, token: &str) -> Vec<String> {
        let workspace: Value = self
            .get(token, "/api/workspaces/main")
            .await
            .json()
            .await
            .unwrap();
        let pages = workspace["pages"].as_array().unwrap();
        pages
            .iter()
            .map(|page| page["name"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_renamed_reordered_copied_deleted_and_brought_back() {
    let stage = Stage::open().await;
    let owner = &stage.owner;
    let plan = stage.make("Plan", "internal").await;
    let notes = stage.make("Notes", "internal").await;
    let mut client = stage.connect(1).await;
    client.join(&plan, owner).await;
    let status = client.edit(&plan, &[rectangle("r", 5.0, 5.0)]).await;
    assert_eq!(status, UpdateStatusCode::Ok);

    let path = format!("/api/pages/{notes}");
    let change = json!({"name": " Ideas ", "position": 1.5});
    let (status, page) = stage.send(Method::PATCH, owner, &path, change).await;
    assert_eq!((status, &page["name"]), (200, &json!("Ideas")));
    assert_eq!(stage.names(owner).await, ["First page", "Ideas", "Plan"]);

    let (status, copy) = stage
        .send(
            Method::POST,
            owner,
            &format!("/api/pages/{plan}/duplicate"),
            json!({}),
        )
        .await;
    assert_eq!(status, 201);
    let export = |page: &str| format!("/api/pages/{page}/export?format=json");
    let copied: Value = stage
        .get(owner, &export(copy["id"].as_str().unwrap()))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(copied["elements"]["r"]["width"], 100);
    assert_eq!(
        stage.names(owner).await,
        ["First page", "Ideas", "Plan", "Plan (copy)"]
    );

    let path = format!("/api/pages/{plan}");
    let (status, _) = stage.send(Method::DELETE, owner, &path, json!({})).await;
    assert_eq!(status, 204);
    let closed = loop {
        if let Heard::Closed(code) = client.hear().await {
            break code;
        }
    };
    assert_eq!(closed, Some(4004));
    assert_eq!(stage.get(owner, &export(&plan)).await.status(), 404);
    let joined = stage.connect(2).await.join(&plan, owner).await;
    assert!(matches!(joined, ProtocolMessage::JoinError { .. }));

    let (status, _) = stage
        .send(Method::POST, owner, &format!("{path}/restore"), json!({}))
        .await;
    assert_eq!(status, 200);
    let back: Value = stage.get(owner, &export(&plan)).await.json().await.unwrap();
    assert_eq!(back["elements"]["r"]["x"], 5.0);
    let mut again = stage.connect(3).await;
    let joined = again.join(&plan, owner).await;
    assert!(matches!(joined, ProtocolMessage::JoinResponseOk { .. }));

    for (body, expected) in [
        (json!({"name": "  "}), 400),
        (json!({"tier": "a b"}), 400),
        (json!({"colour": "red"}), 422),
    ] {
        let (status, _) = stage.send(Method::PATCH, owner, &path, body).await;
        assert_eq!(status, expected);
    }
    let home = stage.page().await;
    let (status, _) = stage
        .send(
            Method::DELETE,
            owner,
            &format!("/api/pages/{home}"),
            json!({}),
        )
        .await;
    assert_eq!(status, 409, "a fairy lives there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_another_tier_hears_nothing_of_a_page_and_loses_one_that_moves_away() {
    let stage = Stage::open().await;
    let shared = stage.make("Shared", "public").await;
    let guest = stage
        .attenuate(
            &stage.owner,
            json!({"tiers": ["public"], "subject": "person:guest"}),
        )
        .await;
    assert_eq!(stage.names(&guest).await, ["Shared"]);
    let mut on_page = stage.connect(1).await;
    on_page.join(&shared, &guest).await;
    let mut events = stage
        .get(&guest, "/api/workspaces/main/events")
        .await
        .bytes_stream();
    let secret = stage.make("Secret", "internal").await;
    let path = format!("/api/pages/{shared}");
    for change in [json!({"name": "Shown"}), json!({"tier": "internal"})] {
        let (status, _) = stage.send(Method::PATCH, &stage.owner, &path, change).await;
        assert_eq!(status, 200);
    }
    let (status, _) = stage
        .send(
            Method::PATCH,
            &stage.owner,
            &path,
            json!({"name": "Hidden"}),
        )
        .await;
    assert_eq!(status, 200);
    let mut heard = String::new();
    while !heard.contains("removed") {
        let next = tokio::time::timeout(std::time::Duration::from_secs(5), events.next()).await;
        heard.push_str(&String::from_utf8_lossy(&next.unwrap().unwrap().unwrap()));
    }
    // One more that the guest may hear, to be sure that nothing came in between.
    stage.make("Open", "public").await;
    while !heard.contains("Open") {
        let next = tokio::time::timeout(std::time::Duration::from_secs(5), events.next()).await;
        heard.push_str(&String::from_utf8_lossy(&next.unwrap().unwrap().unwrap()));
    }
    assert!(heard.contains("Shown"), "{heard}");
    let gone = format!("{{\"kind\":\"page\",\"removed\":\"{shared}\"}}");
    assert!(heard.contains(&gone), "{heard}");
    for unheard in ["Secret", "Hidden", "internal", &secret] {
        assert!(!heard.contains(unheard), "{unheard} in {heard}");
    }
    let closed = loop {
        if let Heard::Closed(code) = on_page.hear().await {
            break code;
        }
    };
    assert_eq!(closed, Some(4004));
    let (status, _) = stage
        .send(Method::PATCH, &guest, &path, json!({"tier": "public"}))
        .await;
    assert_eq!(status, 404);
    let (status, _) = stage
        .send(
            Method::DELETE,
            &guest,
            &format!("/api/pages/{secret}"),
            json!({}),
        )
        .await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_moves_to_a_hidden_tier_takes_its_fairy_its_run_and_its_task_along_at_once() {
    let stage = Stage::open().await;
    let shared = stage.make("Shared", "public").await;
    let limits = json!({"tiers": ["public"], "subject": "person:guest"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    let fairies = "/api/workspaces/main/fairies";
    let (status, fairy) = stage
        .send(Method::POST, &stage.owner, fairies, json!({"page": shared}))
        .await;
    assert_eq!(status, 201, "{fairy}");
    let task = json!({"title": "Draw", "page": shared});
    let (status, _) = stage
        .send(
            Method::POST,
            &stage.owner,
            "/api/workspaces/main/tasks",
            task,
        )
        .await;
    assert_eq!(status, 201);
    let mut events = stage.events(&guest).await;
    let before = events.next().await.unwrap();
    let counts = |snapshot: &serde_json::Value| {
        ["pages", "fairies", "tasks"].map(|kind| snapshot[kind].as_array().unwrap().len())
    };
    assert_eq!(counts(&before), [1, 1, 1], "{before}");
    let path = format!("/api/pages/{shared}");
    let (status, _) = stage
        .send(
            Method::PATCH,
            &stage.owner,
            &path,
            json!({"tier": "internal"}),
        )
        .await;
    assert_eq!(status, 200);
    // Nothing else has to happen first.
    assert_eq!(events.change("page").await["removed"], shared.as_str());
    let after = loop {
        let event = events.next().await.unwrap();
        if event["pages"].is_array() {
            break event;
        }
    };
    assert_eq!(counts(&after), [0, 0, 0], "{after}");
}
