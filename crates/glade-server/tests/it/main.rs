//! The server through its real doors: a data folder, a port, sockets.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod arena;
mod audit;
mod blobs;
mod client;
mod hostile;
mod hostile_bytes;
mod hostile_doors;
mod metrics;
mod pages;
mod region;
mod revocation;
mod stage;
