//! A store that forgets: what was written is durable only once it was synced, in order.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, RwLock};

use glade_canvas::Scene;
use glade_doc::{Counter, PageDoc, PeerId, Surface, Touch};
use glade_store::{Change, TouchKey};

use super::{Breach, PAGES, ROOMS, TIER};
use crate::rooms::core::RoomCore;

/// How far each peer's operations go.
pub type Versions = BTreeMap<PeerId, Counter>;

pub struct Disk {
    pub synced: [Stored; ROOMS],
    queue: VecDeque<Queued>,
    /// All that became durable, in order.
    pub history: Vec<Event>,
}

struct Queued {
    room: usize,
    ticket: u64,
    changes: Vec<Change>,
}

/// What the store went through.
pub enum Event {
    Write(Vec<Change>),
    Crash,
}

/// What a crash leaves of one page.
pub struct Stored {
    page: &'static str,
    snapshot: Option<Vec<u8>>,
    updates: Vec<Vec<u8>>,
    /// How many updates there were ever.
    count: i64,
    pub version: Versions,
    peers: BTreeMap<PeerId, String>,
    touches: BTreeMap<TouchKey, String>,
    /// Where each run began, on each of its peers.
    starts: BTreeMap<(String, PeerId), Counter>,
}

impl Disk {
    pub fn new() -> Self {
        Self {
            synced: PAGES.map(Stored::new),
            queue: VecDeque::new(),
            history: Vec::new(),
        }
    }

    pub fn append(&mut self, room: usize, ticket: u64, changes: Vec<Change>) {
        self.queue.push_back(Queued {
            room,
            ticket,
            changes,
        });
    }

    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Makes the oldest `count` writes durable; answers the last ticket of each room among them.
    pub fn sync(&mut self, count: usize) -> Result<BTreeMap<usize, u64>, Breach> {
        let mut last = BTreeMap::new();
        for write in self.queue.drain(..count.min(self.queue.len())) {
            for change in &write.changes {
                self.synced[write.room].apply(change)?;
            }
            self.history.push(Event::Write(write.changes));
            last.insert(write.room, write.ticket);
        }
        Ok(last)
    }

    pub fn crash(&mut self) {
        self.queue.clear();
        self.history.push(Event::Crash);
    }

    /// A page's log becomes a snapshot.
    pub fn fold(&mut self, room: usize, snapshot: Vec<u8>) {
        let change = self.synced[room].fold(snapshot);
        self.history.push(Event::Write(vec![change]));
    }
}

impl Stored {
    fn new(page: &'static str) -> Self {
        Self {
            page,
            snapshot: None,
            updates: Vec::new(),
            count: 0,
            version: Versions::new(),
            peers: BTreeMap::new(),
            touches: BTreeMap::new(),
            starts: BTreeMap::new(),
        }
    }

    fn apply(&mut self, change: &Change) -> Result<(), Breach> {
        match change {
            Change::AppendUpdate {
                page,
                peer_spans,
                blob,
                ..
            } => {
                if page != self.page {
                    return Err(Breach(format!("an update of {page} in {}", self.page)));
                }
                for &(peer, from, to) in peer_spans {
                    let next = self.version.entry(peer).or_insert(0);
                    if *next != from || to <= from {
                        return Err(Breach(format!(
                            "the log has peer {peer} up to {next} and is given {from}..{to}"
                        )));
                    }
                    *next = to;
                }
                self.updates.push(blob.clone());
                self.count += 1;
            }
            Change::BindPeer { peer, subject, .. } => {
                let owner = self.peers.entry(*peer).or_insert_with(|| subject.clone());
                if owner != subject {
                    return Err(Breach(format!(
                        "peer {peer} of {owner} was bound to {subject}"
                    )));
                }
            }
            Change::PutTouches { rows, .. } => {
                self.touches
                    .extend(rows.iter().map(|row| (row.key(), row.body_json.clone())));
            }
            Change::CloseTouches { keys } => {
                for key in keys {
                    self.touches.remove(key);
                }
            }
            Change::PutSpan {
                run, peer, from, ..
            } => {
                let start = self.starts.entry((run.clone(), *peer)).or_insert(*from);
                *start = (*from).min(*start);
            }
            // For the chain, which `chain` looks at.
            Change::Audit(_) => {}
            other => return Err(Breach(format!("a room has no business with {other:?}"))),
        }
        Ok(())
    }

    fn fold(&mut self, snapshot: Vec<u8>) -> Change {
        self.updates.clear();
        self.snapshot = Some(snapshot.clone());
        Change::PutSnapshot {
            page: self.page.to_owned(),
            blob: snapshot,
            through_seq: self.count,
        }
    }

    /// The first operations of the runs that can still be undone.
    pub fn pending(&self) -> Vec<(PeerId, Counter)> {
        let pending = |run: &str| self.touches.keys().any(|key| key.run == run);
        self.starts
            .iter()
            .filter(|((run, _), _)| pending(run))
            .map(|((_, peer), from)| (*peer, *from))
            .collect()
    }

    pub fn touches(&self) -> Vec<Touch> {
        self.touches
            .values()
            .map(|body| serde_json::from_str(body).unwrap())
            .collect()
    }

    /// The room as a restart would open it.
    pub fn open(&self, server_peer: PeerId) -> Result<RoomCore, Breach> {
        let unreadable = |error| Breach(format!("the stored page cannot be opened: {error}"));
        let doc = PageDoc::open(Surface::Canvas, self.snapshot.as_deref(), &self.updates)
            .map_err(unreadable)?;
        let peers: HashMap<_, _> = self.peers.clone().into_iter().collect();
        let scene = Arc::new(RwLock::new(Scene::new()));
        RoomCore::new(
            self.page.into(),
            TIER.to_owned(),
            doc,
            self.touches(),
            peers,
            server_peer,
            scene,
        )
        .map_err(unreadable)
    }
}
