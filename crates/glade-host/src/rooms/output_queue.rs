//! What a room says, and when it may.
//!
//! What must be durable first leaves as [`Output::Append`]; everything that follows from it is held
//! back until [`RoomCore::durable`] says that the store has it. Outputs of later inputs queue behind.

use std::time::Instant;

use bytes::Bytes;
use glade_store::Change as StoreChange;
use loro_protocol::{BatchId, CrdtType};

use super::ConnId;
use super::core::RoomCore;
use super::output::{Append, Outgoing, Output};
use super::telling::{Readers, Said, Teller, Telling};

/// What waits until the append with this ticket is durable.
pub(super) struct Held {
    ticket: u64,
    said: Vec<Said>,
}

impl RoomCore {
    /// What must become durable, since the last call. Need not wait for anything.
    pub fn take_appends(&mut self) -> Vec<Append> {
        std::mem::take(&mut self.appends)
    }

    /// Whether there is something to say.
    pub fn has_said(&self) -> bool {
        !self.said.is_empty() || !self.violations.is_empty()
    }

    /// The outputs since the last call; what is told to many, in as few messages as hold it.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        let appends = std::mem::take(&mut self.appends).into_iter();
        let appends = appends.map(|Append { ticket, changes }| Output::Append { ticket, changes });
        let violations = std::mem::take(&mut self.violations).into_iter();
        let violations = violations.map(|conn| Output::Violation { conn });
        let first = appends.chain(violations).collect();
        let mut teller = Teller::new(self.page.as_str(), &mut self.next_batch, first);
        for said in std::mem::take(&mut self.said) {
            teller.say(said);
        }
        teller.finish()
    }

    /// The store has everything up to and including `ticket`.
    pub fn durable(&mut self, ticket: u64) {
        while self.held.front().is_some_and(|held| held.ticket <= ticket) {
            if let Some(held) = self.held.pop_front() {
                self.said.extend(held.said);
            }
        }
    }

    /// Whether nothing waits for the disk.
    pub fn is_durable(&self) -> bool {
        self.held.is_empty()
    }

    /// Whether the room is over: its page was deleted and everything is on disk and told.
    pub fn is_over(&self) -> bool {
        self.closed && self.held.is_empty() && self.appends.is_empty() && !self.has_said()
    }

    /// Lets go an output, behind everything that still waits for the disk.
    pub(super) fn emit(&mut self, output: Output) {
        self.say(Said::Plain(output));
    }

    fn say(&mut self, said: Said) {
        match self.held.back_mut() {
            Some(held) => held.said.push(said),
            None => self.said.push(said),
        }
    }

    pub(super) fn then(&mut self, deed: impl FnOnce() + Send + 'static) {
        self.emit(Output::Then(Box::new(deed)));
    }

    /// An update was taken at this moment; its answer has been said.
    pub(super) fn took(&mut self, since: Option<Instant>) {
        if let Some(since) = since {
            self.say(Said::Took(since));
        }
    }

    pub(super) fn send(&mut self, conn: ConnId, frame: Bytes) {
        self.emit(Output::Send {
            conn,
            what: Outgoing::Frame(frame),
        });
    }

    pub(super) fn send_ack(&mut self, conn: ConnId, frame: Bytes) {
        self.say(Said::Ack { conn, frame });
    }

    /// Tells everyone who reads the document, or the presence, but whom it came from.
    pub(super) fn tell(&mut self, crdt: CrdtType, origin: Option<ConnId>, bytes: Bytes) {
        let readers = self.readers(crdt);
        if readers.is_empty() {
            return;
        }
        self.say(Said::Tell(Telling {
            crdt,
            origin,
            bytes,
            readers,
        }));
    }

    fn readers(&mut self, crdt: CrdtType) -> Readers {
        let document = crdt == CrdtType::Loro;
        let members = &self.members;
        let known = &mut self.readers[usize::from(document)];
        let readers = known.get_or_insert_with(|| {
            let reads = members.iter().filter(|(_, member)| {
                if document {
                    member.document
                } else {
                    member.presence
                }
            });
            reads.map(|(conn, _)| *conn).collect()
        });
        Readers::clone(readers)
    }

    /// Somebody came or went.
    pub(super) fn members_changed(&mut self) {
        self.readers = [None, None];
    }

    /// Nobody hears of it by this: it need not wait for the disk.
    pub(super) fn violation(&mut self, conn: ConnId) {
        self.violations.push(conn);
    }

    pub(super) fn append(&mut self, changes: Vec<StoreChange>) {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.appends.push(Append { ticket, changes });
        self.held.push_back(Held {
            ticket,
            said: Vec::new(),
        });
    }

    pub(super) fn next_batch(&mut self) -> BatchId {
        self.next_batch += 1;
        BatchId(self.next_batch.to_be_bytes())
    }
}
