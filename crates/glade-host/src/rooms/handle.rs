//! The way to a room: what can be asked of it, from wherever.
//!
//! Every call goes through the room's mailbox and answers once what it did is durable; what concerns a fairy's
//! seat alone leaves nothing on disk, and answers at once. Fairies' edits wait apart: people go first.

use std::collections::{BTreeMap, BTreeSet};

use glade_access::{Capability, Region};
use glade_doc::{
    CommentId, DocError, Edit, ElementId, PeerId, Props, RollbackRequest, RunId, RunTag, Surface,
    Touch,
};
use glade_room::{
    Answer, Bounds, Call, CommitRefused, ConnId, FairyComment, FairySession, FromAnswer, Input,
    SharedScene, TextRange, UndoReport, Update, UserChange,
};
use glade_store::StoreError;
use loro::LoroValue;
use loro_protocol::{BatchId, CrdtType};
use tokio::sync::{mpsc, oneshot};

use super::actor::{self, Deps};
use super::commit_limiter::CommitLimiter;
use super::compaction::Log;
use super::line::Line;
use super::running::RunningRoom;

const MAILBOX: usize = 1024;

/// What comes into a room.
pub(super) enum Mail {
    Join {
        conn: ConnId,
        line: Line,
        input: Input,
    },
    Update(Update),
    Input(Input),
    Call(Asked),
    /// Everybody leaves: fold the log. The sender goes away when that is done.
    Rest(oneshot::Sender<()>),
    /// Begins, and then does nothing until somebody says so.
    #[cfg(test)]
    Hold(oneshot::Sender<()>, std::sync::mpsc::Receiver<()>),
}

/// A call, and where its answer goes.
pub(super) struct Asked {
    pub call: Call,
    pub answer: oneshot::Sender<Answer>,
}

impl Asked {
    fn new(call: Call) -> (Self, oneshot::Receiver<Answer>) {
        let (answer, answered) = oneshot::channel();
        (Self { call, answer }, answered)
    }
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

impl RoomError {
    /// What a room answered, as what the call promises.
    pub(super) fn read<T: FromAnswer>(answer: Answer) -> Result<T, Self> {
        match answer {
            Answer::Failed(why) => Err(Self::Document(why)),
            other => T::from_answer(other)
                .ok_or_else(|| Self::Document("the room answered another question".to_owned())),
        }
    }
}

/// Where a room's inputs come out.
pub(super) struct Inputs {
    pub mailbox: mpsc::Receiver<Mail>,
    /// Fairies' edits, which let people go first.
    pub fairies: mpsc::Receiver<Asked>,
    /// What waits for nobody: a person's Stop is not one of the things that it stops.
    pub urgent: mpsc::Receiver<Asked>,
}

/// The way to a room.
#[derive(Clone)]
pub struct RoomHandle {
    mailbox: mpsc::Sender<Mail>,
    fairies: mpsc::Sender<Asked>,
    urgent: mpsc::Sender<Asked>,
    commit_limiter: CommitLimiter,
    scene: SharedScene,
    surface: Surface,
}

impl RoomHandle {
    pub(super) fn spawn(
        room: RunningRoom,
        log: Log,
        deps: Deps,
        commit_limiter: CommitLimiter,
    ) -> Self {
        let (mailbox, taken) = mpsc::channel(MAILBOX);
        let (fairies, edits) = mpsc::channel(MAILBOX);
        let (urgent, hurry) = mpsc::channel(MAILBOX);
        let inputs = Inputs {
            mailbox: taken,
            fairies: edits,
            urgent: hurry,
        };
        let (scene, surface) = (room.scene().clone(), room.surface());
        tokio::spawn(actor::run(room, inputs, log, deps));
        Self {
            mailbox,
            fairies,
            urgent,
            commit_limiter,
            scene,
            surface,
        }
    }

    /// What the page is made of.
    pub fn surface(&self) -> Surface {
        self.surface
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
        let input = Input::Join {
            conn,
            crdt,
            capability: Box::new(capability),
            version,
        };
        self.put(Mail::Join { conn, line, input }).await
    }

    pub async fn leave(&self, conn: ConnId, crdt: Option<CrdtType>) -> Result<(), RoomError> {
        self.put(Mail::Input(Input::Leave { conn, crdt })).await
    }

    pub async fn update(
        &self,
        conn: ConnId,
        batch: BatchId,
        blobs: Vec<Vec<u8>>,
    ) -> Result<(), RoomError> {
        let update = Update { conn, batch, blobs };
        self.put(Mail::Update(update)).await
    }

