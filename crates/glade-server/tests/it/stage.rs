//! A real server on a real port, and clients that speak to it over the wire.

use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use glade_doc::{Edit, ElementId, PageDoc};
use glade_server::{Config, Network, RoomTuning, Server};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode, decode, encode};
use reqwest::Method;
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

    /// With a fairy that takes its time: so many words a second.
    pub async fn paced(sketch_pace: f64) -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self::start(dir, sketch_pace, RoomTuning::default()).await
    }

    pub async fn in_folder(dir: TempDir) -> Self {
        Self::start(dir, 0.0, RoomTuning::default()).await
    }

    pub async fn start(dir: TempDir, sketch_pace: f64, rooms: RoomTuning) -> Self {
        Self::behind(Network::default(), dir, sketch_pace, rooms).await
    }

    /// A server on a folder that another may just be letting go of.
    pub async fn behind(
        network: Network,
        dir: TempDir,
        sketch_pace: f64,
        rooms: RoomTuning,
    ) -> Self {
        for _ in 0..100 {
            match glade_store::Store::open(dir.path()) {
                Err(glade_store::StoreError::InUse { .. }) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                free => {
                    drop(free.unwrap());
                    break;
                }
            }
        }
        let server = Server::start(Config {
            // A folder of this name is the code project.
            project: Some(dir.path().join("project")).filter(|folder| folder.is_dir()),
            sketch_pace,
            rooms,
            network,
            ..Config::in_folder(dir.path())
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

    /// Stops serving; the folder stays.
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

    pub async fn send(&self, method: Method, token: &str, path: &str, body: Value) -> (u16, Value) {
        let answer = self
            .http
            .request(method, self.url(path))
            .bearer_auth(token)
            .json(&body)
            .send()
            .await
            .unwrap();
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    pub async fn make(&self, name: &str, tier: &str) -> String {
        let new = json!({"name": name, "kind": "canvas", "tier": tier});
        let (status, page) = self
            .send(Method::POST, &self.owner, "/api/workspaces/main/pages", new)
            .await;
        assert_eq!(status, 201);
        page["id"].as_str().unwrap().to_owned()
    }

    /// Follows the workspace.
    pub async fn events(&self, token: &str) -> Events {
        let answer = self.get(token, "/api/workspaces/main/events").await;
        assert_eq!(answer.status(), 200);
        Events {
            answer,
            unread: String::new(),
        }
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
            doc: PageDoc::new(),
            peer,
            batch: 0,
        }
    }
}

/// What the workspace tells, piece by piece.
pub struct Events {
    answer: reqwest::Response,
    unread: String,
}

impl Events {
    /// The data of the next event; `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some((event, rest)) = self.unread.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let data = data.map(|data| serde_json::from_str(data).unwrap());
                self.unread = rest.to_owned();
                if data.is_some() {
                    return data;
                }
            }
            let chunk = tokio::time::timeout(Duration::from_secs(5), self.answer.chunk())
                .await
                .expect("the workspace tells something");
            self.unread
                .push_str(std::str::from_utf8(&chunk.unwrap()?).unwrap());
        }
    }

    /// The next change of this kind.
    pub async fn change(&mut self, kind: &str) -> Value {
        loop {
            let event = self.next().await.expect("the stream goes on");
            if event["kind"] == kind {
                return event;
            }
        }
    }
}

pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub doc: PageDoc,
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
            version: self.doc.version(),
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
        self.send_update(page, commit.update).await
    }

    /// Sends an update and waits for its acknowledgement.
    pub async fn send_update(&mut self, page: &str, update: Vec<u8>) -> UpdateStatusCode {
        self.batch += 1;
        self.say(&ProtocolMessage::DocUpdate {
            crdt: CrdtType::Loro,
            room_id: page.to_owned(),
            updates: vec![update],
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
