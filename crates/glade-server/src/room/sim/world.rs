//! The world: clients, fairies, one room, and everything that can go wrong.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use glade_access::{Capability, Narrower, Op};
use glade_doc::{Counter, PeerId, RunId, blob_spans};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, encode};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::client::{Client, covers, of};
use super::deed::Deed;
use super::disk::{Disk, Versions};
use super::fairies::{Fairy, Run};
use super::network::{Pipe, Sent};
use super::{Breach, Faults, PAGE, deed, hostile};
use crate::room::ConnId;
use crate::room::core::RoomCore;

/// Clients from this number on only look on.
const WRITERS: usize = 3;

/// How rough this world is; each seed draws its own.
pub struct Weather {
    steps: u32,
    disconnect: u32,
    reload: u32,
    crash: u32,
    hostile: u32,
    demote: u32,
    revoke: u32,
    compact: u32,
    edit: u32,
    sync: u32,
    fairy: u32,
    /// How often people do what no page takes.
    clumsy: f64,
}

pub struct World {
    pub rng: StdRng,
    pub faults: Faults,
    pub disk: Disk,
    pub core: RoomCore,
    pub clients: Vec<Client>,
    pub fairies: Vec<Fairy>,
    pub runs: BTreeMap<RunId, Run>,
    pub pipes: BTreeMap<ConnId, Pipe>,
    pub batches: HashMap<BatchId, Sent>,
    /// What somebody was told is safe.
    pub promised: Arc<Mutex<Versions>>,
    /// Whose peer ids are.
    pub owners: BTreeMap<PeerId, String>,
    pub crashes: u64,
    pub attacks: u64,
    pub revocations: u64,
    pub epochs: u64,
    /// Lines whose token was taken back.
    pub revoked: BTreeSet<ConnId>,
    next: u64,
    clock: i64,
    pub log: VecDeque<String>,
}

impl World {
    pub fn new(seed: u64, faults: Faults) -> Result<Self, Breach> {
        let mut rng = StdRng::seed_from_u64(seed);
        let disk = Disk::default();
        let core = disk.synced.open(rng.random())?;
        let mut world = Self {
            rng,
            faults,
            disk,
            core,
            clients: Vec::new(),
            fairies: Vec::new(),
            runs: BTreeMap::new(),
            pipes: BTreeMap::new(),
            batches: HashMap::new(),
            promised: Arc::default(),
            owners: BTreeMap::new(),
            crashes: 0,
            attacks: 0,
            revocations: 0,
            epochs: 0,
            revoked: BTreeSet::new(),
            next: 1,
            clock: 1_700_000_000_000,
            log: VecDeque::new(),
        };
        world.core.faults = faults;
        for n in 0..world.rng.random_range(2..=5) {
            let mut capability = person(n);
            if n >= WRITERS {
                capability = only(&capability, vec![Op::Read]);
            }
            let peer = world.fresh_peer(&capability.subject.clone());
            world.clients.push(Client::new(capability, peer));
        }
        for n in 0..world.rng.random_range(1..=2) {
            world.fairies.push(Fairy::new(n));
        }
        Ok(world)
    }

    pub fn weather(&mut self) -> Weather {
        let rng = &mut self.rng;
        let mut up_to = |most: u32| {
            if rng.random_bool(0.3) {
                0
            } else {
                rng.random_range(0..=most)
            }
        };
        Weather {
            disconnect: up_to(8),
            reload: up_to(3),
            crash: up_to(3),
            hostile: up_to(10),
            demote: up_to(1),
            revoke: up_to(2),
            compact: up_to(6),
            fairy: up_to(40),
            edit: 20 + up_to(30),
            sync: 4 + up_to(30),
            clumsy: f64::from(up_to(5)) / 100.0,
            steps: 150 + up_to(150),
        }
    }

    pub fn storm(&mut self, weather: &Weather) -> Result<(), Breach> {
        for _ in 0..weather.steps {
            self.clock += self.rng.random_range(0..50);
            self.core.at(self.clock);
            self.step(weather)?;
        }
        Ok(())
    }

