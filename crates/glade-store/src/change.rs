//! What can be written: one variant for each kind of change, so that a transaction is a list that
//! can be read, logged and tested.

use std::collections::BTreeSet;

use crate::audit::AuditEntry;
use crate::blob::Blob;
use crate::rows::{
    CodeChatRow, FairyRow, FileWriteRow, LinkRow, MessageRow, PageRow, PersonRow, ProjectRow,
    RunRow, SessionRow, StepRow, TaskRow, TouchKey, TouchRow,
};

/// One change of the durable state. A [`crate::Store::write`] takes a list of them and makes all or
/// none of them happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    PutSetting {
        key: String,
        value: String,
    },
    /// Adds the page, or replaces its row.
    PutPage(PageRow),
    /// Removes the page with its log, snapshot, peers and touches. Its runs stay: they are history.
    DeletePage {
        id: String,
    },
    /// Puts the page into the trash: reading no longer finds it.
    TrashPage {
        id: String,
        at_ms: i64,
    },
    /// Takes the page out of the trash, as it was.
    RestorePage {
        id: String,
    },
    /// Adds to the end of the page's update log, under the page's next sequence number.
    AppendUpdate {
        page: String,
        /// `(peer, from, to)`: the counters `from..to` of `peer` that the blob carries.
        peer_spans: Vec<(u64, i32, i32)>,
        blob: Vec<u8>,
        subject: String,
        at_ms: i64,
    },
    /// Says whose a peer id is on this page, for good. Binding it again to the same subject does
    /// nothing; binding it to another is an error of the whole write.
    BindPeer {
        page: String,
        peer: u64,
        subject: String,
    },
    /// Replaces the snapshot and drops the log up to and including `through_seq`, which the
    /// snapshot must already hold: read [`crate::ReadPages::last_seq`] *before* exporting it.
    PutSnapshot {
        page: String,
        blob: Vec<u8>,
        through_seq: i64,
    },
    /// As [`Change::PutSnapshot`], with a snapshot that has let go of the past: the page's next
    /// epoch begins. `whole`, the document with that past, goes to the archive.
    CompactPage {
        page: String,
        blob: Vec<u8>,
        whole: Vec<u8>,
        through_seq: i64,
    },
    PutFairy(FairyRow),
    /// The fairy works no more; its row stays for the history.
    DismissFairy {
        id: String,
        at_ms: i64,
    },
    PutRun(RunRow),
    PutStep(StepRow),
    /// Gives the counters `from..to` to the run, joining them with spans of the same run, page and
    /// peer that they touch.
    PutSpan {
        run: String,
        page: String,
        peer: u64,
        from: i32,
        to: i32,
    },
    /// The run was shown these pages too, besides the one that it began on.
    NoteRead {
        run: String,
        pages: BTreeSet<String>,
    },
    /// Adds touches of one page, each replacing the one with the same key.
    PutTouches {
        page: String,
        rows: Vec<TouchRow>,
    },
    /// These can no longer be taken back: opening the page leaves them out, `why` still tells them.
    CloseTouches {
        keys: Vec<TouchKey>,
    },
    PutMessage(MessageRow),
    /// These messages of a chat are no longer part of it.
    DeleteMessages {
        chat: String,
        ids: Vec<String>,
    },
    PutCodeChat(CodeChatRow),
    /// Forgets a conversation and its messages. Its runs stay: they are history.
    DeleteCodeChat {
        id: String,
    },
    /// Keeps what a file was and will be, before it is written.
    PutFileWrite(FileWriteRow),
    /// What a run did to a file is now this: the rest after a part was kept or undone.
    SetFileWrites {
        run: String,
        path: String,
        rows: Vec<FileWriteRow>,
    },
    /// Adds the task, or replaces its row.
    PutTask(TaskRow),
    DeleteTask {
        id: String,
    },
    /// Adds the project, or replaces its row, its members and its waits.
    PutProject(ProjectRow),
    PutPerson(PersonRow),
    /// Remembers a token that was handed on. One that is known stays as it is.
    PutLink(LinkRow),
    /// A token with this block no longer holds. Revoking it again does nothing.
    Revoke {
        id: String,
        /// Who took it back.
        subject: String,
        at_ms: i64,
    },
    /// A browser signs in.
    PutSession(SessionRow),
    /// A session was in use at this moment. One that has ended stays ended.
    SeeSession {
        id: String,
        at_ms: i64,
    },
    /// These sessions are over. Ending one again does nothing.
    EndSessions {
        ids: Vec<String>,
        /// Who ended them.
        subject: String,
        at_ms: i64,
    },
    /// Keeps a picture; one that is there already stays as it is.
    PutBlob {
        blob: Blob,
        /// Who brought it.
        subject: String,
        at_ms: i64,
    },
    /// Enters into the audit chain what no other change tells by itself.
    Audit(AuditEntry),
}

impl Change {
    /// Whether it takes rights away: such a change may use the space that is held back for it when
    /// the disk is full.
    pub(crate) fn takes_rights_away(&self) -> bool {
        matches!(self, Change::Revoke { .. } | Change::EndSessions { .. })
    }
}
