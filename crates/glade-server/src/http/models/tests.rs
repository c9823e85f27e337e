//! Settings through the real server, with a provider in the same process.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::{Value, json};

use crate::{Config, Server};

/// An OpenAI-compatible server that draws one box; keeps the keys it was shown.
async fn provider(keys: Arc<Mutex<Vec<String>>>) -> String {
    let answer = move |headers: HeaderMap| {
        let key = headers
            .get("authorization")
            .map(|key| key.to_str().unwrap().to_owned());
        keys.lock().unwrap().push(key.unwrap_or_default());
        async move {
            let action = json!({"actions": [{"_type": "create", "intent": "a box", "shape": {
                "_type": "rectangle", "shapeId": "box", "note": "", "x": 100, "y": 100, "w": 200, "h": 100,
                "color": "blue", "fill": "none", "text": "Hello",
            }}]});
            let words = json!({"choices": [{"delta": {"content": action.to_string()}}]});
            let stop = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
            let usage =
                json!({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 4}});
            let body =
                format!("data: {words}\n\ndata: {stop}\n\ndata: {usage}\n\ndata: [DONE]\n\n");
            ([("content-type", "text/event-stream")], body)
        }
    };
    let router = Router::new().route("/v1/chat/completions", post(answer));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/v1")
}

struct Studio {
    address: SocketAddr,
    token: String,
    http: reqwest::Client,
    _data: tempfile::TempDir,
}

impl Studio {
    async fn start(data: tempfile::TempDir, model: &str) -> Self {
        // Brings the cryptography that any client wants, even one of plain HTTP.
        glade_model::Client::new().unwrap();
        let server = Server::start(Config {
            model: model.to_owned(),
            ..Config::in_folder(data.path())
        })
        .await
        .unwrap();
        let (address, token) = (server.address(), server.owner_token().to_owned());
        tokio::spawn(server.run(std::future::pending()));
        Self {
            address,
            token,
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            _data: data,
        }
    }

