//! A client as the studio is one: a document, an outbox that outlives the tab, recovery after a
//! refusal under a new peer id.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glade_access::Capability;
use glade_doc::{Counter, ElementId, PageDoc, PeerId, Surface};
use loro::VersionVector;
use loro_protocol::{
    BatchId, CrdtType, JoinErrorCode, Permission, ProtocolMessage, UpdateStatusCode, encode,
};

use super::Breach;
use super::act::Act;
use super::disk::Versions;
use super::presence::Here;
use crate::ConnId;

pub struct Client {
    page: &'static str,
    pub capability: Capability,
    pub here: Here,
    pub conn: Option<ConnId>,
    pub doc: PageDoc,
    pub peer: PeerId,
    /// On the device: it outlives the tab.
    outbox: Vec<Entry>,
    sent: HashMap<BatchId, u64>,
    joined: bool,
    may_write: bool,
    /// The server's version at the join: the backfill is over when the document has it.
    target: Option<Versions>,
    recovering: Option<PageDoc>,
    /// It recovers from a refusal, and not only from a lost history.
    was_refused: bool,
    next_entry: u64,
    /// Characters that the server has acknowledged, with the element they were typed into.
    pub saved: BTreeMap<char, ElementId>,
    /// Everything that it ever wrote to, bound to or labelled.
    pub touched: BTreeSet<ElementId>,
    pub refusals: u64,
    /// How often it came back from before an epoch.
    pub behind: u64,
}

struct Entry {
    id: u64,
    blob: Vec<u8>,
    act: Act,
    end: (PeerId, Counter),
    /// How often it was made anew after a refusal.
    attempt: u32,
    /// Made by this tab, or taken over from the one before.
    ours: bool,
}

/// What a client wants of the world after it took a frame.
#[derive(Debug, PartialEq, Eq)]
pub enum NextMove {
    Nothing,
    Reconnect,
}

impl Client {
    pub fn new(page: &'static str, surface: Surface, capability: Capability, peer: PeerId) -> Self {
        Self {
            page,
            capability,
            here: Here::new(),
            conn: None,
            doc: PageDoc::blank(surface),
            peer,
            outbox: Vec::new(),
            sent: HashMap::new(),
            joined: false,
            may_write: false,
            target: None,
            recovering: None,
            was_refused: false,
            next_entry: 1,
            saved: BTreeMap::new(),
            touched: BTreeSet::new(),
            refusals: 0,
            behind: 0,
        }
    }

    pub fn waiting(&self) -> usize {
        self.outbox.len()
    }

    pub fn settled(&self) -> bool {
        self.joined && self.target.is_none() && self.recovering.is_none()
    }

    /// Asks for the document and for who else is there.
    pub fn join_messages(&self) -> [Vec<u8>; 2] {
        let doc = self.recovering.as_ref().unwrap_or(&self.doc);
        let ask = |crdt, version| {
            let room_id = self.page.to_owned();
            encode(&ProtocolMessage::JoinRequest {
                crdt,
                room_id,
                auth: Vec::new(),
                version,
            })
            .unwrap()
        };
        [
            ask(CrdtType::Loro, doc.version()),
            ask(CrdtType::LoroEphemeralStore, Vec::new()),
        ]
    }

    /// The line is gone: nothing is under way, and what was must be sent again.
    pub fn down(&mut self) {
        self.conn = None;
        self.joined = false;
        self.target = None;
        self.sent.clear();
        self.here = Here::new();
    }

    /// The person reloads the page: all that stays is the outbox.
    pub fn reload(&mut self, peer: PeerId) {
        self.down();
        self.doc = PageDoc::blank(self.doc.surface());
        self.peer = peer;
        self.recovering = None;
        for entry in &mut self.outbox {
            entry.ours = false;
        }
    }

    /// The person does something: it is on the device before anything is sent.
    pub fn act(&mut self, act: Act) {
        self.touched.extend(act.targets());
        if let Some(entry) = self.entry(act, 0) {
            self.outbox.push(entry);
        }
    }

    fn entry(&mut self, act: Act, attempt: u32) -> Option<Entry> {
        let commit = act.commit(&self.doc, self.peer, None)?;
        self.next_entry += 1;
        Some(Entry {
            id: self.next_entry,
            blob: commit.update,
            act,
            end: (commit.peer, commit.to),
            attempt,
            ours: true,
        })
    }

    /// What is to be sent now, oldest first.
    pub fn unsent(&mut self, mut batch: impl FnMut() -> BatchId) -> Vec<(BatchId, Vec<u8>)> {
        if !self.settled() || !self.may_write {
            return Vec::new();
        }
        let under_way: BTreeSet<u64> = self.sent.values().copied().collect();
        let mut out = Vec::new();
        for entry in &self.outbox {
            if entry.ours && !under_way.contains(&entry.id) {
                let batch = batch();
                self.sent.insert(batch, entry.id);
                out.push((batch, entry.blob.clone()));
            }
        }
        out
    }

