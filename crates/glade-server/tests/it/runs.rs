//! What becomes of a run: asked about by its operations, undone in part, after a restart and after
//! what people did since.

use glade_doc::ElementId;
use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::{Client, Stage, put};

struct Drawn {
    run: Value,
    page: String,
    client: Client,
}

impl Drawn {
    fn id(&self) -> &str {
        self.run["id"].as_str().unwrap()
    }
}

/// A flow of two boxes with an arrow, drawn by the first fairy, and a browser that has it all.
async fn drawn(stage: &Stage) -> Drawn {
    let page = stage.page().await;
    let fairy = stage.read("/api/workspaces/main/fairies").await[0]["id"].clone();
    let run = stage
        .ask(
            fairy.as_str().unwrap(),
            json!({"message": "Draw a flow: Tea -> Cup"}),
        )
        .await;
    assert_eq!(run["status"], "pending", "{run}");
    let mut client = stage.connect(42).await;
    client.join(&page, &stage.owner).await;
    client.catch_up().await;
    Drawn { run, page, client }
}

/// The shape that says this.
fn shape(client: &Client, text: &str) -> String {
    let elements = client.doc.elements();
    let says = |props: &glade_doc::Props| props.get("originalText") == Some(&json!(text));
    let label = elements.values().find(|props| says(props)).unwrap();
    label["containerId"].as_str().unwrap().to_owned()
}

