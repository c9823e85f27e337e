//! Fairies through their HTTP door: made, changed, limited, sent to sleep, called, dismissed.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Stage;

const FAIRIES: &str = "/api/workspaces/main/fairies";

impl Stage {
    /// The same folder served anew, as a crash would leave it: nobody says goodbye.
    pub async fn again(&self) -> Stage {
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(self.data()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
            }
        }
        Stage::in_folder(copy).await
    }

    async fn fairy(&self, new: Value) -> Value {
        let (status, fairy) = self.send(Method::POST, &self.owner, FAIRIES, new).await;
        assert_eq!(status, 201, "{fairy}");
        fairy
    }

    pub async fn command(&self, fairy: &str, verb: &str, body: Value) -> (u16, Value) {
        let path = format!("/api/fairies/{fairy}/{verb}");
        self.send(Method::POST, &self.owner, &path, body).await
    }

    /// Asks the fairy and waits for the run to end.
    pub async fn ask(&self, fairy: &str, input: Value) -> Value {
        let (status, begun) = self
            .command(fairy, "interrupt", json!({"input": input}))
            .await;
        assert_eq!(status, 202, "{begun}");
        self.ended(begun["run"].as_str().unwrap()).await
    }

    pub async fn ended(&self, run: &str) -> Value {
        for _ in 0..1000 {
            let run: Value = self.read(&format!("/api/runs/{run}")).await;
            if run["status"] != "running" {
                return run;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{run} did not end");
    }

    pub async fn read(&self, path: &str) -> Value {
        self.get(&self.owner, path).await.json().await.unwrap()
    }

    pub async fn shapes(&self, page: &str) -> usize {
        let path = format!("/api/pages/{page}/export?format=excalidraw");
        self.read(&path).await["elements"].as_array().unwrap().len()
    }
}

fn id(fairy: &Value) -> &str {
    fairy["id"].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_fairy_has_what_nobody_else_has_and_can_be_changed() {
    let stage = Stage::open().await;
    let first = stage.read(FAIRIES).await[0].clone();
    let mut all = vec![first];
    for _ in 0..5 {
        all.push(stage.fairy(json!({})).await);
    }
    for field in ["id", "name", "sign", "hat", "color", "hatColor"] {
        let values: BTreeSet<String> = all.iter().map(|one| one[field].to_string()).collect();
        assert_eq!(values.len(), all.len(), "{field}: {values:?}");
    }
    let fairy = id(&all[1]);
    let path = format!("/api/fairies/{fairy}");
    let change = json!({
        "name": "Dot", "hat": "top", "color": "#123456", "personality": "dry", "planFirst": true,
        "keepAtOnce": true, "scope": {"region": {"x": 0, "y": 0, "w": 10, "h": 10}},
    });
    let (status, changed) = stage
        .send(Method::PATCH, &stage.owner, &path, change.clone())
        .await;
    assert_eq!(status, 200, "{changed}");
    for (field, value) in change.as_object().unwrap() {
        let whole = |value: &Value| value.to_string().replace(".0", "");
        assert_eq!(whole(&changed[field]), whole(value), "{field}");
    }
    assert_eq!(
        changed["hatColor"], all[1]["hatColor"],
        "what is left out stays"
    );
    let stage = stage.again().await;
    assert_eq!(
        stage.read(&path).await,
        changed,
        "and is so after a restart"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_of_a_fairy_is_refused_with_words() {
    let stage = Stage::open().await;
    for wrong in [
        json!({"name": "  "}),
        json!({"hat": "crown"}),
        json!({"color": "red"}),
        json!({"model": "nobody/nothing"}),
        json!({"scope": {"actions": ["fly"]}}),
        json!({"scope": {"actions": []}}),
        json!({"scope": {"hours": 3}}),
        json!({"wings": 4}),
    ] {
        let (status, problem) = stage
            .send(Method::POST, &stage.owner, FAIRIES, wrong.clone())
            .await;
        assert!(status == 400 || status == 422, "{wrong}: {status}");
        assert!(problem["detail"].is_string(), "{wrong}: {problem}");
    }
    let (status, _) = stage
        .send(
            Method::POST,
            &stage.owner,
            FAIRIES,
            json!({"page": "pg_none"}),
        )
        .await;
    assert_eq!(status, 404);
    let reader = stage
        .attenuate(&stage.owner, json!({"ops": ["read"]}))
        .await;
    let (status, _) = stage.send(Method::POST, &reader, FAIRIES, json!({})).await;
    assert_eq!(status, 403);
    let fairy = stage.fairy(json!({})).await;
    let path = format!("/api/fairies/{}", id(&fairy));
    for method in [Method::PATCH, Method::DELETE] {
        let (status, _) = stage.send(method, &reader, &path, json!({})).await;
        assert_eq!(status, 403);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fairy_keeps_to_its_scope() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let other = stage.make("Other", "internal").await;
    let flow =
        json!({"message": "Draw A -> B -> C", "bounds": {"x": 0, "y": 0, "w": 1000, "h": 800}});
    let far = json!({"region": {"x": 90_000, "y": 90_000, "w": 10, "h": 10}});
    for scope in [
        far,
        json!({"actions": ["label"]}),
        json!({"expiresAt": 1000}),
    ] {
        let fairy = stage.fairy(json!({"scope": scope, "page": page})).await;
        let run = stage.ask(id(&fairy), flow.clone()).await;
        assert_eq!(run["elements"], json!([]), "{scope}");
        assert_eq!(stage.shapes(&page).await, 0, "{scope}");
        // Free again, it draws.
        let path = format!("/api/fairies/{}", id(&fairy));
        let free = json!({"scope": {}});
        let (status, _) = stage.send(Method::PATCH, &stage.owner, &path, free).await;
        assert_eq!(status, 200);
        let run = stage.ask(id(&fairy), flow.clone()).await;
        assert_ne!(run["elements"], json!([]), "{scope}");
        let undo = format!("/api/runs/{}/undo", run["id"].as_str().unwrap());
        stage.post(&stage.owner, &undo, json!({})).await;
        assert_eq!(stage.shapes(&page).await, 0);
    }
    let fairy = stage
        .fairy(json!({"page": page, "scope": {"pages": [page]}}))
        .await;
    let there = json!({"input": {"message": "Draw A -> B", "page": other}});
    let (status, _) = stage.command(id(&fairy), "interrupt", there).await;
    assert_eq!(status, 403);
    let (status, _) = stage
        .command(id(&fairy), "summon", json!({"page": other}))
        .await;
    assert_eq!(status, 403);
    assert_eq!(stage.shapes(&other).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mode_alone_ends_what_it_was_at_and_starts_nothing() {
    let stage = Stage::paced(5.0).await;
    let fairy = stage.fairy(json!({})).await;
    let input = json!({"input": {"message": "Draw A -> B -> C -> D -> E"}});
    let (_, begun) = stage.command(id(&fairy), "interrupt", input).await;
    let mode = json!({"mode": "soloing"});
    let (status, none) = stage.command(id(&fairy), "interrupt", mode).await;
    assert_eq!((status, &none["run"]), (202, &Value::Null));
    let ended = stage.ended(begun["run"].as_str().unwrap()).await;
    assert_eq!(ended["status"], "cancelled");
    let shown = stage.read(&format!("/api/fairies/{}", id(&fairy))).await;
    assert_eq!(shown["mode"], "soloing");
    let leads = json!({"mode": "orchestrating-active"});
    let (status, _) = stage.command(id(&fairy), "interrupt", leads).await;
    assert_eq!(status, 400, "a project's modes are the project's to give");
}

#[tokio::test(flavor = "multi_thread")]
async fn data_that_comes_with_a_message_is_in_the_prompt_as_data() {
    let stage = Stage::open().await;
    let fairy = stage.fairy(json!({})).await;
    let input = json!({"message": "Draw A -> B", "data": [{"sold": 42}]});
    stage.ask(id(&fairy), input).await;
    let path = format!("/api/fairies/{}/debug", id(&fairy));
    let inside = stage.read(&path).await;
    let prompt = inside["steps"].to_string();
    assert!(prompt.contains("sold"), "{inside}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fairy_sleeps_wakes_and_comes_when_called() {
    let stage = Stage::open().await;
    let other = stage.make("Other", "internal").await;
    let fairy = stage.fairy(json!({})).await;
    let (status, asleep) = stage.command(id(&fairy), "sleep", json!({})).await;
    assert_eq!((status, &asleep["mode"]), (200, &json!("sleeping")));
    let stage = stage.again().await;
    let path = format!("/api/fairies/{}", id(&fairy));
    assert_eq!(
        stage.read(&path).await["mode"],
        "sleeping",
        "after a restart"
    );
    let (_, awake) = stage.command(id(&fairy), "wake", json!({})).await;
    assert_eq!(awake["mode"], "idling");

    let there = json!({"page": other, "position": {"x": 40.0, "y": -7.5}});
    let (status, come) = stage.command(id(&fairy), "summon", there).await;
    assert_eq!(status, 200, "{come}");
    let at = (&come["page"], &come["position"]);
    assert_eq!(at, (&json!(other), &json!({"x": 40.0, "y": -7.5})));
    assert_eq!(stage.read(&path).await, come);
    stage.command(id(&fairy), "sleep", json!({})).await;
    let run = stage
        .ask(id(&fairy), json!({"message": "Draw A -> B"}))
        .await;
    assert_eq!(run["page"], json!(other), "a message wakes it, where it is");
    assert_ne!(run["elements"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dismissed_fairy_is_gone_and_what_it_made_can_still_be_undone_and_asked_about() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let fairy = stage.fairy(json!({"name": "Brief"})).await;
    let run = stage
        .ask(id(&fairy), json!({"message": "Draw A -> B"}))
        .await;
    let path = format!("/api/fairies/{}", id(&fairy));
    let (status, _) = stage
        .send(Method::DELETE, &stage.owner, &path, json!(null))
        .await;
    assert_eq!(status, 204);
    assert_eq!(stage.get(&stage.owner, &path).await.status(), 404);
    let stage = stage.again().await;
    assert_eq!(
        stage.get(&stage.owner, &path).await.status(),
        404,
        "for good"
    );
    let element = run["elements"][0].as_str().unwrap();
    let why = stage
        .read(&format!("/api/pages/{page}/why?element={element}"))
        .await;
    assert_eq!(why["runs"][0]["run"]["id"], run["id"]);
    assert_eq!(why["runs"][0]["fairyName"], "Brief");
    let undo = format!("/api/runs/{}/undo", run["id"].as_str().unwrap());
    assert_eq!(
        stage.post(&stage.owner, &undo, json!({})).await.status(),
        200
    );
    assert_eq!(stage.shapes(&page).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inside_of_a_fairy_shows_its_prompts_and_answers() {
    let stage = Stage::open().await;
    let fairy = stage.fairy(json!({"personality": "fond of moss"})).await;
    let prompt = stage
        .read(&format!(
            "/api/fairies/{}/prompt?message=Draw%20a%20hat",
            id(&fairy)
        ))
        .await;
    assert!(prompt["system"].as_str().unwrap().contains("fond of moss"));
    assert!(prompt["messages"].to_string().contains("Draw a hat"));
    let run = stage
        .ask(id(&fairy), json!({"message": "Draw A -> B"}))
        .await;
    let debug = stage
        .read(&format!("/api/fairies/{}/debug", id(&fairy)))
        .await;
    assert_eq!(debug["mode"], "idling");
    assert_eq!(debug["modeChanges"][0]["to"], "one-shotting");
    let step = &debug["steps"][0];
    assert_eq!(step["run"], run["id"]);
    assert!(step["answer"].as_str().unwrap().contains("\"actions\""));
    assert!(step["prompt"].to_string().contains("A -> B"));
    assert!(step["outputTokens"].as_i64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_fairies_draw_on_one_page_at_once() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let mut runs = Vec::new();
    for number in 0..20 {
        let fairy = stage.fairy(json!({"page": page})).await;
        let bounds = json!({"x": number * 2000, "y": 0, "w": 1000, "h": 800});
        let input = json!({"message": "Draw A -> B -> C", "bounds": bounds});
        let (_, begun) = stage
            .command(id(&fairy), "interrupt", json!({"input": input}))
            .await;
        runs.push(begun["run"].as_str().unwrap().to_owned());
    }
    let mut made = 0;
    for run in runs {
        let run = stage.ended(&run).await;
        assert_eq!(run["status"], "pending", "{run}");
        made += run["elements"].as_array().unwrap().len();
    }
    assert_eq!(stage.shapes(&page).await, made);
}
