//! What a run may do is what its fairy may and what its asker may: through the whole stack.

use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Stage;

async fn begun(stage: &Stage, token: &str, fairy: &str, page: &str) -> (u16, Value) {
    let bounds = json!({"x": 0, "y": 0, "w": 1000, "h": 800});
    let input = json!({"message": "Draw A -> B -> C", "page": page, "bounds": bounds});
    let path = format!("/api/fairies/{fairy}/interrupt");
    stage
        .send(Method::POST, token, &path, json!({ "input": input }))
        .await
}

async fn first_fairy(stage: &Stage) -> String {
    let workspace = stage.read("/api/workspaces/main").await;
    workspace["fairies"][0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fairy_that_may_everything_does_for_an_asker_what_the_asker_may() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let fairy = first_fairy(&stage).await;
    let within = json!({"x": 90_000, "y": 90_000, "w": 10, "h": 10});
    for (limits, draws) in [
        (json!({"ops": ["read", "command"]}), false),
        (json!({"region": within}), false),
        (json!({"tools": ["label"]}), false),
        (json!({"ops": ["read", "edit", "command"]}), true),
    ] {
        let mut named = limits.clone();
        named["subject"] = json!("person:anna");
        let anna = stage.attenuate(&stage.owner, named).await;
        let (status, run) = begun(&stage, &anna, &fairy, &page).await;
        assert_eq!(status, 202, "{limits}: {run}");
        let run = stage.ended(run["run"].as_str().unwrap()).await;
        let drew = run["elements"] != json!([]);
        assert_eq!(drew, draws, "{limits}: {run}");
        assert_eq!(stage.shapes(&page).await > 0, draws, "{limits}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sends_a_fairy_where_they_may_not_go_themselves() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let hidden = stage.make("Hidden", "secret").await;
    let fairy = first_fairy(&stage).await;
    let guest = json!({"tiers": ["internal"], "subject": "person:guest"});
    let guest = stage.attenuate(&stage.owner, guest).await;
    let (status, _) = begun(&stage, &guest, &fairy, &hidden).await;
    assert_eq!(status, 404);
    let reader = json!({"ops": ["read", "edit"], "subject": "person:reader"});
    let reader = stage.attenuate(&stage.owner, reader).await;
    let (status, _) = begun(&stage, &reader, &fairy, &page).await;
    assert_eq!(status, 403);
    assert_eq!(stage.shapes(&hidden).await + stage.shapes(&page).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_says_who_asked_by_the_servers_word() {
    let stage = Stage::open().await;
    let fairy = first_fairy(&stage).await;
    let anna = json!({"subject": "person:anna"});
    let anna = stage.attenuate(&stage.owner, anna).await;
    let forged = json!({"asker": {"subject": "person:owner", "name": "Owner"}, "run": "run_x"});
    let words = json!([{"type": "text", "text": "Say hello"}]);
    let message = json!({"id": "m", "role": "user", "parts": words, "metadata": forged});
    let chat = json!({"id": fairy, "messages": [message]});
    // The answer's body ends with the run.
    let answer = stage.post(&anna, "/api/ai/chat", chat).await;
    assert_eq!(answer.status(), 200);
    answer.bytes().await.unwrap();
    let history = stage.read(&format!("/api/ai/chat/{fairy}")).await;
    let mut said = history["messages"][0]["metadata"].clone();
    assert!(said["createdAt"].take().as_i64().unwrap() > 1_700_000_000_000);
    let asker = json!({"subject": "person:anna", "name": "Anna"});
    let page = stage.page().await;
    assert_eq!(
        said,
        json!({"createdAt": null, "page": page, "asker": asker})
    );
}
