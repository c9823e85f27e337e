//! The way to a room: what can be asked of it, from wherever.
//!
//! Every call goes through the room's mailbox and answers once what it did is durable; what concerns a fairy's
//! seat alone leaves nothing on disk, and answers at once. Fairies' edits wait apart: people go first.

use std::collections::{BTreeMap, BTreeSet};

use glade_access::{Capability, Region};
use glade_doc::{
    CommentId, DocError, Edit, ElementId, PeerId, Props, RollbackRequest, RunId, RunTag, Touch,
};
use glade_store::{Store, StoreError};
use loro::LoroValue;
use loro_protocol::{BatchId, CrdtType};
use tokio::sync::{mpsc, oneshot};

use super::bounds::Bounds;
use super::commenting::Said;
use super::commit_limiter::CommitLimiter;
use super::compaction::Log;
use super::core::RoomCore;
use super::fairy::{CommitRefused, FairySession};
use super::line::Line;
use super::output::UndoReport;
use super::range::TextRange;
use super::registry::Tuning;
use super::user_changes::UserChange;
use super::{ConnId, SharedScene, actor};
use crate::clock::Clock;

const MAILBOX: usize = 1024;

pub(super) enum Input {
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
    Call(RoomDeed),
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

/// What is done in a room by whoever has the word.
pub(super) type RoomDeed = Box<dyn FnOnce(&mut RoomCore) + Send>;

/// Where a room's inputs come out.
pub(super) struct Inputs {
    pub mailbox: mpsc::Receiver<Input>,
    /// Fairies' edits, which let people go first.
    pub fairies: mpsc::Receiver<RoomDeed>,
    /// What waits for nobody: a person's Stop is not one of the things that it stops.
    pub urgent: mpsc::Receiver<RoomDeed>,
}

/// The way to a room.
#[derive(Clone)]
pub struct RoomHandle {
    mailbox: mpsc::Sender<Input>,
    fairies: mpsc::Sender<RoomDeed>,
    urgent: mpsc::Sender<RoomDeed>,
    commit_limiter: CommitLimiter,
    scene: SharedScene,
}

impl RoomHandle {
    pub fn spawn(
        core: RoomCore,
        store: Store,
        log: Log,
        tuning: Tuning,
        commit_limiter: CommitLimiter,
        clock: Clock,
    ) -> Self {
        let (mailbox, taken) = mpsc::channel(MAILBOX);
        let (fairies, edits) = mpsc::channel(MAILBOX);
        let (urgent, hurry) = mpsc::channel(MAILBOX);
        let inputs = Inputs {
            mailbox: taken,
            fairies: edits,
            urgent: hurry,
        };
        let scene = core.scene().clone();
        tokio::spawn(actor::run(core, store, inputs, log, tuning, clock));
        Self {
            mailbox,
            fairies,
            urgent,
            commit_limiter,
            scene,
        }
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
        self.seat_call(move |core| core.begin_run(&session, run, asker))
            .await
    }

    /// Waits for a [turn](CommitLimiter), lets people go first, and answers once the edits are durable.
    pub async fn fairy_commit(
        &self,
        session: &FairySession,
        tag: RunTag,
        tool: &'static str,
        edits: Vec<Edit>,
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        let session = session.clone();
        let _turn = self.commit_limiter.turn().await;
        let (deed, done) = answered(move |core| core.fairy_commit(&session, &tag, tool, &edits));
        let sent = self.fairies.send(deed).await;
        let closed = || CommitRefused::Broken(RoomError::Closed.to_string());
        sent.map_err(|_| closed())?;
        done.await.map_err(|_| closed())?
    }