    /// What somebody shows of themselves; `name` is what the workspace calls them.
    pub async fn presence(
        &self,
        conn: ConnId,
        name: String,
        batch: BatchId,
        blobs: Vec<Vec<u8>>,
    ) -> Result<(), RoomError> {
        let said = Input::Presence {
            conn,
            name,
            batch,
            blobs,
        };
        self.put(Mail::Input(said)).await
    }

    pub async fn seat(
        &self,
        fairy: &str,
        capability: Capability,
        peer: PeerId,
    ) -> Result<FairySession, RoomError> {
        let (fairy, capability) = (fairy.to_owned(), Box::new(capability));
        self.call(Call::Seat {
            fairy,
            capability,
            peer,
        })
        .await
    }

    pub async fn begin_run(
        &self,
        session: &FairySession,
        run: RunId,
        asker: Option<Capability>,
    ) -> Result<(), CommitRefused> {
        let (session, asker) = (session.clone(), asker.map(Box::new));
        self.fairy_call(Call::BeginRun {
            session,
            run,
            asker,
        })
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
        let _turn = self.commit_limiter.turn().await;
        let (asked, answer) = Asked::new(Call::Commit {
            session: session.clone(),
            tag,
            tool: tool.to_owned(),
            edits,
        });
        let answer = match self.fairies.send(asked).await {
            Ok(()) => answer.await.map_err(|_| RoomError::Closed),
            Err(_) => Err(RoomError::Closed),
        };
        read_of_fairy(answer)
    }

    /// Something that a fairy says about the page; answers once it is durable.
    pub async fn fairy_comment(
        &self,
        session: &FairySession,
        tool: &'static str,
        comment: FairyComment,
    ) -> Result<(), CommitRefused> {
        let (session, tool) = (session.clone(), tool.to_owned());
        self.fairy_call(Call::Comment {
            session,
            tool,
            comment,
        })
        .await
    }

    pub async fn rescope(
        &self,
        session: &FairySession,
        capability: Capability,
    ) -> Result<(), CommitRefused> {
        let (session, capability) = (session.clone(), Box::new(capability));
        self.fairy_call(Call::Rescope {
            session,
            capability,
        })
        .await
    }

    /// What holds a fairy besides its capability, from now on.
    pub async fn bound(&self, session: &FairySession, bounds: Bounds) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(Call::Bound { session, bounds }).await
    }

    /// Ties a range to the characters that it is at now; if it is none, says why.
    pub async fn pin(&self, range: TextRange) -> Result<Result<TextRange, String>, RoomError> {
        self.call(Call::Pin { range }).await
    }

    /// The first and the last block that a fairy may change, if not all.
    pub async fn own_part(
        &self,
        session: &FairySession,
    ) -> Result<Option<(ElementId, ElementId)>, CommitRefused> {
        let session = session.clone();
        self.fairy_call(Call::OwnPart { session }).await
    }

