//! The way back to a connection, and what becomes of one that breaks rules or does not keep up.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{Notify, mpsc};

use super::ConnId;
use super::core::RoomCore;
use super::output::Outgoing;
use crate::connection::penalties::{Account, CLOSE_VIOLATIONS, Penalty};
use crate::connection::queued::Queued;

/// The way back to a connection.
#[derive(Clone)]
pub struct Line {
    pub frames: mpsc::Sender<Outgoing>,
    /// Ends the connection when its frames no longer fit.
    pub cut: Arc<Notify>,
    /// What the connection did wrong so far.
    pub account: Arc<Account>,
    /// Bytes on their way to a reader.
    pub queued: Arc<Queued>,
}

impl Line {
    /// Ends the connection, with a word where that still fits.
    pub(super) fn close(&self, code: u16, reason: &'static str) {
        if !self.send(Outgoing::Close { code, reason }) {
            self.cut.notify_one();
        }
    }

    /// False if the reader is too slow, or gone.
    pub fn send(&self, what: Outgoing) -> bool {
        let bytes = what.bytes();
        if !self.queued.put(bytes) {
            return false;
        }
        let sent = self.frames.try_send(what).is_ok();
        if !sent {
            self.queued.sent(bytes);
        }
        sent
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
    if !line.send(what) {
        tracing::warn!(%conn, "a reader was too slow or is gone");
        line.cut.notify_one();
        lines.remove(&conn);
        core.leave(conn, None);
    }
}
