//! Peer ids inside SQLite.
//!
//! SQLite's integers are signed 64-bit; Loro's peer ids are unsigned. A peer is stored as the `i64`
//! with the same bits, so every `u64` fits and comes back whole. Ids of 2^63 and above look
//! negative in the `sqlite3` shell, and `ORDER BY peer` there is not the order of the `u64`s: no
//! query of ours leans on it.

/// The database's form of a peer id.
pub fn to_sql(peer: u64) -> i64 {
    peer.cast_signed()
}

/// The peer id of the database's form.
pub fn from_sql(stored: i64) -> u64 {
    stored.cast_unsigned()
}
