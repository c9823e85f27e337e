//! A store that forgets: what was written is durable only once it was synced, in order.

use std::collections::{BTreeMap, VecDeque};

use glade_doc::{Counter, PeerId, PeerSpan, RunId, Surface, Touch, TouchKey};

use super::{Breach, PAGES, ROOMS, TIER};
use crate::barred::Barred;
use crate::output::Record;
use crate::room::Opening;

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
    records: Vec<Record>,
}

/// What the store went through.
pub enum Event {
    Write {
        room: usize,
        records: Vec<Record>,
    },
    /// A page's log became a snapshot: of so many updates since ever.
    Fold {
        room: usize,
        snapshot: Vec<u8>,
        through: i64,
    },
    Crash,
}

/// What a crash leaves of one page.
pub struct Stored {
    page: &'static str,
    pub surface: Surface,
    snapshot: Option<Vec<u8>>,
    updates: Vec<Vec<u8>>,
    /// How many updates there were ever.
    count: i64,
    pub version: Versions,
    peers: BTreeMap<PeerId, String>,
    touches: BTreeMap<TouchKey, Touch>,
    /// Where each run began, on each of its peers.
    starts: BTreeMap<(RunId, PeerId), Counter>,
}

impl Disk {
    pub(super) fn new(surfaces: [Surface; ROOMS]) -> Self {
        Self {
            synced: std::array::from_fn(|room| Stored::new(PAGES[room], surfaces[room])),
            queue: VecDeque::new(),
            history: Vec::new(),
        }
    }

    pub fn append(&mut self, room: usize, ticket: u64, records: Vec<Record>) {
        self.queue.push_back(Queued {
            room,
            ticket,
            records,
        });
    }

    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Makes the oldest `count` writes durable; answers the last ticket of each room among them.
    pub fn sync(&mut self, count: usize) -> Result<BTreeMap<usize, u64>, Breach> {
        let mut last = BTreeMap::new();
        for write in self.queue.drain(..count.min(self.queue.len())) {
            let Queued {
                room,
                ticket,
                records,
            } = write;
            for record in &records {
                self.synced[room].apply(record)?;
            }
            self.history.push(Event::Write { room, records });
            last.insert(room, ticket);
        }
        Ok(last)
    }

    pub fn crash(&mut self) {
        self.queue.clear();
        self.history.push(Event::Crash);
    }

    /// A page's log becomes a snapshot.
    pub fn fold(&mut self, room: usize, snapshot: Vec<u8>) {
        let stored = &mut self.synced[room];
        stored.updates.clear();
        stored.snapshot = Some(snapshot.clone());
        let through = stored.count;
        self.history.push(Event::Fold {
            room,
            snapshot,
            through,
        });
    }
}

impl Stored {
    fn new(page: &'static str, surface: Surface) -> Self {
        Self {
            page,
            surface,
            snapshot: None,
            updates: Vec::new(),
            count: 0,
            version: Versions::new(),
            peers: BTreeMap::new(),
            touches: BTreeMap::new(),
            starts: BTreeMap::new(),
        }
    }

    fn apply(&mut self, record: &Record) -> Result<(), Breach> {
        match record {
            Record::Update { spans, blob, .. } => {
                for &PeerSpan { peer, from, to } in spans {
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
            Record::Peer { peer, subject } => {
                let owner = self.peers.entry(*peer).or_insert_with(|| subject.clone());
                if owner != subject {
                    return Err(Breach(format!(
                        "peer {peer} of {owner} was bound to {subject}"
                    )));
                }
            }
            Record::Touches(touches) => {
                let rows = touches.iter().map(|touch| (touch.key(), touch.clone()));
                self.touches.extend(rows);
            }
            Record::ClosedTouches(keys) => {
                for key in keys {
                    self.touches.remove(key);
                }
            }
            Record::Span { run, span } => {
                let start = self.starts.entry((run.clone(), span.peer));
                let start = start.or_insert(span.from);
                *start = span.from.min(*start);
            }
            // For the audit chain.
            Record::Joined { .. } | Record::Refused { .. } => {}
            Record::Suggestion(_) => return Err(Breach("nobody only suggests here".to_owned())),
        }
        Ok(())
    }

    /// The first operations of the runs that can still be undone.
    pub fn pending(&self) -> Vec<(PeerId, Counter)> {
        let pending = |run: &RunId| self.touches.keys().any(|key| key.run == *run);
        self.starts
            .iter()
            .filter(|((run, _), _)| pending(run))
            .map(|((_, peer), from)| (*peer, *from))
            .collect()
    }

    pub fn touches(&self) -> Vec<Touch> {
        self.touches.values().cloned().collect()
    }

    /// What a restart would open the room from.
    pub fn opening(&self, server_peer: PeerId) -> Opening {
        Opening {
            page: self.page.into(),
            tier: TIER.to_owned(),
            surface: self.surface,
            snapshot: self.snapshot.clone(),
            updates: self.updates.clone(),
            touches: self.touches(),
            peers: self.peers.clone(),
            server_peer,
            run_prefix: "run_suggestion".to_owned(),
            suggested: Vec::new(),
            barred: Barred::default(),
        }
    }
}