    async fn call(
        &self,
        method: reqwest::Method,
        path: &str,
        token: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        let url = format!("http://{}{path}", self.address);
        let mut request = self.http.request(method, url).bearer_auth(token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        (status, response.json().await.unwrap_or(Value::Null))
    }

    async fn put(&self, body: Value) -> (u16, Value) {
        self.call(reqwest::Method::PUT, "/api/models", &self.token, Some(body))
            .await
    }

    async fn get(&self, path: &str) -> Value {
        self.call(reqwest::Method::GET, path, &self.token, None)
            .await
            .1
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_goes_in_is_used_for_its_address_and_never_comes_out() {
    let keys = Arc::default();
    let url = provider(Arc::clone(&keys)).await;
    let studio = Studio::start(tempfile::tempdir().unwrap(), "sketch").await;

    let set = json!({"provider": "work", "baseUrl": url, "key": "topsecret", "models": ["m"], "test": "work/m"});
    let (status, answer) = studio.put(set).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(
        answer["test"],
        json!({"model": "work/m", "ok": true, "detail": "It answers, and sees no pictures.", "sees": false})
    );
    assert_eq!(*keys.lock().unwrap(), ["Bearer topsecret"]);
    let listed = studio.get("/api/models").await;
    assert_eq!(
        listed["providers"]
            .as_array()
            .unwrap()
            .iter()
            .find(|p| p["name"] == "work")
            .unwrap(),
        &json!({"name": "work", "baseUrl": url, "key": "settings", "models": ["m"]})
    );
    assert!(!listed.to_string().contains("topsecret"));

    // The same provider at another address: the key stays behind.
    let elsewhere = provider(Arc::clone(&keys)).await;
    let moved = json!({"provider": "work", "baseUrl": elsewhere, "test": "work/m"});
    let (status, answer) = studio.put(moved).await;
    assert_eq!((status, &answer["test"]["ok"]), (200, &json!(true)));
    assert_eq!(*keys.lock().unwrap(), ["Bearer topsecret", ""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_a_model_sees_is_found_out_by_a_test_and_can_be_said() {
    let url = provider(Arc::default()).await;
    let studio = Studio::start(tempfile::tempdir().unwrap(), "sketch").await;
    let sees = |answer: &Value| {
        let models = answer["models"].as_array().unwrap();
        let model = models.iter().find(|model| model["name"] == "work/m");
        model.unwrap()["sees"].as_bool().unwrap()
    };
    let set = json!({"provider": "work", "baseUrl": url, "models": ["m"]});
    let (_, answer) = studio.put(set).await;
    assert!(sees(&answer), "nobody said otherwise");
    let (_, answer) = studio.put(json!({"test": "work/m"})).await;
    assert!(!sees(&answer), "it did not read the picture");
    let said = |said: Value| json!({"provider": "work", "sees": said});
    let (_, answer) = studio.put(said(json!({"m": true}))).await;
    assert!(sees(&answer));
    let (_, answer) = studio.put(said(json!({"m": null, "*": false}))).await;
    assert!(!sees(&answer), "said of all");
    let (_, answer) = studio.put(json!({"test": "work/m"})).await;
    assert!(!sees(&answer), "shown one to find out, whatever was said");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_sets_up_models_or_sees_where_prompts_go() {
    let studio = Studio::start(tempfile::tempdir().unwrap(), "sketch").await;
    studio
        .put(json!({"provider": "local", "baseUrl": "http://127.0.0.1:1/v1"}))
        .await;
    let (_, lesser) = studio
        .call(
            reqwest::Method::POST,
            "/api/tokens/attenuate",
            &studio.token,
            Some(json!({"expiresIn": 60})),
        )
        .await;
    let lesser = lesser["token"].as_str().unwrap();
    let body = json!({"provider": "local", "baseUrl": "http://evil/v1"});
    let (status, _) = studio
        .call(reqwest::Method::PUT, "/api/models", lesser, Some(body))
        .await;
    assert_eq!(status, 403);
    let (status, seen) = studio
        .call(reqwest::Method::GET, "/api/models", lesser, None)
        .await;
    assert_eq!((status, &seen["providers"]), (200, &json!([])));
    assert_eq!(seen["models"][0]["name"], "sketch");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_refused() {
    let studio = Studio::start(tempfile::tempdir().unwrap(), "sketch").await;
    for body in [
        json!({"provider": "Bad Name", "key": "k"}),
        json!({"provider": "work", "baseUrl": "ftp://x"}),
        json!({"provider": "work", "key": "two\nlines"}),
        json!({"test": "nowhere/m"}),
    ] {
        let (status, problem) = studio.put(body.clone()).await;
        assert_eq!(status, 400, "{body} {problem}");
    }
    // A command is run for the file's sake only.
    let (status, _) = studio
        .put(json!({"provider": "work", "keyCommand": "id"}))
        .await;
    assert!((400..500).contains(&status));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fairy_draws_with_a_model_of_the_settings_file() {
    let url = provider(Arc::default()).await;
    let data = tempfile::tempdir().unwrap();
    let settings = json!({"providers": {"local": {"baseUrl": url}}});
    std::fs::write(data.path().join("models.json"), settings.to_string()).unwrap();
    let studio = Studio::start(data, "local/tiny").await;

    let fairies = studio.get("/api/workspaces/main/fairies").await;
    assert_eq!(fairies[0]["model"], "local/tiny");
    let path = format!(
        "/api/fairies/{}/interrupt",
        fairies[0]["id"].as_str().unwrap()
    );
    let ask = json!({"input": {"message": "Draw a box."}});
    let (status, begun) = studio
        .call(reqwest::Method::POST, &path, &studio.token, Some(ask))
        .await;
    assert_eq!(status, 202, "{begun}");
    let path = format!("/api/runs/{}", begun["run"].as_str().unwrap());
    for _ in 0..200 {
        let run = studio.get(&path).await;
        if run["status"] != "running" {
            assert_eq!(run["status"], "pending", "{run}");
            assert_eq!(
                run["cost"],
                json!({"inputTokens": 11, "outputTokens": 4, "usd": 0.0})
            );
            assert!(!run["elements"].as_array().unwrap().is_empty(), "{run}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the run did not end");
}

#[tokio::test]
async fn a_model_that_is_not_set_up_is_refused_at_the_start_with_what_to_do() {
    let data = tempfile::tempdir().unwrap();
    let config = Config {
        model: "nowhere/m".to_owned(),
        ..Config::in_folder(data.path())
    };
    let words = Server::start(config).await.err().unwrap().to_string();
    assert!(
        words.contains("nowhere/m") && words.contains("models.json"),
        "{words}"
    );
}