    fn step(&mut self, weather: &Weather) -> Result<(), Breach> {
        let deliver = 60;
        let weights = [
            deliver,
            weather.edit,
            weather.sync,
            weather.fairy,
            weather.disconnect,
            weather.reload,
            weather.crash,
            weather.hostile,
            weather.demote,
            weather.revoke,
            weather.compact,
            10,
        ];
        let mut drawn = self.rng.random_range(0..weights.iter().sum());
        let mut which = 0;
        while drawn >= weights[which] {
            drawn -= weights[which];
            which += 1;
        }
        let client = self.rng.random_range(0..self.clients.len());
        match which {
            0 => self.deliver_some(),
            1 => self.edit(client, weather.clumsy),
            2 => {
                let count = self.rng.random_range(1..4);
                self.sync(count)
            }
            3 => self.fairy_step(),
            4 => {
                self.drop_line(client);
                Ok(())
            }
            5 => {
                self.drop_line(client);
                let subject = self.clients[client].capability.subject.clone();
                let peer = self.fresh_peer(&subject);
                self.note(|| format!("client {client} reloads as {peer}"));
                self.clients[client].reload(peer);
                Ok(())
            }
            6 => self.crash(),
            7 => self.attack(client),
            8 => {
                let (what, ops) = match self.rng.random_bool(0.5) {
                    true => ("read", vec![Op::Read]),
                    false => ("comment", vec![Op::Read, Op::Comment]),
                };
                self.note(|| format!("client {client} may only {what} from its next join on"));
                let capability = only(&self.clients[client].capability, ops);
                self.clients[client].capability = capability;
                Ok(())
            }
            9 => self.revoke(client),
            10 => self.begin_epoch(),
            _ => {
                self.connect(client);
                self.core.tend();
                if self.core.is_durable() && self.rng.random_bool(0.2) {
                    let snapshot = self.core.guarded.doc().snapshot().unwrap();
                    self.disk.synced.fold(snapshot);
                }
                Ok(())
            }
        }
    }

    // --- Clients ---

    fn edit(&mut self, client: usize, clumsy: f64) -> Result<(), Breach> {
        let ops = self.clients[client].capability.ops();
        let (edits, comments) = (ops.contains(&Op::Edit), ops.contains(&Op::Comment));
        if comments && (!edits || self.rng.random_bool(0.15)) {
            let fresh = format!("cm_{:012}", self.number());
            let subject = self.clients[client].capability.subject.clone();
            let doc = &self.clients[client].doc;
            let deed = deed::comment(doc, &mut self.rng, &fresh, &subject);
            self.note(|| format!("client {client} does {deed:?}"));
            self.clients[client].act(deed);
            self.send_waiting(client);
            return Ok(());
        }
        if !edits {
            return Ok(());
        }
        let (fresh, token) = (self.name(), self.token(0x4e00));
        let doc = &self.clients[client].doc;
        let mut deed = deed::random(doc, &mut self.rng, &fresh, token);
        if let (Some(id), true) = (doc.elements().keys().next(), self.rng.random_bool(clumsy)) {
            deed = Deed::RemoveKey(id.clone());
        }
        self.note(|| format!("client {client} does {deed:?}"));
        self.clients[client].act(deed);
        self.send_waiting(client);
        Ok(())
    }

    pub fn send_waiting(&mut self, client: usize) {
        let Some(conn) = self.clients[client].conn else {
            return;
        };
        let mut next = self.next;
        let unsent = self.clients[client].unsent(|| {
            next += 1;
            BatchId(next.to_be_bytes())
        });
        self.next = next;
        for (batch, blob) in unsent {
            self.send_up(conn, batch, blob, false);
        }
    }

