//! A room's core: the live, single owner of one page.
//!
//! Everything that changes a page comes through its room, people's updates and fairies' edits
//! alike. A [`Room`] decides, purely: [`Input`]s go in, with the time, and [`Output`]s come out. It
//! has no clock, no network, no disk and no randomness of its own, so the same inputs make the same
//! outputs. Whoever runs it keeps what it asks to be kept ([`Output::Append`]), says so
//! ([`Input::Durable`]), and carries what it sends.
//!
//! Where to look: [`Input`] and [`Output`] say what can happen; `people` takes what comes over lines,
//! `seats` and `undoing` what fairies and the server ask for; all that changes the page passes
//! `merging`; `document`, `members` and `output_queue` hold the state. [`recording`] writes a room's
//! inputs down and steps them again.
//!
//! Invariants:
//! - nothing merges before the gate has checked it;
//! - nothing is broadcast, acknowledged or answered before the store has made it durable, and all
//!   outputs leave in the order in which their inputs came (what a fairy asks about its own seat is
//!   not on disk, and is answered at once);
//! - a fenced fairy session changes nothing until it is opened again.

#![deny(clippy::disallowed_methods)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)
)]

mod answer;
mod barred;
mod batch;
mod bounds;
mod commenting;
mod committing;
mod company;
mod document;
mod edit;
mod epoch;
pub mod frames;
mod fullness;
mod input;
mod members;
mod merging;
mod output;
mod output_queue;
mod people;
mod presence;
mod range;
pub mod recording;

mod refusals;
mod region;
mod replica;
mod room;
mod seats;
mod serial;
#[cfg(any(test, feature = "sim"))]
#[allow(clippy::unwrap_used, clippy::expect_used)]
pub mod sim;
mod suggestions;
mod telling;
#[cfg(test)]
mod tests;
mod tier;
mod undoing;
mod user_changes;
mod verdict;

pub use answer::{Answer, FromAnswer};
pub use barred::Barred;
pub use batch::Update;
pub use bounds::Bounds;
pub use commenting::FairyComment;
pub use epoch::Epoch;
pub use fullness::{BYTES_OF_A_PAGE, COMMENTS_OF_A_PAGE, ELEMENTS_OF_A_PAGE};
pub use input::{Call, CallId, Input};
pub use merging::SERVER;
pub use output::{CLOSE_VIOLATIONS, KeptFor, Outgoing, Output, Record, UndoReport};
pub use people::{NO_SUCH_PAGE, refusal_notice};
pub use range::{Spot, TextRange, WritableRange};
pub use refusals::{RateLimiter, UNKNOWN};
pub use room::{Counts, OpenSuggestion, Opening, Room};
pub use seats::{CommitRefused, FairySession};
pub use suggestions::Suggestion;
pub use user_changes::UserChange;
pub use verdict::read_only;

use std::fmt;
use std::sync::{Arc, RwLock};

use glade_canvas::Scene;
use serde::{Deserialize, Serialize};

/// One connection, of whatever kind. Given by the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ConnId(pub u64);

impl fmt::Display for ConnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection {}", self.0)
    }
}

/// What a page looks like right now, shared with whoever runs the room, for reading.
pub type SharedScene = Arc<RwLock<Scene>>;
