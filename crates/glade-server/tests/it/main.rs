#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audit;
mod region;
mod revocation;
mod stage;
