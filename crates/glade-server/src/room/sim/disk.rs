//! A store that forgets: what was written is durable only once it was synced, in order.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, RwLock};

use glade_canvas::Scene;
use glade_doc::{CanvasDoc, Counter, PeerId, Touch};
use glade_store::{Change, TouchKey};

use super::{Breach, PAGE, TIER};
use crate::room::core::RoomCore;

/// How far each peer's operations go.
pub type Versions = BTreeMap<PeerId, Counter>;

#[derive(Default)]
pub struct Disk {
    pub synced: Stored,
    queue: VecDeque<(u64, Vec<Change>)>,
}

/// What a crash leaves.
#[derive(Default)]
pub struct Stored {
    snapshot: Option<Vec<u8>>,
    updates: Vec<Vec<u8>>,
    pub version: Versions,
    peers: BTreeMap<PeerId, String>,
    touches: BTreeMap<TouchKey, String>,
    /// Where each run began, on each of its peers.
    starts: BTreeMap<(String, PeerId), Counter>,
}

impl Disk {
    pub fn append(&mut self, ticket: u64, changes: Vec<Change>) {
        self.queue.push_back((ticket, changes));
    }

    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Makes the oldest `count` writes durable; answers the ticket of the last of them.
    pub fn sync(&mut self, count: usize) -> Result<Option<u64>, Breach> {
        let mut last = None;
        for (ticket, changes) in self.queue.drain(..count.min(self.queue.len())) {
            for change in changes {
                self.synced.apply(change)?;
            }
            last = Some(ticket);
        }
        Ok(last)
    }

    pub fn crash(&mut self) {
        self.queue.clear();
    }
}

impl Stored {
    fn apply(&mut self, change: Change) -> Result<(), Breach> {
        match change {
            Change::AppendUpdate {
                peer_spans, blob, ..
            } => {
                for (peer, from, to) in peer_spans {
                    let next = self.version.entry(peer).or_insert(0);
                    if *next != from || to <= from {
                        return Err(Breach(format!(
                            "the log has peer {peer} up to {next} and is given {from}..{to}"
                        )));
                    }
                    *next = to;
                }
                self.updates.push(blob);
            }
            Change::BindPeer { peer, subject, .. } => {
                let owner = self.peers.entry(peer).or_insert_with(|| subject.clone());
                if *owner != subject {
                    return Err(Breach(format!(
                        "peer {peer} of {owner} was bound to {subject}"
                    )));
                }
            }
            Change::PutTouches { rows, .. } => {
                self.touches
                    .extend(rows.into_iter().map(|row| (row.key(), row.body_json)));
            }
            Change::CloseTouches { keys } => {
                for key in keys {
                    self.touches.remove(&key);
                }
            }
            Change::PutSpan {
                run, peer, from, ..
            } => {
                let start = self.starts.entry((run, peer)).or_insert(from);
                *start = from.min(*start);
            }
            // For the audit chain, which is not simulated.
            Change::Audit(_) => {}
            other => return Err(Breach(format!("a room has no business with {other:?}"))),
        }
        Ok(())
    }

    /// The log becomes a snapshot.
    pub fn fold(&mut self, snapshot: Vec<u8>) {
        self.snapshot = Some(snapshot);
        self.updates.clear();
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
        let doc = CanvasDoc::open(self.snapshot.as_deref(), &self.updates).map_err(unreadable)?;
        let peers: HashMap<_, _> = self.peers.clone().into_iter().collect();
        let scene = Arc::new(RwLock::new(Scene::new()));
        RoomCore::new(
            PAGE.into(),
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
