//! What one connection may say now, decided from its frames alone: pure, bytes in, steps out.
//!
//! Until a room has been joined nothing about it is read but the request to join. Updates and
//! fragments are read only for those who may send them; a fragment's bytes are kept only while
//! there is room for them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use loro_protocol::{BatchId, CrdtType, MessageType, UpdateStatusCode};

use super::fragments::{FragmentBudget, Reassembly};
use super::limit::FrameLimit;
use super::wire::{Envelope, Malformed};

/// What a frame leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameOutcome {
    Join(JoinRequest),
    Leave {
        crdt: CrdtType,
        room: String,
    },
    Updates(Sent),
    /// A client could not take what it was sent.
    NotTaken {
        room: String,
        status: UpdateStatusCode,
    },
    /// Not taken. `violation`: whether that breaks a rule.
    Refuse {
        crdt: CrdtType,
        room: String,
        batch: BatchId,
        status: UpdateStatusCode,
        violation: bool,
    },
    /// Sent by somebody who may only look.
    ReadOnly {
        room: String,
        batch: BatchId,
    },
    /// Asked to join again and again.
    RefuseJoin {
        crdt: CrdtType,
        room: String,
    },
    Nothing,
    /// Passed over, and a rule was broken.
    Violation,
    Close(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinRequest {
    pub crdt: CrdtType,
    pub room: String,
    pub auth: Vec<u8>,
    pub version: Vec<u8>,
}

/// Updates that a room may be asked to take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub crdt: CrdtType,
    pub room: String,
    pub batch: BatchId,
    pub updates: Vec<Vec<u8>>,
}

/// What a connection may send to a room that it has joined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Joined {
    document: Option<MaySend>,
    presence: bool,
}

/// Whether updates of a document are taken from here at all. What they may change is for the room
/// to judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaySend {
    Updates,
    Nothing,
}

pub struct Door {
    joined: HashMap<String, Joined>,
    parts: Reassembly,
    frames: FrameLimit,
    presence: FrameLimit,
    joins: FrameLimit,
}

impl Door {
    pub fn new(budget: Arc<FragmentBudget>, address: Option<IpAddr>, now: Instant) -> Self {
        Self {
            joined: HashMap::new(),
            parts: Reassembly::new(budget, address),
            frames: FrameLimit::person(now),
            presence: FrameLimit::presence(now),
            joins: FrameLimit::joins(now),
        }
    }

    pub fn take(&mut self, frame: &[u8], now: Instant) -> FrameOutcome {
        self.step(frame, now)
            .unwrap_or(FrameOutcome::Close("a frame is not of Loro protocol v1"))
    }

    /// Whether a text that asks for an answer gets one.
    pub fn may_ping(&mut self, now: Instant) -> bool {
        self.presence.take(now)
    }

    /// The room has let this connection in, or knows it under other rights from now on.
    pub fn has_joined(&mut self, crdt: CrdtType, room: &str, may_send: MaySend) {
        let joined = self.joined.entry(room.to_owned()).or_default();
        match crdt {
            CrdtType::Loro => joined.document = Some(may_send),
            CrdtType::LoroEphemeralStore => joined.presence = true,
            _ => {}
        }
    }

