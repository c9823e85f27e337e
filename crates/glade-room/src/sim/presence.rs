//! Who is where: people say it of themselves, and hear it of nobody but the one whom it is about.
//!
//! Each line has a key of its own in a room. What is held here is who speaks and who is seen, not the
//! last word.

use std::collections::{BTreeSet, HashMap};

use glade_doc::PeerId;
use loro::LoroValue;
use loro::awareness::EphemeralStore;
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, encode};

use super::laws::demand;
use super::world::World;
use super::{Breach, PAGES, ROOMS};
use crate::ConnId;

/// The world has a time of its own, and Loro's store the machine's.
const TIMEOUT_MS: i64 = i64::MAX / 4;

/// What a client knows of who is in its room.
pub struct Here {
    store: EphemeralStore,
    joined: bool,
}

impl Here {
    pub fn new() -> Self {
        Self {
            store: EphemeralStore::new(TIMEOUT_MS),
            joined: false,
        }
    }

    fn keys(&self) -> BTreeSet<String> {
        self.store.get_all_states().into_keys().collect()
    }
}

impl World {
    /// A client says where its person is.
    pub fn be_present(&mut self, client: usize) {
        let (Some(conn), true) = (self.clients[client].conn, self.clients[client].here.joined)
        else {
            return;
        };
        let subject = self.clients[client].capability.subject.clone();
        let key = key(self.clients[client].peer, conn);
        self.tally.presences += 1;
        self.say(client, &key, &subject);
    }

    /// A client says it of somebody else, or under somebody else's name.
    pub fn speak_for_another(&mut self, client: usize) {
        let Some(conn) = self.clients[client].conn else {
            return;
        };
        let own = key(self.clients[client].peer, conn);
        let subject = self.clients[client].capability.subject.clone();
        // Of whoever has written, seen or not: what was seen depends on the real clock. A peer id
        // that nobody has shown yet is nobody's.
        let known = &self.rooms[client % ROOMS].core.peers;
        let mut others = (0..self.people()).map(|person| Self::client(person, client % ROOMS));
        let foreign = others.find_map(|other| {
            let other = &self.clients[other];
            let foreign = key(other.peer, other.conn?);
            let is_anothers = other.capability.subject != subject;
            (is_anothers && known.contains_key(&other.peer)).then_some(foreign)
        });
        self.note(|| format!("client {client} speaks for another: {foreign:?}"));
        match foreign {
            Some(foreign) => self.say(client, &foreign, &subject),
            None => self.say(client, &own, "person:nobody"),
        }
    }

    fn say(&mut self, client: usize, key: &str, subject: &str) {
        let Some(conn) = self.clients[client].conn else {
            return;
        };
        let said: HashMap<String, LoroValue> = HashMap::from([
            ("subject".to_owned(), subject.into()),
            ("icon".to_owned(), self.number().to_string().into()),
        ]);
        let store = EphemeralStore::new(TIMEOUT_MS);
        store.set(key, LoroValue::Map(said.into()));
        let message = ProtocolMessage::DocUpdate {
            crdt: CrdtType::LoroEphemeralStore,
            room_id: PAGES[client % ROOMS].to_owned(),
            updates: vec![store.encode(key)],
            batch_id: BatchId(self.number().to_be_bytes()),
        };
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            pipe.up.push_back(encode(&message).unwrap());
        }
    }

    /// A client is told who is there. Nobody may have said it but they themselves.
    pub fn hear_of_others(
        &mut self,
        client: usize,
        message: ProtocolMessage,
    ) -> Result<(), Breach> {
        match message {
            ProtocolMessage::JoinResponseOk { .. } => self.clients[client].here.joined = true,
            ProtocolMessage::DocUpdate { updates, .. } => {
                let store = &self.clients[client].here.store;
                for bytes in updates {
                    store.apply(&bytes).map_err(|e| Breach(e.to_string()))?;
                }
                for (key, value) in store.get_all_states() {
                    let LoroValue::Map(said) = &value else {
                        return Err(Breach(format!("odd presence {value:?}")));
                    };
                    let by = match said.get("subject") {
                        Some(LoroValue::String(by)) => by.to_string(),
                        _ => String::new(),
                    };
                    demand(self.owner_of(&key) == Some(by.as_str()), || {
                        format!("client {client} hears of {key} from {by}")
                    })?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Once it is quiet: a room knows only of lines that it has, and so does everybody in it.
    pub fn everyone_is_seen(&self, room: usize) -> Result<(), Breach> {
        let core = &self.rooms[room].core;
        let known: BTreeSet<String> = core.members.presence.keys().map(str::to_owned).collect();
        for key in &known {
            let line = match key.split_once('/') {
                Some((_, conn)) => conn.parse().ok().map(ConnId),
                None => self.tabs.line_of(self.owner_of(key)),
            };
            let is_here = line.is_some_and(|conn| core.members.get(conn).is_some());
            demand(is_here, || format!("{key} is seen and gone"))?;
        }
        for person in 0..self.people() {
            let seen = self.clients[Self::client(person, room)].here.keys();
            let own = |key: &String| {
                let client = &self.clients[Self::client(person, room)];
                self.owner_of(key) == Some(client.capability.subject.as_str())
            };
            let missed: Vec<&String> = known
                .iter()
                .filter(|key| !own(key) && !seen.contains(*key))
                .collect();
            demand(missed.is_empty(), || {
                format!("person {person} does not see {missed:?}")
            })?;
        }
        Ok(())
    }

    fn owner_of(&self, key: &str) -> Option<&str> {
        let peer: PeerId = key.split('/').next()?.parse().ok()?;
        self.owners.get(&peer).map(String::as_str)
    }
}

fn key(peer: PeerId, conn: ConnId) -> String {
    format!("{peer}/{}", conn.0)
}
