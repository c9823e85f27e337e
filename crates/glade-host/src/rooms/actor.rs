//! Runs a room: takes inputs from its mailbox, appends to the store, lets outputs go.
//!
//! Several inputs are taken in one turn, so that they are merged together, share a commit and are
//! told together; [`Pace`] says when the next turn is. A turn is broken off after a moment, so that
//! whoever else needs the thread gets it, and goes on then. Large updates are imported off the async
//! threads. What is urgent waits for neither turn nor mailbox. Fairies' edits come one at a time when nobody else
//! has sent anything, or after a turn of those who have.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use glade_room::{Answer, Barred, Call, CallId, ConnId, Input, Outgoing, Output, Record, Update};
use glade_store::{Change, Store, StoreError};
use tokio::sync::{oneshot, watch};
use tokio::task::block_in_place;

use super::compaction::{Log, Quiet, Tidy};
use super::handle::{Asked, Inputs, Mail};
use super::line::Line;
use super::pace::Pace;
use super::records;
use super::registry::{Pulse, RunListener, Tuning};
use super::running::RunningRoom;
use crate::connection::penalties::{CLOSE_VIOLATIONS, Penalty};
use crate::metrics;

/// How long a room works before it lets others have the thread.
const MOMENT: Duration = Duration::from_millis(1);
/// Updates from this size on are imported where they may block.
const LARGE: usize = 16 * 1024;

/// The standard's own: the server cannot do it now.
const CLOSE_TRY_AGAIN: u16 = 1013;

type Written = Pin<Box<dyn Future<Output = (u64, Result<(), StoreError>)> + Send>>;

/// What a room's task works with.
pub(super) struct Deps {
    pub store: Store,
    pub tuning: Tuning,
    /// Goes up with every change, for whoever keeps something of the page in mind.
    pub pulse: Pulse,
    pub heard: RunListener,
    pub barred: watch::Receiver<Barred>,
}

struct Actor {
    room: RunningRoom,
    deps: Deps,
    lines: HashMap<ConnId, Line>,
    /// Who waits for an answer.
    answers: HashMap<CallId, oneshot::Sender<Answer>>,
    last_call: u64,
    /// When the updates were taken that are not acknowledged yet, oldest first.
    taken: VecDeque<Instant>,
    /// What came in this turn and was not looked at yet.
    turn: VecDeque<Mail>,
    written: FuturesUnordered<Written>,
    log: Log,
    quiet: Quiet,
    /// Who waits for the room to be left in order.
    resting: Vec<oneshot::Sender<()>>,
}

pub(super) async fn run(room: RunningRoom, inputs: Inputs, log: Log, deps: Deps) {
    let actor = Actor {
        room,
        quiet: Quiet::new(&deps.tuning),
        deps,
        lines: HashMap::new(),
        answers: HashMap::new(),
        last_call: 0,
        taken: VecDeque::new(),
        turn: VecDeque::new(),
        written: FuturesUnordered::new(),
        log,
        resting: Vec::new(),
    };
    actor.run(inputs).await;
}

impl Actor {
    async fn run(mut self, mut inputs: Inputs) {
        let mut pace = Pace::default();
        // Whether it is a fairy's turn, whoever else has sent something.
        let mut owed = false;
        loop {
            let mut compact_now = false;
            let logged = self.log.updates;
            if owed && self.turn.is_empty() {
                owed = false;
                self.turn.extend(inputs.fairies.try_recv().map(Mail::Call));
            }
            tokio::select! {
                biased;
                Some((ticket, result)) = self.written.next(), if !self.written.is_empty() => {
                    if let Err(error) = result {
                        // What is merged here is not on disk: nobody may build on it. Closing the
                        // room drops it; the next join reads the page again from the store.
                        tracing::error!(%error, "the store failed: the room closes");
                        for line in self.lines.values() {
                            line.close(CLOSE_TRY_AGAIN, "the page could not be saved: come back later");
                        }
                        return;
                    }
                    self.take(Input::Durable { ticket });
                }
                Some(asked) = inputs.urgent.recv() => self.call(asked),
                () = std::future::ready(()), if !self.turn.is_empty() => self.work(),
                taken = pace.take(&mut inputs.mailbox, &mut self.turn) => {
                    if taken == 0 {
                        return;
                    }
                    pace.took(self.lines.len());
                    self.work();
                    owed = true;
                }
                Some(asked) = inputs.fairies.recv() => self.call(asked),
                () = tokio::time::sleep(self.deps.tuning.rest), if self.room.has_idle_work() => {
                    self.take(Input::Idle);
                }
                () = self.quiet.wait() => {
                    self.quiet.asked();
                    compact_now = true;
                }
            }
            self.let_go();
            // Who comes and goes is written down too, and disturbs nobody.
            if self.log.updates != logged {
                self.quiet.disturb();
            }
            if self.room.is_over() {
                return;
            }
            if !self.turn.is_empty() {
                tokio::task::yield_now().await;
                continue;
            }
            // Slow on a large page: not while anybody waits, be it for a turn or to hear that it is on disk.
            let idle = inputs.mailbox.is_empty() && inputs.fairies.is_empty();
            if self.room.needs_spare() && idle && self.written.is_empty() {
                block_in_place(|| self.take(Input::PrepareSpare));
            }
            self.tidy(compact_now);
        }
    }

