//! The world: people with a client in each of several rooms, fairies, and all that can go wrong.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use glade_access::{Capability, Narrower, Op};
use glade_doc::{PeerId, RunId, Surface};
use loro_protocol::BatchId;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::act::Act;
use super::client::{Client, covers, of};
use super::disk::{Disk, Versions};
use super::fairies::{Fairy, Run};
use super::live_room::{Expected, LiveRoom, Recording};
use super::network::{Pipe, Sent};
use super::studio::Tabs;
use super::{Breach, Faults, MAIN, PAGES, ROOMS, Tally, act, hostile};
use crate::ConnId;
use crate::input::{Call, Input};

/// People from this number on only look on.
const WRITERS: usize = 3;
/// How often something happens in the main room, where the fairies are.
const MAINLY: f64 = 0.75;

const HOUR_MS: i64 = 3_600_000;
/// Of which about a fifth are people's edits, and a fifth fairies' work.
const STEPS_AN_HOUR: u32 = 1_500;

/// How rough this world is; each seed draws its own.
pub struct Weather {
    steps: u32,
    /// The longest that it takes until something happens again.
    pace_ms: i64,
    pub disconnect: u32,
    pub reload: u32,
    crash: u32,
    hostile: u32,
    pub demote: u32,
    pub revoke: u32,
    compact: u32,
    pub edit: u32,
    sync: u32,
    fairy: u32,
    presence: u32,
    /// How often people do what no page takes.
    pub clumsy: f64,
}

pub struct World {
    pub rng: StdRng,
    pub faults: Faults,
    pub recordings: Recordings,
    pub disk: Disk,
    pub rooms: Vec<LiveRoom>,
    /// One for each room of each person: see [`World::client`].
    pub clients: Vec<Client>,
    pub fairies: Vec<Fairy>,
    pub runs: BTreeMap<RunId, Run>,
    pub pipes: BTreeMap<ConnId, Pipe>,
    pub batches: HashMap<BatchId, Sent>,
    /// Whose peer ids are.
    pub owners: BTreeMap<PeerId, String>,
    /// What has happened.
    pub tally: Tally,
    /// Joins and refusals that somebody was told of.
    pub told: Announced,
    /// Lines whose token was taken back.
    pub revoked: BTreeSet<ConnId>,
    /// The studio's own sessions.
    pub tabs: Tabs,
    pub next: u64,
    pub clock: i64,
    pub log: VecDeque<String>,
}

pub struct Recordings {
    recording: Recording,
    /// Those of rooms that are over.
    pub over: Vec<Vec<u8>>,
}

#[derive(Default)]
pub struct Announced {
    pub joins: u64,
    pub refusals: u64,
}

impl World {
    pub fn new(
        seed: u64,
        faults: Faults,
        recording: Recording,
        surfaces: [Surface; ROOMS],
    ) -> Result<Self, Breach> {
        let mut rng = StdRng::seed_from_u64(seed);
        let disk = Disk::new(surfaces);
        let mut rooms = Vec::new();
        for stored in &disk.synced {
            let opening = stored.opening(rng.random());
            rooms.push(LiveRoom::open(opening, faults, Versions::new(), recording)?);
        }
        let mut world = Self {
            rng,
            faults,
            recordings: Recordings {
                recording,
                over: Vec::new(),
            },
            disk,
            rooms,
            clients: Vec::new(),
            fairies: Vec::new(),
            runs: BTreeMap::new(),
            pipes: BTreeMap::new(),
            batches: HashMap::new(),
            owners: BTreeMap::new(),
            tally: Tally::default(),
            told: Announced::default(),
            revoked: BTreeSet::new(),
            tabs: Tabs::default(),
            next: 1,
            clock: 1_700_000_000_000,
            log: VecDeque::new(),
        };
        for n in 0..world.rng.random_range(2..=5) {
            let mut capability = person(n);
            if n >= WRITERS {
                capability = only(&capability, vec![Op::Read]);
            }
            for room in 0..ROOMS {
                let peer = world.fresh_peer(&capability.subject);
                let client = Client::new(PAGES[room], surfaces[room], capability.clone(), peer);
                world.clients.push(client);
            }
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
            hostile: up_to(16),
            demote: up_to(1),
            revoke: up_to(6),
            compact: up_to(9),
            fairy: up_to(40),
            presence: 10 + up_to(20),
            edit: 20 + up_to(30),
            sync: 4 + up_to(30),
            clumsy: f64::from(up_to(5)) / 100.0,
            steps: 150 + up_to(150),
            pace_ms: 50,
        }
    }

