#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audit;
mod blobs;
mod metrics;
mod pages;
mod region;
mod revocation;
mod stage;
