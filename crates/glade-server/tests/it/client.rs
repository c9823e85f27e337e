//! A client of `/sync` that can be as well or as badly behaved as a test wants.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use glade_doc::{Edit, PageDoc, PeerId};
use loro_protocol::{
    BatchId, CrdtType, JoinErrorCode, Permission, ProtocolMessage, UpdateStatusCode, decode, encode,
};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

const PATIENCE: Duration = Duration::from_secs(20);

pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    page: String,
    pub doc: PageDoc,
    pub peer: PeerId,
    batches: u64,
    parts: Vec<u8>,
    /// What the server said about refusals.
    pub notices: Vec<Value>,
}

/// What the server said next.
#[derive(Debug, PartialEq)]
pub enum Heard {
    Message(ProtocolMessage),
    Closed(Option<u16>),
}

/// What came of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Answered(UpdateStatusCode),
    Closed(Option<u16>),
}

pub const OK: Fate = Fate::Answered(UpdateStatusCode::Ok);
pub const DENIED: Fate = Fate::Answered(UpdateStatusCode::PermissionDenied);
pub const INVALID: Fate = Fate::Answered(UpdateStatusCode::InvalidUpdate);

impl Client {
    pub async fn connect(address: SocketAddr, page: &str, peer: PeerId) -> Self {
        let (socket, _) = connect_async(format!("ws://{address}/sync")).await.unwrap();
        Self {
            socket,
            page: page.to_owned(),
            doc: PageDoc::new(),
            peer,
            batches: 0,
            parts: Vec::new(),
            notices: Vec::new(),
        }
    }

    /// Joins the document and waits until it is here.
    pub async fn join(&mut self, token: &str) -> Result<Permission, JoinErrorCode> {
        self.ask_to_join(CrdtType::Loro, token).await;
        loop {
            match self.hear().await {
                Heard::Message(ProtocolMessage::JoinResponseOk { permission, .. }) => {
                    return Ok(permission);
                }
                Heard::Message(ProtocolMessage::JoinError { code, .. }) => return Err(code),
                Heard::Message(_) => {}
                Heard::Closed(code) => panic!("closed with {code:?} while joining"),
            }
        }
    }

    pub async fn ask_to_join(&mut self, crdt: CrdtType, token: &str) {
        let version = match crdt {
            CrdtType::Loro => self.doc.version(),
            _ => Vec::new(),
        };
        let message = ProtocolMessage::JoinRequest {
            crdt,
            room_id: self.page.clone(),
            auth: token.as_bytes().to_vec(),
            version,
        };
        self.say(&message).await;
    }

    pub async fn say(&mut self, message: &ProtocolMessage) {
        self.raw(encode(message).unwrap()).await;
    }

    /// Sends bytes as they are. A closed line shows when it is next listened to.
    pub async fn raw(&mut self, bytes: Vec<u8>) {
        let _closed = self.socket.send(Message::Binary(bytes.into())).await;
    }

    /// The next thing that the server says; document updates are taken in.
    pub async fn hear(&mut self) -> Heard {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next());
            let message = match next.await.expect("the server says nothing") {
                Some(Ok(Message::Binary(bytes))) => decode(&bytes).unwrap(),
                Some(Ok(Message::Close(frame))) => {
                    return Heard::Closed(frame.map(|frame| frame.code.into()));
                }
                Some(Ok(Message::Text(text))) => {
                    self.notices.push(serde_json::from_str(&text).unwrap());
                    continue;
                }
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => return Heard::Closed(None),
            };
            match &message {
                ProtocolMessage::DocUpdate {
                    crdt: CrdtType::Loro,
                    updates,
                    ..
                } => {
                    for update in updates {
                        self.doc.import(update).unwrap();
                    }
                }
                ProtocolMessage::DocUpdateFragmentHeader { .. } => self.parts.clear(),
                ProtocolMessage::DocUpdateFragment { fragment, .. } => {
                    self.parts.extend(fragment);
                    // Only the last fragment makes an update of it.
                    let _unfinished = self.doc.import(&self.parts);
                }
                _ => {}
            }
            return Heard::Message(message);
        }
    }

    /// Listens until the line is closed, for the code that it was closed with.
    pub async fn hear_end(&mut self) -> Option<u16> {
        loop {
            if let Heard::Closed(code) = self.hear().await {
                return code;
            }
        }
    }

    pub async fn send(&mut self, crdt: CrdtType, blob: Vec<u8>) -> BatchId {
        self.batches += 1;
        let batch_id = BatchId(self.batches.to_be_bytes());
        let message = ProtocolMessage::DocUpdate {
            crdt,
            room_id: self.page.clone(),
            updates: vec![blob],
            batch_id,
        };
        self.say(&message).await;
        batch_id
    }

    pub async fn fate(&mut self, batch: BatchId) -> Fate {
        loop {
            match self.hear().await {
                Heard::Message(ProtocolMessage::Ack { ref_id, status, .. }) if ref_id == batch => {
                    return Fate::Answered(status);
                }
                Heard::Message(_) => {}
                Heard::Closed(code) => return Fate::Closed(code),
            }
        }
    }

    pub async fn update(&mut self, blob: Vec<u8>) -> Fate {
        let batch = self.send(CrdtType::Loro, blob).await;
        self.fate(batch).await
    }

    /// Moves an element, making it if it is missing.
    pub async fn edit(&mut self, id: &str, x: i32) -> Fate {
        let blob = write(&self.doc, self.peer, id, x);
        self.update(blob).await
    }

    /// Makes a comment or changes one.
    pub async fn comment(&mut self, id: &str, what: Value) -> Fate {
        let commit = self
            .doc
            .comment(self.peer, &id.into(), what.as_object().unwrap());
        let update = commit.unwrap().unwrap().update;
        self.update(update).await
    }

    /// Until its document shows the element there.
    pub async fn sees(&mut self, id: &str, x: i32) {
        loop {
            let found = self.doc.element(&id.into());
            if found.is_some_and(|props| props.get("x") == Some(&json!(x))) {
                return;
            }
            if let Heard::Closed(code) = self.hear().await {
                panic!("closed with {code:?}");
            }
        }
    }
}

/// One person's change as an update.
pub fn write(doc: &PageDoc, peer: PeerId, id: &str, x: i32) -> Vec<u8> {
    let edit = Edit::Put {
        id: id.into(),
        props: json!({ "type": "rectangle", "x": x })
            .as_object()
            .unwrap()
            .clone(),
    };
    doc.commit(peer, None, &[edit]).unwrap().unwrap().update
}
