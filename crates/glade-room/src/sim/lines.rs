//! Lines between people and the server: each carries all the rooms that a person has open.

use glade_doc::blob_spans;
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, encode};
use rand::Rng;

use super::network::{Holder, Pipe, Sent};
use super::world::World;
use super::{Breach, PAGES, ROOMS};
use crate::ConnId;
use crate::input::Input;

impl World {
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
            self.send_up(conn, client % ROOMS, batch, blob, false);
        }
    }

    pub fn send_up(
        &mut self,
        conn: ConnId,
        room: usize,
        batch_id: BatchId,
        blob: Vec<u8>,
        hostile: bool,
    ) {
        let spans = blob_spans(&blob).unwrap_or_default();
        self.batches.insert(batch_id, Sent { spans, hostile });
        let message = ProtocolMessage::DocUpdate {
            crdt: CrdtType::Loro,
            room_id: PAGES[room].to_owned(),
            updates: vec![blob],
            batch_id,
        };
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            pipe.up.push_back(encode(&message).unwrap());
        }
    }

    /// One line for all the rooms that the person has open.
    pub fn connect(&mut self, person: usize) {
        if self.clients[Self::client(person, 0)].conn.is_some() {
            return;
        }
        let conn = ConnId(self.number());
        self.note(|| format!("person {person} connects as {conn}"));
        let mut pipe = Pipe::new(Holder::Person(person));
        for client in Self::clients_of(person) {
            pipe.up.extend(self.clients[client].join_messages());
            self.clients[client].conn = Some(conn);
        }
        self.pipes.insert(conn, pipe);
    }

    /// The person's end goes; what was under way may still arrive, up to a point.
    pub fn drop_line(&mut self, person: usize) {
        let Some(conn) = self.clients[Self::client(person, 0)].conn else {
            return;
        };
        self.down(person);
        self.let_go(conn);
        self.note(|| format!("person {person} loses {conn}"));
    }

    /// The client's end of a line goes.
    pub fn let_go(&mut self, conn: ConnId) {
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            let arrives = self.rng.random_range(0..=pipe.up.len());
            pipe.up.truncate(arrives);
            pipe.down.clear();
            pipe.client_gone = true;
        }
    }

    /// The person notices that the line is gone.
    pub fn down(&mut self, person: usize) {
        for client in Self::clients_of(person) {
            self.clients[client].down();
        }
    }

    /// The server's end goes, in all rooms.
    pub fn hang_up(&mut self, conn: ConnId) {
        if let Some(pipe) = self.pipes.get_mut(&conn) {
            pipe.up.clear();
            pipe.server_gone = true;
        }
        for room in 0..ROOMS {
            self.give(room, Input::Leave { conn, crdt: None });
        }
    }

    /// The token of a line is taken back: the socket closes it, whatever was under way. The person
    /// comes in again with another.
    pub fn revoke(&mut self, person: usize) -> Result<(), Breach> {
        let Some(conn) = self.clients[Self::client(person, 0)].conn else {
            return Ok(());
        };
        self.tally.revocations += 1;
        self.note(|| format!("the token of {conn} is revoked"));
        self.revoked.insert(conn);
        if self.faults.ignore_revocation {
            return Ok(());
        }
        self.hang_up(conn);
        self.outputs()
    }
}
