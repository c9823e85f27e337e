#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audit;
mod revocation;
mod stage;
