//! The embedded model through the agent core, onto a page; providers through a real socket.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod aimock;
mod changes;
mod drawings;
mod fake;
mod flows;
mod page;
mod providers;
mod retrying;
mod sticky;
mod streaming;