    fn send_up(&mut self, conn: ConnId, batch_id: BatchId, blob: Vec<u8>, hostile: bool) {
        let spans = blob_spans(&blob).unwrap_or_default();
        self.batches.insert(batch_id, Sent { spans, hostile });
        let message = ProtocolMessage::DocUpdate {
            crdt: CrdtType::Loro,
            room_id: PAGE.to_owned(),
            updates: vec![blob],
            batch_id,
        };
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            pipe.up.push_back(encode(&message).unwrap());
        }
    }

    fn connect(&mut self, client: usize) {
        if self.clients[client].conn.is_some() {
            return;
        }
        let conn = ConnId(self.number());
        self.note(|| format!("client {client} connects as {conn}"));
        let mut pipe = Pipe {
            client,
            ..Pipe::default()
        };
        pipe.up.push_back(self.clients[client].join_message());
        self.pipes.insert(conn, pipe);
        self.clients[client].conn = Some(conn);
    }

    /// The client's end goes; what was under way may still arrive, up to a point.
    pub fn drop_line(&mut self, client: usize) {
        let Some(conn) = self.clients[client].conn else {
            return;
        };
        self.clients[client].down();
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            let arrives = self.rng.random_range(0..=pipe.up.len());
            pipe.up.truncate(arrives);
            pipe.down.clear();
            pipe.client_gone = true;
        }
        self.note(|| format!("client {client} loses {conn}"));
    }

    /// The token of a line is taken back: the socket closes it, whatever was under way. The person
    /// comes in again with another.
    fn revoke(&mut self, client: usize) -> Result<(), Breach> {
        let Some(conn) = self.clients[client].conn else {
            return Ok(());
        };
        self.revocations += 1;
        self.note(|| format!("the token of {conn} is revoked"));
        self.revoked.insert(conn);
        if self.faults.ignore_revocation {
            return Ok(());
        }
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            pipe.up.clear();
            pipe.server_gone = true;
        }
        self.core.leave(conn, None);
        self.outputs()
    }

    fn attack(&mut self, client: usize) -> Result<(), Breach> {
        let Some(conn) = self.clients[client].conn else {
            return Ok(());
        };
        let subject = self.clients[client].capability.subject.clone();
        let foreign: Vec<PeerId> = of(&self.clients[client].doc)
            .into_keys()
            .filter(|peer| self.owners.get(peer).is_none_or(|owner| *owner != subject))
            .collect();
        let foreign =
            (!foreign.is_empty()).then(|| foreign[self.rng.random_range(0..foreign.len())]);
        let run = self
            .runs
            .keys()
            .next_back()
            .map(|run| run.as_str().to_owned());
        let means = hostile::Means {
            subject: &subject,
            doc: &self.clients[client].doc,
            foreign,
            unused: self.rng.random(),
            only_reads: client >= WRITERS,
            run: run.as_deref(),
        };
        let (what, blob) = hostile::blob(&means, &mut self.rng);
        self.note(|| format!("client {client} attacks: {what}"));
        self.attacks += 1;
        let batch = BatchId(self.number().to_be_bytes());
        self.send_up(conn, batch, blob, true);
        Ok(())
    }

    // --- Disk ---

    pub fn sync(&mut self, count: usize) -> Result<(), Breach> {
        if let Some(ticket) = self.disk.sync(count)? {
            self.core.durable(ticket);
        }
        self.outputs()
    }

    /// The page lets go of its past, as far as no run can still be undone, whoever is there.
    fn begin_epoch(&mut self) -> Result<(), Breach> {
        self.sync(usize::MAX)?;
        let pending = self.disk.synced.pending();
        let epoch = self.core.begin_epoch(&pending);
        let epoch = epoch.map_err(|error| Breach(format!("no epoch could begin: {error}")))?;
        if let Some(epoch) = epoch {
            self.epochs += 1;
            self.note(|| format!("a new epoch begins with {} runs pending", pending.len()));
            self.disk.synced.fold(epoch.snapshot);
        }
        Ok(())
    }

    /// The process dies. Some writes may have reached the disk without anybody hearing of it.
    fn crash(&mut self) -> Result<(), Breach> {
        self.crashes += 1;
        let lucky = self.rng.random_range(0..=self.disk.waiting());
        self.note(|| format!("the server crashes; {lucky} writes are lucky"));
        self.disk.sync(lucky)?;
        self.disk.crash();
        for pipe in self.pipes.values_mut() {
            let arrives = self.rng.random_range(0..=pipe.down.len());
            pipe.down.truncate(arrives);
            pipe.up.clear();
            pipe.server_gone = true;
        }
        self.pipes.retain(|_, pipe| !pipe.client_gone);
        let server_peer = self.fresh_peer("server");
        self.core = self.disk.synced.open(server_peer)?;
        self.core.faults = self.faults;
        self.core.at(self.clock);
        let promised = self.promised.lock().unwrap().clone();
        if !covers(&of(self.core.guarded.doc()), &promised) {
            return Err(Breach("a crash took back what was promised".to_owned()));
        }
        self.after_crash()
    }

    // --- Peace ---

    /// No more trouble: everything arrives, everybody is there.
    pub fn calm(&mut self) -> Result<(), Breach> {
        for _ in 0..1000 {
            for client in 0..self.clients.len() {
                self.connect(client);
                self.send_waiting(client);
            }
            self.sync(usize::MAX)?;
            let conns: Vec<ConnId> = self.pipes.keys().copied().collect();
            for conn in conns {
                self.deliver_up(conn)?;
                self.deliver_down(conn)?;
            }
            let busy = self.pipes.values().any(Pipe::busy) || self.disk.waiting() > 0;
            let content = |client: &Client| client.settled() && client.waiting() == 0;
            if !busy && self.clients.iter().all(content) {
                return Ok(());
            }
        }
        let waiting: Vec<usize> = self.clients.iter().map(Client::waiting).collect();
        Err(Breach(format!("it never gets quiet; waiting: {waiting:?}")))
    }

    // --- Names ---

    pub fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub fn name(&mut self) -> String {
        format!("e{}", self.number())
    }

    pub fn token(&mut self, first: u32) -> char {
        let number = u32::try_from(self.number()).unwrap();
        char::from_u32(first + number % 0x2000).unwrap()
    }

    pub fn fresh_peer(&mut self, subject: &str) -> PeerId {
        let peer = self.rng.random_range(1..u64::MAX);
        self.owners.insert(peer, subject.to_owned());
        peer
    }

    pub fn note(&mut self, what: impl FnOnce() -> String) {
        if self.log.len() == 400 {
            self.log.pop_front();
        }
        self.log.push_back(what());
    }
}

pub fn promise(promised: &Mutex<Versions>, peer: PeerId, to: Counter) {
    let mut promised = promised.lock().unwrap();
    let known = promised.entry(peer).or_insert(0);
    *known = to.max(*known);
}

fn person(n: usize) -> Capability {
    Capability::local("main", &format!("person:p{n}")).unwrap()
}

fn only(capability: &Capability, ops: Vec<Op>) -> Capability {
    let narrower = Narrower {
        ops: Some(ops.into_iter().collect()),
        ..Narrower::default()
    };
    capability.narrow(&narrower).unwrap()
}
