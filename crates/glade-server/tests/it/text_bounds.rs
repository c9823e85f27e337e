//! What holds a fairy on a text page, over HTTP: a range of its text, and the workspace's plugins.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::arena::Stage;

async fn text_page(stage: &Stage, source: &str) -> (String, Vec<String>) {
    let new = json!({"name": "Notes", "kind": "text"});
    let made = stage
        .post(&stage.owner, "/api/workspaces/main/pages", new)
        .await;
    let page = made.value["id"].as_str().unwrap().to_owned();
    let path = format!("/api/pages/{page}/import?mode=replace");
    let url = format!("http://{}{path}", stage.address);
    let sent = crate::http_client()
        .post(url)
        .bearer_auth(&stage.owner)
        .header("content-type", "text/markdown")
        .body(source.to_owned())
        .send();
    let brought: Value = sent.await.unwrap().json().await.unwrap();
    let ids = brought["elements"].as_array().unwrap().iter();
    (
        page,
        ids.map(|id| id.as_str().unwrap().to_owned()).collect(),
    )
}

async fn fairy(stage: &Stage) -> String {
    let workspace = stage.get(&stage.owner, "/api/workspaces/main").await.value;
    workspace["fairies"][0]["id"].as_str().unwrap().to_owned()
}

async fn ask(stage: &Stage, fairy: &str, page: &str, message: &str) -> Value {
    let input = json!({"input": {"message": message, "page": page}});
    let path = format!("/api/fairies/{fairy}/interrupt");
    let begun = stage.post(&stage.owner, &path, input).await;
    assert_eq!(begun.status, 202, "{begun:?}");
    let run = begun.value["run"].as_str().unwrap().to_owned();
    for _ in 0..400 {
        let shown = stage.get(&stage.owner, &format!("/api/runs/{run}")).await;
        if shown.value["status"] != "running" {
            return shown.value;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{run} does not end");
}

async fn markdown(stage: &Stage, page: &str) -> String {
    let path = format!("/api/pages/{page}/export?format=markdown");
    stage.get(&stage.owner, &path).await.text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fairy_with_a_range_rewrites_what_is_in_it_and_nothing_else() {
    let stage = Stage::set().await;
    let (page, blocks) = text_page(&stage, "One colour.\n\nTwo colours.\n\nThree colours.\n").await;
    let fairy = fairy(&stage).await;
    let path = format!("/api/fairies/{fairy}");
    let set = async |range: Value| {
        let body = json!({"scope": {"range": range}});
        stage.call(&stage.owner, Method::PATCH, &path, body).await
    };
    let spot = |at: usize| json!({"block": blocks[at]});
    for (bad, reason) in [
        (
            json!({"page": page, "from": spot(2), "to": spot(1)}),
            "before it begins",
        ),
        (
            json!({"page": page, "from": {"block": "nowhere"}, "to": spot(1)}),
            "no block nowhere",
        ),
        (
            json!({"page": stage.page, "from": spot(0), "to": spot(1)}),
            "a canvas has no ranges",
        ),
    ] {
        let answer = set(bad).await;
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(answer.text.contains(reason), "{answer:?}");
    }
    let kept = set(json!({"page": page, "from": spot(1), "to": spot(1)})).await;
    assert_eq!(kept.status, 200, "{kept:?}");
    assert_eq!(kept.value["scope"]["range"]["from"]["block"], blocks[1]);

    let run = ask(&stage, &fairy, &page, "replace colour with color").await;
    assert_eq!(run["elements"], json!([blocks[1]]), "{run}");
    assert_eq!(
        markdown(&stage, &page).await,
        "One colour.\n\nTwo colors.\n\nThree colours.\n"
    );
    // On another page it may change nothing at all.
    let run = ask(&stage, &fairy, &stage.page, "Apples -> Pears").await;
    assert_eq!(run["elements"], json!([]), "{run}");
    // Without the range, everything.
    let free = stage
        .call(&stage.owner, Method::PATCH, &path, json!({"scope": {}}))
        .await;
    assert_eq!(free.status, 200);
    ask(&stage, &fairy, &page, "replace colour with color").await;
    assert_eq!(
        markdown(&stage, &page).await,
        "One color.\n\nTwo colors.\n\nThree colors.\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn plugins_are_the_owners_to_switch_and_fairies_keep_to_them() {
    let stage = Stage::set().await;
    let (page, _) = text_page(&stage, "Hello.\n").await;
    let fairy = fairy(&stage).await;
    let path = "/api/workspaces/main/plugins";
    let on = |answer: &Value, name: &str| {
        let plugins = answer["plugins"].as_array().unwrap();
        let found = plugins.iter().find(|plugin| plugin["name"] == name);
        found.unwrap()["enabled"].clone()
    };
    let listed = stage.get(&stage.owner, path).await.value;
    assert_eq!(
        (on(&listed, "tables"), on(&listed, "embeds")),
        (json!(true), json!(false))
    );
    let change =
        async |token: &str, body: Value| stage.call(token, Method::PATCH, path, body).await;
    let guest = stage.token(json!({"subject": "person:guest"})).await;
    let off = json!({"enabled": {"tables": false}});
    assert_eq!(change(&guest, off.clone()).await.status, 403);
    for bad in [
        json!({"enabled": {"nonsense": true}}),
        json!({"enabled": {"words": false}}),
        json!({"embedHosts": ["127.0.0.1"]}),
        json!({"embedHosts": ["localhost"]}),
    ] {
        assert_eq!(change(&stage.owner, bad.clone()).await.status, 400, "{bad}");
    }
    let changed = change(&stage.owner, off).await;
    assert_eq!(on(&changed.value, "tables"), json!(false));
    let run = ask(&stage, &fairy, &page, "Table: Name, Age; Ann, 31").await;
    assert_eq!(run["elements"], json!([]), "{run}");
    let hosts = json!({"enabled": {"tables": true}, "embedHosts": ["Example.org"]});
    let changed = change(&stage.owner, hosts).await;
    assert_eq!(changed.value["embedHosts"], json!(["example.org"]));
    let again = ask(&stage, &fairy, &page, "Table: Name, Age; Ann, 31").await;
    let text = markdown(&stage, &page).await;
    assert!(text.contains("| Ann | 31 |"), "{text}{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_says_which_rows_of_tables_are_not_in_it() {
    let stage = Stage::set().await;
    let row = |word: &str| format!("|{}\n", format!(" {word} |").repeat(100));
    let table = row("h") + &row("-") + &row("w").repeat(99);
    for (tables, said) in [(1, None), (3, Some("100"))] {
        let (page, _) = text_page(&stage, &vec![table.as_str(); tables].join("\nand\n\n")).await;
        let path = format!("/api/pages/{page}/export?format=markdown");
        let url = format!("http://{}{path}", stage.address);
        let answer = crate::http_client().get(url).bearer_auth(&stage.owner);
        let answer = answer.send().await.unwrap();
        let told = answer.headers().get("x-glade-left-out").cloned();
        assert_eq!(told.as_ref().map(|it| it.to_str().unwrap()), said);
        let text = answer.text().await.unwrap();
        let note = "Left out of this file: 100 rows and columns";
        assert_eq!(text.contains(note), said.is_some());
    }
}