    /// Work, rather than a storm: now and then a line is lost, a tab reloaded, a token taken back. Nobody is refused so
    /// often that the record counts refusals instead of naming each.
    pub fn working_hours(hours: u32) -> Weather {
        Weather {
            disconnect: 2,
            reload: 1,
            crash: 0,
            hostile: 0,
            demote: 0,
            revoke: 1,
            compact: 3,
            fairy: 60,
            presence: 10,
            edit: 60,
            sync: 60,
            clumsy: 0.0,
            steps: hours * STEPS_AN_HOUR,
            pace_ms: 2 * HOUR_MS / i64::from(STEPS_AN_HOUR),
        }
    }

    pub fn storm(&mut self, weather: &Weather) -> Result<(), Breach> {
        for person in 0..self.people() {
            self.connect(person);
        }
        for _ in 0..weather.steps {
            self.clock += self.rng.random_range(0..weather.pace_ms);
            self.step(weather)?;
            self.tab_step(weather)?;
        }
        Ok(())
    }

    fn step(&mut self, weather: &Weather) -> Result<(), Breach> {
        let deliver = 100;
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
            weather.presence,
            weather.compact,
            10,
        ];
        let mut drawn = self.rng.random_range(0..weights.iter().sum());
        let mut which = 0;
        while drawn >= weights[which] {
            drawn -= weights[which];
            which += 1;
        }
        let person = self.rng.random_range(0..self.people());
        let room = if self.rng.random_bool(MAINLY) {
            MAIN
        } else {
            self.rng.random_range(0..ROOMS)
        };
        let client = Self::client(person, room);
        match which {
            0 => self.deliver_some(),
            1 => self.edit(client, weather.clumsy),
            2 => {
                let count = self.rng.random_range(1..4);
                self.sync(count)
            }
            3 => self.fairy_step(),
            4 => {
                self.drop_line(person);
                Ok(())
            }
            5 => {
                self.drop_line(person);
                let subject = self.clients[client].capability.subject.clone();
                for client in Self::clients_of(person) {
                    let peer = self.fresh_peer(&subject);
                    self.note(|| format!("client {client} reloads as {peer}"));
                    self.clients[client].reload(peer);
                }
                Ok(())
            }
            6 => self.crash(),
            7 => self.attack(client),
            8 => {
                let (what, ops) = if self.rng.random_bool(0.5) {
                    ("read", vec![Op::Read])
                } else {
                    ("comment", vec![Op::Read, Op::Comment])
                };
                self.note(|| format!("person {person} may only {what} from the next join on"));
                let capability = only(&self.clients[client].capability, ops);
                for client in Self::clients_of(person) {
                    self.clients[client].capability = capability.clone();
                }
                Ok(())
            }
            9 => self.revoke(person),
            10 => {
                self.be_present(client);
                Ok(())
            }
            11 => self.begin_epoch(room),
            _ => {
                self.connect(person);
                self.give(room, Input::PrepareSpare);
                if self.rooms[room].core.is_durable() && self.rng.random_bool(0.2) {
                    self.ask(room, Call::Fold, Expected::Answer);
                }
                self.outputs()
            }
        }
    }

    // --- Who is where ---

    /// A person's client in a room. All clients of a person share a line.
    pub fn client(person: usize, room: usize) -> usize {
        person * ROOMS + room
    }

    pub fn clients_of(person: usize) -> std::ops::Range<usize> {
        Self::client(person, 0)..Self::client(person + 1, 0)
    }

    pub fn people(&self) -> usize {
        self.clients.len() / ROOMS
    }

    // --- Clients ---

    fn edit(&mut self, client: usize, clumsy: f64) -> Result<(), Breach> {
        let ops = self.clients[client].capability.ops();
        let (edits, comments) = (ops.contains(&Op::Edit), ops.contains(&Op::Comment));
        if comments && (!edits || self.rng.random_bool(0.15)) {
            let fresh = format!("cm_{:012}", self.number());
            let subject = self.clients[client].capability.subject.clone();
            let doc = &self.clients[client].doc;
            let act = act::comment(doc, &mut self.rng, &fresh, &subject);
            self.note(|| format!("client {client} does {act:?}"));
            self.clients[client].act(act);
            self.send_waiting(client);
            return Ok(());
        }
        if !edits {
            return Ok(());
        }
        let (fresh, token) = (self.name(), self.token(0x4e00));
        let doc = &self.clients[client].doc;
        let mut act = act::random(doc, &mut self.rng, &fresh, token);
        if let (Some(id), true) = (doc.elements().keys().next(), self.rng.random_bool(clumsy)) {
            act = Act::RemoveKey(id.clone());
        }
        self.note(|| format!("client {client} does {act:?}"));
        self.clients[client].act(act);
        self.send_waiting(client);
        Ok(())
    }

    fn attack(&mut self, client: usize) -> Result<(), Breach> {
        let Some(conn) = self.clients[client].conn else {
            return Ok(());
        };
        let subject = self.clients[client].capability.subject.clone();
        if self.rng.random_bool(0.25) {
            self.tally.attacks += 1;
            self.speak_for_another(client);
            return Ok(());
        }
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
        let deps = hostile::Deps {
            subject: &subject,
            doc: &self.clients[client].doc,
            foreign,
            unused: self.rng.random(),
            only_reads: client / ROOMS >= WRITERS,
            run: run.as_deref(),
        };
        let (what, blob) = hostile::blob(&deps, &mut self.rng);
        self.note(|| format!("client {client} attacks: {what}"));
        self.tally.attacks += 1;
        let batch = BatchId(self.number().to_be_bytes());
        self.send_up(conn, client % ROOMS, batch, blob, true);
        Ok(())
    }

    // --- Disk ---

    pub fn sync(&mut self, count: usize) -> Result<(), Breach> {
        for (room, ticket) in self.disk.sync(count)? {
            self.give(room, Input::Durable { ticket });
        }
        self.outputs()
    }

    /// The page lets go of its past, as far as no run can still be undone, whoever is there.
    fn begin_epoch(&mut self, room: usize) -> Result<(), Breach> {
        self.sync(usize::MAX)?;
        let pending = self.disk.synced[room].pending();
        self.note(|| format!("a new epoch may begin with {} runs pending", pending.len()));
        self.ask(room, Call::Compact { pending }, Expected::Answer);
        self.outputs()
    }

    /// The process dies. Some writes may have reached the disk without anybody hearing of it.
    fn crash(&mut self) -> Result<(), Breach> {
        self.tally.crashes += 1;
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
        for room in 0..ROOMS {
            let server_peer = self.fresh_peer("server");
            let opening = self.disk.synced[room].opening(server_peer);
            let promised = std::mem::take(&mut self.rooms[room].promised);
            let again = LiveRoom::open(opening, self.faults, promised, self.recordings.recording)?;
            if !covers(&of(again.core.document.doc()), &again.promised) {
                return Err(Breach("a crash took back what was promised".to_owned()));
            }
            let mut before = std::mem::replace(&mut self.rooms[room], again);
            self.recordings.over.extend(before.leave());
        }
        self.after_crash()
    }

    // --- Peace ---

    /// No more trouble: everything arrives, everybody is there.
    pub fn calm(&mut self) -> Result<(), Breach> {
        for _ in 0..1000 {
            for person in 0..self.people() {
                self.connect(person);
            }
            for client in 0..self.clients.len() {
                self.send_waiting(client);
            }
            self.sync(usize::MAX)?;
            self.calm_tabs()?;
            let conns: Vec<ConnId> = self.pipes.keys().copied().collect();
            for conn in conns {
                self.deliver_up(conn)?;
                self.deliver_down(conn)?;
            }
            let busy = self.pipes.values().any(Pipe::busy) || self.disk.waiting() > 0;
            let content = |client: &Client| client.settled() && client.waiting() == 0;
            if !busy && self.clients.iter().all(content) && self.tabs_are_content()? {
                return Ok(());
            }
        }
        let waiting: Vec<usize> = self.clients.iter().map(Client::waiting).collect();
        let tabs = self.tabs_say()?;
        Err(Breach(format!(
            "it never gets quiet; waiting: {waiting:?}; tabs: {tabs:?}"
        )))
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
        // A long day needs more characters than there are in one place.
        let code = if number < 0x2000 {
            first + number
        } else {
            0x2_0000 + number % 0xa000
        };
        char::from_u32(code).unwrap()
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

pub fn person(n: usize) -> Capability {
    Capability::local("main", &format!("person:p{n}")).unwrap()
}

pub fn only(capability: &Capability, ops: Vec<Op>) -> Capability {
    let narrower = Narrower {
        ops: Some(ops.into_iter().collect()),
        ..Narrower::default()
    };
    capability.narrow(&narrower).unwrap()
}
