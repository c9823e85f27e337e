//! What a binary of one's own adds is there as if it had always been: in the core, and in the program.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod core;
mod page;
mod program;
#[path = "../../../../crates/glade-agent/tests/it/room.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod room;