    /// Something that a fairy says about the page; answers once it is durable.
    pub async fn fairy_comment(
        &self,
        session: &FairySession,
        tool: &'static str,
        said: Said,
    ) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.fairy_comment(&session, tool, &said))
            .await
    }

    pub async fn rescope(
        &self,
        session: &FairySession,
        capability: Capability,
    ) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.seat_call(move |core| core.rescope(&session, capability))
            .await
    }

    /// What holds a fairy besides its capability, from now on.
    pub async fn bound(&self, session: &FairySession, bounds: Bounds) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.seat_call(move |core| core.bound(&session, bounds))
            .await
    }

    /// Ties a range to the characters that it is at now; if it is none, says why.
    pub async fn pin(&self, range: TextRange) -> Result<Result<TextRange, String>, RoomError> {
        self.call(move |core| core.pin(range)).await
    }

    /// The first and the last block that a fairy may change, if not all.
    pub async fn own_part(
        &self,
        session: &FairySession,
    ) -> Result<Option<(ElementId, ElementId)>, CommitRefused> {
        let session = session.clone();
        self.fairy_call(move |core| core.own_part(&session)).await
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
        // A whole file may come in one edit of one element: that takes as long as it takes.
        self.fairy_call(move |core| {
            tokio::task::block_in_place(|| core.edit_as(&capability, peer, &edits))
        })
        .await
    }

    pub async fn end_action(&self, session: &FairySession) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.seat_call(move |core| core.end_action(&session)).await
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

    /// Goes before everything that waits in the mailbox, the fairy's own edits among it.
    pub async fn fence(&self, fairy: &str) -> Result<Option<FairySession>, RoomError> {
        let fairy = fairy.to_owned();
        let (deed, fenced) = answered(move |core| core.fence(&fairy));
        let sent = self.urgent.send(deed).await;
        sent.map_err(|_| RoomError::Closed)?;
        Ok(fenced.await.map_err(|_| RoomError::Closed)??)
    }

    /// From when this answers the room does nothing until somebody says so.
    #[cfg(test)]
    pub async fn hold(&self, until: std::sync::mpsc::Receiver<()>) -> Result<(), RoomError> {
        let (begins, held) = oneshot::channel();
        self.put(Input::Call(Box::new(move |_| {
            let _gone = begins.send(());
            let _go_on = until.recv();
        })))
        .await?;
        held.await.map_err(|_| RoomError::Closed)
    }

    #[cfg(test)]
    pub async fn undo_run(
        &self,
        run: RunId,
        elements: Option<BTreeSet<ElementId>>,
    ) -> Result<UndoReport, RoomError> {
        Ok(self
            .call(move |core| core.undo_run(&run, elements))
            .await??)
    }

    /// Undoes a part of a run: some of its elements, one of its actions.
    pub async fn undo_part(&self, what: RollbackRequest) -> Result<UndoReport, RoomError> {
        Ok(self
            .call(move |core| tokio::task::block_in_place(|| core.undo_part(what)))
            .await??)
    }

    /// Keeps a part of a run, or all of it; answers the elements that are left to decide about.
    pub async fn keep_part(&self, what: RollbackRequest) -> Result<BTreeSet<ElementId>, RoomError> {
        self.call(move |core| core.keep_part(what)).await
    }

    pub async fn undo_after(&self, run: RunId, last: u32) -> Result<UndoReport, RoomError> {
        Ok(self.call(move |core| core.undo_after(&run, last)).await??)
    }

    /// What people did on the page since this was last asked.
    pub async fn user_actions(
        &self,
        session: &FairySession,
    ) -> Result<Vec<UserChange>, CommitRefused> {
        let session = session.clone();
        self.seat_call(move |core| core.take_user_changes(&session))
            .await
    }

    pub async fn keep_run(&self, run: RunId) -> Result<(), RoomError> {
        self.call(move |core| core.keep_run(&run)).await
    }

    /// What a run did on this page and nobody has decided about, by element.
    pub async fn touches(&self, run: RunId) -> Result<Vec<Touch>, RoomError> {
        self.call(move |core| core.touches(&run)).await
    }

    /// Whether all that a run changed here lies in a region, as it is and as undoing would leave it.
    pub async fn run_lies_in(&self, run: RunId, region: Region) -> Result<bool, RoomError> {
        self.call(move |core| core.run_lies_in(&run, &region)).await
    }

    pub async fn touched_elements(&self, run: RunId) -> Result<BTreeSet<ElementId>, RoomError> {
        self.call_at_once(move |core| core.touched_elements(&run))
            .await
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
        let (deed, result) = answered(deed);
        self.put(Input::Call(deed)).await?;
        result.await.map_err(|_| RoomError::Closed)
    }

    /// As [`Self::call`], for what is not on disk: waits for nobody's writing.
    async fn call_at_once<T: Send + 'static>(
        &self,
        deed: impl FnOnce(&mut RoomCore) -> T + Send + 'static,
    ) -> Result<T, RoomError> {
        let (answer, result) = oneshot::channel();
        let deed = move |core: &mut RoomCore| {
            // The caller may have gone away; the deed is done all the same.
            let _gone = answer.send(deed(core));
        };
        self.put(Input::Call(Box::new(deed))).await?;
        result.await.map_err(|_| RoomError::Closed)
    }

    async fn seat_call<T: Send + 'static>(
        &self,
        deed: impl FnOnce(&mut RoomCore) -> Result<T, CommitRefused> + Send + 'static,
    ) -> Result<T, CommitRefused> {
        self.call_at_once(deed)
            .await
            .unwrap_or_else(|error| Err(CommitRefused::Broken(error.to_string())))
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

/// A deed that says what came of it once everything up to it is durable.
fn answered<T: Send + 'static>(
    deed: impl FnOnce(&mut RoomCore) -> T + Send + 'static,
) -> (RoomDeed, oneshot::Receiver<T>) {
    let (answer, result) = oneshot::channel();
    let deed = move |core: &mut RoomCore| {
        let value = deed(core);
        core.then(move || {
            // The caller may have gone away; the deed is done all the same.
            let _gone = answer.send(value);
        });
    };
    (Box::new(deed), result)
}
