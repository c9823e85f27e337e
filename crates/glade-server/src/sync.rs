//! `/sync`: the Loro protocol v1 over a WebSocket, for browsers and any other client.
//!
//! [`socket`] speaks with one client; what it says is read by [`wire`], judged by its [`door`] and
//! passed to the rooms it has joined ([`joining`]). [`fragments`] puts large updates together,
//! [`writer`] sends frames, [`limit`] counts them.

mod door;
pub mod fragments;
mod joining;
mod limit;
pub mod socket;
mod wire;
mod writer;

#[cfg(test)]
#[path = "../tests/hostile/fragments.rs"]
mod hostile_fragments;
#[cfg(test)]
#[path = "../tests/hostile/frames.rs"]
mod hostile_frames;
#[cfg(test)]
#[path = "../tests/hostile/joins.rs"]
mod hostile_joins;
#[cfg(test)]
mod tests;
