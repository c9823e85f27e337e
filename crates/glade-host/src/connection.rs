//! What a connection is held to, whichever rooms it is in: what it did wrong, and what waits for its reader.

pub mod penalties;
pub mod queued;
