//! Ours: Loro protocol v1, edits made by Loro itself.

use anyhow::{Context, Result, bail, ensure};
use glade_doc::{Edit, ElementId, PageDoc, Surface};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode, decode, encode};
use serde_json::{Map, json};

use super::{Joining, Wire, Writer, paragraph, properties};
use crate::sync::websocket::Kind;

/// Elements in one update; a frame holds 256 KB.
const AT_ONCE: usize = 400;
const ACK: u8 = 0x08;

pub struct Glade {
    pub token: String,
    /// Of the pages that it makes and writes on.
    pub surface: Surface,
}

impl Wire for Glade {
    fn kind(&self) -> Kind {
        Kind::Binary
    }

    fn path(&self, _room: &str) -> String {
        "/sync".to_owned()
    }

    fn greeting(&self, room: &str) -> Result<Vec<Vec<u8>>> {
        let join = ProtocolMessage::JoinRequest {
            crdt: CrdtType::Loro,
            room_id: room.to_owned(),
            auth: self.token.clone().into_bytes(),
            version: Vec::new(),
        };
        Ok(vec![encode(&join).map_err(anyhow::Error::msg)?])
    }

    fn joining(&self) -> Box<dyn Joining> {
        Box::new(GladeJoining { fragments: 0 })
    }

    fn writer(&self, room: &str, who: usize) -> Result<Box<dyn Writer>> {
        // Above what a client picks, so that runs on one page never meet.
        let started = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
        Ok(Box::new(GladeWriter {
            room: room.to_owned(),
            doc: PageDoc::blank(self.surface),
            who,
            peer: (started.as_nanos() as u64) << 10 | who as u64,
            first: None,
            sent: 0,
        }))
    }

    fn acknowledging(&self) -> fn(&[u8]) -> Result<Option<u64>> {
        acknowledged
    }

    fn token(&self) -> Option<&str> {
        Some(&self.token)
    }

    fn page_kind(&self) -> &'static str {
        match self.surface {
            Surface::Canvas => "canvas",
            Surface::Text => "text",
        }
    }
}

fn acknowledged(frame: &[u8]) -> Result<Option<u64>> {
    // Magic, the room's name behind its length (below 128), the type, what it is about, a status.
    let at = 5 + usize::from(frame.get(4).copied().unwrap_or(0));
    if frame.get(at) != Some(&ACK) {
        return Ok(None);
    }
    let batch: [u8; 8] = frame
        .get(at + 1..at + 9)
        .and_then(|bytes| bytes.try_into().ok())
        .context("a short acknowledgement")?;
    let status = frame.get(at + 9).copied();
    ensure!(
        status == Some(UpdateStatusCode::Ok as u8),
        "an edit was refused: status {status:?}"
    );
    Ok(Some(u64::from_be_bytes(batch)))
}

struct GladeJoining {
    fragments: u64,
}

impl Joining for GladeJoining {
    fn takes(&mut self, frame: &[u8]) -> Result<bool> {
        match decode(frame).map_err(anyhow::Error::msg)? {
            ProtocolMessage::JoinError { message, .. } => bail!("the join was refused: {message}"),
            ProtocolMessage::DocUpdateFragmentHeader { fragment_count, .. } => {
                self.fragments = fragment_count;
                Ok(false)
            }
            ProtocolMessage::DocUpdateFragment { .. } => {
                self.fragments -= 1;
                Ok(self.fragments == 0)
            }
            ProtocolMessage::DocUpdate { .. } => Ok(true),
            _ => Ok(false),
        }
    }
}

struct GladeWriter {
    room: String,
    doc: PageDoc,
    who: usize,
    peer: u64,
    first: Option<ElementId>,
    sent: u64,
}

impl GladeWriter {
    fn id(&self, at: usize) -> ElementId {
        ElementId::from(match self.doc.surface() {
            Surface::Canvas => format!("box-{at}"),
            // Nobody's paragraph is another's.
            Surface::Text => format!("by-{}-{at}", self.who),
        })
    }

    /// Types at the end of the first paragraph.
    fn keystroke(&mut self, typed: &str) -> Result<Vec<u8>> {
        let id = self.first.clone().context("nothing to write in")?;
        let base = self.doc.words(&id).context("no words")?.to_string();
        let text = format!("{base}{typed}");
        let marks = None;
        self.commit(&[Edit::Rewrite {
            id,
            base,
            text,
            marks,
        }])
    }

    fn commit(&mut self, edits: &[Edit]) -> Result<Vec<u8>> {
        let commit = self.doc.commit(self.peer, None, edits)?;
        let message = ProtocolMessage::DocUpdate {
            crdt: CrdtType::Loro,
            room_id: self.room.clone(),
            updates: vec![commit.context("an edit that changes nothing")?.update],
            batch_id: BatchId(self.sent.to_be_bytes()),
        };
        self.sent += 1;
        encode(&message).map_err(anyhow::Error::msg)
    }
}

impl Writer for GladeWriter {
    fn put(&mut self, from: usize, to: usize) -> Result<Vec<Vec<u8>>> {
        let ids: Vec<usize> = (from..to).collect();
        let first = self.id(from);
        self.first.get_or_insert(first);
        ids.chunks(AT_ONCE)
            .map(|some| {
                let edits: Vec<Edit> = some
                    .iter()
                    .map(|&at| Edit::Put {
                        id: self.id(at),
                        props: match self.doc.surface() {
                            Surface::Canvas => properties(at),
                            Surface::Text => block(at),
                        },
                    })
                    .collect();
                self.commit(&edits)
            })
            .collect()
    }

    fn edit(&mut self, x: usize, marker: &str) -> Result<Vec<u8>> {
        if self.doc.surface() == Surface::Text {
            return self.keystroke(marker);
        }
        let props = Map::from_iter([
            ("x".to_owned(), json!(x)),
            ("link".to_owned(), json!(marker)),
        ]);
        let id = self.first.clone().context("nothing to move")?;
        self.commit(&[Edit::Put { id, props }])
    }
}

/// A paragraph, in place.
fn block(at: usize) -> Map<String, serde_json::Value> {
    let props = json!({
        "nodeName": "paragraph", "parent": null, "index": format!("a{at:06}"),
        "originalText": paragraph(at),
    });
    props.as_object().cloned().unwrap_or_default()
}
