//! A running server with one page and people who behave.

use std::net::SocketAddr;
use std::path::Path;

use glade_server::{Config, Server};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OK};

/// What an HTTP request was answered with.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub text: String,
    /// The body, where it is JSON.
    pub value: Value,
}

pub struct Stage {
    pub address: SocketAddr,
    pub owner: String,
    pub page: String,
    http: reqwest::Client,
    data: tempfile::TempDir,
}

impl Stage {
    pub async fn set() -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = Server::start(Config::in_folder(data.path())).await.unwrap();
        let (address, owner) = (server.address(), server.owner_token().to_owned());
        tokio::spawn(server.run(std::future::pending()));
        let http = crate::http_client();
        let workspace: Value = http
            .get(format!("http://{address}/api/workspaces/main"))
            .bearer_auth(&owner)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        let page = workspace["pages"][0]["id"].as_str().unwrap().to_owned();
        Self {
            address,
            owner,
            page,
            http,
            data,
        }
    }

    pub fn data(&self) -> &Path {
        self.data.path()
    }

    pub async fn call(&self, token: &str, method: Method, path: &str, body: Value) -> Answer {
        let url = format!("http://{}{path}", self.address);
        let mut request = self.http.request(method.clone(), url).bearer_auth(token);
        if method != Method::GET {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap();
        let value = serde_json::from_str(&text).unwrap_or(Value::Null);
        Answer {
            status,
            text,
            value,
        }
    }

    pub async fn get(&self, token: &str, path: &str) -> Answer {
        self.call(token, Method::GET, path, Value::Null).await
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> Answer {
        self.call(token, Method::POST, path, body).await
    }

    /// The workspace's events as they come, for this token.
    pub async fn events(&self, token: &str) -> reqwest::Response {
        let url = format!("http://{}/api/workspaces/main/events", self.address);
        let answer = self.http.get(url).bearer_auth(token).send().await;
        answer.unwrap()
    }

    /// The owner's token with these limits.
    pub async fn token(&self, limits: Value) -> String {
        let path = "/api/tokens/attenuate";
        let body = self.post(&self.owner, path, limits).await.value;
        body["token"]
            .as_str()
            .unwrap_or_else(|| panic!("{body}"))
            .to_owned()
    }

    pub async fn export(&self, format: &str) -> Value {
        let (address, page) = (self.address, &self.page);
        let url = format!("http://{address}/api/pages/{page}/export?format={format}");
        let answer = self.http.get(url).bearer_auth(&self.owner).send().await;
        answer.unwrap().json().await.unwrap()
    }

    pub async fn someone(&self, name: &str, peer: u64) -> Client {
        let token = self
            .token(json!({ "subject": format!("person:{name}") }))
            .await;
        let mut client = Client::connect(self.address, &self.page, peer).await;
        client.join(&token).await.unwrap();
        client
    }

    /// Two people work beside whatever is going on, and come to the same page.
    pub async fn goes_on(&self, ann: &mut Client, ben: &mut Client) {
        let x = rand::random_range(1..1_000_000);
        assert_eq!(ann.edit("ann", x).await, OK);
        ben.sees("ann", x).await;
        assert_eq!(ben.edit("ben", x).await, OK);
        ann.sees("ben", x).await;
        let mut newcomer = self
            .someone("newcomer", rand::random_range(1..u64::MAX))
            .await;
        newcomer.sees("ben", x).await;
        assert_eq!(newcomer.doc.elements(), ann.doc.elements());
        assert_eq!(newcomer.doc.elements(), ben.doc.elements());
        assert!(!ann.doc.elements().contains_key(&"evil".into()));
    }
}