    fn take(&mut self, input: Input) {
        if self.deps.barred.has_changed().unwrap_or(false) {
            let barred = self.deps.barred.borrow_and_update().clone();
            self.room.take(Input::Bar(barred));
        }
        self.room.take(input);
    }

    /// Works off what has come, until that is done or a moment is over. Updates that follow each other are
    /// merged together, however many they are: that is much cheaper than one by one.
    fn work(&mut self) {
        let began = Instant::now();
        let mut updates = Vec::new();
        while let Some(mail) = self.turn.pop_front() {
            match mail {
                Mail::Update(update) => {
                    self.taken.push_back(Instant::now());
                    updates.push(update);
                }
                Mail::Rest(done) => self.resting.push(done),
                other => {
                    self.update(std::mem::take(&mut updates));
                    self.open(other);
                    if began.elapsed() >= MOMENT {
                        break;
                    }
                }
            }
        }
        self.update(updates);
    }

    fn update(&mut self, updates: Vec<Update>) {
        let bytes: usize = updates.iter().map(Update::bytes).sum();
        if updates.is_empty() {
            return;
        }
        let updates = Input::Updates(updates);
        if bytes > LARGE {
            block_in_place(|| self.take(updates));
        } else {
            self.take(updates);
        }
    }

    fn open(&mut self, mail: Mail) {
        match mail {
            Mail::Join { conn, line, input } => {
                self.lines.insert(conn, line);
                self.take(input);
            }
            Mail::Input(input) => {
                if let Input::Leave { conn, crdt: None } = &input {
                    self.lines.remove(conn);
                }
                self.take(input);
            }
            Mail::Call(asked) => self.call(asked),
            // Taken by the caller.
            Mail::Update(_) | Mail::Rest(_) => {}
            #[cfg(test)]
            Mail::Hold(begins, until) => {
                let _gone = begins.send(());
                let _go_on = until.recv();
            }
        }
    }

    fn call(&mut self, Asked { call, answer }: Asked) {
        self.last_call += 1;
        let id = CallId(self.last_call);
        self.answers.insert(id, answer);
        // A whole file may come in one edit of one element, and a run may be long: that takes as long as it takes.
        let is_large = matches!(call, Call::EditAs { .. } | Call::UndoPart(_));
        let input = Input::Call { id, call };
        if is_large {
            block_in_place(|| self.take(input));
        } else {
            self.take(input);
        }
    }

    fn let_go(&mut self) {
        loop {
            // Delivering may itself say something: that somebody is gone.
            let mut outputs = self.room.outputs(&self.deps.pulse).into_iter().peekable();
            if outputs.peek().is_none() {
                return;
            }
            let mut together = Vec::new();
            let mut last = None;
            let is_append = |output: &Output| matches!(output, Output::Append { .. });
            while let Some(Output::Append { ticket, records }) = outputs.next_if(is_append) {
                together.extend(records);
                last = Some(ticket);
            }
            // Should one of them fail the room closes, so they may as well stand and fall together.
            if let Some(ticket) = last {
                self.write(ticket, together);
            }
            for output in outputs {
                self.perform(output);
            }
        }
    }