    pub fn take(
        &mut self,
        message: ProtocolMessage,
        fresh_peer: PeerId,
    ) -> Result<NextMove, Breach> {
        match message {
            ProtocolMessage::JoinResponseOk {
                permission,
                version,
                ..
            } => {
                self.joined = true;
                self.may_write = permission == Permission::Write;
                let server = versions(&version);
                self.save(|entry| covers(&server, &Versions::from([entry.end])));
                self.target = Some(server);
                if !self.may_write && !self.outbox.is_empty() && self.recovering.is_none() {
                    return Ok(self.recover(true));
                }
                Ok(self.settle(fresh_peer))
            }
            ProtocolMessage::DocUpdate { updates, .. } => {
                for blob in updates {
                    let doc = self.recovering.as_ref().unwrap_or(&self.doc);
                    if doc.import(&blob).is_err() {
                        // A document that holds what it cannot use takes no snapshot any more.
                        return Ok(self.recover(self.recovering.is_some() && self.was_refused));
                    }
                }
                Ok(self.settle(fresh_peer))
            }
            ProtocolMessage::Ack { ref_id, status, .. } => {
                let Some(entry) = self.sent.remove(&ref_id) else {
                    return Ok(NextMove::Nothing);
                };
                if self.recovering.is_some() {
                    return Ok(NextMove::Nothing);
                }
                if status == UpdateStatusCode::Ok {
                    self.save(|known| known.id == entry);
                    return Ok(NextMove::Nothing);
                }
                self.refusals += 1;
                Ok(self.recover(true))
            }
            // The page has let go of what this document was made on.
            ProtocolMessage::JoinError {
                code: JoinErrorCode::VersionUnknown,
                ..
            } if self.recovering.is_none() => {
                self.behind += 1;
                Ok(self.recover(false))
            }
            other => Err(Breach(format!("a client was sent {other:?}"))),
        }
    }

    /// Forgets what the server has.
    fn save(&mut self, has: impl Fn(&Entry) -> bool) {
        let (saved, kept) = std::mem::take(&mut self.outbox)
            .into_iter()
            .partition::<Vec<_>, _>(|entry| has(entry));
        self.outbox = kept;
        for entry in saved {
            if let Act::Type { id, token, .. } = entry.act {
                self.saved.insert(token, id);
            }
        }
    }

    fn recover(&mut self, refused: bool) -> NextMove {
        self.was_refused = refused;
        self.recovering = Some(PageDoc::blank(self.doc.surface()));
        NextMove::Reconnect
    }

    fn settle(&mut self, fresh_peer: PeerId) -> NextMove {
        let doc = self.recovering.as_ref().unwrap_or(&self.doc);
        let complete = self
            .target
            .as_ref()
            .is_some_and(|target| covers(&of(doc), target));
        if complete {
            self.target = None;
            match self.recovering.take() {
                Some(fresh) => self.make_anew(fresh, fresh_peer),
                None => self.adopt(),
            }
        }
        NextMove::Nothing
    }

    /// Takes over what the tab before this one had not sent.
    fn adopt(&mut self) {
        let (ours, left): (Vec<Entry>, Vec<Entry>) = std::mem::take(&mut self.outbox)
            .into_iter()
            .partition(|entry| entry.ours);
        self.outbox = ours;
        for mut entry in left {
            if self.doc.import(&entry.blob).is_ok() {
                entry.ours = true;
                self.outbox.push(entry);
            } else {
                // It was made on what the page has let go of: laid on what is there now.
                let anew = self.entry(entry.act, entry.attempt);
                self.outbox.extend(anew);
            }
        }
    }

    /// After a refusal: the server's state, and on it once more what the server has not.
    fn make_anew(&mut self, fresh: PageDoc, peer: PeerId) {
        // What an earlier tab left is not this document's to lose: it is taken over afterwards.
        let (waiting, left): (Vec<Entry>, Vec<Entry>) = std::mem::take(&mut self.outbox)
            .into_iter()
            .partition(|entry| entry.ours);
        self.outbox = left;
        self.sent.clear();
        self.doc = fresh;
        self.peer = peer;
        let before = waiting.iter().map(|entry| entry.attempt).max().unwrap_or(0);
        let attempt = before + u32::from(self.was_refused);
        // A second refusal gives the person a copy instead, which is no longer the server's.
        if !self.may_write {
            self.outbox.clear();
            return;
        }
        if attempt <= 1 {
            for entry in waiting {
                let anew = self.entry(entry.act, attempt);
                self.outbox.extend(anew);
            }
        }
        self.adopt();
    }
}

pub fn of(doc: &PageDoc) -> Versions {
    versions(&doc.version())
}

pub fn versions(bytes: &[u8]) -> Versions {
    if bytes.is_empty() {
        return Versions::new();
    }
    let version = VersionVector::decode(bytes).unwrap();
    version.iter().map(|(peer, to)| (*peer, *to)).collect()
}

/// Whether `a` has everything that `b` has.
pub fn covers(a: &Versions, b: &Versions) -> bool {
    b.iter()
        .all(|(peer, to)| a.get(peer).copied().unwrap_or(0) >= *to)
}
