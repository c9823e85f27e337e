//! Sync servers under load: ours, and those that people use today, measured by one thin client.
//!
//! The client is the same for all: raw WebSocket frames ([`websocket`]), edits made before the
//! clock runs, and no document on the receiving side. Every edit carries a *marker* (who, the how
//! manieth) as a string value, and a receiver finds it by looking at the bytes: so the client
//! stays cheap and knows no protocol while it measures. [`wire`] has what differs: how to join,
//! what an edit looks like, what an acknowledgement is.
//!
//! Edits are sent by the clock, not when the last one has come back, and latency counts from when
//! an edit was due: a server that stalls is charged for everything that waited meanwhile.

pub mod load;
pub mod marker;
pub mod pairs;
pub mod report;
pub mod rest;
pub mod server;
pub mod websocket;
pub mod wire;
