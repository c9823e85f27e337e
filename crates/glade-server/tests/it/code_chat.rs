//! Chats about the code project, held over HTTP.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Stage;

/// A server whose project has these files.
pub async fn project(files: &[(&str, &str)], pace: f64) -> Stage {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join("project").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Stage::start(dir, pace, glade_server::RoomTuning::default()).await
}

/// A chat, and whose token is used in it.
pub struct Chat<'a> {
    pub stage: &'a Stage,
    pub token: String,
    pub id: String,
}

impl<'a> Chat<'a> {
    pub async fn open(stage: &'a Stage) -> Chat<'a> {
        Self::open_as(stage, &stage.owner).await
    }

    pub async fn open_as(stage: &'a Stage, token: &str) -> Chat<'a> {
        let (status, chat) = stage
            .send(Method::POST, token, "/api/code/chats", json!({}))
            .await;
        assert_eq!(status, 201, "{chat}");
        let id = chat["id"].as_str().unwrap().to_owned();
        let token = token.to_owned();
        Chat { stage, token, id }
    }

    /// The same chat in somebody else's hands.
    pub fn with(&self, token: &str) -> Chat<'a> {
        Chat {
            stage: self.stage,
            token: token.to_owned(),
            id: self.id.clone(),
        }
    }

    /// Asks and answers every question with `allow`; the chunks of the stream.
    pub async fn ask(&self, text: &str, allow: Option<Value>) -> Vec<Value> {
        self.send(question(&self.id, text), allow).await
    }

    pub async fn send(&self, body: Value, allow: Option<Value>) -> Vec<Value> {
        let mut run = self.begin(body).await;
        while let Some(approval) = run.question().await {
            let Some(allow) = &allow else { continue };
            let (status, said) = self.answer(&approval, allow.clone()).await;
            assert!(matches!(status, 204 | 409), "{said}");
        }
        run.chunks
    }

    /// Sends it and lets the stream wait.
    pub async fn begin(&self, body: Value) -> Underway {
        let answer = self.stage.post(&self.token, "/api/ai/chat", body).await;
        let status = answer.status().as_u16();
        assert_eq!(status, 200);
        Underway {
            answer,
            unread: String::new(),
            chunks: Vec::new(),
        }
    }

    pub async fn begin_asking(&self, text: &str) -> Underway {
        self.begin(question(&self.id, text)).await
    }

    pub async fn answer(&self, approval: &str, mut decision: Value) -> (u16, Value) {
        decision["approvalId"] = json!(approval);
        self.post("approve", decision).await
    }

    pub async fn post(&self, what: &str, body: Value) -> (u16, Value) {
        let path = format!("/api/code/chats/{}/{what}", self.id);
        self.stage
            .send(Method::POST, &self.token, &path, body)
            .await
    }

    pub async fn history(&self) -> Vec<Value> {
        let path = format!("/api/ai/chat/{}", self.id);
        let told: Value = get(self.stage, &path).await;
        told["messages"].as_array().unwrap().clone()
    }
}

/// The body that asks a chat something.
pub fn question(chat: &str, text: &str) -> Value {
    let parts = json!([{"type": "text", "text": text}]);
    json!({"id": chat, "messages": [{"id": "m", "role": "user", "parts": parts}]})
}

/// A run, as its stream tells of it.
pub struct Underway {
    answer: reqwest::Response,
    unread: String,
    pub chunks: Vec<Value>,
}

impl Underway {
    /// Reads on to the next question and answers its id; `None` at the end.
    pub async fn question(&mut self) -> Option<String> {
        loop {
            while let Some((event, after)) = self.unread.split_once("\n\n") {
                let chunk = serde_json::from_str(event.trim_start_matches("data: "));
                self.unread = after.to_owned();
                let Ok(chunk) = chunk else { continue };
                let chunk: Value = chunk;
                let asked = chunk["type"] == "tool-approval-request";
                let approval = chunk["approvalId"].as_str().map(str::to_owned);
                self.chunks.push(chunk);
                if asked {
                    return approval;
                }
            }
            let piece = self.answer.chunk().await.unwrap()?;
            self.unread.push_str(&String::from_utf8_lossy(&piece));
        }
    }

    /// Reads to the end.
    pub async fn rest(mut self) -> Vec<Value> {
        while self.question().await.is_some() {}
        self.chunks
    }
}

pub async fn get(stage: &Stage, path: &str) -> Value {
    let answer = stage.get(&stage.owner, path).await;
    assert_eq!(answer.status().as_u16(), 200, "{path}");
    answer.json().await.unwrap()
}

pub fn file(stage: &Stage, name: &str) -> String {
    fs::read_to_string(stage.data().join("project").join(name)).unwrap()
}

pub fn run_of(chunks: &[Value]) -> String {
    let run = &chunks[0]["messageMetadata"]["run"];
    run.as_str().unwrap().to_owned()
}

pub fn kinds(chunks: &[Value]) -> Vec<&str> {
    chunks
        .iter()
        .map(|chunk| chunk["type"].as_str().unwrap())
        .collect()
}

/// The store of a folder, once the server has let go of it.
pub async fn let_go_of(folder: &std::path::Path) -> glade_store::Store {
    for _ in 0..100 {
        if let Ok(store) = glade_store::Store::open(folder) {
            return store;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the store is not let go of");
}
