//! What an update says of itself before a byte of it is merged: whose operations it holds, and
//! which. Whether an update then holds what it says is for the gate to find out.

use serde::{Deserialize, Serialize};

use crate::{Counter, PeerId, Refusal, wire};

/// Largest update that is looked at.
pub const MAX_UPDATE_BYTES: usize = 4 * 1024 * 1024;
/// Most operations in one update. A few bytes can claim to be very many of them.
pub const MAX_UPDATE_OPERATIONS: u64 = 2_000_000;

/// Operations `from..to` of one peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PeerSpan {
    pub peer: PeerId,
    pub from: Counter,
    pub to: Counter,
}

/// Which operations an update holds, sorted by peer. It is read through to its end, without Loro,
/// and done before anything else: snapshots, oversized and damaged bytes are refused, and so is
/// what would make Loro use more memory than its bytes are worth.
pub fn blob_spans(blob: &[u8]) -> Result<Vec<PeerSpan>, Refusal> {
    wire::check_update(blob)
}
