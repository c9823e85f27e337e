//! Runs a room: takes inputs from its mailbox, appends to the store, lets outputs go.
//!
//! Several inputs are taken in one turn, so that they are merged together, share a commit and are
//! told together; [`Pace`] says when the next turn is. Large updates are imported off the async
//! threads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use glade_access::Capability;
use glade_doc::{CommentId, DocError, Edit, ElementId, PeerId, Props, RunId, RunTag};
use glade_store::{Change, Store, StoreError};
use loro::LoroValue;
use loro_protocol::{BatchId, CrdtType};
use tokio::sync::{Notify, mpsc, oneshot};

use super::batch::Update;
use super::compaction::{Log, Quiet, compact, fold, rest};
use super::core::RoomCore;
use super::deeds::Deed;
use super::fairy::{CommitRefused, FairySession};
use super::output::{Append, Outgoing, Output, UndoReport};
use super::pace::Pace;
use super::rooms::Tuning;
use super::{ConnId, SharedScene};
use crate::clock::now_ms;
use crate::metrics;
use crate::sync::penalties::{Account, CLOSE_VIOLATIONS, Penalty};

const MAILBOX: usize = 1024;
/// Updates from this size on are imported where they may block.
const LARGE: usize = 16 * 1024;

/// The way back to a connection.
#[derive(Clone)]
pub struct Line {
    pub frames: mpsc::Sender<Outgoing>,
    /// Ends the connection when its frames no longer fit.
    pub cut: Arc<Notify>,
    /// What the connection did wrong so far.
    pub account: Arc<Account>,
    /// Bytes on their way to a reader; the writer takes off what it has sent.
    pub queued: Arc<AtomicUsize>,
}

/// What may wait for a slow reader: the largest page with room to spare, and no more memory.
pub const MAX_QUEUED_BYTES: usize = 64 * 1024 * 1024;

impl Line {
    /// False if the reader is too slow, or gone.
    fn push(&self, what: Outgoing) -> bool {
        let bytes = match &what {
            Outgoing::Frame(frame) => frame.len(),
            Outgoing::Text(_) | Outgoing::Close { .. } => 0,
        };
        self.queued.fetch_add(bytes, Ordering::Relaxed) < MAX_QUEUED_BYTES
            && self.frames.try_send(what).is_ok()
    }
}

type Answer<T> = oneshot::Sender<T>;

enum Input {
    Join {
        conn: ConnId,
        line: Line,
        crdt: CrdtType,
        capability: Box<Capability>,
        version: Vec<u8>,
    },
    Leave {
        conn: ConnId,
        crdt: Option<CrdtType>,
    },
    Update {
        conn: ConnId,
        batch: BatchId,
        blobs: Vec<Vec<u8>>,
    },
    Presence {
        conn: ConnId,
        batch: BatchId,
        blobs: Vec<Vec<u8>>,
    },
    Call(Box<dyn FnOnce(&mut RoomCore) + Send>),
    /// Everybody leaves: fold the log. The sender goes away when that is done.
    Rest(oneshot::Sender<()>),
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum RoomError {
    #[error("the page's room is closed: try again in a moment")]
    Closed,
    #[error("the page could not be read: {0}")]
    Document(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no page {0}")]
    NoPage(String),
}

impl From<DocError> for RoomError {
    fn from(error: DocError) -> Self {
        Self::Document(error.to_string())
    }
}

/// The way to a room.
#[derive(Clone)]
pub struct RoomHandle {
    mailbox: mpsc::Sender<Input>,
    scene: SharedScene,
}

impl RoomHandle {
    pub fn spawn(core: RoomCore, store: Store, log: Log, tuning: Tuning) -> Self {
        let (mailbox, inputs) = mpsc::channel(MAILBOX);
        let scene = core.scene().clone();
        tokio::spawn(run(core, store, inputs, log, tuning));
        Self { mailbox, scene }
    }

    /// Whether somebody else holds this handle too.
    pub fn is_shared(&self) -> bool {
        self.mailbox.strong_count() > 1
    }

    pub fn is_open(&self) -> bool {
        !self.mailbox.is_closed()
    }

    /// The page as it is now, for whoever has a seat or has asked for it to be [`Self::shown`].
    pub fn scene(&self) -> &SharedScene {
        &self.scene
    }

    pub async fn join(
        &self,
        conn: ConnId,
        line: Line,
        crdt: CrdtType,
        capability: Capability,
        version: Vec<u8>,
    ) -> Result<(), RoomError> {
        let capability = Box::new(capability);
        self.put(Input::Join {
            conn,
            line,
            crdt,
            capability,
            version,
        })
        .await
    }

    pub async fn leave(&self, conn: ConnId, crdt: Option<CrdtType>) -> Result<(), RoomError> {
        self.put(Input::Leave { conn, crdt }).await
    }

    pub async fn update(
        &self,
        conn: ConnId,
        batch: BatchId,
        blobs: Vec<Vec<u8>>,
    ) -> Result<(), RoomError> {
        self.put(Input::Update { conn, batch, blobs }).await
    }

    pub async fn presence(
        &self,
        conn: ConnId,
        batch: BatchId,
        blobs: Vec<Vec<u8>>,
    ) -> Result<(), RoomError> {
        self.put(Input::Presence { conn, batch, blobs }).await
    }

    pub async fn seat(
        &self,
        fairy: &str,
        capability: Capability,
        peer: PeerId,
    ) -> Result<FairySession, RoomError> {
        let fairy = fairy.to_owned();
        self.call(move |core| core.seat(&fairy, capability, peer))
            .await
    }

    pub async fn begin_run(
        &self,
        session: &FairySession,
        run: RunId,
        asker: Option<Capability>,
    ) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.begin_run(&session, run, asker))
            .await
    }

