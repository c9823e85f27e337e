//! A room: the live, single owner of one page.
//!
//! Everything that changes a page comes through its room, people's updates and fairies' edits
//! alike. [`core`] decides (pure: inputs in, outputs out), [`actor`] runs it beside the store,
//! [`presence`] keeps who is there.
//!
//! Invariants:
//! - nothing merges before the gate has checked it;
//! - nothing is broadcast, acknowledged or answered before the store has made it durable, and
//!   all outputs leave in the order in which their inputs came (what a fairy asks about its own seat is not on
//!   disk, and is answered at once);
//! - a fenced fairy session changes nothing until it is opened again.

mod actor;
mod batch;
mod bounds;
mod commenting;
mod commit_limiter;
mod compaction;
mod company;
mod core;
mod edit;
mod fairy;
pub mod frames;
mod fullness;
mod handle;
mod ledger;
mod line;
mod merging;
mod opening;
mod output;
mod output_queue;
mod pace;
mod people;
mod presence;
mod range;
mod region;
mod registry;
mod replica;
#[cfg(test)]
mod sim;
mod suggestions;
mod telling;
#[cfg(test)]
mod tests;
mod tier;
mod user_changes;
mod verdict;

pub use bounds::Bounds;
pub use commenting::Said;
pub use fairy::{CommitRefused, FairySession};
pub use handle::{RoomError, RoomHandle};
pub use line::Line;
pub use merging::SERVER;
pub use output::{Outgoing, UndoReport};
pub use people::{NO_SUCH_PAGE, refusal_notice};
pub use range::{Part, TextRange};
pub use registry::{Rooms, Tuning};
pub use user_changes::UserChange;
pub use verdict::read_only;

use std::fmt;
use std::sync::{Arc, RwLock};

use glade_canvas::Scene;

/// One connection, of whatever kind. Given by the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnId(pub u64);

impl fmt::Display for ConnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection {}", self.0)
    }
}

/// What a page looks like right now, shared with the fairies' host for reading.
pub type SharedScene = Arc<RwLock<Scene>>;