    pub async fn unseat(&self, session: &FairySession) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(Call::Unseat { session }).await
    }

    /// Edits that the server makes for a person; answers once they are durable.
    pub async fn edit_as(
        &self,
        capability: Capability,
        peer: PeerId,
        edits: Vec<Edit>,
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        let capability = Box::new(capability);
        self.fairy_call(Call::EditAs {
            capability,
            peer,
            edits,
        })
        .await
    }

    pub async fn end_action(&self, session: &FairySession) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(Call::EndAction { session }).await
    }

    pub async fn revert_action(
        &self,
        session: &FairySession,
        run: RunId,
        action: u32,
    ) -> Result<(), CommitRefused> {
        let session = session.clone();
        self.fairy_call(Call::RevertAction {
            session,
            run,
            action,
        })
        .await
    }

    /// Goes before everything that waits in the mailbox, the fairy's own edits among it.
    pub async fn fence(&self, fairy: &str) -> Result<Option<FairySession>, RoomError> {
        let fairy = fairy.to_owned();
        let (asked, answer) = Asked::new(Call::Fence { fairy });
        let sent = self.urgent.send(asked).await;
        sent.map_err(|_| RoomError::Closed)?;
        RoomError::read(answer.await.map_err(|_| RoomError::Closed)?)
    }

    /// From when this answers the room does nothing until somebody says so.
    #[cfg(test)]
    pub async fn hold(&self, until: std::sync::mpsc::Receiver<()>) -> Result<(), RoomError> {
        let (begins, held) = oneshot::channel();
        self.put(Mail::Hold(begins, until)).await?;
        held.await.map_err(|_| RoomError::Closed)
    }

    #[cfg(test)]
    pub async fn undo_run(
        &self,
        run: RunId,
        elements: Option<BTreeSet<ElementId>>,
    ) -> Result<UndoReport, RoomError> {
        self.undo_part(RollbackRequest::part(run, None, elements))
            .await
    }

    /// Undoes a run, or a part of it: some of its elements, one of its actions.
    pub async fn undo_part(&self, what: RollbackRequest) -> Result<UndoReport, RoomError> {
        self.call(Call::UndoPart(what)).await
    }

    /// Takes the undos of a run back. Of one that is not known here nothing is in the answer.
    pub async fn reopen(&self, run: RunId) -> Result<UndoReport, RoomError> {
        self.call(Call::Reopen { run }).await
    }

    /// Keeps a part of a run, or all of it; answers the elements that are left to decide about.
    pub async fn keep_part(&self, what: RollbackRequest) -> Result<BTreeSet<ElementId>, RoomError> {
        self.call(Call::KeepPart(what)).await
    }

    pub async fn undo_after(&self, run: RunId, last: u32) -> Result<UndoReport, RoomError> {
        self.call(Call::UndoAfter { run, last }).await
    }

    /// What people did on the page since this was last asked.
    pub async fn user_actions(
        &self,
        session: &FairySession,
    ) -> Result<Vec<UserChange>, CommitRefused> {
        let session = session.clone();
        self.fairy_call(Call::TakeUserChanges { session }).await
    }

    pub async fn keep_run(&self, run: RunId) -> Result<(), RoomError> {
        self.keep_part(RollbackRequest::whole(run)).await.map(drop)
    }

    /// What a run did on this page and nobody has decided about, by element.
    pub async fn touches(&self, run: RunId) -> Result<Vec<Touch>, RoomError> {
        self.call(Call::Touches { run }).await
    }

    /// Whether all that a run changed here lies in a region, as it is and as undoing would leave it.
    pub async fn run_lies_in(&self, run: RunId, region: Region) -> Result<bool, RoomError> {
        self.call(Call::RunLiesIn { run, region }).await
    }

    pub async fn touched_elements(&self, run: RunId) -> Result<BTreeSet<ElementId>, RoomError> {
        self.call(Call::TouchedElements { run }).await
    }

    pub async fn set_fairy_presence(
        &self,
        session: &FairySession,
        value: LoroValue,
    ) -> Result<(), RoomError> {
        let session = session.clone();
        self.put(Mail::Input(Input::FairyPresence { session, value }))
            .await
    }

    pub async fn retier(&self, tier: String) -> Result<(), RoomError> {
        self.call(Call::Retier { tier }).await
    }

    pub async fn close(&self) -> Result<(), RoomError> {
        self.call(Call::Close).await
    }

    /// The document's own values, deleted elements included.
    pub async fn elements(&self) -> Result<BTreeMap<ElementId, Props>, RoomError> {
        self.call(Call::Elements).await
    }

    /// What people said on the page, deleted comments included.
    pub async fn comments(&self) -> Result<BTreeMap<CommentId, Props>, RoomError> {
        self.call(Call::Comments).await
    }

    /// Resolves once everything that the room has taken so far is durable, and in the scene.
    pub async fn shown(&self) -> Result<(), RoomError> {
        self.call(Call::Show).await
    }

    /// Resolves once everything that the room has taken so far is durable.
    pub async fn settled(&self) -> Result<(), RoomError> {
        self.call(Call::Settle).await
    }

    /// Leaves the page as it should lie when nobody is on it, and waits until that, and all that
    /// came before, is on disk.
    pub async fn rest(&self) {
        let (done, resting) = oneshot::channel();
        if self.put(Mail::Rest(done)).await.is_ok() {
            // It ends by letting go, whether there was something to do or not.
            let _let_go = resting.await;
        }
    }

    async fn put(&self, mail: Mail) -> Result<(), RoomError> {
        self.mailbox.send(mail).await.map_err(|_| RoomError::Closed)
    }

    async fn ask(&self, call: Call) -> Result<Answer, RoomError> {
        let (asked, answer) = Asked::new(call);
        self.put(Mail::Call(asked)).await?;
        answer.await.map_err(|_| RoomError::Closed)
    }

    async fn call<T: FromAnswer>(&self, call: Call) -> Result<T, RoomError> {
        RoomError::read(self.ask(call).await?)
    }

    async fn fairy_call<T: FromAnswer>(&self, call: Call) -> Result<T, CommitRefused> {
        read_of_fairy(self.ask(call).await)
    }
}

fn read_of_fairy<T: FromAnswer>(answer: Result<Answer, RoomError>) -> Result<T, CommitRefused> {
    match answer {
        Ok(Answer::Refused(refused)) => Err(refused),
        other => other
            .and_then(RoomError::read)
            .map_err(|error| CommitRefused::Broken(error.to_string())),
    }
}