    pub fn waits_for_fragments(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Batches whose fragments did not come in time.
    pub fn expire(&mut self, now: Instant) -> Vec<(CrdtType, String, BatchId)> {
        self.parts.expire(now)
    }

    fn step(&mut self, frame: &[u8], now: Instant) -> Result<FrameOutcome, Malformed> {
        let envelope = Envelope::read(frame)?;
        match envelope.kind {
            MessageType::JoinRequest => self.join(&envelope, now),
            MessageType::DocUpdate => self.updates(&envelope, now),
            MessageType::DocUpdateFragmentHeader | MessageType::DocUpdateFragment => {
                self.fragments(&envelope, now)
            }
            MessageType::Leave => {
                envelope.leave()?;
                Ok(self.leave(envelope.crdt, envelope.room, now))
            }
            MessageType::Ack if !self.frames.take(now) => Ok(FrameOutcome::Violation),
            // Without a room there was nothing to take.
            MessageType::Ack if !self.joined.contains_key(envelope.room) => {
                Ok(FrameOutcome::Violation)
            }
            MessageType::Ack => Ok(FrameOutcome::NotTaken {
                room: envelope.room.to_owned(),
                status: envelope.ack()?.status,
            }),
            MessageType::JoinResponseOk | MessageType::JoinError | MessageType::RoomError => {
                Ok(FrameOutcome::Close("that message is for servers to send"))
            }
        }
    }

    fn join(&mut self, envelope: &Envelope<'_>, now: Instant) -> Result<FrameOutcome, Malformed> {
        let (crdt, room) = (envelope.crdt, envelope.room.to_owned());
        if !self.joins.take(now) {
            return Ok(FrameOutcome::RefuseJoin { crdt, room });
        }
        let join = envelope.join()?;
        Ok(FrameOutcome::Join(JoinRequest {
            crdt,
            room,
            auth: join.auth.to_vec(),
            version: join.version.to_vec(),
        }))
    }

    fn updates(
        &mut self,
        envelope: &Envelope<'_>,
        now: Instant,
    ) -> Result<FrameOutcome, Malformed> {
        let presence = envelope.crdt == CrdtType::LoroEphemeralStore;
        let allowed = if presence {
            self.presence.take(now)
        } else {
            self.frames.take(now)
        };
        if !allowed {
            let mut limited = refuse(envelope, UpdateStatusCode::RateLimited)?;
            // Cursors move often and are worth little.
            if let (true, FrameOutcome::Refuse { violation, .. }) = (presence, &mut limited) {
                *violation = false;
            }
            return Ok(limited);
        }
        if let Some(refused) = self.refuses(envelope)? {
            return Ok(refused);
        }
        let sent = envelope.updates()?;
        Ok(FrameOutcome::Updates(Sent {
            crdt: envelope.crdt,
            room: envelope.room.to_owned(),
            batch: sent.batch,
            updates: sent.updates.into_iter().map(<[u8]>::to_vec).collect(),
        }))
    }

    fn fragments(
        &mut self,
        envelope: &Envelope<'_>,
        now: Instant,
    ) -> Result<FrameOutcome, Malformed> {
        if !self.frames.take(now) {
            return refuse(envelope, UpdateStatusCode::RateLimited);
        }
        if let Some(refused) = self.refuses(envelope)? {
            return Ok(refused);
        }
        // What somebody shows of themselves fits into a frame many times.
        if envelope.crdt != CrdtType::Loro {
            return refuse(envelope, UpdateStatusCode::PayloadTooLarge);
        }
        let (crdt, room) = (envelope.crdt, envelope.room);
        if envelope.kind == MessageType::DocUpdateFragmentHeader {
            let header = envelope.fragment_header()?;
            let begun = self
                .parts
                .begin(crdt, room, header.batch, header.count, header.total, now);
            return match begun {
                Ok(()) => Ok(FrameOutcome::Nothing),
                Err(error) => refuse(envelope, error.into()),
            };
        }
        let fragment = envelope.fragment()?;
        let added = self
            .parts
            .add(crdt, room, fragment.batch, fragment.index, fragment.bytes);
        match added {
            Ok(None) => Ok(FrameOutcome::Nothing),
            Ok(Some(update)) => Ok(FrameOutcome::Updates(Sent {
                crdt,
                room: room.to_owned(),
                batch: fragment.batch,
                updates: vec![update],
            })),
            Err(error) => refuse(envelope, error.into()),
        }
    }

    fn leave(&mut self, crdt: CrdtType, room: &str, now: Instant) -> FrameOutcome {
        if !self.frames.take(now) {
            return FrameOutcome::Violation;
        }
        let Some(joined) = self.joined.get_mut(room) else {
            return FrameOutcome::Nothing;
        };
        let was_there = match crdt {
            CrdtType::Loro => joined.document.take().is_some(),
            CrdtType::LoroEphemeralStore => std::mem::take(&mut joined.presence),
            _ => false,
        };
        if !was_there {
            return FrameOutcome::Nothing;
        }
        if *joined == Joined::default() {
            self.joined.remove(room);
        }
        self.parts.forget(crdt, room);
        FrameOutcome::Leave {
            crdt,
            room: room.to_owned(),
        }
    }

    /// What sending this leads to, if it may not be sent.
    fn refuses(&self, envelope: &Envelope<'_>) -> Result<Option<FrameOutcome>, Malformed> {
        let joined = self.joined.get(envelope.room).copied().unwrap_or_default();
        let may = match envelope.crdt {
            CrdtType::Loro if joined.document == Some(MaySend::Nothing) => {
                let (room, batch) = (envelope.room.to_owned(), envelope.batch()?);
                return Ok(Some(FrameOutcome::ReadOnly { room, batch }));
            }
            CrdtType::Loro => joined.document.is_some(),
            CrdtType::LoroEphemeralStore => joined.presence,
            _ => return refuse(envelope, UpdateStatusCode::InvalidUpdate).map(Some),
        };
        if may {
            Ok(None)
        } else {
            refuse(envelope, UpdateStatusCode::PermissionDenied).map(Some)
        }
    }
}

fn refuse(envelope: &Envelope<'_>, status: UpdateStatusCode) -> Result<FrameOutcome, Malformed> {
    Ok(FrameOutcome::Refuse {
        crdt: envelope.crdt,
        room: envelope.room.to_owned(),
        batch: envelope.batch()?,
        status,
        violation: true,
    })
}
