//! The real binary.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod backup;
#[path = "../../../glade-server/tests/it/client.rs"]
#[allow(
    dead_code,
    reason = "its badly behaved half is for the server's own tests"
)]
mod client;
mod code;
mod crash;
mod draw;
mod export_import;
mod faults;
mod floods;
mod hostile;
#[path = "../../../glade-canvas/tests/hostile/files.rs"]
mod hostile_files;
mod logs;
mod mid_answer;
mod named_tests;
mod projects;
mod provider;
mod render;
mod server;
mod shutdown;
mod strangers;
mod tokens;
mod traces;
mod write;
