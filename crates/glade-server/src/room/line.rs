//! The way back to a connection, and what becomes of one that breaks rules or does not keep up.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::sync::{Notify, mpsc};

use super::ConnId;
use super::core::RoomCore;
use super::output::Outgoing;
use crate::sync::penalties::{Account, CLOSE_VIOLATIONS, Penalty};

/// The way back to a connection.
#[derive(Clone)]
pub struct Line {
    pub frames: mpsc::Sender<Outgoing>,
    /// Ends the connection when its frames no longer fit.
    pub cut: Arc<Notify>,
    /// What the connection did wrong so far.
    pub account: Arc<Account>,
    /// Bytes on their way to a reader; the writer takes off what it has sent.
    pub queued: Arc<AtomicUsize>,
}

/// What may wait for a slow reader: the largest page with room to spare, and no more memory.
pub const MAX_QUEUED_BYTES: usize = 64 * 1024 * 1024;

impl Line {
    /// Ends the connection, with a word where that still fits.
    pub(super) fn close(&self, code: u16, reason: &'static str) {
        if !self.push(Outgoing::Close { code, reason }) {
            self.cut.notify_one();
        }
    }

    /// False if the reader is too slow, or gone.
    fn push(&self, what: Outgoing) -> bool {
        let bytes = match &what {
            Outgoing::Frame(frame) => frame.len(),
            Outgoing::Text(_) | Outgoing::Close { .. } => 0,
        };
        self.queued.fetch_add(bytes, Ordering::Relaxed) < MAX_QUEUED_BYTES
            && self.frames.try_send(what).is_ok()
    }
}

pub(super) fn penalise(core: &mut RoomCore, lines: &mut HashMap<ConnId, Line>, conn: ConnId) {
    let Some(line) = lines.get(&conn) else {
        return;
    };
    match line.account.violation(Instant::now()) {
        Penalty::None => {}
        Penalty::Warn => tracing::warn!(%conn, "a connection breaks the rules again and again"),
        Penalty::Close | Penalty::Ban => {
            let close = Outgoing::Close {
                code: CLOSE_VIOLATIONS,
                reason: "too many violations",
            };
            deliver(core, lines, conn, close);
            lines.remove(&conn);
            core.leave(conn, None);
        }
    }
}

/// A line that is full belongs to a reader too slow to follow: it is dropped, and with it the
/// connection, rather than letting it hold up or fill the room.
pub(super) fn deliver(
    core: &mut RoomCore,
    lines: &mut HashMap<ConnId, Line>,
    conn: ConnId,
    what: Outgoing,
) {
    let Some(line) = lines.get(&conn) else {
        return;
    };
    if !line.push(what) {
        tracing::warn!(%conn, "a reader was too slow or is gone");
        line.cut.notify_one();
        lines.remove(&conn);
        core.leave(conn, None);
    }
}
