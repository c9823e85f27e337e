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
use glade_store::{Change, Store, StoreError};
use tokio::sync::oneshot;

use super::ConnId;
use super::batch::Update;
use super::compaction::{Log, Quiet, compact, fold, rest};
use super::core::RoomCore;
use super::handle::{Input, Inputs};
use super::line::{Line, deliver, penalise};
use super::output::{Append, Output};
use super::pace::Pace;
use super::registry::Tuning;
use crate::clock::Clock;
use crate::metrics;

/// How long a room works before it lets others have the thread.
const MOMENT: Duration = Duration::from_millis(1);
/// Updates from this size on are imported where they may block.
const LARGE: usize = 16 * 1024;

/// The standard's own: the server cannot do it now.
const CLOSE_TRY_AGAIN: u16 = 1013;

type Written = Pin<Box<dyn Future<Output = (u64, Result<(), StoreError>)> + Send>>;

pub(super) async fn run(
    mut core: RoomCore,
    store: Store,
    mut inputs: Inputs,
    mut log: Log,
    tuning: Tuning,
    clock: Clock,
) {
    let mut lines: HashMap<ConnId, Line> = HashMap::new();
    let mut written: FuturesUnordered<Written> = FuturesUnordered::new();
    let mut turn = VecDeque::new();
    let mut pace = Pace::default();
    // Whether it is a fairy's turn, whoever else has sent something.
    let mut owed = false;
    let mut wanted: Vec<oneshot::Sender<()>> = Vec::new();
    let mut quiet = Quiet::new(&tuning);
    loop {
        let mut compact_now = false;
        let logged = log.updates;
        if owed && turn.is_empty() {
            owed = false;
            core.at(clock.now_ms());
            turn.extend(inputs.fairies.try_recv().map(Input::Call));
        }
        tokio::select! {
            biased;
            Some((ticket, result)) = written.next(), if !written.is_empty() => {
                if let Err(error) = result {
                    // What is merged here is not on disk: nobody may build on it. Closing the
                    // room drops it; the next join reads the page again from the store.
                    tracing::error!(%error, "the store failed: the room closes");
                    for line in lines.values() {
                        line.close(CLOSE_TRY_AGAIN, "the page could not be saved: come back later");
                    }
                    return;
                }
                core.durable(ticket);
            }
            Some(deed) = inputs.urgent.recv() => {
                core.at(clock.now_ms());
                deed(&mut core);
            }
            () = std::future::ready(()), if !turn.is_empty() => {
                work(&mut core, &mut lines, &mut turn, &mut wanted);
            }
            taken = pace.take(&mut inputs.mailbox, &mut turn) => {
                if taken == 0 {
                    return;
                }
                pace.took(lines.len());
                core.at(clock.now_ms());
                work(&mut core, &mut lines, &mut turn, &mut wanted);
                owed = true;
            }
            Some(edit) = inputs.fairies.recv() => {
                core.at(clock.now_ms());
                edit(&mut core);
            }
            () = tokio::time::sleep(tuning.rest), if core.has_idle_work() => core.rest(),
            () = quiet.wait() => {
                quiet.asked();
                compact_now = true;
            }
        }
        if let Some(write) = write(&mut core, &store, &mut log) {
            written.push(write);
        }
        // Delivering may itself say something: that somebody is gone.
        while core.has_said() {
            for output in core.take_outputs() {
                match output {
                    Output::Append { ticket, changes } => {
                        log.count(&changes);
                        let write = store.write(changes);
                        written.push(Box::pin(async move { (ticket, write.await) }));
                    }
                    Output::Send { conn, what } => deliver(&mut core, &mut lines, conn, what),
                    Output::Then(deed) => deed(),
                    Output::Violation { conn } => penalise(&mut core, &mut lines, conn),
                    Output::Took(since) => metrics::ACKS.observe(since.elapsed()),
                }
            }
        }
        // Who comes and goes is written down too, and disturbs nobody.
        if log.updates != logged {
            quiet.disturb();
        }
        if core.is_over() {
            return;
        }
        if !turn.is_empty() {
            tokio::task::yield_now().await;
            continue;
        }
        // Slow on a large page: not while anybody waits, be it for a turn or to hear that it is on disk.
        let idle = inputs.mailbox.is_empty() && inputs.fairies.is_empty() && written.is_empty();
        if core.needs_spare() && idle {
            tokio::task::block_in_place(|| core.prepare_spare());
        }
        let tidy_now = log.is_long(&tuning) || !wanted.is_empty() || compact_now;
        let may_tidy = written.is_empty() && core.is_durable();
        if compact_now && !may_tidy {
            quiet.disturb();
        }
        if tidy_now && may_tidy {
            let wanted = std::mem::take(&mut wanted);
            let left = tokio::task::block_in_place(|| {
                if !wanted.is_empty() {
                    rest(&mut core, &store, &log, &tuning)
                } else if compact_now {
                    compact(&mut core, &store, &tuning)
                } else {
                    fold(&core, &store).map(Some)
                }
            });
            match left {
                Ok(None) => {}
                Ok(Some(change)) => {
                    log = Log::default();
                    let must = matches!(change, Change::CompactPage { .. });
                    let write = store.write(vec![change]);
                    written.push(Box::pin(async move {
                        let kept = write.await;
                        drop(wanted);
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
                    log = Log::default();
                    tracing::error!(%error, "a page could not be folded");
                }
            }
        }
    }
}

/// Works off what has come, until that is done or a moment is over. Updates that follow each other are
/// merged together, however many they are: that is much cheaper than one by one.
fn work(
    core: &mut RoomCore,
    lines: &mut HashMap<ConnId, Line>,
    turn: &mut VecDeque<Input>,
    wanted: &mut Vec<oneshot::Sender<()>>,
) {
    let began = Instant::now();
    let mut updates = Vec::new();
    while let Some(input) = turn.pop_front() {
        match input {
            Input::Update { conn, batch, blobs } => {
                let taken = Some(Instant::now());
                updates.push(Update {
                    conn,
                    batch,
                    blobs,
                    taken,
                });
            }
            Input::Rest(done) => wanted.push(done),
            other => {
                take(core, std::mem::take(&mut updates));
                handle(core, lines, other);
                if began.elapsed() >= MOMENT {
                    break;
                }
            }
        }
    }
    take(core, updates);
}

/// Hands everything that must become durable to the store, which commits it together; what comes
/// of it is known at once for all.
fn write(core: &mut RoomCore, store: &Store, log: &mut Log) -> Option<Written> {
    let appends = core.take_appends();
    let last = appends.last()?.ticket;
    // Should one of them fail the room closes, so they may as well stand and fall together.
    let changes: Vec<_> = appends
        .into_iter()
        .flat_map(|Append { changes, .. }| changes)
        .collect();
    // Who came and what was refused: a full disk is no reason to shut readers out.
    if store.is_full() && changes.iter().all(|it| matches!(it, Change::Audit(_))) {
        tracing::error!(
            entries = changes.len(),
            "the disk is full: joins and refusals are missing from the audit chain"
        );
        return Some(Box::pin(async move { (last, Ok(())) }));
    }
    log.count(&changes);
    let write = store.write(changes);
    Some(Box::pin(async move { (last, write.await) }))
}

fn take(core: &mut RoomCore, updates: Vec<Update>) {
    if updates.iter().map(Update::bytes).sum::<usize>() > LARGE {
        tokio::task::block_in_place(|| core.updates(updates));
    } else {
        core.updates(updates);
    }
}

fn handle(core: &mut RoomCore, lines: &mut HashMap<ConnId, Line>, input: Input) {
    match input {
        Input::Join {
            conn,
            line,
            crdt,
            capability,
            version,
        } => {
            lines.insert(conn, line);
            core.join(conn, crdt, *capability, &version);
        }
        Input::Leave { conn, crdt } => {
            core.leave(conn, crdt);
            if crdt.is_none() {
                lines.remove(&conn);
            }
        }
        Input::Update { conn, batch, blobs } => core.update(conn, batch, &blobs),
        Input::Presence { conn, batch, blobs } => core.presence_update(conn, batch, &blobs),
        Input::Call(deed) => deed(core),
        // Taken by the caller, which knows the log.
        Input::Rest(_) => {}
    }
}
