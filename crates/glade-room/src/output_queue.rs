//! What a room says, and when it may.
//!
//! What must be durable first leaves as [`Output::Append`]; everything that follows from it is held
//! back until [`OutputQueue::durable`] says that the store has it. Outputs of later inputs queue
//! behind.

use std::collections::VecDeque;

use bytes::Bytes;
use glade_doc::PageId;
use loro_protocol::{BatchId, CrdtType};

use crate::ConnId;
use crate::answer::Answer;
use crate::input::CallId;
use crate::output::{Outgoing, Output, Record};
use crate::telling::{PendingOutput, Readers, Teller, Telling};

pub(crate) struct OutputQueue {
    page: PageId,
    appends: Vec<Append>,
    /// What waits for nothing.
    at_once: Vec<Output>,
    said: Vec<PendingOutput>,
    held: VecDeque<Held>,
    next_ticket: u64,
    next_batch: u64,
}

/// What must become durable.
struct Append {
    ticket: u64,
    records: Vec<Record>,
}

/// What waits until the append with this ticket is durable.
struct Held {
    ticket: u64,
    said: Vec<PendingOutput>,
}

impl OutputQueue {
    pub fn new(page: &PageId) -> Self {
        Self {
            page: page.clone(),
            appends: Vec::new(),
            at_once: Vec::new(),
            said: Vec::new(),
            held: VecDeque::new(),
            next_ticket: 1,
            next_batch: 1,
        }
    }

    /// The outputs since the last call; what is told to many, in as few messages as hold it.
    pub fn take(&mut self) -> Vec<Output> {
        let appends = std::mem::take(&mut self.appends).into_iter();
        let appends = appends.map(|Append { ticket, records }| Output::Append { ticket, records });
        let first = appends.chain(std::mem::take(&mut self.at_once)).collect();
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

    /// Whether nothing waits at all.
    pub fn is_empty(&self) -> bool {
        self.is_durable()
            && self.appends.is_empty()
            && self.at_once.is_empty()
            && self.said.is_empty()
    }

    /// Lets go an output, behind everything that still waits for the disk.
    pub fn emit(&mut self, output: Output) {
        self.say(PendingOutput::Plain(output));
    }

    fn say(&mut self, said: PendingOutput) {
        match self.held.back_mut() {
            Some(held) => held.said.push(said),
            None => self.said.push(said),
        }
    }

    pub fn answer(&mut self, call: CallId, answer: Answer, at_once: bool) {
        let answer = Output::Answer { call, answer };
        if at_once {
            self.at_once.push(answer);
        } else {
            self.emit(answer);
        }
    }

    pub fn send(&mut self, conn: ConnId, frame: Bytes) {
        self.emit(Output::Send {
            conn,
            what: Outgoing::Frame(frame),
        });
    }

    pub fn send_ack(&mut self, conn: ConnId, frame: Bytes) {
        self.say(PendingOutput::Ack { conn, frame });
    }

    /// A message of updates was answered.
    pub fn acknowledged(&mut self) {
        self.say(PendingOutput::Acknowledged);
    }

    /// Tells these readers, but whom it came from.
    pub fn tell(&mut self, readers: Readers, crdt: CrdtType, origin: Option<ConnId>, bytes: Bytes) {
        if readers.is_empty() {
            return;
        }
        self.say(PendingOutput::Tell(Telling {
            crdt,
            origin,
            bytes,
            readers,
        }));
    }

    /// Nobody hears of it by this: it need not wait for the disk.
    pub fn violation(&mut self, conn: ConnId) {
        self.at_once.push(Output::Violation { conn });
    }

    pub fn append(&mut self, records: Vec<Record>) {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.appends.push(Append { ticket, records });
        self.held.push_back(Held {
            ticket,
            said: Vec::new(),
        });
    }

    /// Where the appends to come begin; see [`Self::join_since`].
    pub fn mark(&self) -> usize {
        self.appends.len()
    }

    /// Makes one append of all since a mark. What is told of each waits for its own ticket; the
    /// last one's is the last of all.
    pub fn join_since(&mut self, mark: usize) {
        let together = self.appends.split_off(mark);
        if let Some(ticket) = together.last().map(|append| append.ticket) {
            let records = together.into_iter().flat_map(|append| append.records);
            let records = records.collect();
            self.appends.push(Append { ticket, records });
        }
    }

    pub fn next_batch(&mut self) -> BatchId {
        self.next_batch += 1;
        BatchId(self.next_batch.to_be_bytes())
    }
}
