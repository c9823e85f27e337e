//! The network, and what the room says into it: in order within a connection, in any order between
//! them; every word is held to what is durable.

use std::borrow::Cow;
use std::collections::VecDeque;

use bytes::Bytes;
use glade_doc::{PeerSpan, blob_spans};
use loro_protocol::{CrdtType, ProtocolMessage, UpdateStatusCode, decode};
use rand::Rng;

use super::client::{NextMove, covers, versions};
use super::disk::Versions;
use super::world::World;
use super::{Breach, PAGES, ROOMS};
use crate::ConnId;
use crate::batch::Update;
use crate::input::Input;
use crate::output::{Outgoing, Output};

/// Who is at the other end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    Person(usize),
    Tab(usize),
}

/// What goes down a line.
pub enum Down {
    Frame(Bytes),
    /// Beside the protocol; only the studio's own sessions read it.
    Text(Cow<'static, str>),
}

pub struct Pipe {
    pub holder: Holder,
    pub up: VecDeque<Vec<u8>>,
    pub down: VecDeque<Down>,
    pub client_gone: bool,
    pub server_gone: bool,
}

/// A batch that somebody sent.
pub struct Sent {
    pub spans: Vec<PeerSpan>,
    pub hostile: bool,
}

impl Pipe {
    pub fn new(holder: Holder) -> Self {
        Self {
            holder,
            up: VecDeque::new(),
            down: VecDeque::new(),
            client_gone: false,
            server_gone: false,
        }
    }

    pub fn say(&mut self, down: Down) {
        if !self.client_gone && !self.server_gone {
            self.down.push_back(down);
        }
    }

    pub fn busy(&self) -> bool {
        !self.up.is_empty() || !self.down.is_empty() || self.client_gone || self.server_gone
    }
}

impl World {
    pub fn deliver_some(&mut self) -> Result<(), Breach> {
        let busy: Vec<ConnId> = self
            .pipes
            .iter()
            .filter(|(_, pipe)| pipe.busy())
            .map(|(conn, _)| *conn)
            .collect();
        if busy.is_empty() {
            return Ok(());
        }
        let conn = busy[self.rng.random_range(0..busy.len())];
        for _ in 0..self.rng.random_range(1..4) {
            if self.rng.random_bool(0.5) {
                self.deliver_up(conn)?;
            } else {
                self.deliver_down(conn)?;
            }
        }
        Ok(())
    }

    pub fn deliver_up(&mut self, conn: ConnId) -> Result<(), Breach> {
        let Some(pipe) = self.pipes.get_mut(&conn) else {
            return Ok(());
        };
        if pipe.server_gone {
            if pipe.client_gone {
                self.pipes.remove(&conn);
            }
            return Ok(());
        }
        let holder = pipe.holder;
        match pipe.up.pop_front().map(|frame| decode(&frame).unwrap()) {
            Some(ProtocolMessage::JoinRequest {
                crdt,
                version,
                room_id,
                ..
            }) => {
                let room = room_of(&room_id);
                let capability = Box::new(self.capability_of(holder, room));
                self.give(
                    room,
                    Input::Join {
                        conn,
                        crdt,
                        capability,
                        version,
                    },
                );
            }
            Some(ProtocolMessage::DocUpdate {
                crdt: CrdtType::LoroEphemeralStore,
                batch_id,
                updates,
                room_id,
            }) => {
                let said = Input::Presence {
                    conn,
                    name: String::new(),
                    batch: batch_id,
                    blobs: updates,
                };
                self.give(room_of(&room_id), said);
            }
            Some(ProtocolMessage::DocUpdate {
                batch_id,
                updates,
                room_id,
                ..
            }) => {
                if let Some(sent) = self.batches.get_mut(&batch_id) {
                    // From here on nothing on this line is anybody's right.
                    sent.hostile |= self.revoked.contains(&conn);
                }
                let update = Update {
                    conn,
                    batch: batch_id,
                    blobs: updates,
                };
                self.give(room_of(&room_id), Input::Updates(vec![update]));
            }
            Some(other) => return Err(Breach(format!("a client sent {other:?}"))),
            None if pipe.client_gone => {
                self.pipes.remove(&conn);
                self.hang_up(conn);
            }
            None => {}
        }
        self.outputs()
    }

    pub fn deliver_down(&mut self, conn: ConnId) -> Result<(), Breach> {
        let Some(pipe) = self.pipes.get_mut(&conn) else {
            return Ok(());
        };
        if pipe.client_gone {
            return Ok(());
        }
        let holder = pipe.holder;
        let Some(down) = pipe.down.pop_front() else {
            if !pipe.server_gone {
                return Ok(());
            }
            self.pipes.remove(&conn);
            return match holder {
                Holder::Tab(tab) => self.hang_up_on(tab),
                Holder::Person(person) => {
                    self.down(person);
                    Ok(())
                }
            };
        };
        match (holder, down) {
            (Holder::Tab(tab), down) => self.deliver_to(tab, down),
            (Holder::Person(person), Down::Frame(frame)) => self.deliver_frame(person, &frame),
            (Holder::Person(_), Down::Text(_)) => Ok(()),
        }
    }