async fn texts(stage: &Stage, page: &str) -> Vec<String> {
    let drawing = stage
        .read(&format!("/api/pages/{page}/export?format=excalidraw"))
        .await;
    let mut texts: Vec<String> = drawing["elements"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|element| Some(element["originalText"].as_str()?.to_owned()))
        .collect();
    texts.sort();
    texts
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_is_asked_about_by_its_id() {
    let stage = Stage::open().await;
    let mut drawn = drawn(&stage).await;
    drawn
        .client
        .edit(
            &drawn.page,
            &[put("mine", &json!({"type": "rectangle", "x": 1}))],
        )
        .await;
    let version = drawn.client.doc.loro().oplog_vv();
    let why = async |peer: u64, counter: i32| {
        stage
            .read(&format!(
                "/api/pages/{}/why?op={peer}:{counter}",
                drawn.page
            ))
            .await
    };
    let mut fairies = 0;
    for (&peer, &end) in version.iter() {
        for counter in [0, end / 2, end - 1] {
            let told = why(peer, counter).await;
            let runs: Vec<&str> = told["runs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["run"]["id"].as_str().unwrap())
                .collect();
            let by = told["by"].as_str().unwrap_or_default();
            if by.starts_with("fairy:") {
                assert_eq!(runs, [drawn.id()], "{told}");
                assert_eq!(told["runs"][0]["run"]["message"], "Draw a flow: Tea -> Cup");
                fairies += 1;
            } else {
                assert_eq!(
                    (runs, by),
                    (vec![], if peer == 42 { "person:owner" } else { "server" }),
                    "{told}"
                );
            }
        }
    }
    assert!(fairies >= 3, "{version:?}");
    let unknown = why(7, 0).await;
    assert_eq!((&unknown["runs"], unknown.get("by")), (&json!([]), None));
    let path = format!("/api/pages/{}/why?op=nonsense", drawn.page);
    assert_eq!(stage.get(&stage.owner, &path).await.status(), 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn chosen_elements_are_undone_after_a_restart_and_others_edits() {
    let stage = Stage::open().await;
    let mut drawn = drawn(&stage).await;
    let (tea, cup) = (shape(&drawn.client, "Tea"), shape(&drawn.client, "Cup"));
    drawn
        .client
        .edit(
            &drawn.page,
            &[put(&tea, &json!({"strokeColor": "#123456"}))],
        )
        .await;
    let stage = stage.again().await;
    let undo = format!("/api/runs/{}/undo", drawn.id());
    let (status, report) = stage
        .send(
            Method::POST,
            &stage.owner,
            &undo,
            json!({"elements": [cup]}),
        )
        .await;
    assert_eq!((status, &report["kept"]), (200, &json!([])), "{report}");
    assert_eq!(
        texts(&stage, &drawn.page).await,
        ["Tea"],
        "the chosen one is gone with its words"
    );
    let run = stage.read(&format!("/api/runs/{}", drawn.id())).await;
    assert_eq!(
        (&run["status"], &run["settled"]),
        (&json!("pending"), &json!(false)),
        "the rest can still be taken back"
    );

    let stage = stage.again().await;
    let (status, report) = stage
        .send(Method::POST, &stage.owner, &undo, json!({}))
        .await;
    assert_eq!(status, 200, "{report}");
    let kept: Vec<(&str, &str)> = report["kept"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["what"].as_str().unwrap(), one["by"].as_str().unwrap()))
        .collect();
    assert!(kept.contains(&(tea.as_str(), "person:owner")), "{report}");
    let drawing = stage
        .read(&format!(
            "/api/pages/{}/export?format=excalidraw",
            drawn.page
        ))
        .await;
    let left = drawing["elements"].as_array().unwrap();
    let touched = left.iter().find(|one| one["id"] == tea.as_str()).unwrap();
    let label = left.iter().find(|one| one["containerId"] == touched["id"]);
    assert_eq!(label.unwrap()["text"], "Tea", "its words stay with it");
    assert_eq!(left.len(), 2, "nothing else does: {left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_there_is_not_is_refused_with_words_that_help() {
    let stage = Stage::open().await;
    let fairy = stage.read("/api/workspaces/main/fairies").await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let input = json!({"input": {"message": "draw", "model": "nobody/nothing"}});
    let (status, problem) = stage.command(&fairy, "interrupt", input).await;
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert_eq!(status, 400, "{problem}");
    assert!(
        detail.contains("nobody/nothing") && detail.contains("/api/models"),
        "{detail}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_is_taken_back_after_a_restart_and_what_others_did_stays() {
    let stage = Stage::open().await;
    let drawn = drawn(&stage).await;
    let before = drawn.client.doc.elements();
    let (tea, cup) = (shape(&drawn.client, "Tea"), shape(&drawn.client, "Cup"));
    let id = drawn.id().to_owned();
    let path = |what: &str| format!("/api/runs/{id}/{what}");
    let settle = async |stage: &Stage, what: &str| {
        let path = path(what);
        let token = &stage.owner;
        stage.send(Method::POST, token, &path, json!({})).await
    };
    let (status, why) = settle(&stage, "reopen").await;
    assert_eq!(status, 409, "nothing was undone yet: {why}");
    assert_eq!(settle(&stage, "undo").await.0, 200);
    assert_eq!(texts(&stage, &drawn.page).await, [""; 0]);
    let mut client = stage.connect(43).await;
    client.join(&drawn.page, &stage.owner).await;
    client.catch_up().await;
    let mine = put(&tea, &json!({"strokeColor": "#123456"}));
    client.edit(&drawn.page, &[mine]).await;

    let stage = stage.again().await;
    let (status, report) = settle(&stage, "reopen").await;
    assert_eq!((status, &report["kept"]), (200, &json!([])), "{report}");
    assert_eq!(texts(&stage, &drawn.page).await, ["Cup", "Tea"]);
    let run = stage.read(&format!("/api/runs/{id}")).await;
    assert_eq!(
        (&run["status"], &run["settled"], &run["elements"]),
        (&json!("pending"), &json!(false), &drawn.run["elements"])
    );
    let mut client = stage.connect(44).await;
    client.join(&drawn.page, &stage.owner).await;
    client.catch_up().await;
    let now = client.doc.elements();
    assert_eq!(
        now[&ElementId::from(tea.as_str())]["strokeColor"],
        "#123456"
    );
    assert_eq!(
        now[&ElementId::from(cup.as_str())]["x"],
        before[&ElementId::from(cup.as_str())]["x"]
    );

    let stage = stage.again().await;
    let (status, report) = settle(&stage, "undo").await;
    assert_eq!(status, 200, "{report}");
    assert!(report["kept"].to_string().contains(&tea), "{report}");
    assert_eq!(settle(&stage, "reopen").await.0, 200);
    assert_eq!(settle(&stage, "keep").await.0, 200);
    assert_eq!(settle(&stage, "reopen").await.0, 409, "it was kept");
}
