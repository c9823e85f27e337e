//! What a database must offer to hold Glade's state.
//!
//! [`crate::Store`] is the one handle that the rest of Glade knows; behind it is one of these. SQLite
//! is the only one so far ([`crate::Sqlite`]). Another has to pass the same tests: the suite in this
//! crate's `tests/it/suite.rs` is written against a place where stores are opened, not against
//! SQLite.
//!
//! The traits are called through one pointer, and writing returns no boxed future: the caller's half
//! of a channel is handed in with the changes, so a write costs one virtual call.

use std::collections::BTreeSet;

use crate::audit::Signer;
use crate::blob::Blob;
use crate::change::Change;
use crate::error::StoreError;
use crate::reply::Reply;
use crate::rows::{
    CodeChatRow, FairyRow, FileWriteRow, LinkRow, MessageRow, PageRow, PersonRow, ProjectRow,
    RunFilter, RunRow, SessionRow, SpanRow, StepRow, StoredPage, TaskRow, TouchRow, UpdateRow,
    WhyRow,
};
use crate::stats::StatsNow;
use crate::unreadable::{Listed, Unreadable};

/// Holds everything. What it promises:
/// - a write is all or nothing, and is answered only once it would survive a power cut;
/// - writes are applied in the order of their [`Backend::enqueue`] calls;
/// - a read sees every write that was answered before it began, and what one call answers was all
///   true at the same moment;
/// - what changes the record is entered into the audit chain in the same transaction;
/// - a row that cannot be read is never answered as something else: a list names it beside the
///   others ([`Listed`]), anything else is [`StoreError::Unreadable`];
/// - dropping it finishes what is queued.
pub trait Backend: ReadPages + ReadRuns + ReadCode + ReadRest + Send + Sync {
    /// Queues a write; `reply` hears how it went.
    fn enqueue(&self, changes: Vec<Change>, reply: Reply);

    /// Signs checkpoints of the audit chain from now on: one at once for what has none yet, then
    /// after every so many entries, in quiet moments and at the end.
    fn keep_checkpoints(&self, origin: &str, signer: Box<dyn Signer>) -> Result<(), StoreError>;

    /// Signs the chain as it stands once everything queued so far is written; for a server's end.
    /// Without [`Backend::keep_checkpoints`] there is nothing to sign with.
    fn seal(&self) -> Result<(), StoreError>;

    /// Whether the disk has no place for anything but taking rights away: from the first write that
    /// it did not take until it takes writes again.
    fn is_full(&self) -> bool;

    /// What the writer has done since it was opened.
    fn stats(&self) -> StatsNow;
}

/// Pages and their logs.
pub trait ReadPages {
    /// All pages but those in the trash, in the order of their positions.
    fn pages(&self) -> Result<Listed<PageRow>, StoreError>;

    fn page(&self, id: &str) -> Result<Option<PageRow>, StoreError>;

    /// A page in the trash.
    fn trashed_page(&self, id: &str) -> Result<Option<PageRow>, StoreError>;

    /// Everything needed to open a page; [`StoreError::Missing`] if there is none of that id.
    fn load_page(&self, id: &str) -> Result<StoredPage, StoreError>;

    /// Whose a peer id is on a page.
    fn subject_of_peer(&self, page: &str, peer: u64) -> Result<Option<String>, StoreError>;

    /// The sequence number of the page's last durable update, 0 if it has none.
    fn last_seq(&self, page: &str) -> Result<i64, StoreError>;

    /// The log's entries after `seq`, oldest first, as far as no snapshot has replaced them.
    fn updates_after(&self, page: &str, seq: i64) -> Result<Vec<UpdateRow>, StoreError>;
}

/// Runs, their steps and spans, and what they touched.
pub trait ReadRuns {
    /// The runs that the filter lets through, newest first.
    fn runs(&self, filter: RunFilter) -> Result<Listed<RunRow>, StoreError>;

    fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError>;

    /// A run's steps in order.
    fn steps_of_run(&self, run: &str) -> Result<Vec<StepRow>, StoreError>;

    /// The same, without what was asked and answered: lists of runs show none of it, and it is long.
    fn steps_in_short(&self, run: &str) -> Result<Vec<StepRow>, StoreError>;

    /// The operations that belong to a run, by page and peer.
    fn spans_of_run(&self, run: &str) -> Result<Vec<SpanRow>, StoreError>;

    /// The pages that a run was shown, besides the one that it began on. An empty name among them is a
    /// page that nobody knows.
    fn pages_read_by(&self, run: &str) -> Result<BTreeSet<String>, StoreError>;

    /// The operations on a page of the runs that are under way or can still be undone there.
    fn pending_spans(&self, page: &str) -> Result<Vec<SpanRow>, StoreError>;

    /// What a run touched, in the order of its actions.
    fn touches_of_run(&self, run: &str) -> Result<Vec<TouchRow>, StoreError>;

    /// The run that an operation of a page belongs to, if it is a fairy's.
    fn run_of_op(&self, page: &str, peer: u64, counter: i32) -> Result<Option<RunRow>, StoreError>;

    /// The runs that touched an element, oldest first, with their touches of it.
    fn why(&self, page: &str, element: &str) -> Result<Vec<WhyRow>, StoreError>;
}

/// The code project.
pub trait ReadCode {
    /// The conversations, the oldest first.
    fn code_chats(&self) -> Result<Listed<CodeChatRow>, StoreError>;

    /// What a run did to files, by path and in order.
    fn file_writes_of_run(&self, run: &str) -> Result<Vec<FileWriteRow>, StoreError>;

    /// What runs did to a file, the oldest run first, each with its writes in order.
    fn file_writes_of_path(&self, path: &str) -> Result<Vec<FileWriteRow>, StoreError>;
}

/// Fairies, chats, tasks, pictures, settings, revoked tokens.
pub trait ReadRest {
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// The names of all settings.
    fn setting_keys(&self) -> Result<Vec<String>, StoreError>;

    /// A picture, if there is one of that id. Bytes that are not what the id says are an error.
    fn blob(&self, id: &str) -> Result<Option<Blob>, StoreError>;

    /// What all pictures take, in bytes.
    fn blob_bytes(&self) -> Result<u64, StoreError>;

    /// The rows that decide rights and are not what the audit chain says of them.
    fn contradicted(&self) -> Result<Vec<Unreadable>, StoreError>;

    /// The blocks of tokens that no longer hold, by their table or by the audit chain.
    fn revoked(&self) -> Result<Vec<String>, StoreError>;

    /// Everybody who ever came in, by subject.
    fn people(&self) -> Result<Listed<PersonRow>, StoreError>;

    /// The tokens that were handed on, the oldest first.
    fn links(&self) -> Result<Listed<LinkRow>, StoreError>;

    /// The browsers that are signed in.
    fn sessions(&self) -> Result<Listed<SessionRow>, StoreError>;

    /// All fairies that were not dismissed, the oldest first.
    fn fairies(&self) -> Result<Listed<FairyRow>, StoreError>;

    /// A fairy, dismissed or not.
    fn fairy(&self, id: &str) -> Result<Option<FairyRow>, StoreError>;

    /// A chat's messages in the order in which they were first put, the newest 16 MB of them.
    fn messages(&self, chat: &str) -> Result<Vec<MessageRow>, StoreError>;

    /// All tasks in the order of their positions, those on pages in the trash included.
    fn tasks(&self) -> Result<Listed<TaskRow>, StoreError>;

    /// The projects that are under way and the newest others, up to so many, the oldest first.
    fn projects(&self, most_ended: u32) -> Result<Listed<ProjectRow>, StoreError>;
}
