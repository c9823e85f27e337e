//! The code project: a folder whose files a fairy reads, searches and changes beside people.
//!
//! # How a call becomes a change
//!
//! A [`Tool`] never writes. It *plans*: it looks at the [`Project`] and answers with a [`Planned`]:
//! what the model is told, and at most one [`PlannedChange`] (a file, its bytes before and after, or from where it is moved). Whoever
//! carries the plan out first keeps the bytes before, durably, and only then calls
//! [`Project::apply`]. So there is no instant at which a file has been changed and nobody knows what
//! it was; and a dry run is a plan that nobody applies.
//!
//! # Invariants
//!
//! - **Nothing leaves the folder.** Every path is a [`ProjectPath`] and every file is opened through
//!   a directory handle of `cap-std`; what a search walked over is opened the same way. Symbolic
//!   links that lead outside are errors, also when they are swapped in between.
//! - **What is ignored or secret is closed**, to people's interface as to models' tools: it is neither
//!   listed nor found, read nor written, under no name and through no link. Only taking back what a run
//!   once wrote reaches it.
//! - **Nothing hangs.** Fifos and devices are refused, sizes are bounded before reading, and every
//!   loop asks its [`Cancel`].
//! - **A write is whole or not at all**: a new file beside it, synced, renamed over it.
//! - **Nobody's newer work is overwritten.** A change carries the bytes that it was made from;
//!   applying it to anything else is refused, and so is planning on a file that changed since it was
//!   read ([`Seen`]).
//! - **Undo is a merge** ([`undo`]): what the run wrote is taken out of the file as it is now. What
//!   people wrote since stays; where that cannot be told apart the place is reported, not guessed.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod blame;
mod calls;
mod cancel;
mod change;
pub mod chat;
mod closed;
mod diff;
mod error;
mod files;
mod grants;
mod ignored;
mod info;
mod merge;
mod nearest;
mod params;
mod path;
mod project;
pub mod prompt;
pub mod results;
mod secrets;
mod seen;
mod tool;
pub mod tools;
pub mod undo;
mod walk;

pub use blame::{Author, blame};
pub use calls::{Call, CallOutcome, run_calls};
pub use cancel::Cancel;
pub use change::{ChangeKind, FileWrite, PlannedChange, digest};
pub use diff::{Hunk, MAX_DIFF_SIDE, UnifiedDiff, unified};
pub use error::{Code, ToolError};
pub use files::MAX_FILE;
pub use grants::{Grant, Grants, Reach};
pub use info::ProjectInfo;
pub use merge::{Clash, Merged, take_out};
pub use path::ProjectPath;
pub use project::{OpenError, Project};
pub use seen::{Seen, ShownLines};
pub use tool::{Planned, TOOLS, Tool, ToolContext, find};
