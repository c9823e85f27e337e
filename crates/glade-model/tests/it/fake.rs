//! A provider in the same process: says what the test wants, byte by byte, and keeps what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream;
use glade_agent::{Prompt, PromptMessage, Role};
use glade_model::key::{Key, KeySource, Secret};
use glade_model::{Client, Extras, Limits, ModelSpec, Provider, Wire};
use serde_json::{Value, json};

pub struct Asked {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
}

/// What the fake does with one request.
pub enum Reply {
    /// The chunks, and then the end.
    Stream(Vec<Vec<u8>>),
    /// The chunks, and then the line breaks.
    Break(Vec<Vec<u8>>),
    /// The chunks, and then silence until the line is closed; says so through the flag.
    Hang(Vec<Vec<u8>>, Arc<Flag>),
    Refuse(u16, Vec<(&'static str, String)>, String),
}

/// Set when the other side has gone.
#[derive(Default)]
pub struct Flag(tokio::sync::Notify);

impl Flag {
    pub async fn wait(&self) {
        tokio::time::timeout(Duration::from_secs(10), self.0.notified())
            .await
            .expect("the line was closed");
    }
}

struct OnDrop(Arc<Flag>);

impl OnDrop {
    /// Until the other side goes.
    async fn stay<T>(&self) -> T {
        std::future::pending().await
    }
}

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.0.notify_one();
    }
}

#[derive(Clone, Default)]
struct Shared {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

pub struct Fake {
    shared: Shared,
    pub base_url: String,
}

impl Fake {
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let shared = Shared {
            replies: Arc::new(Mutex::new(replies.into_iter().collect())),
            asked: Arc::default(),
        };
        let router = Router::new().fallback(answer).with_state(shared.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self {
            shared,
            base_url: format!("http://{address}"),
        }
    }

    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.shared.asked.lock().unwrap())
    }

    pub fn about(&self, wire: Wire) -> ModelSpec {
        let key = KeySource::Given(Secret::new("topsecret").unwrap());
        ModelSpec {
            name: "fake/m".to_owned(),
            model: "m".to_owned(),
            wire,
            base_url: self.base_url.clone(),
            key: Arc::new(Key::new(key)),
            compatible: false,
            sees: None,
            extras: Extras::default(),
            limits: Limits::default(),
        }
    }

    pub fn model(&self, wire: Wire) -> Provider {
        Provider::new(self.about(wire), &Client::new().unwrap())
    }
}

async fn answer(State(shared): State<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    shared.asked.lock().unwrap().push(Asked {
        path: parts.uri.to_string(),
        headers: parts.headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    });
    let reply = shared.replies.lock().unwrap().pop_front();
    let ok = |chunks: Vec<Vec<u8>>, then: Then| {
        Response::builder()
            .header("content-type", "text/event-stream")
            .body(paced(chunks, then))
            .unwrap()
    };
    match reply {
        None => Response::builder().status(418).body(Body::empty()).unwrap(),
        Some(Reply::Stream(chunks)) => ok(chunks, Then::End),
        Some(Reply::Break(chunks)) => ok(chunks, Then::Break),
        Some(Reply::Hang(chunks, flag)) => ok(chunks, Then::Hang(OnDrop(flag))),
        Some(Reply::Refuse(status, headers, body)) => {
            let mut response = Response::builder().status(status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            response.body(Body::from(body)).unwrap()
        }
    }
}

enum Then {
    End,
    Break,
    Hang(OnDrop),
}

/// Each chunk by itself, so that they arrive as they were cut.
fn paced(chunks: Vec<Vec<u8>>, then: Then) -> Body {
    let state = (chunks.into_iter(), then);
    Body::from_stream(stream::unfold(state, |(mut chunks, then)| async move {
        tokio::time::sleep(Duration::from_millis(2)).await;
        match (chunks.next(), &then) {
            (Some(chunk), _) => Some((Ok(Bytes::from(chunk)), (chunks, then))),
            (None, Then::End) => None,
            (None, Then::Break) => {
                let broken = std::io::Error::other("broken");
                Some((Err(broken), (chunks, Then::End)))
            }
            (None, Then::Hang(gone)) => gone.stay().await,
        }
    }))
}

pub fn prompt() -> Prompt {
    Prompt {
        system: "Be a fairy.".to_owned(),
        messages: vec![PromptMessage {
            role: Role::User,
            content: "Draw.".to_owned(),
        }],
        parts: Vec::new(),
        picture: None,
        schema: json!({"type": "object"}),
        max_output_tokens: 100,
        temperature: 0.0,
    }
}
