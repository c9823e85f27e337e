//! Providers through a real socket.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod aimock;
mod fake;
mod providers;
mod retrying;