    fn deliver_frame(&mut self, person: usize, frame: &[u8]) -> Result<(), Breach> {
        let message = decode(frame).unwrap();
        let (crdt, page) = address(&message)?;
        let client = Self::client(person, room_of(page));
        if crdt == CrdtType::LoroEphemeralStore {
            return self.hear_of_others(client, message);
        }
        let subject = self.clients[client].capability.subject.clone();
        let peer = self.fresh_peer(&subject);
        match self.clients[client].take(message, peer)? {
            NextMove::Nothing => self.send_waiting(client),
            NextMove::Reconnect => self.drop_line(person),
        }
        Ok(())
    }

    pub fn outputs(&mut self) -> Result<(), Breach> {
        loop {
            let mut quiet = true;
            for room in 0..ROOMS {
                let outputs = self.rooms[room].outputs();
                quiet &= outputs.is_empty();
                for output in outputs {
                    self.output(room, output)?;
                }
            }
            self.promises_hold()?;
            if quiet {
                return Ok(());
            }
        }
    }

    fn output(&mut self, room: usize, output: Output) -> Result<(), Breach> {
        match output {
            Output::Append { ticket, records } => {
                self.disk.append(room, ticket, records);
                if self.faults.ack_before_sync {
                    self.give(room, Input::Durable { ticket });
                }
            }
            Output::Answer { call, answer } => self.answered(room, call, answer)?,
            Output::Violation { .. } | Output::Acknowledged | Output::Suggested(_) => {}
            Output::Send { conn, what } => self.send_down(room, conn, what)?,
        }
        Ok(())
    }

    fn send_down(&mut self, room: usize, conn: ConnId, what: Outgoing) -> Result<(), Breach> {
        let frame = match what {
            Outgoing::Frame(frame) => frame,
            Outgoing::Text(text) => {
                let pipe = self.pipes.get_mut(&conn);
                if let Some(pipe) = pipe.filter(|pipe| matches!(pipe.holder, Holder::Tab(_))) {
                    pipe.say(Down::Text(text));
                }
                return Ok(());
            }
            Outgoing::Close { .. } => {
                self.hang_up(conn);
                return Ok(());
            }
        };
        let message = decode(&frame).unwrap();
        self.told(room, &message)?;
        let broadcast = matches!(
            message,
            ProtocolMessage::DocUpdate {
                crdt: CrdtType::Loro,
                ..
            }
        );
        if broadcast && self.faults.lose_broadcasts && self.rng.random_bool(0.1) {
            return Ok(());
        }
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            pipe.say(Down::Frame(frame));
        }
        Ok(())
    }

    /// Nobody is told of anything that a crash could still take back.
    fn told(&mut self, room: usize, message: &ProtocolMessage) -> Result<(), Breach> {
        let said: Versions = match message {
            ProtocolMessage::JoinResponseOk { version, .. } => {
                self.told.joins += 1;
                versions(version)
            }
            ProtocolMessage::DocUpdate {
                crdt: CrdtType::Loro,
                updates,
                ..
            } => updates
                .iter()
                // The whole page as a state says no more than the answer to the join before it.
                .flat_map(|blob| blob_spans(blob).unwrap_or_default())
                .map(|span| (span.peer, span.to))
                .collect(),
            ProtocolMessage::Ack {
                crdt: CrdtType::Loro,
                ref_id,
                status: UpdateStatusCode::Ok,
                ..
            } => {
                let sent = &self.batches[ref_id];
                if sent.hostile {
                    return Err(Breach("a hostile update was accepted".to_owned()));
                }
                let spans = sent.spans.iter();
                let said: Versions = spans.map(|span| (span.peer, span.to)).collect();
                for (peer, to) in &said {
                    self.rooms[room].promise(*peer, *to);
                }
                said
            }
            ProtocolMessage::Ack { status, .. } => {
                self.told.refusals += u64::from(*status != UpdateStatusCode::Ok);
                Versions::new()
            }
            _ => Versions::new(),
        };
        if covers(&self.disk.synced[room].version, &said) {
            return Ok(());
        }
        Err(Breach(format!("told before it was durable: {message:?}")))
    }

    fn promises_hold(&self) -> Result<(), Breach> {
        for (room, stored) in self.rooms.iter().zip(&self.disk.synced) {
            if !covers(&stored.version, &room.promised) {
                return Err(Breach("promised before it was durable".to_owned()));
            }
        }
        Ok(())
    }
}

pub fn room_of(page: &str) -> usize {
    PAGES.iter().position(|known| *known == page).unwrap()
}

/// What a server's message is about.
fn address(message: &ProtocolMessage) -> Result<(CrdtType, &str), Breach> {
    match message {
        ProtocolMessage::JoinResponseOk { crdt, room_id, .. }
        | ProtocolMessage::JoinError { crdt, room_id, .. }
        | ProtocolMessage::DocUpdate { crdt, room_id, .. }
        | ProtocolMessage::Ack { crdt, room_id, .. } => Ok((*crdt, room_id)),
        other => Err(Breach(format!("a client was sent {other:?}"))),
    }
}
