//! Rooms, run: each page's [`glade_room::Room`] as a task beside the store.
//!
//! The room's core decides and waits for nothing; [`actor`] gives it what comes from lines, fairies
//! and the server, keeps what it asks to be kept, and carries what it sends. [`handle`] is the way
//! to a room from wherever; [`registry`] opens rooms and closes them.

mod actor;
#[cfg(test)]
mod chain;
mod commit_limiter;
mod compaction;
mod handle;
mod line;
mod pace;
mod records;
mod registry;
mod running;
#[cfg(test)]
mod tests;

pub use glade_room::{
    Bounds, CommitRefused, ConnId, FairyComment, FairySession, NO_SUCH_PAGE, Outgoing, SERVER,
    SharedScene, TextRange, UndoReport, UserChange, WritableRange, frames, read_only,
    refusal_notice,
};
pub use handle::{RoomError, RoomHandle};
pub use line::Line;
pub use registry::{Rooms, Tuning, barred};
