#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
//! Glade's durable state: pages and their update logs, fairies, runs and what they touched, chats.
//!
//! # One handle, any database
//! [`Store`] is what the rest of Glade holds; [`Backend`] is what a database must offer to stand
//! behind it. [`Sqlite`] does so by default; another has to pass the same suite of tests.
//!
//! # One folder, one owner
//! A data folder holds `glade.db` (SQLite, write-ahead log) and `glade.lock`. [`Sqlite::open`] takes
//! the lock, so a second server on the same folder is refused; looks at the database before
//! changing anything, so a file that is not ours, comes from a newer version or is half-written
//! gets a clear error and stays as it was; and then brings an older schema up to date, each
//! migration in its own transaction.
//!
//! # Writing
//! A write is a list of [`Change`]s: all of them happen or none. [`Store::write`] puts it in a queue
//! at the moment of the call (so two calls one after the other are applied in that order, awaited
//! or not) and resolves when it is *durable*: committed with `synchronous=FULL`, which fsyncs the
//! log before the commit returns. The law "nothing is acknowledged before it is durable" is kept by
//! awaiting that future before answering anybody.
//!
//! One thread owns the writing connection. It takes whatever waits in the queue, applies each write
//! inside its own savepoint, commits once, then answers them all: fifty busy writers share one
//! fsync, and a write that fails takes nobody down with it.
//!
//! If a commit fails for any reason but a full disk, the writer stops taking writes
//! ([`StoreError::Halted`]): after a failed fsync the kernel may forget what it could not write, so
//! trying again would acknowledge what is not there.
//!
//! A full disk fails the writes that do not fit and no others; taking rights away has a reserve of
//! its own ([`Change::Revoke`], [`Change::EndSessions`]).
//!
//! # Reading
//! Reads are plain blocking calls on a second, read-only connection behind a mutex. They see every
//! write that was acknowledged before the call. The caller keeps long ones off async threads.
//!
//! # Auditing
//! Every write enters what it does into a hash chain, in its own transaction: see [`audit`].
//!
//! # What the store does not know
//! The document, the agent, the server. Bodies that belong to them are bytes or JSON text here.

mod apply;
mod archive;
pub mod audit;
mod backend;
mod backup;
mod blob;
mod change;
mod error;
mod folder;
pub mod peer;
pub mod private;
mod read;
mod reply;
mod reserve;
mod rows;
mod run;
mod schema;
mod sqlite;
mod stats;
mod store;
mod unreadable;
mod wal_checkpointer;
mod writer;

pub use archive::Archive;
pub use audit::{AuditEntry, AuditKind};
pub use backend::{Backend, ReadCode, ReadPages, ReadRest, ReadRuns};
pub use backup::{Restoring, Settings, backup};
pub use blob::{Blob, BlobKind, MAX_BLOB};
pub use change::Change;
pub use error::StoreError;
pub use reply::{Outcome, Reply};
pub use rows::{
    CodeChatRow, FairyRow, FileWriteRow, LinkRow, MessageRow, PageRow, PeerRow, PersonRow,
    ProjectRow, RunFilter, RunRow, RunStatus, SessionRow, SpanRow, StepRow, StoredDocument,
    StoredPage, TaskRow, TouchKey, TouchRow, UpdateRow, WhyRow, WriteState,
};
pub use run::{RunOwner, RunTarget};
pub use sqlite::Sqlite;
pub use stats::{GROUP_SIZES, StatsNow};
pub use store::Store;
pub use unreadable::{Listed, Unreadable, exact};
