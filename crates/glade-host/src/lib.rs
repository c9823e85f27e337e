//! What a server does behind its doors: rooms, the workspace's rows, the fairies' tasks, the code project.
//!
//! A page has one owner, its room ([`rooms`]). People's updates and fairies' edits come through the
//! same door there. [`fairies`] runs the pure cores of `glade-agent`; [`workspace`] holds what is not
//! a document; [`code`] runs chats about the code project; [`runs`] keeps, undoes and explains what was done. Nothing here knows of HTTP.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod audit;
pub mod clock;
pub mod code;
pub mod connection;
pub mod fairies;
pub mod files;
pub mod first_start;
pub mod headless;
pub mod ids;
pub mod limits;
pub mod metrics;
pub mod models;
pub mod page_files;
pub mod rooms;
pub mod rows;
mod run_log;
pub mod runs;
pub mod search;
pub mod set_aside;
mod stored;
pub mod traces;
pub mod workspace;
