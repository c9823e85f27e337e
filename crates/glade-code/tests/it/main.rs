//! The code project through its public doors.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod calling;
mod closing;
mod conversing;
mod escapes;
mod escapes_odd;
mod escapes_races;
mod introducing;
mod looking;
mod merging;
mod moving;
mod support;
mod undoing;
mod writing;
