//! `/sync`: the Loro protocol v1 over a WebSocket, for browsers and any other client.
//!
//! [`socket`] speaks with one client and passes what it says to the rooms it has joined;
//! [`frames`] turns messages into frames of at most 256 KB and back; [`limit`] counts frames,
//! [`penalties`] what was refused.

pub mod frames;
mod limit;
pub mod penalties;
pub mod socket;
