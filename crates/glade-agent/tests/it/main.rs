//! The fairy through its public doors.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod conversation;
mod drawing;
mod interrupt;
mod parser;
mod prompt;
mod room;
