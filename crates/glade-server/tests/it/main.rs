//! The server through its real doors: a data folder, a port, sockets.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod arena;
mod asking;
mod audit;
mod blobs;
mod client;
mod code;
mod code_approvals;
mod code_chat;
mod code_fairy;
mod code_rights;
mod comments;
mod doors;
mod entered;
mod epochs;
mod expiry;
mod export;
mod fairies;
mod hidden_pages;
mod hostile;
mod hostile_bytes;
mod hostile_doors;
#[path = "../../../glade-canvas/tests/hostile/files.rs"]
#[allow(dead_code, reason = "the server tells what a file is by its bytes")]
mod hostile_files;
mod hostile_imports;
mod import;
mod mangled;
mod matrix;
mod metrics;
mod pages;
mod projects;
mod refusals;
mod region;
mod region_comments;
mod revocation;
mod run_rights;
mod runs;
mod sessions;
mod sharing;
mod spoilt;
mod stage;
mod studio_types;
mod suggesting;
mod tasks;
mod text_bounds;
mod text_pages;

/// An HTTP client for tests. Building the models' own first installs what TLS needs, which reqwest
/// asks for even where it is not used.
fn http_client() -> reqwest::Client {
    drop(glade_model::Client::new());
    reqwest::Client::new()
}
