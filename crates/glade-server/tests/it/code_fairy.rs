//! A chat about code is a fairy's: its name, its limits, and the files that it may reach.

use reqwest::Method;
use serde_json::{Value, json};

use crate::code_chat::{Chat, file, get, kinds, project};
use crate::stage::Stage;

const FILES: &[(&str, &str)] = &[("src/a.rs", "fn foo() {}\n"), ("notes.txt", "foo\n")];

async fn first_fairy(stage: &Stage) -> Value {
    get(stage, "/api/workspaces/main").await["fairies"][0].clone()
}

async fn set(stage: &Stage, fairy: &Value, change: Value) {
    let path = format!("/api/fairies/{}", fairy["id"].as_str().unwrap());
    let (status, told) = stage.send(Method::PATCH, &stage.owner, &path, change).await;
    assert_eq!(status, 200, "{told}");
}

async fn give(chat: &Chat<'_>, fairy: &Value) -> (u16, Value) {
    let path = format!("/api/code/chats/{}", chat.id);
    let change = json!({"fairy": fairy});
    chat.stage
        .send(Method::PATCH, &chat.token, &path, change)
        .await
}

#[tokio::test]
async fn the_first_fairy_answers_until_another_is_chosen() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let fairy = first_fairy(&stage).await;
    let told = chat.ask("find foo", None).await;
    assert_eq!(told[0]["messageMetadata"]["fairy"], fairy["id"]);

    let new = json!({"name": "Ember", "page": fairy["page"]});
    let (status, made) = stage
        .send(
            Method::POST,
            &stage.owner,
            "/api/workspaces/main/fairies",
            new,
        )
        .await;
    assert_eq!(status, 201, "{made}");
    let (status, shown) = give(&chat, &made["id"]).await;
    assert_eq!((status, &shown["fairy"]), (200, &made["id"]));
    let told = chat.ask("find foo", None).await;
    assert_eq!(told[0]["messageMetadata"]["fairy"], made["id"]);
    assert_eq!(give(&chat, &json!("fy_nobody")).await.0, 409);
}

#[tokio::test]
async fn only_these_files_holds_whoever_asks_and_says_yes() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let fairy = first_fairy(&stage).await;
    set(&stage, &fairy, json!({"scope": {"paths": ["src"]}})).await;
    give(&chat, &fairy["id"]).await;
    let yes = || Some(json!({"allow": true, "reach": {"scope": "chat"}}));
    let told = chat.ask("delete file notes.txt", yes()).await;
    assert!(kinds(&told).contains(&"tool-output-error"), "{told:?}");
    assert_eq!(file(&stage, "notes.txt"), "foo\n");
    let told = chat.ask("delete file src/a.rs", yes()).await;
    assert!(kinds(&told).contains(&"tool-output-available"), "{told:?}");
    assert!(!stage.data().join("project/src/a.rs").exists());
}

#[tokio::test]
async fn a_fairy_that_may_change_no_files_changes_none() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let fairy = first_fairy(&stage).await;
    let scope = json!({"scope": {"actions": ["create", "multi-edit"]}});
    set(&stage, &fairy, scope).await;
    give(&chat, &fairy["id"]).await;
    let yes = || Some(json!({"allow": true, "reach": {"scope": "chat"}}));
    let told = chat.ask("delete file notes.txt", yes()).await;
    assert!(kinds(&told).contains(&"tool-output-error"), "{told:?}");
    assert_eq!(file(&stage, "notes.txt"), "foo\n");
    // What it may do it does.
    chat.ask("replace foo with bar", yes()).await;
    assert_eq!(file(&stage, "notes.txt"), "bar\n");
}

#[tokio::test]
async fn rounds_are_a_limit_that_one_sets_and_go_on_goes_on() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let fairy = first_fairy(&stage).await;
    let limits = |steps: u32| json!({"limits": {"steps": steps, "tokens": 100_000, "usd": 1.0}});
    set(&stage, &fairy, limits(1)).await;
    give(&chat, &fairy["id"]).await;
    let told = chat.ask("find foo", None).await;
    assert_eq!(kinds(&told).last(), Some(&"error"), "{told:?}");
    let history = chat.history().await;
    let error = &history[1]["metadata"]["error"];
    assert_eq!(error["kind"], "depth");
    set(&stage, &fairy, limits(5)).await;
    let told = chat.ask("find foo", None).await;
    assert_eq!(kinds(&told).last(), Some(&"finish"), "{told:?}");
}

#[tokio::test]
async fn going_back_leaves_what_was_kept_unless_it_is_to_be_undone_too() {
    let stage = project(FILES, 0.0).await;
    let yes = || Some(json!({"allow": true, "reach": {"scope": "chat"}}));
    for (also, left) in [(false, "bar\n"), (true, "foo\n")] {
        let chat = Chat::open(&stage).await;
        std::fs::write(stage.data().join("project/notes.txt"), "foo\n").unwrap();
        let told = chat.ask("replace foo with bar in notes.txt", yes()).await;
        assert_eq!(file(&stage, "notes.txt"), "bar\n", "{told:?}");
        let keep = format!("/api/runs/{}/keep", crate::code_chat::run_of(&told));
        let (status, _) = stage
            .send(Method::POST, &stage.owner, &keep, json!({}))
            .await;
        assert_eq!(status, 200);
        let (status, undone) = chat.post("undo", json!({"kept": also})).await;
        assert_eq!(status, 200, "{undone}");
        assert_eq!(file(&stage, "notes.txt"), left);
        assert_eq!(chat.history().await.len(), 0);
    }
}
