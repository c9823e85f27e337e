//! The server: what lies between sockets and the host.
//!
//! ```text
//!  browser ──/sync──▶ sync::socket ─┐                  ┌─▶ glade-store (durable first)
//!                                   ├─▶ room (gate) ───┤
//!  host (fairies' cores, models) ───┘                  └─▶ everyone else in the room
//!  browser ──/api───▶ http ─▶ workspace (rows) ─▶ event stream
//! ```
//!
//! A page has one owner, its [room](glade_host::rooms). People's updates and fairies' edits come through the same
//! door there. The [host](glade_host::fairies) runs the fairies' pure cores; the
//! [workspace](glade_host::workspace) holds what is not a
//! document; [`edge`] is what lies between a socket and all this.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod access;
mod allowance;
mod app;
mod budget;
mod closing;
mod config;
mod edge;
mod http;
mod listen;
mod readiness;
mod revocation;
mod serve;
mod sessions;
mod sync;
mod work;

pub use config::Config;
pub use edge::assets::Studio;
pub use edge::client::TrustedProxies;
pub use glade_agent::projects::{Budget, Rules as TeamRules};
pub use glade_host::clock::Clock;
pub use glade_host::code::{Mind as CodeMind, MindError as CodeMindError};
pub use glade_host::headless::{Headless, Outcome, RunProgress};
pub use glade_host::models::{AtOnce, Models, NoModel, SettingsError};
pub use glade_host::page_files::{Links, PageFile, PageFiles, PageFilesError};
pub use glade_host::rooms::Tuning as RoomTuning;
pub use glade_host::rows::surface_of;
pub use glade_host::workspace::{Cost, Teams};
pub use http::openapi;
pub use listen::owner::NAME as OWNER_SOCKET;
pub use listen::{Connections, Network};
pub use revocation::FOLDER as REVOKE_FOLDER;
pub use serve::{ServeError, Server};
