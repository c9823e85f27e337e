//! The server: rooms, sync, the fairies' host, HTTP.
//!
//! ```text
//!  browser ──/sync──▶ sync::socket ─┐                  ┌─▶ glade-store (durable first)
//!                                   ├─▶ room (gate) ───┤
//!  host (fairies' cores, models) ───┘                  └─▶ everyone else in the room
//!  browser ──/api───▶ http ─▶ workspace (rows) ─▶ event stream
//! ```
//!
//! A page has one owner, its [`room`]. People's updates and fairies' edits come through the same
//! door there. The [`host`] runs the fairies' pure cores; [`workspace`] holds what is not a
//! document; [`edge`] is what lies between a socket and all this.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod access;
mod allowance;
mod alone;
mod app;
mod audit;
mod budget;
mod carry;
mod clock;
mod closing;
mod code;
mod config;
mod edge;
mod files;
mod first_start;
mod host;
mod http;
mod ids;
mod listen;
mod metrics;
mod models;
mod readiness;
mod revocation;
mod room;
mod rows;
mod search;
mod serve;
mod sessions;
mod sync;
mod traces;
mod work;
mod workspace;

pub use alone::{Alone, Heard, Outcome};
pub use carry::{CarriedPage, Carrier, CarryError, Links};
pub use clock::Clock;
pub use code::{Mind as CodeMind, MindError as CodeMindError};
pub use config::{Config, SKETCH_PACE};
pub use edge::assets::cjk_font;
pub use edge::client::TrustedProxies;
pub use glade_agent::projects::{Budget, Rules as TeamRules};
pub use http::openapi;
pub use listen::owner::NAME as OWNER_SOCKET;
pub use listen::{Connections, Network};
pub use models::{AtOnce, Models, NoModel, SettingsError};
pub use revocation::FOLDER as REVOKE_FOLDER;
pub use room::Tuning as RoomTuning;
pub use serve::{ServeError, Server};
pub use workspace::{Cost, Teams};
