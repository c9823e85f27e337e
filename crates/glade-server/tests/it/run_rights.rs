//! What a fairy was asked and did on a page that somebody may not read does not reach them: not by
//! its runs, its chat or its plans, and not through what it tells its model when they ask it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Stage;

/// Two pages of two tiers, a fairy, and somebody who may read only one of them.
struct Glade {
    stage: Stage,
    fairy: String,
    open: String,
    hidden: String,
    guest: String,
}

impl Glade {
    async fn grow() -> Self {
        let stage = Stage::open().await;
        let workspace = stage.read("/api/workspaces/main").await;
        let fairy = workspace["fairies"][0]["id"].as_str().unwrap().to_owned();
        let open = stage.make("Open", "public").await;
        let hidden = stage.make("Hidden", "secret").await;
        let limits = json!({"tiers": ["public"], "subject": "person:eve"});
        let guest = stage.attenuate(&stage.owner, limits).await;
        Self {
            stage,
            fairy,
            open,
            hidden,
            guest,
        }
    }

    /// Asks the fairy on a page; answers the run when it is over.
    async fn ask(&self, token: &str, page: &str, message: &str) -> Value {
        let bounds = json!({"x": 0, "y": 0, "w": 1000, "h": 800});
        let input = json!({"message": message, "page": page, "bounds": bounds});
        let path = format!("/api/fairies/{}/interrupt", self.fairy);
        let asked = json!({ "input": input });
        let (status, begun) = self.stage.send(Method::POST, token, &path, asked).await;
        assert_eq!(status, 202, "{begun}");
        self.stage.ended(begun["run"].as_str().unwrap()).await
    }

    /// What the fairy's model was sent first in a run.
    async fn prompt_of(&self, run: &Value) -> String {
        let debug = format!("/api/fairies/{}/debug", self.fairy);
        let debug = self.stage.read(&debug).await;
        let steps = debug["steps"].as_array().unwrap().iter();
        let mut own: Vec<&Value> = steps.filter(|step| step["run"] == run["id"]).collect();
        own.sort_by_key(|step| step["index"].as_i64());
        own[0]["prompt"].to_string()
    }

    async fn seen(&self, path: &str) -> (u16, String) {
        let answer = self.stage.get(&self.guest, path).await;
        (answer.status().as_u16(), answer.text().await.unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fairy_tells_its_model_nothing_of_hidden_pages_when_a_guest_asks() {
    let glade = Glade::grow().await;
    let owner = glade.stage.owner.clone();
    glade
        .ask(&owner, &glade.hidden, "Draw Zanzibar -> Mombasa")
        .await;
    glade.ask(&owner, &glade.open, "Draw Oslo -> Bergen").await;
    let run = glade.ask(&glade.guest, &glade.open, "Draw A -> B").await;
    let prompt = glade.prompt_of(&run).await;
    assert!(!prompt.contains("Zanzibar"), "{prompt}");
    assert!(prompt.contains("Oslo"), "{prompt}");
    assert!(prompt.contains("is left out: whoever asks may not see it"));
    // Nothing is lost: who may read both pages has all of it.
    let run = glade.ask(&owner, &glade.open, "Draw C -> D").await;
    let prompt = glade.prompt_of(&run).await;
    assert!(prompt.contains("Zanzibar"), "{prompt}");
    assert!(!prompt.contains("is left out: whoever asks"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_hears_of_a_run_on_a_hidden_page_nowhere() {
    let glade = Glade::grow().await;
    let owner = glade.stage.owner.clone();
    let secret = glade
        .ask(&owner, &glade.hidden, "Draw Zanzibar -> Mombasa")
        .await;
    // So that the fairy, its chat and its runs are shown to the guest at all.
    glade.ask(&owner, &glade.open, "Draw Oslo -> Bergen").await;
    let run = secret["id"].as_str().unwrap();
    let mut told = glade.stage.events(&glade.guest).await;
    let snapshot = told.next().await.unwrap().to_string();
    let mut answers = vec![(200, snapshot)];
    let fairy = &glade.fairy;
    for path in [
        format!("/api/ai/chat/{fairy}"),
        format!("/api/fairies/{fairy}"),
        "/api/workspaces/main".to_owned(),
    ] {
        answers.push(glade.seen(&path).await);
    }
    for (status, answer) in answers {
        assert_eq!(status, 200, "{answer}");
        assert!(!answer.contains("Zanzibar"), "{answer}");
        assert!(!answer.contains(run), "{answer}");
    }
    let element = secret["elements"][0].as_str().unwrap();
    for path in [
        format!("/api/runs/{run}"),
        format!("/api/runs/{run}/changes"),
        format!("/api/pages/{}/why?element={element}", glade.hidden),
    ] {
        let (status, answer) = glade.seen(&path).await;
        assert_eq!(status, 404, "{path}: {answer}");
    }
    for what in ["keep", "undo"] {
        let path = format!("/api/runs/{run}/{what}");
        let (status, _) = glade
            .stage
            .send(Method::POST, &glade.guest, &path, json!({}))
            .await;
        assert_eq!(status, 404, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_waited_is_not_read_as_a_part_of_the_run_before() {
    let glade = Glade::grow().await;
    let owner = glade.stage.owner.clone();
    let path = format!("/api/fairies/{}/interrupt", glade.fairy);
    let ask = |message: &str, page: &str| json!({"message": message, "page": page});
    let first = json!({"input": ask("Draw A -> B -> C -> D -> E", &glade.open)});
    let (status, first) = glade.stage.send(Method::POST, &owner, &path, first).await;
    assert_eq!(status, 202, "{first}");
    let later = format!("/api/fairies/{}/schedule", glade.fairy);
    let second = ask("Draw Zanzibar -> Mombasa", &glade.hidden);
    let (status, second) = glade.stage.send(Method::POST, &owner, &later, second).await;
    assert_eq!(status, 202, "{second}");
    glade.stage.ended(first["run"].as_str().unwrap()).await;
    // On a page of its own again, where the guest may look.
    glade.ask(&owner, &glade.open, "Draw Oslo -> Bergen").await;
    let path = format!("/api/ai/chat/{}", glade.fairy);
    let (status, chat) = glade.seen(&path).await;
    assert_eq!(status, 200);
    assert!(chat.contains("Draw A -> B -> C -> D -> E"), "{chat}");
    assert!(!chat.contains("Zanzibar"), "{chat}");
    let all = glade.stage.read(&path).await.to_string();
    assert!(all.contains("Zanzibar"), "{all}");
}
