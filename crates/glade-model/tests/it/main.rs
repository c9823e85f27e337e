//! Providers through a real socket.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod aimock;
mod eyes;
mod fake;
mod providers;
mod retrying;