    /// Answers once the edits are durable.
    pub async fn fairy_commit(
        &self,
        session: &FairySession,
        tag: RunTag,
        tool: &'static str,
        edits: Vec<Edit>,
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.fairy_commit(&session, &tag, tool, &edits))
            .await
    }

    pub async fn rescope(
        &self,
        session: &FairySession,
        capability: Capability,
    ) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.rescope(&session, capability))
            .await
    }

    pub async fn unseat(&self, session: &FairySession) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.unseat(&session)).await
    }

    /// Edits that the server makes for a person; answers once they are durable.
    pub async fn edit_as(
        &self,
        capability: Capability,
        peer: PeerId,
        edits: Vec<Edit>,
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        self.fairy_call(move |core| core.edit_as(&capability, peer, &edits))
            .await
    }

    pub async fn end_action(&self, session: &FairySession) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.end_action(&session)).await
    }

    pub async fn revert_action(
        &self,
        session: &FairySession,
        run: RunId,
        action: u32,
    ) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.revert_action(&session, &run, action))
            .await
    }

    pub async fn fence(&self, fairy: &str) -> Result<Option<FairySession>, RoomError> {
        let fairy = fairy.to_owned();
        Ok(self.call(move |core| core.fence(&fairy)).await??)
    }

    pub async fn undo_run(
        &self,
        run: RunId,
        elements: Option<BTreeSet<ElementId>>,
    ) -> Result<UndoReport, RoomError> {
        Ok(self
            .call(move |core| core.undo_run(&run, elements))
            .await??)
    }

    pub async fn undo_after(&self, run: RunId, last: u32) -> Result<UndoReport, RoomError> {
        Ok(self.call(move |core| core.undo_after(&run, last)).await??)
    }

    /// What people did on the page since this was last asked.
    pub async fn user_actions(&self, session: &FairySession) -> Result<Vec<Deed>, CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.take_deeds(&session)).await
    }

    pub async fn keep_run(&self, run: RunId) -> Result<(), RoomError> {
        self.call(move |core| core.keep_run(&run)).await
    }

    pub async fn touched_elements(&self, run: RunId) -> Result<BTreeSet<ElementId>, RoomError> {
        self.call(move |core| core.touched_elements(&run)).await
    }

    pub async fn set_fairy_presence(
        &self,
        session: &FairySession,
        value: LoroValue,
    ) -> Result<(), RoomError> {
        let session = session.clone();
        self.put(Input::Call(Box::new(move |core| {
            core.set_fairy_presence(&session, value)
        })))
        .await
    }

    pub async fn retier(&self, tier: String) -> Result<(), RoomError> {
        self.call(move |core| core.retier(tier)).await
    }

    pub async fn close(&self) -> Result<(), RoomError> {
        self.call(|core| core.close()).await
    }

    /// The document's own values, deleted elements included.
    pub async fn elements(&self) -> Result<BTreeMap<ElementId, Props>, RoomError> {
        self.call(|core| core.elements()).await
    }

    /// What people said on the page, deleted comments included.
    pub async fn comments(&self) -> Result<BTreeMap<CommentId, Props>, RoomError> {
        self.call(|core| core.comments()).await
    }

    /// Resolves once everything that the room has taken so far is durable, and in the scene.
    pub async fn shown(&self) -> Result<(), RoomError> {
        self.call(|core| core.show()).await
    }

    /// Resolves once everything that the room has taken so far is durable.
    pub async fn settled(&self) -> Result<(), RoomError> {
        self.call(|_| ()).await
    }

    /// Leaves the page as it should lie when nobody is on it, and waits until that, and all that
    /// came before, is on disk.
    pub async fn rest(&self) {
        let (done, resting) = oneshot::channel();
        if self.put(Input::Rest(done)).await.is_ok() {
            // It ends by letting go, whether there was something to do or not.
            let _let_go = resting.await;
        }
    }

    async fn put(&self, input: Input) -> Result<(), RoomError> {
        self.mailbox
            .send(input)
            .await
            .map_err(|_| RoomError::Closed)
    }

    /// Runs `deed` in the room and answers once everything before it is durable.
    async fn call<T: Send + 'static>(
        &self,
        deed: impl FnOnce(&mut RoomCore) -> T + Send + 'static,
    ) -> Result<T, RoomError> {
        let (answer, result): (Answer<T>, _) = oneshot::channel();
        self.put(Input::Call(Box::new(move |core| {
            let value = deed(core);
            core.then(move || {
                // The caller may have gone away; the deed is done all the same.
                let _gone = answer.send(value);
            });
        })))
        .await?;
        result.await.map_err(|_| RoomError::Closed)
    }

    async fn fairy_call<T: Send + 'static>(
        &self,
        deed: impl FnOnce(&mut RoomCore) -> Result<T, CommitRefused> + Send + 'static,
    ) -> Result<T, CommitRefused> {
        self.call(deed)
            .await
            .unwrap_or_else(|error| Err(CommitRefused::Broken(error.to_string())))
    }
}

