//! A real server on a real port, and clients that speak to it over the wire.

use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use glade_doc::{CanvasDoc, Edit, ElementId};
use glade_server::{Config, Server};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode, decode, encode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub struct Stage {
    pub dir: TempDir,
    pub address: String,
    pub owner: String,
    pub http: reqwest::Client,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

impl Stage {
    pub async fn open() -> Self {
        Self::in_folder(tempfile::tempdir().unwrap()).await
    }

    pub async fn in_folder(dir: TempDir) -> Self {
        let server = Server::start(Config {
            listen: "127.0.0.1:0".parse().unwrap(),
            data: dir.path().to_owned(),
            model: "sketch".to_owned(),
            sketch_pace: 0.0,
            host_names: Vec::new(),
        })
        .await
        .unwrap();
        let address = server.address().to_string();
        let owner = server.owner_token().to_owned();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let until = async {
                drop(stopped.await);
            };
            server.run(until).await.unwrap();
        });
        Self {
            dir,
            address,
            owner,
            http: crate::http_client(),
            stop,
            running,
        }
    }

    /// Stops serving; the folder stays. (Its tasks end with the runtime.)
    pub async fn close(self) -> TempDir {
        self.stop.send(()).unwrap();
        self.running.await.unwrap();
        self.dir
    }

    pub fn data(&self) -> &Path {
        self.dir.path()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub async fn get(&self, token: &str, path: &str) -> reqwest::Response {
        self.http
            .get(self.url(path))
            .bearer_auth(token)
            .send()
            .await
            .unwrap()
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> reqwest::Response {
        self.http
            .post(self.url(path))
            .bearer_auth(token)
            .json(&body)
            .send()
            .await
            .unwrap()
    }

    pub async fn page(&self) -> String {
        let workspace: Value = self
            .get(&self.owner, "/api/workspaces/main")
            .await
            .json()
            .await
            .unwrap();
        workspace["pages"][0]["id"].as_str().unwrap().to_owned()
    }

    pub async fn attenuate(&self, token: &str, limits: Value) -> String {
        let answer = self.post(token, "/api/tokens/attenuate", limits).await;
        assert_eq!(answer.status(), 201, "{}", answer.text().await.unwrap());
        let body: Value = answer.json().await.unwrap();
        body["token"].as_str().unwrap().to_owned()
    }

    pub async fn connect(&self, peer: u64) -> Client {
        let (socket, _) = connect_async(format!("ws://{}/sync", self.address))
            .await
            .unwrap();
        Client {
            socket,
            doc: CanvasDoc::new(),
            peer,
            batch: 0,
        }
    }
}

pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub doc: CanvasDoc,
    peer: u64,
    batch: u64,
}

/// What a client heard.
#[derive(Debug)]
pub enum Heard {
    Said(ProtocolMessage),
    Closed(Option<u16>),
}

impl Client {
    pub async fn say(&mut self, message: &ProtocolMessage) {
        let bytes = encode(message).unwrap();
        self.socket
            .send(Message::Binary(bytes.into()))
            .await
            .unwrap();
    }

    pub async fn hear(&mut self) -> Heard {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(10), self.socket.next())
                .await
                .expect("the server says something");
            match next {
                Some(Ok(Message::Binary(bytes))) => return Heard::Said(decode(&bytes).unwrap()),
                Some(Ok(Message::Close(frame))) => {
                    return Heard::Closed(frame.map(|frame| frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Heard::Closed(None),
            }
        }
    }

    /// Joins the page's document; answers the server's answer.
    pub async fn join(&mut self, page: &str, token: &str) -> ProtocolMessage {
        self.say(&ProtocolMessage::JoinRequest {
            crdt: CrdtType::Loro,
            room_id: page.to_owned(),
            auth: token.as_bytes().to_vec(),
            version: Vec::new(),
        })
        .await;
        match self.hear().await {
            Heard::Said(message) => message,
            Heard::Closed(code) => panic!("closed with {code:?}"),
        }
    }

    /// Takes the page as the server sent it after the join.
    pub async fn catch_up(&mut self) {
        match self.hear().await {
            Heard::Said(ProtocolMessage::DocUpdate { updates, .. }) => {
                for update in updates {
                    self.doc.import(&update).unwrap();
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// Makes an edit, sends it and waits for its acknowledgement.
    pub async fn edit(&mut self, page: &str, edits: &[Edit]) -> UpdateStatusCode {
        let commit = self.doc.commit(self.peer, None, edits).unwrap().unwrap();
        self.batch += 1;
        self.say(&ProtocolMessage::DocUpdate {
            crdt: CrdtType::Loro,
            room_id: page.to_owned(),
            updates: vec![commit.update],
            batch_id: BatchId(self.batch.to_be_bytes()),
        })
        .await;
        loop {
            match self.hear().await {
                Heard::Said(ProtocolMessage::Ack { status, .. }) => return status,
                Heard::Said(_) => {}
                Heard::Closed(code) => panic!("closed with {code:?}"),
            }
        }
    }
}

/// A rectangle of 100 by 60 at a place.
pub fn rectangle(id: &str, x: f64, y: f64) -> Edit {
    let props = json!({"type": "rectangle", "x": x, "y": y, "width": 100, "height": 60});
    put(id, &props)
}

pub fn put(id: &str, props: &Value) -> Edit {
    Edit::Put {
        id: ElementId::from(id),
        props: serde_json::from_value(props.clone()).unwrap(),
    }
}