    fn perform(&mut self, output: Output) {
        match output {
            Output::Append { ticket, records } => self.write(ticket, records),
            Output::Send { conn, what } => self.deliver(conn, what),
            Output::Answer { call, answer } => {
                if let Some(waiting) = self.answers.remove(&call) {
                    // The caller may have gone away; what they asked for is done all the same.
                    let _gone = waiting.send(answer);
                }
            }
            Output::Violation { conn } => self.penalise(conn),
            Output::Acknowledged => {
                if let Some(taken) = self.taken.pop_front() {
                    metrics::ACKS.observe(taken.elapsed());
                }
            }
            Output::Suggested(suggestion) => {
                (self.deps.heard)(records::run_row(self.room.page(), suggestion));
            }
        }
    }

    /// Hands what must become durable to the store.
    fn write(&mut self, ticket: u64, records: Vec<Record>) {
        let changes: Vec<Change> = records::changes(self.room.page(), records).collect();
        // Who came and what was refused: a full disk is no reason to shut readers out.
        let store = &self.deps.store;
        if store.is_full() && changes.iter().all(|it| matches!(it, Change::Audit(_))) {
            tracing::error!(
                entries = changes.len(),
                "the disk is full: joins and refusals are missing from the audit chain"
            );
            self.written.push(Box::pin(async move { (ticket, Ok(())) }));
            return;
        }
        self.log.count(&changes);
        let write = store.write(changes);
        let write = async move { (ticket, write.await) };
        self.written.push(Box::pin(write));
    }

    fn penalise(&mut self, conn: ConnId) {
        let Some(line) = self.lines.get(&conn) else {
            return;
        };
        match line.account.violation(Instant::now()) {
            Penalty::None => {}
            Penalty::Warn => tracing::warn!(%conn, "a connection breaks the rules again and again"),
            Penalty::Close | Penalty::Ban => {
                let close = Outgoing::Close {
                    code: CLOSE_VIOLATIONS,
                    reason: "too many violations",
                };
                self.deliver(conn, close);
                self.drop_line(conn);
            }
        }
    }

    /// A line that is full belongs to a reader too slow to follow: it is dropped, and with it the
    /// connection, rather than letting it hold up or fill the room.
    fn deliver(&mut self, conn: ConnId, what: Outgoing) {
        let Some(line) = self.lines.get(&conn) else {
            return;
        };
        if !line.send(what) {
            tracing::warn!(%conn, "a reader was too slow or is gone");
            line.cut.notify_one();
            self.drop_line(conn);
        }
    }

    fn drop_line(&mut self, conn: ConnId) {
        if self.lines.remove(&conn).is_some() {
            self.take(Input::Leave { conn, crdt: None });
        }
    }

    /// Leaves the page in order, if it is time and everything is durable.
    fn tidy(&mut self, compact_now: bool) {
        let what = if !self.resting.is_empty() {
            Tidy::Leave
        } else if compact_now {
            Tidy::Compact
        } else if self.log.is_long(&self.deps.tuning) {
            Tidy::Fold
        } else {
            return;
        };
        if !self.written.is_empty() || !self.room.is_durable() {
            if compact_now {
                self.quiet.disturb();
            }
            return;
        }
        let resting = std::mem::take(&mut self.resting);
        let Deps { store, tuning, .. } = &self.deps;
        match block_in_place(|| what.change(&mut self.room, store, &self.log, tuning)) {
            Ok(None) => {}
            Ok(Some(change)) => {
                self.log = Log::default();
                let must = matches!(change, Change::CompactPage { .. });
                let write = store.write(vec![change]);
                self.written.push(Box::pin(async move {
                    let kept = write.await;
                    drop(resting);
                    match kept {
                        // The room has let go of what the disk still has.
                        Err(error) if must => return (0, Err(error)),
                        Err(error) => {
                            tracing::warn!(%error, "a snapshot was not kept; the log goes on");
                        }
                        Ok(()) => {}
                    }
                    (0, Ok(()))
                }));
            }
            Err(error) => {
                self.log = Log::default();
                tracing::error!(%error, "a page could not be folded");
            }
        }
    }
}