type Written = Pin<Box<dyn Future<Output = (u64, Result<(), StoreError>)> + Send>>;

async fn run(
    mut core: RoomCore,
    store: Store,
    mut inputs: mpsc::Receiver<Input>,
    mut log: Log,
    tuning: Tuning,
) {
    let mut lines: HashMap<ConnId, Line> = HashMap::new();
    let mut written: FuturesUnordered<Written> = FuturesUnordered::new();
    let mut turn = Vec::new();
    let mut pace = Pace::default();
    let mut wanted: Vec<oneshot::Sender<()>> = Vec::new();
    let mut quiet = Quiet::new(&tuning);
    loop {
        let mut compact_now = false;
        tokio::select! {
            biased;
            Some((ticket, result)) = written.next(), if !written.is_empty() => {
                if let Err(error) = result {
                    // What is merged here is not on disk: nobody may build on it. Closing the
                    // room drops it; the next join reads the page again from the store.
                    tracing::error!(%error, "the store failed: the room closes");
                    return;
                }
                core.durable(ticket);
            }
            taken = pace.take(&mut inputs, &mut turn) => {
                if taken == 0 {
                    return;
                }
                pace.took(lines.len());
                core.at(now_ms());
                let mut updates = Vec::new();
                for input in turn.drain(..) {
                    match input {
                        Input::Update { conn, batch, blobs } => {
                            let taken = Some(Instant::now());
                            updates.push(Update { conn, batch, blobs, taken });
                        }
                        Input::Rest(done) => wanted.push(done),
                        other => {
                            take(&mut core, std::mem::take(&mut updates));
                            handle(&mut core, &mut lines, other);
                        }
                    }
                }
                take(&mut core, updates);
            }
            () = tokio::time::sleep(tuning.rest), if core.is_restless() => core.rest(),
            () = quiet.wait() => {
                quiet.asked();
                compact_now = true;
            }
        }
        if let Some(write) = write(&mut core, &store, &mut log) {
            written.push(write);
            quiet.disturb();
        }
        // Delivering may itself say something: that somebody is gone.
        while core.has_said() {
            for output in core.take_outputs() {
                match output {
                    Output::Append { ticket, changes } => {
                        log.count(&changes);
                        quiet.disturb();
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
        if core.is_over() {
            return;
        }
        if core.untended() && inputs.is_empty() {
            tokio::task::block_in_place(|| core.tend());
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

/// Hands everything that must become durable to the store, which commits it together; what comes
/// of it is known at once for all.
fn write(core: &mut RoomCore, store: &Store, log: &mut Log) -> Option<Written> {
    let appends = core.take_appends();
    let last = appends.last()?.ticket;
    let writes: Vec<_> = appends
        .into_iter()
        .map(|Append { changes, .. }| {
            log.count(&changes);
            store.write(changes)
        })
        .collect();
    Some(Box::pin(async move {
        for write in writes {
            if let Err(error) = write.await {
                return (last, Err(error));
            }
        }
        (last, Ok(()))
    }))
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

fn penalise(core: &mut RoomCore, lines: &mut HashMap<ConnId, Line>, conn: ConnId) {
    let Some(line) = lines.get(&conn) else {
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
            deliver(core, lines, conn, close);
            lines.remove(&conn);
            core.leave(conn, None);
        }
    }
}

/// A line that is full belongs to a reader too slow to follow: it is dropped, and with it the
/// connection, rather than letting it hold up or fill the room.
fn deliver(core: &mut RoomCore, lines: &mut HashMap<ConnId, Line>, conn: ConnId, what: Outgoing) {
    let Some(line) = lines.get(&conn) else {
        return;
    };
    if !line.push(what) {
        tracing::warn!(%conn, "a reader was too slow or is gone");
        line.cut.notify_one();
        lines.remove(&conn);
        core.leave(conn, None);
    }
}
