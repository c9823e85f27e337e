//! The network, and what the room says into it: in order within a connection, in any order between
//! them; every word is held to what is durable.

use std::collections::VecDeque;

use axum::body::Bytes;
use glade_doc::{PeerSpan, blob_spans};
use loro_protocol::{ProtocolMessage, UpdateStatusCode, decode};
use rand::Rng;

use super::Breach;
use super::client::{Wish, covers, versions};
use super::disk::Versions;
use super::world::{World, promise};
use crate::room::ConnId;
use crate::room::output::{Outgoing, Output};

#[derive(Default)]
pub struct Pipe {
    pub client: usize,
    pub up: VecDeque<Vec<u8>>,
    pub down: VecDeque<Bytes>,
    pub client_gone: bool,
    pub server_gone: bool,
}

/// A batch that somebody sent.
pub struct Sent {
    pub spans: Vec<PeerSpan>,
    pub hostile: bool,
}

impl Pipe {
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
        let client = pipe.client;
        match pipe.up.pop_front().map(|frame| decode(&frame).unwrap()) {
            Some(ProtocolMessage::JoinRequest { crdt, version, .. }) => {
                let capability = self.clients[client].capability.clone();
                self.core.join(conn, crdt, capability, &version);
            }
            Some(ProtocolMessage::DocUpdate {
                batch_id, updates, ..
            }) => {
                if let Some(sent) = self.batches.get_mut(&batch_id) {
                    // From here on nothing on this line is anybody's right.
                    sent.hostile |= self.revoked.contains(&conn);
                }
                self.core.update(conn, batch_id, &updates);
            }
            Some(other) => return Err(Breach(format!("a client sent {other:?}"))),
            None if pipe.client_gone => {
                self.pipes.remove(&conn);
                self.core.leave(conn, None);
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
        let client = pipe.client;
        let Some(frame) = pipe.down.pop_front() else {
            if pipe.server_gone {
                self.pipes.remove(&conn);
                self.clients[client].down();
            }
            return Ok(());
        };
        let subject = self.clients[client].capability.subject.clone();
        let peer = self.fresh_peer(&subject);
        match self.clients[client].take(&frame, peer)? {
            Wish::Nothing => self.send_waiting(client),
            Wish::Reconnect => self.drop_line(client),
        }
        Ok(())
    }

    pub fn outputs(&mut self) -> Result<(), Breach> {
        loop {
            let outputs = self.core.take_outputs();
            if outputs.is_empty() {
                return Ok(());
            }
            for output in outputs {
                match output {
                    Output::Append { ticket, changes } => {
                        self.disk.append(ticket, changes);
                        if self.faults.ack_before_sync {
                            self.core.durable(ticket);
                        }
                    }
                    Output::Then(deed) => deed(),
                    Output::Violation { .. } | Output::Took(_) => {}
                    Output::Send { conn, what } => self.send_down(conn, what)?,
                }
            }
            self.promises_hold()?;
        }
    }

    fn send_down(&mut self, conn: ConnId, what: Outgoing) -> Result<(), Breach> {
        let frame = match what {
            Outgoing::Frame(frame) => frame,
            Outgoing::Text(_) => return Ok(()),
            Outgoing::Close { .. } => {
                if let Some(pipe) = self.pipes.get_mut(&conn) {
                    pipe.server_gone = true;
                    pipe.up.clear();
                }
                self.core.leave(conn, None);
                return Ok(());
            }
        };
        let message = decode(&frame).unwrap();
        self.told(&message)?;
        let broadcast = matches!(message, ProtocolMessage::DocUpdate { .. });
        if broadcast && self.faults.lose_broadcasts && self.rng.random_bool(0.1) {
            return Ok(());
        }
        if let Some(pipe) = self.pipes.get_mut(&conn)
            && !pipe.client_gone
            && !pipe.server_gone
        {
            pipe.down.push_back(frame);
        }
        Ok(())
    }

    /// Nobody is told of anything that a crash could still take back.
    fn told(&mut self, message: &ProtocolMessage) -> Result<(), Breach> {
        let said: Versions = match message {
            ProtocolMessage::JoinResponseOk { version, .. } => versions(version),
            ProtocolMessage::DocUpdate { updates, .. } => updates
                .iter()
                // The whole page as a state says no more than the answer to the join before it.
                .flat_map(|blob| blob_spans(blob).unwrap_or_default())
                .map(|span| (span.peer, span.to))
                .collect(),
            ProtocolMessage::Ack {
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
                    promise(&self.promised, *peer, *to);
                }
                said
            }
            _ => Versions::new(),
        };
        if covers(&self.disk.synced.version, &said) {
            return Ok(());
        }
        Err(Breach(format!("told before it was durable: {message:?}")))
    }

    fn promises_hold(&self) -> Result<(), Breach> {
        let promised = self.promised.lock().unwrap();
        if covers(&self.disk.synced.version, &promised) {
            return Ok(());
        }
        Err(Breach("promised before it was durable".to_owned()))
    }
}
