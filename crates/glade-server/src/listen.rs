//! Connections: who is let in, for how long, and who makes room when there is none.
//!
//! [`accept`] takes connections and serves them; [`slots`] counts them, in all and by address, and
//! says who has to go; [`stream`] watches what goes over one; [`body`] watches the bodies of
//! requests; [`owner`] is a way in beside all of this, for the owner alone; [`descriptors`] knows
//! how many files may be open.

mod accept;
mod body;
mod descriptors;
pub mod owner;
mod senders;
pub mod slots;
mod strangers;
mod stream;

use crate::edge::client::TrustedProxies;
use glade_host::clock::Clock;

pub use accept::{Door, Visitor, serve};
pub use descriptors::connections_in_all;

/// How the server is reached, and how much of it strangers may take.
#[derive(Debug, Clone, Default)]
pub struct Network {
    /// Whose word about the address and the scheme of their clients is believed.
    pub trusted_proxies: TrustedProxies,
    /// The most connections at once; fewer if the system allows fewer open files.
    pub connections: Connections,
    /// What time it is.
    pub clock: Clock,
}

/// The most connections at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    pub in_all: usize,
    /// From one address, of those that have shown no valid token.
    pub per_address: usize,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            in_all: 10_000,
            per_address: 256,
        }
    }
}
